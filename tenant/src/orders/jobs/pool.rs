//! Jobs in the pool: outside any scenario, kept for a later day.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Body, Error, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::Job;
use super::store;

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
    if store::tell(db, &caller, "job_moved", &job).await? {
        return resource::find(db, &caller, id).await;
    }
    Ok(job)
}
