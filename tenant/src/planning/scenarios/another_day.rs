//! A scenario moves to another day, and its plan with it: what was planned for nine o'clock stays planned for nine.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, BulkItem};
use serde_json::Value;

use super::model::{Scenario, ScenarioFields};
use crate::app::App;
use crate::plan::{self, Departure, Planner};

/// What changes the fields of a scenario.
const WRITES: [&str; 2] = ["PATCH /scenarios/{id}", "PATCH /scenarios/bulk"];

/// `PATCH /scenarios/{id}`.
pub(super) async fn patch(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    given: Given<ScenarioFields>,
) -> Result<Json<Scenario>> {
    change(&mut db, &app, id, given).await.map(Json)
}

/// `PATCH /scenarios/bulk`: all or nothing.
pub(super) async fn patch_bulk(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<Scenario>>> {
    let mut scenarios = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        scenarios.push(change(&mut db, &app, item.id, given).await?);
    }
    Ok(Json(scenarios))
}

async fn change(db: &mut Db, app: &App, id: i64, given: Given<ScenarioFields>) -> Result<Scenario> {
    let caller = db.caller().clone();
    if db.plan_version().is_some() {
        plan::lock(db, id).await?;
        plan::refuse_stale_scenario(db, &caller, id, &WRITES).await?;
    }
    let before: Scenario = resource::find(db, &caller, id).await?;
    let dated = given.value.scheduled_date.is_some_and(|date| date != before.scheduled_date);
    if dated {
        // Held against somebody who changes the plan or starts a run meanwhile.
        plan::lock(db, id).await?;
        refuse_begun(db, id).await?;
    }
    let after: Scenario = resource::update(db, &caller, id, given).await?;
    if !dated {
        return Ok(after);
    }
    let days = (after.scheduled_date - before.scheduled_date).num_days();
    let zone = caller.policy()?.timezone.name();
    let runs = shift(db, id, i32::try_from(days).map_err(Error::internal)?, zone).await?;
    let runs: Vec<(i64, Departure)> = runs.into_iter().map(|run| (run, Departure::Kept)).collect();
    // The clocks may change between the two days, and with them what a run has time for.
    plan::time_again(db, &Planner::new(app, &caller)?, id, "another_day", &runs).await?;
    resource::find(db, &caller, id).await
}

/// What was driven was driven on its day.
async fn refuse_begun(db: &mut Db, scenario: i64) -> Result<()> {
    let begun: Option<String> = sqlx::query_scalar(
        "select r.uid from runs r
         where r.scenario_id = $1 and (r.actual_start_time is not null or r.start_odometer is not null
             or r.validated_at is not null or exists (select from run_proofs p where p.run_id = r.id)
             or exists (select from job_proofs p join jobs j on j.id = p.job_id where j.run_id = r.id))
         order by r.id limit 1",
    )
    .bind(scenario)
    .fetch_optional(&mut **db)
    .await?;
    match begun {
        None => Ok(()),
        Some(uid) => Err(Error::conflict(format!("Run {uid} was started and cannot move to another day"))),
    }
}

/// Moves planned times by days of the organisation's calendar; answers the runs.
async fn shift(db: &mut Db, scenario: i64, days: i32, zone: &str) -> Result<Vec<i64>> {
    sqlx::query(
        "update jobs set eta = (eta at time zone $3 + make_interval(days => $2)) at time zone $3,
             etd = (etd at time zone $3 + make_interval(days => $2)) at time zone $3, updated_eta = null
         where scenario_id = $1 and run_id is not null",
    )
    .bind(scenario)
    .bind(days)
    .bind(zone)
    .execute(&mut **db)
    .await?;
    Ok(sqlx::query_scalar(
        "update runs set
             planned_start_time = (planned_start_time at time zone $3 + make_interval(days => $2)) at time zone $3,
             planned_end_time = (planned_end_time at time zone $3 + make_interval(days => $2)) at time zone $3
         where scenario_id = $1 returning id",
    )
    .bind(scenario)
    .bind(days)
    .bind(zone)
    .fetch_all(&mut **db)
    .await?)
}
