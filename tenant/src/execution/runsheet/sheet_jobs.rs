//! The jobs of a run sheet, with what hangs on them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use routewright_core::place::Location;
use routewright_core::{Jsonb, Module, Result};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::execution::proofs::{self, Collections, Proof};
use crate::fleet::place_columns::place;
use crate::orders::jobs::JobTag;
use crate::setup::information::{Demands, ProofOfDelivery};

/// A job as its driver sees it.
#[derive(Serialize, JsonSchema, FromRow)]
pub(super) struct SheetJob {
    id: i64,
    uid: String,
    seq: i32,
    customer_name: Option<String>,
    location: Jsonb<Location>,
    phone_number: Option<String>,
    comments: Option<String>,
    consignee_info: Option<String>,
    external_comments: Option<String>,
    dock_location: Option<String>,
    /// What the customer asked of the driver, in his own words.
    customer_instructions: Option<String>,
    /// Where the customer wants it left, in his own words.
    customer_safe_place: Option<String>,
    arrive_after: Option<String>,
    leave_by: Option<String>,
    /// Minutes.
    duration: f64,
    eta: Option<DateTime<Utc>>,
    updated_eta: Option<DateTime<Utc>>,
    size: Option<String>,
    spec_type: Option<String>,
    priority: bool,
    tags: Jsonb<Vec<JobTag>>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    pickup_from: Option<String>,
    deliver_to: Option<String>,
    /// What its proof has to have, where that is set.
    #[sqlx(skip)]
    demands: Demands,
    #[sqlx(skip)]
    units: Vec<SheetUnit>,
    #[sqlx(skip)]
    returns: Vec<SheetReturn>,
    #[sqlx(skip)]
    containers: Vec<SheetContainer>,
    /// Of the job, its units, returns and containers; those of the job have no mode.
    #[sqlx(skip)]
    proofs: Vec<Proof>,
}

impl SheetJob {
    pub(super) const fn id(&self) -> i64 {
        self.id
    }
}

/// A unit on a run sheet.
#[derive(Clone, Serialize, JsonSchema, FromRow)]
struct SheetUnit {
    id: i64,
    uid: String,
    name: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    job_id: Option<i64>,
    container_id: Option<i64>,
    created: DateTime<Utc>,
    #[sqlx(skip)]
    unit_proofs: Vec<Proof>,
}

/// A return on a run sheet.
#[derive(Clone, Serialize, JsonSchema, FromRow)]
struct SheetReturn {
    id: i64,
    uid: String,
    comments: Option<String>,
    client_id: Option<i64>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    job_id: Option<i64>,
    created: DateTime<Utc>,
    #[sqlx(skip)]
    return_proofs: Vec<Proof>,
}

/// A container on a run sheet.
#[derive(Clone, Serialize, JsonSchema, FromRow)]
struct SheetContainer {
    id: i64,
    uid: String,
    job_ids: Vec<i64>,
    /// Its units on the run's jobs.
    units: Jsonb<Vec<Value>>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    created: DateTime<Utc>,
    #[sqlx(skip)]
    container_proofs: Vec<Proof>,
}

/// The jobs of a run in their order.
pub(super) async fn jobs_of_sheet(
    connection: &mut PgConnection,
    caller: &Caller,
    run: i64,
    (with_phone, settings): (bool, &ProofOfDelivery),
) -> Result<Vec<SheetJob>> {
    let mut jobs: Vec<SheetJob> = sqlx::query_as(concat!(
        "select j.id, j.uid, j.seq, j.customer_name, ",
        place!("j.", "location"),
        ", case when $2 then j.phone_number end as phone_number, j.comments, j.consignee_info, j.external_comments,
             j.dock_location, j.customer_instructions, j.customer_safe_place, to_char(j.arrive_after, 'HH24:MI') as arrive_after, to_char(j.leave_by, 'HH24:MI') as leave_by,
             j.duration, j.eta, j.updated_eta, j.size, j.spec_type, j.priority,
             coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by lower(t.name))
                 from job_tags jt join tags t on t.id = jt.tag_id where jt.job_id = j.id), '[]') as tags,
             j.extra_fields, j.pickup_from, j.deliver_to
         from jobs j where j.run_id = $1 order by j.seq"
    ))
    .bind(run)
    .bind(with_phone)
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = jobs.iter().map(|job| job.id).collect();
    let found = proofs::of_jobs(connection, caller, &ids).await?;
    let units = units(connection, caller, &ids).await?;
    let returns = returns(connection, caller, &ids).await?;
    let containers = containers(connection, caller, run).await?;
    for job in &mut jobs {
        job.units = units.iter().filter(|unit| unit.job_id == Some(job.id)).cloned().collect();
        job.returns = returns.iter().filter(|item| item.job_id == Some(job.id)).cloned().collect();
        job.containers = containers.iter().filter(|one| one.job_ids.contains(&job.id)).cloned().collect();
        job.demands = settings.demands_of(job.spec_type.as_deref());
        attach(job, &found);
    }
    Ok(jobs)
}

/// Puts the proofs where they belong.
fn attach(job: &mut SheetJob, found: &Collections) {
    let units = found.unit_proofs.iter().map(|proof| &proof.proof);
    let returns = found.return_proofs.iter().map(|proof| &proof.proof);
    let containers = found.container_proofs.iter().map(|proof| &proof.proof);
    for unit in &mut job.units {
        unit.unit_proofs = units.clone().filter(|proof| proof.unit_id == Some(unit.id)).cloned().collect();
    }
    for item in &mut job.returns {
        item.return_proofs =
            returns.clone().filter(|proof| proof.return_id == Some(item.id)).cloned().collect();
    }
    for one in &mut job.containers {
        one.container_proofs =
            containers.clone().filter(|proof| proof.container_id == Some(one.id)).cloned().collect();
    }
    let own = found.job_proofs.iter().map(|proof| &proof.proof);
    let boxes: Vec<i64> = job.containers.iter().map(|one| one.id).collect();
    job.proofs = own
        .chain(units)
        .chain(returns)
        .filter(|proof| proof.job_id == Some(job.id))
        .chain(containers.filter(|proof| proof.container_id.is_some_and(|id| boxes.contains(&id))))
        .cloned()
        .collect();
}

async fn units(connection: &mut PgConnection, caller: &Caller, jobs: &[i64]) -> Result<Vec<SheetUnit>> {
    if !caller.has(Module::Units) {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(
        "select id, uid, name, invoice, reference, extra_fields, job_id, container_id, created from units
         where job_id = any($1) order by id",
    )
    .bind(jobs)
    .fetch_all(connection)
    .await?)
}

async fn returns(connection: &mut PgConnection, caller: &Caller, jobs: &[i64]) -> Result<Vec<SheetReturn>> {
    if !caller.has(Module::Returns) {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(
        "select id, uid, comments, client_id, extra_fields, job_id, created from returns
         where job_id = any($1) order by id",
    )
    .bind(jobs)
    .fetch_all(connection)
    .await?)
}

async fn containers(connection: &mut PgConnection, caller: &Caller, run: i64) -> Result<Vec<SheetContainer>> {
    if !caller.has(Module::Containers) {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(
        "select c.id, c.uid, array_agg(distinct u.job_id) as job_ids,
             jsonb_agg(jsonb_build_object('id', u.id, 'uid', u.uid, 'job_id', u.job_id) order by u.id) as units,
             c.extra_fields, c.created
         from containers c join units u on u.container_id = c.id join jobs j on j.id = u.job_id
         where j.run_id = $1 group by c.id order by c.id",
    )
    .bind(run)
    .fetch_all(connection)
    .await?)
}
