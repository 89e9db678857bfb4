//! Removing what uploads and deletions left behind when they were interrupted.

use routewright_core::Result;
use routewright_identity::Caller;

use super::reduced::remove;
use super::store::{folder, storage_error};
use crate::app::App;

/// Removes bytes and rows of uploads that never ended and of files that were deleted, an hour after their last change.
///
/// # Errors
/// 503 when the storage cannot be reached; the next time goes on.
pub(crate) async fn tidy(app: &App, caller: &Caller) -> Result<()> {
    let tenant = app.tenants.of(caller)?;
    let mut work = tenant.begin().await?;
    let left: Vec<(i64, String)> = sqlx::query_as(
        "select id, storage_key from files where state <> 'ready' and modified < now() - interval '1 hour'
         order by id limit 100",
    )
    .fetch_all(&mut *work)
    .await?;
    work.commit().await?;
    for (id, key) in left {
        remove(&folder(app, caller)?, &key).await.map_err(storage_error)?;
        let mut work = tenant.begin().await?;
        sqlx::query("delete from files where id = $1 and state <> 'ready'")
            .bind(id)
            .execute(&mut *work)
            .await?;
        work.commit().await?;
    }
    Ok(())
}
