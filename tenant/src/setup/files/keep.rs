//! Keeping files that the service made itself.

use bytes::Bytes;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use super::store::{folder, storage_error};
use super::upload::hexadecimal;
use crate::app::App;

/// Prefix of exports: they are for whoever ordered them.
pub(super) const EXPORT: &str = "export";

/// Keeps an export under a key of its own in the caller's name; made again, it takes the place of what was there. Answers
/// the file's id.
///
/// # Errors
/// 503 when the storage cannot be reached.
pub(crate) async fn keep(app: &App, caller: &Caller, key: &str, file: Download) -> Result<i64> {
    let bytes = Bytes::from(file.bytes);
    let tenant = app.tenants.of(caller)?;
    let mut work = tenant.begin().await?;
    let uid = app.gate.links.long(caller.organisation()?);
    let id: i64 = sqlx::query_scalar(
        "insert into files (uid, name, prefix, content_type, size, storage_key, checksum, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict on constraint files_storage_key_key do update
             set state = 'uploading', size = excluded.size, checksum = excluded.checksum
         returning id",
    )
    .bind(&uid)
    .bind(&file.name)
    .bind(EXPORT)
    .bind(file.content_type)
    .bind(i64::try_from(bytes.len()).map_err(Error::internal)?)
    .bind(key)
    .bind(hexadecimal(&bytes))
    .bind(caller.user_id())
    .fetch_one(&mut *work)
    .await?;
    work.commit().await?;
    folder(app, caller)?.put(key, file.content_type, bytes).await.map_err(storage_error)?;
    let mut work = tenant.begin().await?;
    ready(&mut work, id).await?;
    work.commit().await?;
    Ok(id)
}

/// Says that the bytes are there.
pub(super) async fn ready(connection: &mut PgConnection, id: i64) -> Result<()> {
    sqlx::query("update files set state = 'ready' where id = $1").bind(id).execute(connection).await?;
    Ok(())
}
