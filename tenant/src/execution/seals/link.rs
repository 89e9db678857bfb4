//! The link behind the code on a proof of delivery.

use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use crate::app::App;

/// Letters of a seal that stand in a link: enough that no other seal begins with them.
const SHOWN: usize = 32;

/// What a document says of the seal of what it shows.
#[derive(Debug, Clone)]
pub(crate) struct Printed {
    /// Where it can be checked.
    pub(crate) link: String,
    /// The last seal of the job's records; none of what is older than the seals.
    pub(crate) seal: Option<String>,
}

/// Gives a job the link under which its proofs can be checked, once.
///
/// # Errors
/// Database faults.
pub(crate) async fn give(connection: &mut PgConnection, app: &App, caller: &Caller, job: i64) -> Result<()> {
    sqlx::query(
        "insert into proof_checks (job_id, token) select $1, $2
         where not exists (select from proof_checks where job_id = $1) on conflict (job_id) do nothing",
    )
    .bind(job)
    .bind(app.gate.links.long(caller.organisation()?))
    .execute(connection)
    .await?;
    Ok(())
}

/// What a document of the job says; it is given a link if it has none.
///
/// # Errors
/// Database faults.
pub(crate) async fn printed(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    job: i64,
) -> Result<Printed> {
    give(connection, app, caller, job).await?;
    let (token, seal): (String, Option<String>) = sqlx::query_as(
        "select c.token, (
             select s.seal from proof_seals s where s.id = greatest(
                 (select max(s.id) from job_proofs p
                     join proof_seals s on s.record_kind = 'job_proofs' and s.record_id = p.id where p.job_id = $1),
                 (select max(s.id) from units u join unit_proofs p on p.unit_id = u.id
                     join proof_seals s on s.record_kind = 'unit_proofs' and s.record_id = p.id where u.job_id = $1),
                 (select max(s.id) from returns t join return_proofs p on p.return_id = t.id
                     join proof_seals s on s.record_kind = 'return_proofs' and s.record_id = p.id where t.job_id = $1)))
         from proof_checks c where c.job_id = $1",
    )
    .bind(job)
    .fetch_one(connection)
    .await?;
    let of_paper = seal.as_deref().map(|seal| format!("&seal={}", short(seal))).unwrap_or_default();
    let link = format!("{}{of_paper}", address(app, &token));
    Ok(Printed { link, seal })
}

/// Where a job's proofs can be checked; none while it has none.
///
/// # Errors
/// Database faults.
pub(crate) async fn link(connection: &mut PgConnection, app: &App, job: i64) -> Result<Option<String>> {
    let token: Option<String> = sqlx::query_scalar("select token from proof_checks where job_id = $1")
        .bind(job)
        .fetch_optional(connection)
        .await?;
    Ok(token.map(|token| address(app, &token)))
}

fn address(app: &App, token: &str) -> String {
    format!("{}/check?proof={token}", app.deployment.public_url)
}

/// As much of a seal as stands in a link.
pub(super) fn short(seal: &str) -> &str {
    seal.get(..SHOWN).unwrap_or(seal)
}
