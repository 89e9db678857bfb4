//! Deleting an organisation: first nobody works in it any more and its name is free, its data is kept. Operators remove
//! the data, with a last export, by the command `organisation delete`.

use axum::Json;
use axum::extract::State;
use routewright_core::http::{Path, Query};
use routewright_core::{Error, OrganisationId, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, Deleted};
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::Connection as _;

use super::model::Organisation;
use super::typed_name::{TYPE_THE_NAME, same_name};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;

/// What the caller believes to delete.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteOrganisation {
    /// The organisation's name, typed again: with another one nothing is deleted.
    name: Option<String>,
}

/// `DELETE /organisations/{id}`.
pub(super) async fn delete(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    Query(confirmation): Query<DeleteOrganisation>,
) -> Result<Json<Deleted>> {
    let before = resource::find::<Organisation>(&mut db, &actor.caller, id).await?;
    if confirmation.name.is_some() && !same_name(&before.name, confirmation.name.as_deref()) {
        return Err(Error::field("name", TYPE_THE_NAME));
    }
    if before.is_master {
        return Err(Error::bad_request("The organisation Master cannot be deleted"));
    }
    if before.parent_organisation_id.is_some() {
        return Err(Error::bad_request("Hauliers are deleted at /organisations/hauliers"));
    }
    let organisation = OrganisationId::new(id);
    if has_work(&app, &mut db, organisation, &before.state).await? {
        return Err(Error::bad_request("Organisation still has scenarios"));
    }
    Entry::new("organisation_deleted", format!("organisation:{id}"))
        .of(organisation)
        .before(&before)
        .write(&mut db, &actor)
        .await?;
    db.let_go().await?;
    app.provisioning.mark_deleted(organisation).await?;
    app.gate.policies.forget(organisation);
    Ok(super::deleted(id))
}

/// Whether people have planned there. Every organisation keeps one last scenario, which counts only when it holds
/// jobs or runs.
async fn has_work(app: &App, db: &mut Db, organisation: OrganisationId, state: &str) -> Result<bool> {
    if state == "provisioning" {
        return Ok(false);
    }
    let placement: String = sqlx::query_scalar("select placement from organisations where id = $1")
        .bind(organisation)
        .fetch_one(&mut **db)
        .await?;
    let mut owner = app.config.placements.connect_owner(&placement, organisation).await?;
    let found: bool = sqlx::query_scalar(
        "select (select count(*) from scenarios) > 1 or exists (select from jobs where scenario_id is not null)
             or exists (select from runs)",
    )
    .fetch_one(&mut owner)
    .await?;
    owner.close().await?;
    Ok(found)
}
