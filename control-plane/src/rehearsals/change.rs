//! Turning the clock of a rehearsal.

use axum::Json;
use axum::extract::State;
use routewright_core::error::Problems;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::model::{Rehearsal, required, speed};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::scope;

/// How its time is to run; what is not given stays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "RehearsalClock")]
pub(super) struct Turned {
    /// Simulated seconds in a real one, 1 to 60.
    speed: Option<i64>,
    /// Whether it stands.
    paused: Option<bool>,
}

/// `PATCH /rehearsal`: in force everywhere with the answer.
pub(super) async fn change(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(turned): Body<Turned>,
) -> Result<Json<Rehearsal>> {
    scope::refuse_hauliers(&actor.caller)?;
    let mut problems = Problems::default();
    let speed = turned.speed.map(|given| speed(given, &mut problems));
    problems.finish()?;
    let found = required(&mut db, actor.organisation()?).await?;
    // Two who turn it at once do so one after the other.
    scope::lock(&mut db, found.organisation_id).await?;
    let before = required(&mut db, found.organisation_id).await?;
    if before.is_preparing() && turned.paused.is_some() {
        return Err(Error::conflict("The day is still being planned"));
    }
    let now = app.clock.now();
    let (speed, paused) = (speed.unwrap_or(before.speed), turned.paused.unwrap_or(before.paused));
    let time = before.time().changed(now, speed, paused);
    sqlx::query(
        "update rehearsals set speed = $2, paused = $3, began = $4, origin = $5 where organisation_id = $1",
    )
    .bind(before.organisation_id)
    .bind(speed)
    .bind(paused)
    .bind(time.began)
    .bind(time.origin)
    .execute(&mut *db)
    .await?;
    scope::announce(&mut db, before.organisation_id).await?;
    Entry::new("rehearsal_turned", format!("organisation:{}", before.organisation_id))
        .of(before.organisation_id)
        .before(&json!({ "speed": before.speed, "paused": before.paused }))
        .after(&json!({ "speed": speed, "paused": paused }))
        .write(&mut db, &actor)
        .await?;
    let after = required(&mut db, before.organisation_id).await?;
    Ok(Json(after.told(now, None)))
}
