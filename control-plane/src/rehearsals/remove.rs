//! Removing a rehearsal: with the answer nobody works in it any more and nothing drives; its data goes a little later, without
//! an export, because nothing in it was real.

use axum::Json;
use axum::extract::State;
use routewright_core::Result;
use routewright_tenancy::Db;
use serde_json::json;
use sqlx::PgConnection;

use super::model::{Row, required};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::sign_in::Success;
use crate::{rehearsal_life, scope};

/// `DELETE /rehearsal`, from inside it as well.
pub(super) async fn remove(State(app): State<App>, actor: Actor, mut db: Db) -> Result<Json<Success>> {
    scope::refuse_hauliers(&actor.caller)?;
    let row = required(&mut db, actor.organisation()?).await?;
    begin(&mut db, &actor, &row).await?;
    db.let_go().await?;
    app.gate.policies.forget(row.organisation_id);
    Ok(Json(Success { success: true }))
}

/// Takes a rehearsal out of use, at commit.
///
/// # Errors
/// Database faults.
pub(super) async fn begin(connection: &mut PgConnection, actor: &Actor, row: &Row) -> Result<()> {
    rehearsal_life::out_of_use(connection, row.organisation_id).await?;
    Entry::new("rehearsal_removed", format!("organisation:{}", row.organisation_id))
        .of(row.made_from)
        .before(&json!({ "name": row.name, "seed": row.seed }))
        .write(connection, actor)
        .await
}
