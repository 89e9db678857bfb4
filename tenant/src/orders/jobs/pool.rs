//! Jobs in the pool: outside any scenario, kept for a later day.

use std::collections::BTreeMap;

use axum::Json;
use routewright_core::http::Path;
use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Body, Error, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::Job;
use super::partners::{self, Partners};
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
    /// What becomes of jobs of the pool that are linked to it and are not named.
    #[serde(default)]
    linked: Option<Partners>,
}

/// `PUT /jobs/move_jobs_from_pool`: all or nothing. With `linked: take` the answer has the linked jobs too.
pub(super) async fn move_from_pool(mut db: Db, Body(moves): Body<Vec<FromPool>>) -> Result<Json<Vec<Job>>> {
    let mut by_scenario: BTreeMap<i64, Vec<&FromPool>> = BTreeMap::new();
    for wanted in &moves {
        by_scenario.entry(wanted.scenario_id).or_default().push(wanted);
    }
    let mut jobs = Vec::with_capacity(moves.len());
    for (scenario, wanted) in by_scenario {
        let mut said = wanted.iter().filter_map(|wanted| wanted.linked);
        let linked = said.next();
        if said.any(|other| Some(other) != linked) {
            return Err(Error::field("linked", "Value must be the same for all jobs of a scenario"));
        }
        let ids: Vec<i64> = wanted.iter().map(|wanted| wanted.id).collect();
        jobs.extend(take(&mut db, &ids, scenario, linked).await?);
    }
    Ok(Json(jobs))
}

/// One pool job.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ToScenario {
    job_id: i64,
    scenario_id: i64,
    /// What becomes of jobs of the pool that are linked to it.
    #[serde(default)]
    linked: Option<Partners>,
}

/// `PUT /jobs/pool/to_scenario`.
pub(super) async fn to_scenario(mut db: Db, Body(body): Body<ToScenario>) -> Result<Json<Job>> {
    let taken = take(&mut db, &[body.job_id], body.scenario_id, body.linked).await?;
    taken.into_iter().next().map(Json).ok_or_else(|| Error::not_found(Job::NAME))
}

/// Takes jobs out of the pool, in the order named; those that come along follow.
///
/// # Errors
/// 404; 409 `LINKED_JOBS`, see [`partners::going`].
pub(crate) async fn take(
    db: &mut Db,
    named: &[i64],
    scenario: i64,
    linked: Option<Partners>,
) -> Result<Vec<Job>> {
    store::scenario_exists(db, scenario).await?;
    let going = partners::going(db, None, named, linked).await?;
    let along = going.iter().filter(|id| !named.contains(id));
    let mut jobs = Vec::with_capacity(going.len());
    for id in named.iter().chain(along) {
        jobs.push(take_one(db, *id, scenario).await?);
    }
    Ok(jobs)
}

/// Two planners may want the same job: the second is told.
async fn take_one(db: &mut Db, id: i64, scenario: i64) -> Result<Job> {
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
