//! Stored secrets. Every write is logged, with masks for values.

use routewright_core::config::MasterKey;
use routewright_core::{OrganisationId, Result};
use routewright_identity::Caller;
use sqlx::PgConnection;

use super::cipher;
use crate::app::App;

/// The value of a secret, or nothing when there is none of that name.
///
/// # Errors
/// When it cannot be decrypted.
pub(crate) async fn value(
    connection: &mut PgConnection,
    app: &App,
    organisation: OrganisationId,
    name: &str,
) -> Result<Option<String>> {
    let stored: Option<Vec<u8>> = sqlx::query_scalar("select value_encrypted from secrets where name = $1")
        .bind(name)
        .fetch_optional(connection)
        .await?;
    stored.map(|stored| cipher::open(&app.deployment.master_key, organisation, &stored)).transpose()
}

/// The value of a secret by its id.
///
/// # Errors
/// When it cannot be decrypted.
pub(crate) async fn value_by_id(
    connection: &mut PgConnection,
    app: &App,
    organisation: OrganisationId,
    id: i64,
) -> Result<Option<String>> {
    let stored: Option<Vec<u8>> = sqlx::query_scalar("select value_encrypted from secrets where id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    stored.map(|stored| cipher::open(&app.deployment.master_key, organisation, &stored)).transpose()
}

/// Whether there is a secret of this id.
///
/// # Errors
/// Database faults.
pub(crate) async fn exists(connection: &mut PgConnection, id: i64) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from secrets where id = $1)")
        .bind(id)
        .fetch_one(connection)
        .await?)
}

/// Stores a value under a name, be it new or in place of an older one. Answers the id.
pub(super) async fn put(
    connection: &mut PgConnection,
    master: &MasterKey,
    caller: &Caller,
    name: &str,
    text: &str,
    masked: &str,
) -> Result<i64> {
    let sealed = cipher::seal(master, caller.organisation()?, text)?;
    let id = sqlx::query_scalar(
        "insert into secrets (name, value_encrypted, masked) values ($1, $2, $3)
         on conflict on constraint secrets_name_key do update
             set value_encrypted = excluded.value_encrypted, masked = excluded.masked
         returning id",
    )
    .bind(name)
    .bind(sealed)
    .bind(masked)
    .fetch_one(connection)
    .await?;
    Ok(id)
}
