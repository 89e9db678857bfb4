//! How far the runs of a scenario are (S-08): one line per run, sums, and what went wrong.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::http::Path;
use routewright_core::{Jsonb, Result, Routes};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::app::App;
use crate::plan::Status;
use crate::planning::scenarios::{READ, Scenario};
use crate::setup::files::{FileLink, PHOTOS};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/scenarios/{id}/progress_report", READ, report)
}

/// The report.
#[derive(Serialize, JsonSchema)]
struct ProgressReport {
    /// The scenario.
    scenario: ProgressScenario,
    /// When it was read.
    generated_at: DateTime<Utc>,
    /// One line per run, in the order of their names.
    runs: Vec<ProgressRun>,
    /// Sums over the runs.
    totals: ProgressTotals,
    /// What went wrong, the newest first.
    exceptions: Vec<ProgressException>,
}

/// Header of the report.
#[derive(Serialize, JsonSchema)]
struct ProgressScenario {
    /// Id.
    id: i64,
    /// Name.
    name: String,
    /// The day.
    scheduled_date: NaiveDate,
    /// `planning`, `routing` or `tracking`.
    stage: String,
}

/// A run and how far it is.
#[derive(Serialize, JsonSchema)]
struct ProgressRun {
    /// The run.
    run_id: i64,
    /// Its name.
    uid: String,
    /// The driver's name or number.
    driver: String,
    /// The vehicle's number.
    vehicle: Option<String>,
    /// Where it stands.
    status: Status,
    /// Planned departure.
    planned_start_time: Option<DateTime<Utc>>,
    /// Planned end.
    planned_end_time: Option<DateTime<Utc>>,
    /// When it started.
    actual_start_time: Option<DateTime<Utc>>,
    /// When it ended.
    actual_end_time: Option<DateTime<Utc>>,
    /// Jobs on it.
    jobs: i64,
    /// Jobs with a proof.
    visited: i64,
    /// Of these, the ones that went well.
    successful: i64,
    /// Of these, the ones that did not.
    unsuccessful: i64,
    /// Jobs that were visited, or are expected, after the end of their window.
    late: i64,
    /// Planned distance, metres.
    distance: i32,
    /// When the vehicle was last heard of.
    last_position_at: Option<DateTime<Utc>>,
}

/// Sums over the runs.
#[derive(Default, Serialize, JsonSchema)]
struct ProgressTotals {
    /// Runs.
    runs: i64,
    /// Runs that are closed.
    closed: i64,
    /// Jobs on runs.
    jobs: i64,
    /// Jobs on no run.
    unserved: i64,
    /// Jobs with a proof.
    visited: i64,
    /// Jobs that went well.
    successful: i64,
    /// Jobs that did not.
    unsuccessful: i64,
    /// Jobs beyond their window.
    late: i64,
    /// Planned distance, metres.
    distance: i64,
}

/// Something that went wrong.
#[derive(Serialize, JsonSchema, FromRow)]
struct ProgressException {
    /// `job`, `unit` or `return`.
    kind: String,
    /// The job.
    job_id: i64,
    /// Its uid.
    job_uid: String,
    /// The unit's or return's uid.
    item_uid: Option<String>,
    /// `load`, `deliver`, `pickup`, `at_depot` or `return` of a unit or return.
    mode: Option<String>,
    /// The run's name.
    run_uid: Option<String>,
    /// The customer.
    customer_name: Option<String>,
    /// Reason the driver gave.
    reason: Option<String>,
    /// When.
    time: DateTime<Utc>,
    /// What the driver wrote.
    comments: Option<String>,
    /// Photos.
    photos: Jsonb<Vec<FileLink>>,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    uid: String,
    driver: String,
    vehicle: Option<String>,
    start_odometer: bool,
    end_odometer: bool,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    jobs: i64,
    visited: i64,
    successful: i64,
    late: i64,
    distance: i32,
    last_position_at: Option<DateTime<Utc>>,
}

impl From<Row> for ProgressRun {
    fn from(row: Row) -> Self {
        let status = Status::of(
            (row.start_odometer, row.end_odometer),
            (row.actual_start_time.is_some(), row.actual_end_time.is_some()),
        );
        Self {
            run_id: row.id,
            uid: row.uid,
            driver: row.driver,
            vehicle: row.vehicle,
            status,
            planned_start_time: row.planned_start_time,
            planned_end_time: row.planned_end_time,
            actual_start_time: row.actual_start_time,
            actual_end_time: row.actual_end_time,
            jobs: row.jobs,
            visited: row.visited,
            successful: row.successful,
            unsuccessful: row.visited - row.successful,
            late: row.late,
            distance: row.distance,
            last_position_at: row.last_position_at,
        }
    }
}

/// `GET /scenarios/{id}/progress_report`.
async fn report(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<ProgressReport>> {
    let caller = db.caller().clone();
    let scenario: Scenario = resource::find(&mut db, &caller, id).await?;
    let runs = runs(&mut db, id).await?;
    let haulier = caller.haulier_id();
    let unserved: i64 = sqlx::query_scalar(
        "select count(*) from jobs where scenario_id = $1 and run_id is null and $2::bigint is null",
    )
    .bind(id)
    .bind(haulier)
    .fetch_one(&mut *db)
    .await?;
    let mut totals = ProgressTotals { unserved, ..ProgressTotals::default() };
    for run in &runs {
        totals.runs += 1;
        totals.closed += i64::from(run.status == Status::Closed);
        totals.jobs += run.jobs;
        totals.visited += run.visited;
        totals.successful += run.successful;
        totals.unsuccessful += run.unsuccessful;
        totals.late += run.late;
        totals.distance += i64::from(run.distance);
    }
    let exceptions = exceptions(&mut db, id).await?;
    Ok(Json(ProgressReport {
        scenario: ProgressScenario {
            id,
            name: scenario.name,
            scheduled_date: scenario.scheduled_date,
            stage: scenario.stage,
        },
        generated_at: db.caller().now(&app.clock),
        runs,
        totals,
        exceptions,
    }))
}

/// The latest proof of a job decides what became of it; a job is late when it was visited, else is expected, after the end
/// of its window.
async fn runs(db: &mut Db, scenario: i64) -> Result<Vec<ProgressRun>> {
    let (zone, haulier) = (db.caller().policy()?.timezone, db.caller().haulier_id());
    let rows: Vec<Row> = sqlx::query_as(
        "select r.id, r.uid, d.uid as driver, v.uid as vehicle, r.start_odometer is not null as start_odometer,
             r.end_odometer is not null as end_odometer, r.planned_start_time, r.planned_end_time, r.actual_start_time,
             r.actual_end_time, counted.jobs, counted.visited, counted.successful, counted.late, r.distance,
             (select max(g.recorded_at) from gps_points g where g.run_id = r.id) as last_position_at
         from runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
             cross join lateral (
                 select count(*) as jobs, count(latest.at) as visited, count(*) filter (where latest.success) as successful,
                     count(*) filter (
                         where coalesce(latest.at, j.updated_eta) > (s.scheduled_date + j.leave_by) at time zone $2
                     ) as late
                 from jobs j left join lateral (
                     select p.record_time as at, p.success from job_proofs p where p.job_id = j.id
                     order by p.record_time desc, p.id desc limit 1
                 ) latest on true
                 where j.run_id = r.id
             ) counted
         where r.scenario_id = $1 and ($3::bigint is null or d.haulier_id = $3 or v.haulier_id = $3)
         order by lower(r.uid), r.id",
    )
    .bind(scenario)
    .bind(zone.name())
    .bind(haulier)
    .fetch_all(&mut **db)
    .await?;
    Ok(rows.into_iter().map(ProgressRun::from).collect())
}

/// Latest proofs that did not go well, or whose reason is not OK.
async fn exceptions(db: &mut Db, scenario: i64) -> Result<Vec<ProgressException>> {
    let haulier = db.caller().haulier_id();
    let statement = concat!(
        "select p.kind, j.id as job_id, j.uid as job_uid, p.item_uid, p.mode, r.uid as run_uid, j.customer_name,
             e.name as reason, p.record_time as time, p.comments, ",
        PHOTOS!("p.photo_ids"),
        " as photos
         from (
             (select distinct on (p.job_id) 'job' as kind, p.job_id, null::text as item_uid, null::text as mode, p.success,
                  p.reason_id, p.record_time, p.comments, p.photo_ids
              from job_proofs p join jobs j on j.id = p.job_id where j.scenario_id = $1
              order by p.job_id, p.record_time desc, p.id desc)
             union all
             (select distinct on (p.unit_id, p.mode) 'unit', u.job_id, u.uid, p.mode, p.success, p.reason_id, p.record_time,
                  p.comments, p.photo_ids
              from unit_proofs p join units u on u.id = p.unit_id join jobs j on j.id = u.job_id where j.scenario_id = $1
              order by p.unit_id, p.mode, p.record_time desc, p.id desc)
             union all
             (select distinct on (p.return_id, p.mode) 'return', t.job_id, t.uid, p.mode, p.success, p.reason_id,
                  p.record_time, p.comments, p.photo_ids
              from return_proofs p join returns t on t.id = p.return_id join jobs j on j.id = t.job_id
              where j.scenario_id = $1
              order by p.return_id, p.mode, p.record_time desc, p.id desc)
         ) p
             join jobs j on j.id = p.job_id left join runs r on r.id = j.run_id left join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id left join reasons e on e.id = p.reason_id
         where (not p.success or (not e.ok and e.name not in ('Loaded - OK', 'Delivered - OK')))
             and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by p.record_time desc, j.id"
    );
    Ok(sqlx::query_as(statement).bind(scenario).bind(haulier).fetch_all(&mut **db).await?)
}
