//! What is said to the forwarder. A run is named by the forwarder's own code (S-17).

use chrono::{DateTime, NaiveTime, Utc};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::execution::proofs;
use crate::fleet::costing;
use crate::orders::jobs::Job;
use crate::planning::runs::Run;

/// Kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    RunLoad,
    ModelUpdate,
    DeliveryOut,
    DeliveryExecution,
}

impl Kind {
    /// Name in the outbox and in the document.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::RunLoad => "run_load",
            Self::ModelUpdate => "model_update",
            Self::DeliveryOut => "delivery_out",
            Self::DeliveryExecution => "delivery_execution",
        }
    }

    /// The same of a stored name.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "model_update" => Self::ModelUpdate,
            "delivery_out" => Self::DeliveryOut,
            "delivery_execution" => Self::DeliveryExecution,
            _ => Self::RunLoad,
        }
    }

    /// What planners read.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::RunLoad => "Run load",
            Self::ModelUpdate => "Model update",
            Self::DeliveryOut => "Delivery out",
            Self::DeliveryExecution => "Delivery execution",
        }
    }
}

/// What a document is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub(super) kind: Kind,
    pub(super) scenario: Option<i64>,
    pub(super) run: Option<i64>,
    pub(super) job: Option<i64>,
}

#[derive(FromRow)]
struct Code {
    run_code: String,
    depot_code: Option<String>,
}

/// A stop as the forwarder knows it.
#[derive(Debug, Serialize, FromRow)]
struct Stop {
    seq: Option<i32>,
    job_id: i64,
    job_uid: String,
    reference: Option<String>,
    customer_name: Option<String>,
    address: String,
    lat: f64,
    lon: f64,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
    eta: Option<DateTime<Utc>>,
    units: Vec<String>,
}

/// The forwarder's code of a run: that of driver and vehicle together comes before that of the driver alone.
async fn code(connection: &mut PgConnection, run: &Run) -> Result<Code> {
    let found: Option<Code> = sqlx::query_as(
        "select run_code, depot_code from run_code_maps
         where driver_id = $1 and (vehicle_id is null or vehicle_id = $2) order by vehicle_id nulls last, id limit 1",
    )
    .bind(run.driver_id)
    .bind(run.vehicle_id)
    .fetch_optional(connection)
    .await?;
    found.ok_or_else(|| Error::bad_request(format!("No run code map for {}", run.driver.uid)))
}

fn header(run: &Run, code: &Code) -> Value {
    json!({
        "run_code": code.run_code, "depot_code": code.depot_code, "run_id": run.id, "run_uid": run.uid,
        "scenario": run.scenario.name, "date": run.scenario.scheduled_date, "driver": run.driver.uid,
        "vehicle": run.vehicle.as_ref().map(|vehicle| &vehicle.uid), "planned_start_time": run.planned_start_time,
        "planned_end_time": run.planned_end_time,
    })
}

/// Stops of a run; those that changed after a moment, with their units, or all.
async fn stops(connection: &mut PgConnection, run: i64, after: Option<DateTime<Utc>>) -> Result<Vec<Stop>> {
    Ok(sqlx::query_as(
        "select j.seq, j.id as job_id, j.uid as job_uid, j.reference, j.customer_name, j.address, j.lat, j.lon,
             j.arrive_after, j.leave_by, j.eta,
             array(select u.uid from units u where u.job_id = j.id order by u.id) as units
         from jobs j
         where j.run_id = $1 and ($2::timestamptz is null or j.modified > $2
             or exists (select from units u where u.job_id = j.id and u.modified > $2))
         order by j.seq",
    )
    .bind(run)
    .bind(after)
    .fetch_all(connection)
    .await?)
}

/// The run's header, code and stops.
///
/// # Errors
/// 400 without a code for the run.
pub(super) async fn run_load(connection: &mut PgConnection, run: &Run) -> Result<Value> {
    let code = code(connection, run).await?;
    let stops = stops(connection, run.id, None).await?;
    Ok(json!({ "type": Kind::RunLoad.name(), "run": header(run, &code), "stops": stops }))
}

/// What changed since the run was last told; none when nothing did.
///
/// # Errors
/// 400 without a code for the run.
pub(super) async fn model_update(connection: &mut PgConnection, run: &Run) -> Result<Option<Value>> {
    let code = code(connection, run).await?;
    let since: Option<DateTime<Utc>> = sqlx::query_scalar(
        "select max(created) from partner_messages
         where partner = 'gefco' and run_id = $1 and kind in ('run_load', 'model_update') and state <> 'failed'",
    )
    .bind(run.id)
    .fetch_one(&mut *connection)
    .await?;
    let changed = stops(connection, run.id, since).await?;
    if changed.is_empty() {
        return Ok(None);
    }
    Ok(Some(json!({
        "type": Kind::ModelUpdate.name(), "run": header(run, &code), "changed_since": since, "stops": changed,
    })))
}

/// The validated totals of a run.
///
/// # Errors
/// 400 without a code for the run.
pub(super) async fn delivery_out(connection: &mut PgConnection, run: &Run) -> Result<Value> {
    let code = code(connection, run).await?;
    let costed = costing::of_runs(connection, &[run.id]).await?;
    let charged = costed.first().map(costing::CostedRun::summary);
    let units: i64 = sqlx::query_scalar(
        "select count(distinct p.unit_id) from unit_proofs p join units u on u.id = p.unit_id join jobs j on j.id = u.job_id
         where j.run_id = $1 and p.mode = 'deliver' and p.success",
    )
    .bind(run.id)
    .fetch_one(connection)
    .await?;
    Ok(json!({
        "type": Kind::DeliveryOut.name(), "run": header(run, &code),
        "totals": {
            "actual_start_time": run.actual_start_time, "actual_end_time": run.actual_end_time,
            "start_odometer": run.start_odometer, "end_odometer": run.end_odometer, "km": run.billing_km,
            "hours": run.billing_time, "drops": charged.map(|charged| charged.drops), "units_delivered": units,
            "validated_at": run.validated_at,
        },
    }))
}

/// What was recorded about a job.
///
/// # Errors
/// 400 without a proof.
pub(super) async fn delivery_execution(
    connection: &mut PgConnection,
    caller: &Caller,
    job: &Job,
) -> Result<Value> {
    let found = proofs::of_jobs(connection, caller, &[job.id]).await?;
    if found.job_proofs.is_empty() && found.unit_proofs.is_empty() && found.return_proofs.is_empty() {
        return Err(Error::bad_request("Selected job does not have any proof"));
    }
    Ok(json!({
        "type": Kind::DeliveryExecution.name(),
        "job": { "id": job.id, "uid": job.uid, "reference": job.reference, "run_id": job.run_id },
        "job_proofs": found.job_proofs, "unit_proofs": found.unit_proofs, "return_proofs": found.return_proofs,
    }))
}
