//! Jobs off their plan: into the pool for a later day, or to the plan of another day at once.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::orders::jobs;
use crate::orders::jobs::partners::{self, Partners};
use crate::plan::{self, Planner};
use crate::planning::runs::{self, RunDetail};
use crate::setup::scenario_reasons;

/// Jobs by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ToPool {
    job_ids: Vec<i64>,
    /// Why, by id of a scenario reason; kept in the record.
    #[serde(default)]
    scenario_reason_id: Option<i64>,
    /// What becomes of jobs of the same scenario that are linked to them and are not named. Without it a move that would
    /// leave half of a link behind is refused with 409 `LINKED_JOBS`.
    #[serde(default)]
    linked: Option<Partners>,
}

/// Jobs by id, and where they go.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToDay {
    #[serde(flatten)]
    jobs: ToPool,
    /// The scenario of the other day.
    scenario_id: i64,
}

/// What leaving the plan changed.
#[derive(Serialize, JsonSchema)]
pub(super) struct MovedToPool {
    /// The jobs, with those that came along.
    job_ids: Vec<i64>,
    /// The runs that they left.
    updated_runs: Vec<RunDetail>,
}

/// `PUT /jobs/move_to_pool`: all or nothing. Jobs that are in the pool already stay there.
pub(super) async fn move_to_pool(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<ToPool>,
) -> Result<Json<MovedToPool>> {
    let found = scenarios_of(&mut db, &body.job_ids).await?;
    take_off(&mut db, &app, body, found).await.map(Json)
}

/// `PUT /jobs/move_to_day`: jobs leave their plan, or the pool, and are unserved in another; all or nothing.
pub(super) async fn move_to_day(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<ToDay>,
) -> Result<Json<MovedToPool>> {
    jobs::store::scenario_exists(&mut db, body.scenario_id).await?;
    let found = scenarios_of(&mut db, &body.jobs.job_ids).await?;
    if found.values().any(|scenario| *scenario == Some(body.scenario_id)) {
        return Err(Error::field("scenario_id", "The job is in this scenario already"));
    }
    // Both plans, in the order of scenarios as below.
    let mut plans: Vec<i64> = found.values().copied().flatten().chain([body.scenario_id]).collect();
    plans.sort_unstable();
    plans.dedup();
    for scenario in plans {
        plan::lock(&mut db, scenario).await?;
    }
    let linked = body.jobs.linked;
    let moved = take_off(&mut db, &app, body.jobs, found).await?;
    let mut going = moved.job_ids.clone();
    going.sort_unstable();
    going.dedup();
    jobs::take(&mut db, &going, body.scenario_id, linked).await?;
    Ok(Json(moved))
}

/// The scenario of each job; none of those in the pool.
async fn scenarios_of(db: &mut Db, jobs: &[i64]) -> Result<BTreeMap<i64, Option<i64>>> {
    let found: Vec<(i64, Option<i64>)> =
        sqlx::query_as("select id, scenario_id from jobs where id = any($1) order by id")
            .bind(jobs)
            .fetch_all(&mut **db)
            .await?;
    let found = BTreeMap::from_iter(found);
    if jobs.iter().any(|id| !found.contains_key(id)) {
        return Err(Error::not_found("Job"));
    }
    Ok(found)
}

async fn take_off(
    db: &mut Db,
    app: &App,
    body: ToPool,
    found: BTreeMap<i64, Option<i64>>,
) -> Result<MovedToPool> {
    let caller = db.caller().clone();
    let reason = scenario_reasons::chosen(db, body.scenario_reason_id).await?;
    let planner = Planner::new(app, &caller)?;
    // In the order of scenarios, so that two moves of the same jobs wait for each other instead of forever.
    let mut by_scenario: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (job, scenario) in found {
        if let Some(scenario) = scenario {
            by_scenario.entry(scenario).or_default().push(job);
        }
    }
    let (mut updated, mut job_ids) = (Vec::new(), body.job_ids);
    for (scenario, named) in by_scenario {
        plan::lock(db, scenario).await?;
        let jobs = partners::going(db, Some(scenario), &named, body.linked).await?;
        job_ids.extend(jobs.iter().filter(|job| !named.contains(job)));
        updated.extend(plan::to_pool(db, &planner, scenario, "to_pool", &jobs, reason.clone()).await?);
        jobs::store::tell_of(db, &caller, "job_moved", &jobs).await?;
    }
    let updated_runs = runs::several(db, &caller, &updated).await?;
    Ok(MovedToPool { job_ids, updated_runs })
}
