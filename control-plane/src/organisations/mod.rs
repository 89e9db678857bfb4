//! Organisations, their hauliers and settings.

mod delete;
mod hauliers;
pub(crate) mod locale;
mod model;
mod settings;
mod typed_name;
mod write;

pub(crate) use settings::Settings;
pub(crate) use typed_name::{TYPE_THE_NAME, same_name};
pub(crate) use write::insert;

use axum::Json;
use axum::extract::State;
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{ListQuery, Listed};
use routewright_core::{Access, Given, Result, Routes};
use routewright_tenancy::resource::{BulkItem, Deleted};
use routewright_tenancy::{Db, resource};
use serde_json::Value;

use crate::actor::{Actor, is_platform};
use crate::app::App;
use model::{NewFields, Organisation, OrganisationFields};

const READ: Access = Access::levels(&["organisations_read"]);
const WRITE: Access = Access::levels(&["organisations_write"]);
const PLATFORM: Access = Access::levels(&["organisations_write"]).master();

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .merge(settings::routes())
        .merge(locale::routes())
        .merge(hauliers::routes())
        .list("/organisations", READ, resource::filters::<Organisation>(), list)
        .post("/organisations", PLATFORM, create)
        .patch("/organisations/bulk", PLATFORM, patch_bulk)
        .get("/organisations/{id}", Access::SIGNED_IN, get)
        .patch("/organisations/{id}", WRITE, patch)
        .delete("/organisations/{id}", PLATFORM, delete::delete)
}

async fn list(db: Db, query: ListQuery) -> Result<Listed<Organisation>> {
    Ok(resource::list::<Organisation>(db, query).await?.map(Organisation::with_defaults))
}

/// Everybody may read their own organisation.
async fn get(actor: Actor, mut db: Db, Path(id): Path<i64>) -> Result<Json<Organisation>> {
    let own = actor.organisation()?.get() == id || actor.caller.haulier_id() == Some(id);
    if !own {
        actor.caller.require("organisations_read")?;
    }
    let found = resource::find::<Organisation>(&mut db, &actor.caller, id).await?;
    Ok(Json(found.with_defaults()))
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(new): Body<NewFields>,
) -> Result<Created<Organisation>> {
    let made = write::create(&app, &mut db, &actor, new).await?;
    Ok(Created(made.with_defaults()))
}

async fn patch(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<OrganisationFields>,
) -> Result<Json<Organisation>> {
    let changed = write::change(&app, &mut db, &actor, id, given).await?;
    Ok(Json(changed.with_defaults()))
}

async fn patch_bulk(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<Organisation>>> {
    let mut changed = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        changed.push(write::change(&app, &mut db, &actor, item.id, given).await?.with_defaults());
    }
    Ok(Json(changed))
}

/// What a caller sees in lists: Master users all, others their own organisation and its hauliers, hauliers' people
/// their haulier and the organisation above.
fn narrow(caller: &routewright_identity::Caller, conditions: &mut routewright_core::list::Where) {
    conditions.and("deleted_at is null");
    if is_platform(caller) {
        return;
    }
    let Ok(own) = caller.organisation() else {
        conditions.and("false");
        return;
    };
    let place = conditions.bind(own);
    match caller.haulier_id() {
        Some(haulier) => {
            let theirs = conditions.bind(haulier);
            conditions.and(&format!("(id = {place} or id = {theirs})"));
        }
        None => conditions.and(&format!("(id = {place} or parent_organisation_id = {place})")),
    }
}

/// A delete that was done.
const fn deleted(id: i64) -> Json<Deleted> {
    Json(Deleted { id })
}
