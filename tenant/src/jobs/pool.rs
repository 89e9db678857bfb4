//! Jobs in the pool: outside any scenario, kept for a later day.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Body, Error, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::Job;
use super::store;
use crate::app::App;

/// `GET /jobs/pool`.
pub(super) async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Job>> {
    list::page(&mut db, Job::COLUMNS, Job::FROM, query, &Job::SHAPE, |conditions| {
        conditions.and("j.scenario_id is null")
    })
    .await
}

/// `GET /jobs/pool/{id}`.
pub(super) async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<Job>> {
    let caller = db.caller().clone();
    let job: Job = resource::find(&mut db, &caller, id).await?;
    if job.scenario_id.is_some() { Err(Error::not_found("Job")) } else { Ok(Json(job)) }
}

/// Jobs by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ToPool {
    job_ids: Vec<i64>,
}

/// What a move to the pool changed.
#[derive(Serialize, JsonSchema)]
pub(super) struct MovedToPool {
    job_ids: Vec<i64>,
    /// The runs that the jobs left, as `GET /runs/{id}` shows them.
    updated_runs: Vec<Value>,
}

/// `PUT /jobs/move_to_pool`.
pub(super) async fn move_to_pool(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<ToPool>,
) -> Result<Json<MovedToPool>> {
    let found: Vec<i64> = sqlx::query_scalar("select id from jobs where id = any($1) order by id for update")
        .bind(&body.job_ids)
        .fetch_all(&mut *db)
        .await?;
    if body.job_ids.iter().any(|id| !found.contains(id)) {
        return Err(Error::not_found("Job"));
    }
    store::refuse_validated(&mut db, &found).await?;
    store::refuse_proven(&mut db, &found, "A job with a proof cannot be moved").await?;
    let updated_runs = leave_runs(&mut db, &app, &found).await?;
    sqlx::query("update jobs set scenario_id = null, unserved_reason = null where id = any($1)")
        .bind(&found)
        .execute(&mut *db)
        .await?;
    Ok(Json(MovedToPool { job_ids: found, updated_runs }))
}

/// Takes jobs out of their runs and closes the gaps.
async fn leave_runs(db: &mut Db, _app: &App, jobs: &[i64]) -> Result<Vec<Value>> {
    let runs: Vec<i64> =
        sqlx::query_scalar("select distinct run_id from jobs where id = any($1) and run_id is not null")
            .bind(jobs)
            .fetch_all(&mut **db)
            .await?;
    sqlx::query("update jobs set run_id = null, seq = null, eta = null, etd = null, updated_eta = null where id = any($1)")
        .bind(jobs)
        .execute(&mut **db)
        .await?;
    sqlx::query(
        "update jobs set seq = n.seq from (
             select id, row_number() over (partition by run_id order by seq) as seq from jobs where run_id = any($1)
         ) n where n.id = jobs.id and jobs.seq is distinct from n.seq",
    )
    .bind(&runs)
    .execute(&mut **db)
    .await?;
    let updated: Vec<Value> =
        sqlx::query_scalar("select jsonb_build_object('id', id, 'uid', uid, 'scenario_id', scenario_id) from runs where id = any($1)")
            .bind(&runs)
            .fetch_all(&mut **db)
            .await?;
    Ok(updated)
}

/// A pool job and the scenario it goes to.
#[derive(Deserialize, JsonSchema)]
pub(super) struct FromPool {
    id: i64,
    scenario_id: i64,
}

/// `PUT /jobs/move_jobs_from_pool`: all or nothing.
pub(super) async fn move_from_pool(mut db: Db, Body(moves): Body<Vec<FromPool>>) -> Result<Json<Vec<Job>>> {
    let mut jobs = Vec::with_capacity(moves.len());
    for FromPool { id, scenario_id } in moves {
        jobs.push(take(&mut db, id, scenario_id).await?);
    }
    Ok(Json(jobs))
}

/// One pool job.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ToScenario {
    job_id: i64,
    scenario_id: i64,
}

/// `PUT /jobs/pool/to_scenario`.
pub(super) async fn to_scenario(mut db: Db, Body(body): Body<ToScenario>) -> Result<Json<Job>> {
    take(&mut db, body.job_id, body.scenario_id).await.map(Json)
}

/// Takes a job out of the pool. Two planners may want the same one: the second is told.
pub(crate) async fn take(db: &mut Db, id: i64, scenario: i64) -> Result<Job> {
    store::scenario_exists(db, scenario).await?;
    let taken = sqlx::query("update jobs set scenario_id = $2 where id = $1 and scenario_id is null")
        .bind(id)
        .bind(scenario)
        .execute(&mut **db)
        .await?;
    let caller = db.caller().clone();
    let job: Job = resource::find(db, &caller, id).await?;
    if taken.rows_affected() == 0 {
        return Err(Error::conflict(format!("Job {} is no longer in the pool", job.uid)));
    }
    Ok(job)
}
