//! Removing what uploads and deletions left behind when they were interrupted, and the bytes of files whose time is over.

use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

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
        "select id, storage_key from files
         where state in ('uploading', 'deleted') and modified < now() - interval '1 hour' order by id limit 100",
    )
    .fetch_all(&mut *work)
    .await?;
    work.commit().await?;
    for (id, key) in left {
        remove(&folder(app, caller)?, &key).await.map_err(storage_error)?;
        let mut work = tenant.begin().await?;
        sqlx::query("delete from files where id = $1 and state in ('uploading', 'deleted')")
            .bind(id)
            .execute(&mut *work)
            .await?;
        work.commit().await?;
    }
    Ok(())
}

/// Says that the time of files is over. Nobody can read them any more; [`remove_bytes`] does the rest.
///
/// # Errors
/// Database faults.
pub(crate) async fn end(connection: &mut PgConnection, ids: &[i64], now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update files set state = 'removing', removed_at = $2 where id = any($1) and state = 'ready'",
    )
    .bind(ids)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the bytes of files whose time is over. Their rows stay.
///
/// # Errors
/// 503 when the storage cannot be reached; the next time goes on.
pub(crate) async fn remove_bytes(app: &App, caller: &Caller) -> Result<()> {
    let tenant = app.tenants.of(caller)?;
    let mut work = tenant.begin().await?;
    let over: Vec<(i64, String)> =
        sqlx::query_as("select id, storage_key from files where state = 'removing' order by id limit 100")
            .fetch_all(&mut *work)
            .await?;
    work.commit().await?;
    for (id, key) in over {
        remove(&folder(app, caller)?, &key).await.map_err(storage_error)?;
        let mut work = tenant.begin().await?;
        sqlx::query("update files set state = 'removed' where id = $1").bind(id).execute(&mut *work).await?;
        work.commit().await?;
    }
    Ok(())
}
