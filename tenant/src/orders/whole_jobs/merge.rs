//! Several jobs at one stop become one (S-29).

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::merged::Merged;
use crate::app::App;
use crate::orders::jobs::{self, Job, links};
use crate::plan::{self, Planner};

/// Jobs that become one.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Group {
    destination_id: i64,
    source_ids: Vec<i64>,
}

/// Jobs that become one, and where they lie.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Merge {
    destination_id: i64,
    source_ids: Vec<i64>,
    /// Whether they lie in the pool.
    #[serde(default)]
    is_pool: bool,
}

/// Several such groups.
#[derive(Deserialize, JsonSchema)]
pub(super) struct BulkMerge {
    groups: Vec<Group>,
    /// Whether they lie in the pool.
    #[serde(default)]
    is_pool: bool,
}

/// `PUT /jobs/merge`: the sources are deleted.
pub(super) async fn merge(mut db: Db, State(app): State<App>, Body(body): Body<Merge>) -> Result<Json<Job>> {
    let group = Group { destination_id: body.destination_id, source_ids: body.source_ids };
    one(&mut db, &app, &group, body.is_pool).await.map(Json)
}

/// `PUT /jobs/bulk_merge`: all groups or none.
pub(super) async fn bulk_merge(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<BulkMerge>,
) -> Result<Json<Vec<Job>>> {
    let mut jobs = Vec::with_capacity(body.groups.len());
    for group in &body.groups {
        jobs.push(one(&mut db, &app, group, body.is_pool).await?);
    }
    Ok(Json(jobs))
}

async fn one(db: &mut Db, app: &App, group: &Group, is_pool: bool) -> Result<Job> {
    let caller = db.caller().clone();
    let sources: BTreeSet<i64> = group.source_ids.iter().copied().collect();
    if sources.is_empty() {
        return Err(Error::field("source_ids", "You must add at least one job."));
    }
    if sources.contains(&group.destination_id) {
        return Err(Error::field("source_ids", "A job cannot be merged with itself"));
    }
    let all: Vec<i64> = sources.iter().copied().chain([group.destination_id]).collect();
    let scenario = resource::find::<Job>(db, &caller, group.destination_id).await?.scenario_id;
    if let Some(scenario) = scenario {
        plan::lock(db, scenario).await?;
    }
    sqlx::query("select id from jobs where id = any($1) order by id for update")
        .bind(&all)
        .execute(&mut **db)
        .await?;
    let destination: Job = resource::find(db, &caller, group.destination_id).await?;
    if destination.scenario_id.is_none() != is_pool {
        let place = if is_pool { "is not in the pool" } else { "is in the pool" };
        return Err(Error::field("is_pool", format!("Job {} {place}", destination.uid)));
    }
    jobs::store::refuse_validated(db, &all).await?;
    refuse_proven(db, &sources).await?;
    let mut merged = Merged::of(&destination);
    let mut gone = Vec::with_capacity(sources.len());
    for id in &sources {
        let source: Job = resource::find(db, &caller, *id).await?;
        if source.scenario_id != destination.scenario_id {
            return Err(Error::field(
                "source_ids",
                format!("Job {} is not in the scenario of job {}", source.uid, destination.uid),
            ));
        }
        merged.take(&destination, &source)?;
        gone.push(source);
    }
    write(db, destination.id, &merged).await?;
    hand_over(db, destination.id, &sources).await?;
    relink(db, &destination, &gone).await?;
    leave_runs(db, app, &destination, &gone).await?;
    let ids: Vec<i64> = sources.into_iter().collect();
    sqlx::query("delete from jobs where id = any($1)").bind(&ids).execute(&mut **db).await?;
    resource::find(db, &caller, destination.id).await
}

/// What was proved at a job cannot become another job's.
async fn refuse_proven(db: &mut Db, sources: &BTreeSet<i64>) -> Result<()> {
    let ids: Vec<i64> = sources.iter().copied().collect();
    let uid: Option<String> = sqlx::query_scalar(
        "select j.uid from jobs j where j.id = any($1) and (
             exists (select from job_proofs p where p.job_id = j.id)
             or exists (select from unit_proofs p where p.job_id = j.id)
             or exists (select from return_proofs p where p.job_id = j.id)
             or exists (select from container_proofs p where p.job_id = j.id))
         order by j.id limit 1",
    )
    .bind(&ids)
    .fetch_optional(&mut **db)
    .await?;
    match uid {
        None => Ok(()),
        Some(uid) => Err(Error::bad_request(format!("Job {uid} has proofs and cannot be merged"))),
    }
}

async fn write(db: &mut Db, destination: i64, merged: &Merged) -> Result<()> {
    sqlx::query(
        "update jobs set duration = $2, arrive_after = $3::time, leave_by = $4::time, size = $5, spec_type = $6,
             priority = $7, comments = $8, invoice = $9, reference = $10, extra_fields = $11
         where id = $1",
    )
    .bind(destination)
    .bind(merged.duration)
    .bind(&merged.arrive_after)
    .bind(&merged.leave_by)
    .bind(&merged.size)
    .bind(&merged.spec_type)
    .bind(merged.priority)
    .bind(&merged.comments)
    .bind(&merged.invoice)
    .bind(&merged.reference)
    .bind(json!(merged.extra_fields))
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// Units, returns and tags go to the destination.
async fn hand_over(db: &mut Db, destination: i64, sources: &BTreeSet<i64>) -> Result<()> {
    let sources: Vec<i64> = sources.iter().copied().collect();
    sqlx::query("update units set job_id = $1 where job_id = any($2)")
        .bind(destination)
        .bind(&sources)
        .execute(&mut **db)
        .await?;
    sqlx::query("update returns set job_id = $1 where job_id = any($2)")
        .bind(destination)
        .bind(&sources)
        .execute(&mut **db)
        .await?;
    sqlx::query(
        "insert into job_tags (job_id, tag_id) select distinct $1::bigint, tag_id from job_tags where job_id = any($2)
         on conflict do nothing",
    )
    .bind(destination)
    .bind(&sources)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// Who was linked with a source is linked with the destination. A uid that several jobs have means the oldest of them.
async fn relink(db: &mut Db, destination: &Job, sources: &[Job]) -> Result<()> {
    let ids: Vec<i64> = sources.iter().map(|source| source.id).collect();
    let uids: Vec<&str> = sources.iter().map(|source| source.uid.as_str()).collect();
    let meant: BTreeSet<String> = sqlx::query_scalar(
        "select uid from (
             select distinct on (uid) uid, id from jobs where scenario_id is not distinct from $1 and uid = any($2)
             order by uid, id
         ) oldest where id = any($3)",
    )
    .bind(destination.scenario_id)
    .bind(&uids)
    .bind(&ids)
    .fetch_all(&mut **db)
    .await?
    .into_iter()
    .collect();
    let linked: Vec<(i64, Option<String>, Option<String>)> = sqlx::query_as(
        "select id, pickup_from, deliver_to from jobs
         where scenario_id is not distinct from $1 and id <> all($2)
             and (pickup_from is not null or deliver_to is not null)",
    )
    .bind(destination.scenario_id)
    .bind(&ids)
    .fetch_all(&mut **db)
    .await?;
    let mut lists: BTreeMap<i64, [BTreeSet<String>; 2]> = BTreeMap::new();
    for (id, pickup_from, deliver_to) in linked {
        let before = [links::uids(pickup_from.as_deref()), links::uids(deliver_to.as_deref())];
        let after = before.clone().map(|list| repoint(list, &meant, &destination.uid));
        if before != after || id == destination.id {
            lists.insert(id, after);
        }
    }
    let own = lists.entry(destination.id).or_default();
    for source in sources {
        own[0].extend(repoint(links::uids(source.pickup_from.as_deref()), &meant, &destination.uid));
        own[1].extend(repoint(links::uids(source.deliver_to.as_deref()), &meant, &destination.uid));
    }
    for list in own.iter_mut() {
        list.remove(&destination.uid);
    }
    for (id, [pickup_from, deliver_to]) in &lists {
        sqlx::query("update jobs set pickup_from = $2, deliver_to = $3 where id = $1")
            .bind(id)
            .bind(links::text(pickup_from))
            .bind(links::text(deliver_to))
            .execute(&mut **db)
            .await?;
    }
    sqlx::query("update jobs set pickup_from = null, deliver_to = null where id = any($1)")
        .bind(&ids)
        .execute(&mut **db)
        .await?;
    jobs::store::follow_links(db, destination.scenario_id, &lists.into_keys().collect()).await
}

fn repoint(list: BTreeSet<String>, from: &BTreeSet<String>, to: &str) -> BTreeSet<String> {
    list.into_iter().map(|uid| if from.contains(&uid) { to.to_owned() } else { uid }).collect()
}

/// The sources leave their runs, and the run of the destination is timed anew with its longer service.
async fn leave_runs(db: &mut Db, app: &App, destination: &Job, sources: &[Job]) -> Result<()> {
    let Some(scenario) = destination.scenario_id else { return Ok(()) };
    let served: Vec<i64> =
        sources.iter().filter(|source| source.run_id.is_some()).map(|source| source.id).collect();
    if served.is_empty() && destination.run_id.is_none() {
        return Ok(());
    }
    let caller = db.caller().clone();
    let planner = Planner::new(app, &caller)?;
    let request = plan::Request {
        scenario,
        kind: "merge_jobs",
        expected: plan::Expected::default(),
        jobs: &served,
        pool_jobs: &[],
        reason: None,
    };
    plan::change(db, &planner, request, |draft| {
        for job in &served {
            draft.unserve(*job, None);
        }
        if let Some(run) = draft.place(destination.id) {
            draft.settle(run);
        }
        Ok(())
    })
    .await?;
    Ok(())
}
