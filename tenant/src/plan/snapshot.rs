//! The plan of a scenario as it stands, read in one go: its runs, its jobs, who is on which run.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Timelike, Utc};
use routewright_core::{Error, Result};
use routewright_roads::RoadVehicle;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::Status;
use super::links::Links;
use crate::fleet::vehicles::OnRoad;

/// A scenario as planning sees it.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct PlanScenario {
    pub(crate) id: i64,
    pub(crate) scheduled_date: NaiveDate,
    /// Grows with every change that goes through the door.
    pub(crate) version: i32,
}

/// A run as planning sees it.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct PlanRun {
    pub(crate) id: i64,
    pub(crate) uid: String,
    pub(crate) driver_id: i64,
    pub(crate) route_end: String,
    pub(crate) start_lat: Option<f64>,
    pub(crate) start_lon: Option<f64>,
    pub(crate) end_lat: Option<f64>,
    pub(crate) end_lon: Option<f64>,
    pub(crate) shift_start: NaiveTime,
    pub(crate) shift_end: NaiveTime,
    pub(crate) lunch_time: Option<NaiveTime>,
    pub(crate) lunch_latest_start: Option<NaiveTime>,
    /// Minutes.
    pub(crate) lunch_duration: f64,
    pub(crate) capacity: String,
    pub(crate) spec_type: Option<String>,
    pub(crate) speed_multiplier: f64,
    pub(crate) alternatives_group: Option<String>,
    pub(crate) territory_ids: Vec<i64>,
    pub(crate) planned_start_time: Option<DateTime<Utc>>,
    /// Whether somebody decided by hand when it leaves.
    pub(crate) departure_fixed: bool,
    pub(crate) actual_start_time: Option<DateTime<Utc>>,
    pub(crate) actual_end_time: Option<DateTime<Utc>>,
    pub(crate) has_start_odometer: bool,
    pub(crate) has_end_odometer: bool,
    pub(crate) dispatched: bool,
    pub(crate) validated_at: Option<DateTime<Utc>>,
    /// Whether a start or end of the route was recorded.
    pub(crate) has_proofs: bool,
    pub(crate) litres_per_100_km: Option<f64>,
    pub(crate) co2_per_litre: Option<f64>,
    /// What its vehicle is on the road.
    #[sqlx(flatten)]
    pub(crate) on_road: OnRoad,
    /// Hour of the week whose traffic its ways are chosen for.
    #[sqlx(skip)]
    pub(crate) hour: Option<u8>,
}

impl PlanRun {
    /// What drives it, and when.
    pub(crate) fn drives_as(&self) -> RoadVehicle {
        RoadVehicle { hour: self.hour, ..self.on_road.vehicle() }
    }

    /// Where it begins: latitude and longitude.
    pub(crate) fn start(&self) -> Option<(f64, f64)> {
        self.start_lat.zip(self.start_lon)
    }

    /// Where it ends: at its start unless it is told otherwise; none where its last job is.
    pub(crate) fn end(&self) -> Option<(f64, f64)> {
        match self.route_end.as_str() {
            "anywhere" => None,
            "end_location" => self.end_lat.zip(self.end_lon).or_else(|| self.start()),
            _ => self.start(),
        }
    }

    /// Whether the run was started.
    pub(crate) fn started(&self) -> bool {
        self.actual_start_time.is_some() || self.has_start_odometer
    }

    /// Where it stands.
    pub(crate) fn status(&self) -> Status {
        Status::of(
            (self.has_start_odometer, self.has_end_odometer),
            (self.actual_start_time.is_some(), self.actual_end_time.is_some()),
        )
    }
}

/// A job as planning sees it.
#[derive(Debug, Clone, Default, PartialEq, FromRow)]
pub(crate) struct PlanJob {
    pub(crate) id: i64,
    pub(crate) uid: String,
    /// Not in the scenario yet.
    pub(crate) in_pool: bool,
    pub(crate) run_id: Option<i64>,
    pub(crate) seq: Option<i32>,
    pub(crate) lat: f64,
    pub(crate) lon: f64,
    /// Minutes.
    pub(crate) duration: f64,
    pub(crate) arrive_after: Option<NaiveTime>,
    pub(crate) leave_by: Option<NaiveTime>,
    pub(crate) size: Option<String>,
    pub(crate) spec_type: Option<String>,
    pub(crate) priority: bool,
    pub(crate) pickup_from: Option<String>,
    pub(crate) deliver_to: Option<String>,
    pub(crate) eta: Option<DateTime<Utc>>,
    pub(crate) etd: Option<DateTime<Utc>>,
    pub(crate) updated_eta: Option<DateTime<Utc>>,
    pub(crate) has_proof: bool,
}

/// Jobs up to which every run takes the ways that are quickest when its shift begins. All runs of a larger plan take those of one
/// hour: a matrix for each hour would take too much memory.
const OWN_HOURS: usize = 2048;

/// Runs, jobs and sequences of a scenario.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) scenario: PlanScenario,
    pub(crate) runs: BTreeMap<i64, PlanRun>,
    pub(crate) jobs: BTreeMap<i64, PlanJob>,
    /// Jobs of each run in order; every run has an entry.
    pub(crate) sequences: BTreeMap<i64, Vec<i64>>,
    pub(crate) links: Links,
    /// The hour at which most runs of a large plan begin.
    shared_hour: Option<u32>,
}

impl Snapshot {
    /// Reads the plan, and with it these jobs of the pool and the jobs of the pool that are linked to them.
    ///
    /// # Errors
    /// 404 when there is no such scenario.
    pub(crate) async fn load(
        connection: &mut PgConnection,
        scenario: i64,
        pool_jobs: &[i64],
    ) -> Result<Self> {
        let found = sqlx::query_as("select id, scheduled_date, version from scenarios where id = $1")
            .bind(scenario)
            .fetch_optional(&mut *connection)
            .await?;
        let found: PlanScenario = found.ok_or_else(|| Error::not_found("Scenario"))?;
        let runs = runs(connection, scenario).await?;
        let mut jobs = jobs(connection, scenario).await?;
        if !pool_jobs.is_empty() {
            jobs.extend(jobs_of_pool(connection, pool_jobs).await?);
        }
        Ok(Self::of(found, runs, jobs))
    }

    /// Puts rows together; `jobs` come in the order of their sequences.
    pub(crate) fn of(scenario: PlanScenario, runs: Vec<PlanRun>, jobs: Vec<PlanJob>) -> Self {
        let mut sequences: BTreeMap<i64, Vec<i64>> = runs.iter().map(|run| (run.id, Vec::new())).collect();
        for job in &jobs {
            if let Some(sequence) = job.run_id.and_then(|run| sequences.get_mut(&run)) {
                sequence.push(job.id);
            }
        }
        let links = Links::between(&jobs);
        let shared_hour = if jobs.len() > OWN_HOURS { most_begin(&runs) } else { None };
        let jobs = jobs.into_iter().map(|job| (job.id, job)).collect();
        let mut snapshot = Self { scenario, runs: BTreeMap::new(), jobs, sequences, links, shared_hour };
        snapshot.runs = runs.into_iter().map(|run| (run.id, snapshot.leaving(run))).collect();
        snapshot
    }

    /// A run of this plan with the hour whose traffic its ways are chosen for: that in which its shift begins.
    pub(crate) fn leaving(&self, run: PlanRun) -> PlanRun {
        let day = self.scenario.scheduled_date.weekday().num_days_from_monday();
        let hour = day * 24 + self.shared_hour.unwrap_or_else(|| run.shift_start.hour());
        PlanRun { hour: u8::try_from(hour).ok(), ..run }
    }

    /// The plan with jobs of elsewhere that nobody brings here yet. Their links are with each other alone.
    pub(crate) fn with(mut self, guests: Vec<PlanJob>) -> Self {
        self.jobs.extend(guests.into_iter().map(|job| (job.id, job)));
        let all: Vec<PlanJob> = self.jobs.values().cloned().collect();
        self.links = Links::between(&all);
        self
    }

    /// Where every job is.
    pub(crate) fn places(&self) -> HashMap<i64, Option<i64>> {
        self.jobs.values().map(|job| (job.id, job.run_id)).collect()
    }

    /// Whether the plan may not change any more on this run: it was handed to the driver, begun, or billed.
    pub(crate) fn is_locked(&self, run: &PlanRun) -> bool {
        let proven = |job: &i64| self.jobs.get(job).is_some_and(|job| job.has_proof);
        run.dispatched
            || run.started()
            || run.validated_at.is_some()
            || run.has_proofs
            || self.sequences.get(&run.id).is_some_and(|jobs| jobs.iter().any(proven))
    }
}

/// The hour of the day in which the most runs begin, the earliest of several.
fn most_begin(runs: &[PlanRun]) -> Option<u32> {
    let begin = |hour: &u32| runs.iter().filter(|run| run.shift_start.hour() == *hour).count();
    (0..24).rev().filter(|hour| begin(hour) > 0).max_by_key(begin)
}

/// Takes the lock that every change of a plan holds and answers the version of the plan.
///
/// # Errors
/// 404 when there is no such scenario.
pub(crate) async fn lock(connection: &mut PgConnection, scenario: i64) -> Result<i32> {
    sqlx::query_scalar("select version from scenarios where id = $1 for no key update")
        .bind(scenario)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::not_found("Scenario"))
}

/// Locks jobs and answers the scenario and run on which each of them is.
pub(crate) async fn lock_jobs(
    connection: &mut PgConnection,
    jobs: &[i64],
) -> Result<HashMap<i64, (Option<i64>, Option<i64>)>> {
    let rows: Vec<(i64, Option<i64>, Option<i64>)> = sqlx::query_as(
        "select id, scenario_id, run_id from jobs where id = any($1) order by id for no key update",
    )
    .bind(jobs)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, scenario, run)| (id, (scenario, run))).collect())
}

async fn runs(connection: &mut PgConnection, scenario: i64) -> Result<Vec<PlanRun>> {
    let rows = sqlx::query_as(
        "select r.id, r.uid, r.driver_id, r.route_end, r.start_lat, r.start_lon, r.end_lat, r.end_lon, r.shift_start,
             r.shift_end, r.lunch_time, r.lunch_latest_start, r.lunch_duration, r.capacity, r.spec_type,
             r.speed_multiplier, r.alternatives_group, r.territory_ids, r.planned_start_time, r.departure_fixed,
             r.actual_start_time, r.actual_end_time, r.start_odometer is not null as has_start_odometer,
             r.end_odometer is not null as has_end_odometer, r.dispatched, r.validated_at,
             exists (select from run_proofs p where p.run_id = r.id) as has_proofs,
             v.fuel_consumption as litres_per_100_km, v.co2_per_litre,
             v.road_profile, v.height, v.width, v.length, v.weight, v.hazardous_goods, v.tolls
         from runs r left join vehicles v on v.id = r.vehicle_id
         where r.scenario_id = $1 order by r.id",
    )
    .bind(scenario)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn jobs(connection: &mut PgConnection, scenario: i64) -> Result<Vec<PlanJob>> {
    let rows = sqlx::query_as(
        "select j.id, j.uid, false as in_pool, j.run_id, j.seq, j.lat, j.lon, j.duration, j.arrive_after, j.leave_by,
             j.size, j.spec_type, j.priority, j.pickup_from, j.deliver_to, j.eta, j.etd, j.updated_eta,
             exists (select from job_proofs p where p.job_id = j.id) as has_proof
         from jobs j where j.scenario_id = $1 order by j.run_id, j.seq, j.id",
    )
    .bind(scenario)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// A job of another plan or of the pool, with everything there that is linked to it, directly or through others; on no run.
///
/// # Errors
/// Database faults.
pub(crate) async fn guests(connection: &mut PgConnection, job: i64) -> Result<Vec<PlanJob>> {
    let rows = sqlx::query_as(
        "with recursive chain as (
             select j.id, j.uid, j.scenario_id, j.pickup_from, j.deliver_to from jobs j where j.id = $1
             union
             select o.id, o.uid, o.scenario_id, o.pickup_from, o.deliver_to
             from chain c join jobs o on o.scenario_id is not distinct from c.scenario_id and (
                 o.uid = any(regexp_split_to_array(trim(concat_ws(',', c.pickup_from, c.deliver_to)), '\\s*,\\s*'))
                 or c.uid = any(regexp_split_to_array(trim(concat_ws(',', o.pickup_from, o.deliver_to)), '\\s*,\\s*'))
             )
             where num_nonnulls(c.pickup_from, c.deliver_to) > 0
         )
         select j.id, j.uid, true as in_pool, null::bigint as run_id, null::int as seq, j.lat, j.lon, j.duration,
             j.arrive_after, j.leave_by, j.size, j.spec_type, j.priority, j.pickup_from, j.deliver_to,
             null::timestamptz as eta, null::timestamptz as etd, null::timestamptz as updated_eta,
             exists (select from job_proofs p where p.job_id = j.id) as has_proof
         from jobs j where j.id in (select id from chain) order by j.id",
    )
    .bind(job)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Jobs of the pool with everything there that is linked to them, directly or through others.
async fn jobs_of_pool(connection: &mut PgConnection, jobs: &[i64]) -> Result<Vec<PlanJob>> {
    let rows = sqlx::query_as(
        "with recursive chain as (
             select j.id, j.uid, j.pickup_from, j.deliver_to from jobs j where j.id = any($1) and j.scenario_id is null
             union
             select o.id, o.uid, o.pickup_from, o.deliver_to
             from chain c join jobs o on o.scenario_id is null and (
                 o.uid = any(regexp_split_to_array(trim(concat_ws(',', c.pickup_from, c.deliver_to)), '\\s*,\\s*'))
                 or c.uid = any(regexp_split_to_array(trim(concat_ws(',', o.pickup_from, o.deliver_to)), '\\s*,\\s*'))
             )
         )
         select j.id, j.uid, true as in_pool, j.run_id, j.seq, j.lat, j.lon, j.duration, j.arrive_after, j.leave_by,
             j.size, j.spec_type, j.priority, j.pickup_from, j.deliver_to, j.eta, j.etd, j.updated_eta,
             exists (select from job_proofs p where p.job_id = j.id) as has_proof
         from jobs j where j.id in (select id from chain) order by j.id",
    )
    .bind(jobs)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
