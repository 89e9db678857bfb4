//! What else is done to a run: finish it, give it territories, delete it.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{DeleteMany, Deleted, DeletedMany};
use schemars::JsonSchema;
use serde::Deserialize;

use super::change;
use super::model::{Run, RunFields};
use super::{read, validate};
use crate::app::App;
use crate::plan::{self, Status, Touch};

/// How a run ended.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Finish {
    /// When it ended.
    actual_end_time: DateTime<Utc>,
    /// Odometer, km.
    end_odometer: f64,
    /// Also with unusual values.
    #[serde(default)]
    force: bool,
}

/// `POST /runs/{id}/finish`: records the end of a run that was started.
pub(super) async fn finish(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(finish): Body<Finish>,
) -> Result<Json<Run>> {
    let caller = db.caller().clone();
    let run = read::find(&mut db, &caller, id).await?;
    match run.status {
        Some(Status::Pending) => return Err(Error::bad_request("Run has not been started")),
        Some(Status::Closed) => return Err(Error::bad_request("Run already finished")),
        _ => {}
    }
    let given = Given::of(RunFields {
        actual_end_time: Some(finish.actual_end_time),
        end_odometer: Some(finish.end_odometer),
        force: Some(finish.force),
        ..RunFields::default()
    })?;
    change::change(&mut db, &caller, id, given, caller.now(&app.clock)).await.map(Json)
}

/// The territories of a run.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RunTerritories")]
pub(super) struct Territories {
    territory_ids: Vec<i64>,
}

/// `PUT /runs/{id}/territories`.
pub(super) async fn territories(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Territories>,
) -> Result<Json<Run>> {
    let caller = db.caller().clone();
    let given = Given::of(RunFields { territory_ids: Some(body.territory_ids), ..RunFields::default() })?;
    change::change(&mut db, &caller, id, given, caller.now(&app.clock)).await.map(Json)
}

/// `DELETE /runs/{id}`: only without jobs.
pub(super) async fn delete(mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE /runs/bulk`: all or nothing.
pub(super) async fn delete_bulk(mut db: Db, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &(), async |db: &mut Db, (): &(), id| remove(db, id).await).await
}

async fn remove(db: &mut Db, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    let run = read::find(db, &caller, id).await?;
    // Held against somebody who just moves a job onto it, or validates it.
    plan::lock(db, run.scenario_id).await?;
    let run = validate::held(db, &caller, id).await?;
    if let Some(since) = db.plan_version() {
        let touch = Touch { jobs: &[], runs: &[id], with_times: true, fields: None };
        plan::refuse_stale(db, &caller, run.scenario_id, Some(since), &touch).await?;
    }
    let used: bool = sqlx::query_scalar("select exists (select from jobs where run_id = $1)")
        .bind(id)
        .fetch_one(&mut **db)
        .await?;
    if run.validated_at.is_some() {
        return Err(plan::validated(&run.uid));
    }
    if used {
        return Err(Error::bad_request("Cannot delete run with jobs"));
    }
    sqlx::query("delete from runs where id = $1").bind(id).execute(&mut **db).await?;
    Ok(())
}
