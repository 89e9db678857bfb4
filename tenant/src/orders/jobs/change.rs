//! Making, changing and deleting jobs.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::resource::{self, BulkItem, DeleteMany, Deleted, DeletedMany};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::model::{Job, JobFields};
use super::store;
use crate::app::App;
use crate::bin;
use crate::plan::{self, Departure, Planner, Touch};

/// `POST /jobs`: without a scenario the job goes to the pool.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    given: Given<JobFields>,
) -> Result<Created<Job>> {
    store::insert(&mut db, &app, given).await.map(Created)
}

/// `PATCH /jobs/{id}`.
pub(super) async fn patch(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    given: Given<JobFields>,
) -> Result<Json<Job>> {
    hold_plans(&mut db, &[id]).await?;
    let changed = vec![change(&mut db, id, given).await?];
    finish(&mut db, &app, changed).await?.pop().map(Json).ok_or_else(|| Error::not_found(Job::NAME))
}

/// `PATCH /jobs/bulk`: all or nothing.
pub(super) async fn patch_bulk(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<Job>>> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    hold_plans(&mut db, &ids).await?;
    let mut changed = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        changed.push(change(&mut db, item.id, given).await?);
    }
    finish(&mut db, &app, changed).await.map(Json)
}

/// The same values for many jobs.
#[derive(Deserialize, JsonSchema)]
pub(super) struct BulkUpdate {
    job_ids: Vec<i64>,
    values: Map<String, Value>,
}

/// `PATCH /jobs/bulk_update` (S-29). `run_id: null` takes the jobs off their runs.
pub(super) async fn bulk_update(
    mut db: Db,
    State(app): State<App>,
    Body(mut body): Body<BulkUpdate>,
) -> Result<Json<Vec<Job>>> {
    hold_plans(&mut db, &body.job_ids).await?;
    if let Some(run) = body.values.remove("run_id") {
        if !run.is_null() {
            return Err(Error::field("run_id", "Jobs are moved to a run by /runs/move_job_to_new"));
        }
        take_off(&mut db, &app, &body.job_ids).await?;
    }
    if body.values.contains_key("uid") {
        return Err(Error::field("uid", "UID cannot be the same for several jobs"));
    }
    let mut changed = Vec::with_capacity(body.job_ids.len());
    for id in body.job_ids {
        let given = Given::parse(Value::Object(body.values.clone()))?;
        changed.push(change(&mut db, id, given).await?);
    }
    finish(&mut db, &app, changed).await.map(Json)
}

/// Puts jobs somewhere else under the address that they have; their runs are timed anew.
///
/// # Errors
/// When one of them is in a validated run, or not the caller's.
pub(crate) async fn relocate(db: &mut Db, app: &App, jobs: &[i64], (lat, lon): (f64, f64)) -> Result<()> {
    let caller = db.caller().clone();
    hold_plans(db, jobs).await?;
    let mut changed = Vec::with_capacity(jobs.len());
    for &id in jobs {
        let before: Job = resource::find(db, &caller, id).await?;
        let location = json!({"address": before.location.address, "lat": lat, "lon": lon});
        let fields = Map::from_iter([("location".to_owned(), location)]);
        changed.push(change(db, id, Given::parse(Value::Object(fields))?).await?);
    }
    finish(db, app, changed).await?;
    Ok(())
}

/// Takes jobs off their runs, scenario by scenario.
async fn take_off(db: &mut Db, app: &App, jobs: &[i64]) -> Result<()> {
    let caller = db.caller().clone();
    let planner = Planner::new(app, &caller)?;
    let served: Vec<(i64, i64)> = sqlx::query_as(
        "select scenario_id, id from jobs where id = any($1) and run_id is not null order by scenario_id, id",
    )
    .bind(jobs)
    .fetch_all(&mut **db)
    .await?;
    for part in served.chunk_by(|one, other| one.0 == other.0) {
        let jobs: Vec<i64> = part.iter().map(|(_, job)| *job).collect();
        plan::take_off(db, &planner, part[0].0, "unserve", &jobs, None).await?;
    }
    Ok(())
}

/// Holds the plans that these jobs are in before any of them is touched: every change of a plan comes in this order, so that
/// none waits for another in a circle.
async fn hold_plans(db: &mut Db, jobs: &[i64]) -> Result<()> {
    let scenarios: Vec<i64> = sqlx::query_scalar(
        "select distinct scenario_id from jobs where id = any($1) and run_id is not null order by 1",
    )
    .bind(jobs)
    .fetch_all(&mut **db)
    .await?;
    for scenario in scenarios {
        plan::lock(db, scenario).await?;
    }
    Ok(())
}

/// A changed job, and its run when the run must be timed anew.
struct Changed {
    id: i64,
    run: Option<(i64, i64)>,
}

async fn change(db: &mut Db, id: i64, mut given: Given<JobFields>) -> Result<Changed> {
    let caller = db.caller().clone();
    store::refuse_validated(db, &[id]).await?;
    for field in ["pickup_from", "deliver_to"] {
        if given.fields.get(field).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
            given.fields.insert(field.to_owned(), Value::Null);
        }
    }
    let linked = given.has("pickup_from") || given.has("deliver_to");
    let renamed = given.has("uid");
    let before: Job = resource::find(db, &caller, id).await?;
    if given.has("scenario_id") && before.scenario_id != given.value.scenario_id {
        return Err(Error::field("scenario_id", "Jobs change their scenario through the pool"));
    }
    if let (Some(scenario), Some(since)) = (before.scenario_id, db.plan_version()) {
        let fields: Vec<String> = given.fields.keys().cloned().collect();
        let touch = Touch { jobs: &[id], runs: &[], with_times: false, fields: Some(&fields) };
        plan::refuse_stale(db, &caller, scenario, Some(since), &touch).await?;
    }
    let job = resource::update::<Job>(db, &caller, id, given).await?;
    if renamed && before.uid != job.uid {
        rename_in_links(db, &before, &job.uid).await?;
    }
    if linked {
        store::follow_links(db, job.scenario_id, &BTreeSet::from([id])).await?;
    }
    let run = job.scenario_id.zip(job.run_id).filter(|_| linked || takes_another_time(&before, &job));
    Ok(Changed { id, run })
}

/// Whether the vehicle comes or leaves at another time because of a change.
fn takes_another_time(before: &Job, after: &Job) -> bool {
    let times = |job: &Job| (job.arrive_after.clone(), job.leave_by.clone());
    let place = |job: &Job| [job.duration, job.location.lat, job.location.lon].map(f64::to_bits);
    times(before) != times(after) || place(before) != place(after)
}

/// Times the runs of changed jobs anew, tells of the changes and answers the jobs as they are then.
async fn finish(db: &mut Db, app: &App, changed: Vec<Changed>) -> Result<Vec<Job>> {
    let caller = db.caller().clone();
    let stale: BTreeSet<(i64, i64)> = changed.iter().filter_map(|job| job.run).collect();
    if !stale.is_empty() {
        let planner = Planner::new(app, &caller)?;
        let stale: Vec<(i64, i64)> = stale.into_iter().collect();
        for part in stale.chunk_by(|one, other| one.0 == other.0) {
            let runs: Vec<_> = part.iter().map(|(_, run)| (*run, Departure::Kept)).collect();
            plan::time_again(db, &planner, part[0].0, "edit_job", &runs).await?;
        }
    }
    let mut jobs = Vec::with_capacity(changed.len());
    for Changed { id, .. } in changed {
        let job: Job = resource::find(db, &caller, id).await?;
        let acted = store::tell(db, &caller, "job_updated", &job).await?;
        jobs.push(if acted { resource::find(db, &caller, id).await? } else { job });
    }
    Ok(jobs)
}

/// Links name uids: they follow when a uid changes.
async fn rename_in_links(db: &mut Db, before: &Job, uid: &str) -> Result<()> {
    sqlx::query(
        "update jobs set
             pickup_from = array_to_string(array_replace(string_to_array(pickup_from, ','), $2, $3), ','),
             deliver_to = array_to_string(array_replace(string_to_array(deliver_to, ','), $2, $3), ',')
         where scenario_id is not distinct from $1 and id <> $4
             and ($2 = any(string_to_array(pickup_from, ',')) or $2 = any(string_to_array(deliver_to, ',')))",
    )
    .bind(before.scenario_id)
    .bind(&before.uid)
    .bind(uid)
    .bind(before.id)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// `DELETE /jobs/{id}`.
pub(super) async fn delete(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, &app, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE /jobs/bulk`: all or nothing.
pub(super) async fn delete_bulk(
    mut db: Db,
    State(app): State<App>,
    Body(asked): Body<DeleteMany>,
) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &app, remove).await
}

/// A served job leaves its run first, through the plan.
async fn remove(db: &mut Db, app: &App, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    let job: Job = resource::find(db, &caller, id).await?;
    store::refuse_validated(db, &[id]).await?;
    if job.visited {
        return Err(Error::bad_request("Cannot delete job with proofs"));
    }
    if let (Some(scenario), Some(since)) = (job.scenario_id, db.plan_version()) {
        let touch = Touch { jobs: &[id], runs: &[], with_times: false, fields: None };
        plan::refuse_stale(db, &caller, scenario, Some(since), &touch).await?;
    }
    if let (Some(scenario), Some(_)) = (job.scenario_id, job.run_id) {
        let planner = Planner::new(app, &caller)?;
        plan::take_off(db, &planner, scenario, "delete_job", &[id], None).await?;
    }
    bin::put(db, &caller, Job::TABLE, id, &job.uid).await?;
    sqlx::query("update jobs set pickup_from = null, deliver_to = null where id = $1")
        .bind(id)
        .execute(&mut **db)
        .await?;
    store::follow_links(db, job.scenario_id, &BTreeSet::from([id])).await?;
    sqlx::query("delete from jobs where id = $1").bind(id).execute(&mut **db).await?;
    Ok(())
}
