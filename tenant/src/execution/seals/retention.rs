//! How long files of proofs are kept. When their time is over the bytes go; what was recorded stays, and so do the fingerprints:
//! each record is sealed once more, saying that its files are gone and why.

use chrono::Duration;
use routewright_core::Result;
use routewright_identity::Caller;

use crate::app::App;
use crate::setup::files;
use crate::setup::information::{self, ProofOfDelivery};

/// Files that are dealt with at once; the rest the next time.
const AT_ONCE: i64 = 200;

/// Removes the files of proofs whose time is over, where the organisation has set one.
///
/// # Errors
/// 503 when the storage cannot be reached; the next time goes on.
pub(crate) async fn retire(app: &App, caller: &Caller) -> Result<()> {
    let now = app.clock.now();
    let mut work = app.tenants.of(caller)?.begin().await?;
    let settings: ProofOfDelivery = information::of(&mut work).await?;
    if let Some(days) = settings.files_kept_days {
        let over: Vec<i64> = sqlx::query_scalar(
            "select f.id from files f
             where f.state = 'ready' and f.created < $1 and (
                 exists (select from proof_seals s where s.files @> jsonb_build_array(jsonb_build_object('id', f.id)))
                 or exists (select from job_proofs p where f.id = p.signature_id or f.id = any(p.photo_ids))
                 or exists (select from unit_proofs p where f.id = p.signature_id or f.id = any(p.photo_ids))
                 or exists (select from return_proofs p where f.id = p.signature_id or f.id = any(p.photo_ids))
                 or exists (select from container_proofs p where f.id = p.signature_id or f.id = any(p.photo_ids))
                 or exists (select from run_proofs p where f.id = p.signature_id or f.id = any(p.photo_ids))
                 or exists (select from evidence e where f.id = e.signature_id or f.id = any(e.photo_ids)))
             order by f.id limit $2 for update of f",
        )
        .bind(now - Duration::days(days))
        .bind(AT_ONCE)
        .fetch_all(&mut *work)
        .await?;
        if !over.is_empty() {
            files::end(&mut work, &over, now).await?;
            let why = if days == 1 {
                "Removed after 1 day".to_owned()
            } else {
                format!("Removed after {days} days")
            };
            sqlx::query("select proof_files_removed($1, $2, $3)")
                .bind(&over)
                .bind(why)
                .bind(now)
                .execute(&mut *work)
                .await?;
        }
    }
    work.commit().await?;
    files::remove_bytes(app, caller).await
}
