//! One job with what hangs on it.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::list::ListQuery;
use routewright_core::{Jsonb, Module, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::fleet::territories;
use crate::orders::containers::Container;
use crate::orders::items::ItemScenario;
use crate::orders::jobs::Job;
use crate::orders::returns::Return;
use crate::orders::units::Unit;

/// A job with its units and returns.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JobDetail")]
pub(super) struct Detail {
    #[serde(flatten)]
    job: Job,
    units: Vec<Unit>,
    returns: Vec<Return>,
    /// Territories in which it lies.
    territory_ids: Vec<i64>,
}

/// A job with everything.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WholeJob")]
pub(super) struct Everything {
    #[serde(flatten)]
    detail: Detail,
    containers: Vec<Container>,
    run: Option<JobRun>,
    scenario: Option<ItemScenario>,
    proofs: ProofSummary,
}

/// The run of a job.
#[derive(Serialize, Deserialize, JsonSchema)]
struct JobRun {
    id: i64,
    uid: String,
    driver: Option<JobDriver>,
}

/// The driver of a job's run.
#[derive(Serialize, Deserialize, JsonSchema)]
struct JobDriver {
    id: i64,
    uid: String,
}

/// Proofs of a job in numbers, and its latest.
#[derive(Serialize, JsonSchema)]
struct ProofSummary {
    job_proofs: i64,
    unit_proofs: i64,
    return_proofs: i64,
    container_proofs: i64,
    latest: Option<LatestProof>,
}

/// The latest proof of a job.
#[derive(Serialize, Deserialize, JsonSchema)]
struct LatestProof {
    success: bool,
    /// Name of the reason.
    reason: Option<String>,
    /// `YYYY-MM-DD HH:mm:ss`, UTC.
    record_time: String,
    signature_name: Option<String>,
    has_signature: bool,
    photos_count: i64,
    comments: Option<String>,
}

/// `GET /jobs/{id}`.
pub(super) async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<Detail>> {
    detail(&mut db, id).await.map(Json)
}

/// `GET /jobs/{id}/all`.
pub(super) async fn all(mut db: Db, Path(id): Path<i64>) -> Result<Json<Everything>> {
    let detail = detail(&mut db, id).await?;
    let containers = if db.caller().has(Module::Containers) {
        let held: Vec<i64> = sqlx::query_scalar(
            "select distinct container_id from units where job_id = $1 and container_id is not null order by 1",
        )
        .bind(id)
        .fetch_all(&mut *db)
        .await?;
        let caller = db.caller().clone();
        let mut containers = Vec::with_capacity(held.len());
        for container in held {
            containers.push(resource::find::<Container>(&mut db, &caller, container).await?);
        }
        containers
    } else {
        Vec::new()
    };
    let around = around(&mut db, id).await?;
    let proofs = ProofSummary {
        job_proofs: around.job_proofs,
        unit_proofs: around.unit_proofs,
        return_proofs: around.return_proofs,
        container_proofs: around.container_proofs,
        latest: around.latest.map(|latest| latest.0),
    };
    let run = around.run.map(|run| run.0);
    let scenario = around.scenario.map(|scenario| scenario.0);
    Ok(Json(Everything { detail, containers, run, scenario, proofs }))
}

async fn detail(db: &mut Db, id: i64) -> Result<Detail> {
    let caller = db.caller().clone();
    let job: Job = resource::find(db, &caller, id).await?;
    let units = if caller.has(Module::Units) { of_job::<Unit>(db, id).await? } else { Vec::new() };
    let returns = if caller.has(Module::Returns) { of_job::<Return>(db, id).await? } else { Vec::new() };
    let territory_ids = territories::containing(db, job.location.lat, job.location.lon).await?;
    Ok(Detail { job, units, returns, territory_ids })
}

/// All items of a job, in the order in which they were made.
async fn of_job<R: Resource>(db: &mut Db, job: i64) -> Result<Vec<R>> {
    let mut items = Vec::new();
    for page in 1.. {
        let query = ListQuery::parse(&format!("job_id={job}&sort_by=id&per_page=300&page={page}"))?;
        let listed =
            routewright_core::list::page(db, R::COLUMNS, R::FROM, query, &R::SHAPE, |_| ()).await?.page;
        items.extend(listed.data);
        if page >= listed.total_pages {
            break;
        }
    }
    Ok(items)
}

#[derive(FromRow)]
struct Around {
    run: Option<Jsonb<JobRun>>,
    scenario: Option<Jsonb<ItemScenario>>,
    job_proofs: i64,
    unit_proofs: i64,
    return_proofs: i64,
    container_proofs: i64,
    latest: Option<Jsonb<LatestProof>>,
}

async fn around(db: &mut Db, id: i64) -> Result<Around> {
    let around = sqlx::query_as(
        "select
             case when r.id is not null then jsonb_build_object('id', r.id, 'uid', r.uid,
                 'driver', case when d.id is not null then jsonb_build_object('id', d.id, 'uid', d.uid) end) end as run,
             case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name,
                 'scheduled_date', s.scheduled_date, 'stage', s.stage) end as scenario,
             (select count(*) from job_proofs p where p.job_id = j.id) as job_proofs,
             (select count(*) from unit_proofs p join units u on u.id = p.unit_id where u.job_id = j.id) as unit_proofs,
             (select count(*) from return_proofs p join returns t on t.id = p.return_id where t.job_id = j.id) as return_proofs,
             (select count(*) from container_proofs p where p.job_id = j.id) as container_proofs,
             (select jsonb_build_object('success', p.success, 'reason', e.name,
                 'record_time', to_char(p.record_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
                 'signature_name', p.signature_name, 'has_signature', p.signature_id is not null,
                 'photos_count', cardinality(p.photo_ids), 'comments', p.comments)
              from job_proofs p left join reasons e on e.id = p.reason_id
              where p.job_id = j.id order by p.record_time desc, p.id desc limit 1) as latest
         from jobs j left join scenarios s on s.id = j.scenario_id
             left join runs r on r.id = j.run_id left join drivers d on d.id = r.driver_id
         where j.id = $1",
    )
    .bind(id)
    .fetch_one(&mut **db)
    .await?;
    Ok(around)
}
