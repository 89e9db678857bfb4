//! Jobs back into the pool, for a later day.

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

/// What a move to the pool changed.
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
    let caller = db.caller().clone();
    let reason = scenario_reasons::chosen(&mut db, body.scenario_reason_id).await?;
    let planner = Planner::new(&app, &caller)?;
    let found: Vec<(i64, Option<i64>)> =
        sqlx::query_as("select id, scenario_id from jobs where id = any($1) order by id")
            .bind(&body.job_ids)
            .fetch_all(&mut *db)
            .await?;
    if body.job_ids.iter().any(|id| !found.iter().any(|(known, _)| known == id)) {
        return Err(Error::not_found("Job"));
    }
    // In the order of scenarios, so that two moves of the same jobs wait for each other instead of forever.
    let mut by_scenario: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (job, scenario) in found {
        if let Some(scenario) = scenario {
            by_scenario.entry(scenario).or_default().push(job);
        }
    }
    let (mut updated, mut job_ids) = (Vec::new(), body.job_ids);
    for (scenario, named) in by_scenario {
        plan::lock(&mut db, scenario).await?;
        let jobs = partners::going(&mut db, Some(scenario), &named, body.linked).await?;
        job_ids.extend(jobs.iter().filter(|job| !named.contains(job)));
        updated.extend(plan::take_off(&mut db, &planner, scenario, "to_pool", &jobs, reason.clone()).await?);
        sqlx::query("update jobs set scenario_id = null, unserved_reason = null where id = any($1)")
            .bind(&jobs)
            .execute(&mut *db)
            .await?;
        jobs::store::tell_of(&mut db, &caller, "job_moved", &jobs).await?;
    }
    let updated_runs = runs::several(&mut db, &caller, &updated).await?;
    Ok(Json(MovedToPool { job_ids, updated_runs }))
}
