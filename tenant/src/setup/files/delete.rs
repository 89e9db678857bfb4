//! Deleting a file. Evidence stays.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Error, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::Deleted;
use sqlx::postgres::PgConnection;

use super::reduced::remove;
use super::store::{find, folder};
use crate::app::App;

/// `DELETE /files/{id}`: by who uploaded it, or an administrator of the settings.
pub(super) async fn delete(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    let caller = db.caller().clone();
    let file = find(&mut db, &caller, id).await?;
    if file.created_by.is_none() || file.created_by != caller.user_id() {
        caller.require("organisation_settings_write")?;
    }
    // Held against a proof that is just being recorded with it.
    let key: String = sqlx::query_scalar("select storage_key from files where id = $1 for update")
        .bind(id)
        .fetch_one(&mut *db)
        .await?;
    if is_evidence(&mut db, id).await? {
        return Err(Error::conflict("A file that belongs to a proof cannot be deleted"));
    }
    sqlx::query("update files set state = 'deleted' where id = $1").bind(id).execute(&mut *db).await?;
    let folder = folder(&app, &caller)?;
    match db.commit_then(remove(&folder, &key)).await? {
        Ok(()) => {
            sqlx::query("delete from files where id = $1 and state = 'deleted'")
                .bind(id)
                .execute(&mut *db)
                .await?;
        }
        // Nobody can read it any more; the row remembers that the bytes are still to be removed.
        Err(error) => tracing::warn!(file = id, %error, "the bytes of a deleted file are still stored"),
    }
    Ok(Json(Deleted { id }))
}

async fn is_evidence(connection: &mut PgConnection, id: i64) -> Result<bool> {
    let used = sqlx::query_scalar(
        "select exists (select from job_proofs where signature_id = $1 or $1 = any(photo_ids))
             or exists (select from unit_proofs where signature_id = $1 or $1 = any(photo_ids))
             or exists (select from return_proofs where signature_id = $1 or $1 = any(photo_ids))
             or exists (select from container_proofs where signature_id = $1 or $1 = any(photo_ids))
             or exists (select from run_proofs where signature_id = $1 or $1 = any(photo_ids))
             or exists (select from evidence where signature_id = $1 or $1 = any(photo_ids))
             or exists (
                 select from checklist_submissions s
                     cross join lateral jsonb_array_elements(s.checklist_definition -> 'fields') as field
                 where field ->> 'type' in ('image', 'images', 'signature')
                     and $1::text = any(string_to_array(s.values ->> (field ->> 'id'), ',')))",
    )
    .bind(id)
    .fetch_one(connection)
    .await?;
    Ok(used)
}
