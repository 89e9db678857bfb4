//! Rehearsals (issue 13.5): organisations in which people try and train. A rehearsal is an organisation like any other, with a
//! schema and a login role of its own, and marked: it has a planned day that simulated drivers drive on its own time, and
//! nothing leaves it. An organisation has one at a time; it removes itself.

mod change;
mod make;
mod model;
mod remove;

use axum::Json;
use axum::extract::State;
use routewright_core::{Access, Result, Routes};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use crate::actor::Actor;
use crate::app::App;
use crate::rehearsal_life;
use model::{Rehearsal, found};

/// Whoever sets the organisation up and plans makes its rehearsal and removes it: its day is planned in his name.
const MAKE: Access = Access::levels(&[
    "organisation_settings_write",
    "drivers_write",
    "jobs_write",
    "runs_write",
    "scenarios_write",
]);
/// Whoever dispatches may turn its clock.
const TURN: Access = Access::levels(&["runs_write"]);

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/rehearsal", Access::SIGNED_IN, get)
        .post("/rehearsal", MAKE, make::make)
        .patch("/rehearsal", TURN, change::change)
        .post("/rehearsal/start_again", MAKE, make::start_again)
        .delete("/rehearsal", MAKE, remove::remove)
}

/// The rehearsal of the caller's organisation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CurrentRehearsal")]
struct Current {
    /// The one that the caller works in, or that his organisation has; null without one, and for people of hauliers.
    rehearsal: Option<Rehearsal>,
}

/// `GET /rehearsal`.
async fn get(State(app): State<App>, actor: Actor, mut db: Db) -> Result<Json<Current>> {
    if actor.caller.haulier_id().is_some() {
        return Ok(Json(Current { rehearsal: None }));
    }
    let Some(row) = found(&mut db, actor.organisation()?).await? else {
        return Ok(Json(Current { rehearsal: None }));
    };
    let step = if row.is_preparing() && row.organisation_state == "ready" {
        db.outside(rehearsal_life::step(&app, row.organisation_id)).await?
    } else {
        None
    };
    Ok(Json(Current { rehearsal: Some(row.told(app.clock.now(), step)) }))
}
