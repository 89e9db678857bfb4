//! Runs as the API shows them: the row, what it costs, the way, the jobs, the figures.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use routewright_core::http::Path;
use routewright_core::list::{self, Filter, ListQuery, Listed};
use routewright_core::{Error, Jsonb, Result};
use routewright_identity::Caller;
use routewright_solver::{Capacity, Size};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::jobs::jobs_of_runs;
use super::model::Run;
use crate::fleet::costing;
use crate::orders::jobs::Job;
use crate::plan::{RunRoute, Status};

/// A run with its jobs, way and figures.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunDetail {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Its jobs in order.
    pub jobs: Vec<Job>,
    /// Its figures.
    pub stats: RunStats,
}

/// A run of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ListedRun {
    /// The run.
    #[serde(flatten)]
    run: Run,
    /// Its jobs in order; on request, for those who may read jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    jobs: Option<Vec<Job>>,
}

/// Figures of a run.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct RunStats {
    /// Metres.
    pub planned_distance: i64,
    /// Metres by the odometers.
    pub recorded_distance: Option<i64>,
    /// Driving and service, seconds.
    pub planned_duration: i64,
    /// Actual start to actual end, seconds.
    pub recorded_duration: Option<i64>,
    /// Seconds.
    pub planned_driving_time: i64,
    /// Units on its jobs.
    pub units_count: i64,
    /// What fits in.
    pub capacity: String,
    /// Sum of the jobs' sizes by key.
    pub total_size: BTreeMap<String, f64>,
    /// Grams.
    pub total_weight: f64,
    /// Cubic centimetres.
    pub total_volume: f64,
}

/// The filters, for the API document.
pub(super) fn filters() -> impl Iterator<Item = &'static Filter> {
    const MORE: &[Filter] = &[Filter::bool("route", ""), Filter::bool("jobs", "")];
    Run::SHAPE.filters.iter().chain(MORE)
}

/// `GET /runs`: with `route=true` also the ways and, unless `jobs=false`, the jobs.
pub(super) async fn list(mut db: Db, mut query: ListQuery) -> Result<Listed<ListedRun>> {
    let caller = db.caller().clone();
    let with_route = query.take_bool("route")?.unwrap_or(false);
    let with_jobs = query.take_bool("jobs")?.unwrap_or(with_route) && caller.holds("jobs_read");
    let mut listed: Listed<Run> =
        list::page(&mut db, Run::COLUMNS, Run::FROM, query, &Run::SHAPE, |conditions| {
            Run::narrow(&caller, conditions);
        })
        .await?;
    complete(&mut db, &caller, &mut listed.page.data, with_route).await?;
    let mut jobs = if with_jobs { jobs_by_run(&mut db, &listed.page.data).await? } else { HashMap::new() };
    Ok(listed.map(|run| ListedRun { jobs: with_jobs.then(|| jobs.remove(&run.id).unwrap_or_default()), run }))
}

/// `GET /runs/{id}`.
pub(super) async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<RunDetail>> {
    let caller = db.caller().clone();
    one(&mut db, &caller, id).await.map(Json)
}

/// A run that the caller may see, complete.
///
/// # Errors
/// 404.
pub(crate) async fn one(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<RunDetail> {
    let run = find(connection, caller, id).await?;
    detail(connection, caller, vec![run]).await?.pop().ok_or_else(|| Error::not_found(Run::NAME))
}

/// A run that the caller may see, without jobs and way.
///
/// # Errors
/// 404.
pub(crate) async fn find(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<Run> {
    let mut run = vec![resource::find::<Run>(connection, caller, id).await?];
    complete(connection, caller, &mut run, false).await?;
    run.pop().ok_or_else(|| Error::not_found(Run::NAME))
}

/// These runs, complete, in this order. Absent ones are left out.
pub(crate) async fn several(
    connection: &mut PgConnection,
    caller: &Caller,
    ids: &[i64],
) -> Result<Vec<RunDetail>> {
    let mut runs = Vec::with_capacity(ids.len());
    for id in ids {
        match resource::find::<Run>(connection, caller, *id).await {
            Ok(run) => runs.push(run),
            Err(error) if error.kind() == routewright_core::Kind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    detail(connection, caller, runs).await
}

async fn detail(
    connection: &mut PgConnection,
    caller: &Caller,
    mut runs: Vec<Run>,
) -> Result<Vec<RunDetail>> {
    complete(connection, caller, &mut runs, true).await?;
    let mut jobs = jobs_by_run(connection, &runs).await?;
    Ok(runs
        .into_iter()
        .map(|run| {
            let jobs = jobs.remove(&run.id).unwrap_or_default();
            RunDetail { stats: stats(&run, &jobs), run, jobs }
        })
        .collect())
}

/// The jobs of these runs, each run's in order.
async fn jobs_by_run(connection: &mut PgConnection, runs: &[Run]) -> Result<HashMap<i64, Vec<Job>>> {
    let ids: Vec<i64> = runs.iter().map(|run| run.id).collect();
    let mut jobs: HashMap<i64, Vec<Job>> = HashMap::new();
    for job in jobs_of_runs(connection, &ids).await? {
        if let Some(run) = job.run_id {
            jobs.entry(run).or_default().push(job);
        }
    }
    Ok(jobs)
}

/// Adds what is not in the row: status, billing and, on request, the way.
pub(crate) async fn complete(
    connection: &mut PgConnection,
    caller: &Caller,
    runs: &mut [Run],
    with_route: bool,
) -> Result<()> {
    let ids: Vec<i64> = runs.iter().map(|run| run.id).collect();
    let mut costs: HashMap<i64, costing::CostedRun> =
        costing::of_runs(connection, &ids).await?.into_iter().map(|run| (run.id, run)).collect();
    let mut routes = if with_route { routes(connection, &ids).await? } else { HashMap::new() };
    let sees_rates = caller.holds("billing_rates_read");
    for run in runs {
        run.shown_to(caller);
        run.status = Some(Status::of(
            (run.start_odometer.is_some(), run.end_odometer.is_some()),
            (run.actual_start_time.is_some(), run.actual_end_time.is_some()),
        ));
        run.route = routes.remove(&run.id);
        if let Some(cost) = costs.remove(&run.id) {
            run.billing_km = cost.billing_km();
            run.billing_time = cost.billing_hours();
            run.estimated_cost = cost.cost().filter(|_| sees_rates);
            run.billing_drops = Some(cost.charge().drops);
            run.cost_currency = cost.currency().filter(|_| sees_rates).map(str::to_owned);
            run.billing_rate_in_force = cost.charge().rate.filter(|_| sees_rates);
            run.bill_version = cost.bill.as_ref().filter(|_| sees_rates).map(|bill| bill.version);
            run.vehicle_billing_rate = cost.vehicle_rate.filter(|_| sees_rates);
        }
        if let Some(vehicle) = run.vehicle.as_mut().filter(|_| !sees_rates) {
            vehicle.billing_rate = None;
        }
    }
    Ok(())
}

async fn routes(connection: &mut PgConnection, runs: &[i64]) -> Result<HashMap<i64, RunRoute>> {
    let rows: Vec<(i64, Jsonb<RunRoute>)> =
        sqlx::query_as("select id, route from runs where id = any($1) and route is not null")
            .bind(runs)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|(id, route)| (id, route.0)).collect())
}

fn stats(run: &Run, jobs: &[Job]) -> RunStats {
    let capacity = Capacity::parse(&run.capacity, true).unwrap_or(Capacity::UNLIMITED);
    let mut total_size: BTreeMap<String, f64> = BTreeMap::new();
    for size in jobs.iter().filter_map(|job| job.size.as_deref()?.parse::<Size>().ok()) {
        let clause = capacity.counted(&size).or_else(|| size.0.first());
        for part in clause.into_iter().flat_map(|clause| &clause.0) {
            *total_size.entry(part.key.clone()).or_default() += thousandths(part.amount);
        }
    }
    let extra = |name: &str| -> f64 {
        jobs.iter()
            .filter_map(|job| job.extra_fields.get(name)?.trim().parse::<f64>().ok())
            .filter(|value| value.is_finite())
            .sum()
    };
    let recorded = run.start_odometer.zip(run.end_odometer).map(|(start, end)| metres(end - start));
    RunStats {
        planned_distance: run.distance.into(),
        recorded_distance: recorded,
        planned_duration: i64::from(run.total_driving_time) + i64::from(run.total_job_duration),
        recorded_duration: run
            .actual_start_time
            .zip(run.actual_end_time)
            .map(|(start, end)| (end - start).num_seconds()),
        planned_driving_time: run.total_driving_time.into(),
        units_count: jobs.iter().map(|job| job.units_count).sum(),
        capacity: run.capacity.clone(),
        total_size,
        total_weight: extra("real_weight"),
        total_volume: extra("parcel_volume"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes of a day are far below 2^53 thousandths")]
fn thousandths(amount: i64) -> f64 {
    amount as f64 / 1000.0
}

#[expect(clippy::cast_possible_truncation, reason = "odometers are below 1e9 km")]
fn metres(km: f64) -> i64 {
    (km * 1000.0).round() as i64
}
