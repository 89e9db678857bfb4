//! Reading files and their rows.

use std::collections::HashMap;
use std::pin::pin;

use axum::Json;
use bytes::Bytes;
use futures_util::StreamExt;
use routewright_core::error::Kind;
use routewright_core::full::{self, Place};
use routewright_core::http::Path;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_storage::{Folder, StorageError};
use routewright_tenancy::Db;
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;

use super::keep::EXPORT;
use super::model::StoredFile;
use crate::app::App;

/// `GET /files/{id}`.
pub(super) async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<StoredFile>> {
    let caller = db.caller().clone();
    find(&mut db, &caller, id).await.map(Json)
}

/// A file that the caller may see: a haulier's people see what they and their runs uploaded, an export who ordered it.
pub(super) async fn find(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<StoredFile> {
    sqlx::query_as(
        "select f.id, f.uid, '/files/uid/' || f.uid as link, f.name, f.prefix, f.content_type, f.size, f.created,
             f.created_by
         from files f
         where f.id = $1 and f.state = 'ready' and (f.prefix is distinct from $4 or f.created_by = $3)
             and ($2::bigint is null or f.created_by = $3 or exists (
             select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
             where r.id = f.created_by_run and (d.haulier_id = $2 or v.haulier_id = $2)))",
    )
    .bind(id)
    .bind(caller.haulier_id())
    .bind(caller.user_id())
    .bind(EXPORT)
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::not_found("File"))
}

/// Refuses ids of files that are not there or that the caller may not use, and keeps the others from being deleted
/// until the transaction ends. The driver of a `run` may use what was uploaded with the run's own token.
///
/// # Errors
/// 400 naming `field`.
pub(crate) async fn require(
    connection: &mut PgConnection,
    caller: &Caller,
    run: Option<i64>,
    field: &str,
    ids: &[i64],
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let found: Vec<i64> = sqlx::query_scalar(
        "select f.id from files f
         where f.id = any($1) and f.state = 'ready' and ($2::bigint is null or f.created_by_run = $2)
             and ($3::bigint is null or f.created_by = $4 or exists (
                 select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                 where r.id = f.created_by_run and (d.haulier_id = $3 or v.haulier_id = $3)))
         for key share of f",
    )
    .bind(ids)
    .bind(run)
    .bind(caller.haulier_id())
    .bind(caller.user_id())
    .fetch_all(connection)
    .await?;
    match ids.iter().find(|id| !found.contains(id)) {
        None => Ok(()),
        Some(_) => Err(Error::field(field, "File not found")),
    }
}

/// The organisation's folder.
pub(super) fn folder(app: &App, caller: &Caller) -> Result<Folder> {
    Ok(app.storage.organisation(caller.organisation()?.get()))
}

/// A failure of the file storage as the caller reads it.
pub(super) fn storage_error(error: StorageError) -> Error {
    match error {
        StorageError::NotFound => Error::not_found("File"),
        StorageError::Unavailable(_) => {
            Error::new(Kind::Unavailable, "The file storage is not available. Please try again.")
                .retry_after(2)
                .caused_by(error)
        }
        StorageError::Full(_) => full::refused(Place::Storage).caused_by(error),
        other => Error::internal(other),
    }
}

/// Storage key of a file, by id.
///
/// # Errors
/// Database faults.
pub(crate) async fn key_by_id(connection: &mut PgConnection, id: i64) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("select storage_key from files where id = $1 and state = 'ready'")
        .bind(id)
        .fetch_optional(connection)
        .await?)
}

/// Storage key of a file, by uid.
///
/// # Errors
/// Database faults.
pub(crate) async fn key_by_uid(connection: &mut PgConnection, uid: &str) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("select storage_key from files where uid = $1 and state = 'ready'")
        .bind(uid)
        .fetch_optional(connection)
        .await?)
}

/// Storage keys of files, by id.
///
/// # Errors
/// Database faults.
pub(crate) async fn several(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, String>> {
    let rows: Vec<(i64, String)> =
        sqlx::query_as("select id, storage_key from files where id = any($1) and state = 'ready'")
            .bind(ids)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().collect())
}

/// The bytes under a storage key; none when there is nothing.
///
/// # Errors
/// 503 when the storage cannot be reached.
pub(crate) async fn load(app: &App, caller: &Caller, key: &str) -> Result<Option<Bytes>> {
    if key.is_empty() {
        return Ok(None);
    }
    match folder(app, caller)?.get(key).await {
        Ok(object) => object.into_bytes().await.map(Some).map_err(storage_error),
        Err(StorageError::NotFound) => Ok(None),
        Err(error) => Err(storage_error(error)),
    }
}

/// SHA-256 of the bytes under a storage key as they are now, read piece by piece; none when there is nothing. No
/// transaction may be open.
///
/// # Errors
/// 503 when the storage cannot be reached.
pub(crate) async fn fingerprint(app: &App, caller: &Caller, key: &str) -> Result<Option<String>> {
    let object = match folder(app, caller)?.get(key).await {
        Ok(object) => object,
        Err(StorageError::NotFound) => return Ok(None),
        Err(error) => return Err(storage_error(error)),
    };
    let mut pieces = pin!(object.into_stream());
    let mut sum = Sha256::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| storage_error(StorageError::Unavailable(error.to_string())))?;
        sum.update(&piece);
    }
    Ok(Some(written(sum)))
}

/// A fingerprint in hexadecimal digits.
pub(super) fn written(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V-31: a full storage is told as what it is.
    #[test]
    fn v_31_a_full_storage_is_507() {
        let told = storage_error(StorageError::Full("InsufficientStorage".to_owned()));
        assert_eq!(told.kind().status().as_u16(), 507);
        assert!(told.description().starts_with("There is no room left in the file storage."));
    }
}
