//! Times a run: the solver's evaluator says when the vehicle is where, the roads which way it takes.

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use routewright_core::{Error, Result};
use routewright_roads::{Point, Roads};
use routewright_solver::{Route, TimeWindow, Vehicle, retime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::day::Day;
use super::draft::{Departure, Draft};
use super::problem::{Posed, Terms};
use super::snapshot::{PlanJob, PlanRun};
use super::travel::Travel;

/// Runs timed at the same time.
const AT_ONCE: usize = 4;

/// The way of a run as stored and shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRoute {
    /// From place to place, in order.
    pub legs: Vec<RunLeg>,
    /// The whole way as encoded polyline, precision 5.
    pub geometry: String,
}

/// The way to one job or to the end of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunLeg {
    /// Position in the way, from 1.
    pub seq: usize,
    /// Where it begins; null at the start of the run.
    pub from_job_id: Option<i64>,
    /// Where it leads; null at the end of the run.
    pub to_job_id: Option<i64>,
    /// Metres.
    pub distance: i64,
    /// Driving time, seconds.
    pub duration: i64,
    /// Encoded polyline, precision 5.
    pub geometry: String,
}

/// A job's times on its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimedJob {
    pub(crate) id: i64,
    /// Arrival, not before the window opens.
    pub(crate) eta: DateTime<Utc>,
    /// End of service.
    pub(crate) etd: DateTime<Utc>,
    /// Seconds between arrival and service.
    pub(crate) wait: i64,
}

/// A run with its times.
#[derive(Debug, Clone)]
pub(crate) struct Timed {
    pub(crate) run: i64,
    pub(crate) jobs: Vec<TimedJob>,
    pub(crate) start: Option<DateTime<Utc>>,
    pub(crate) end: Option<DateTime<Utc>>,
    /// Whether the start was decided by hand.
    pub(crate) departure_fixed: bool,
    /// Metres.
    pub(crate) distance: i64,
    /// Seconds.
    pub(crate) driving: i64,
    /// Seconds.
    pub(crate) service: i64,
    /// Litres; none without a vehicle that says what it burns.
    pub(crate) fuel: Option<f64>,
    /// Grams.
    pub(crate) co2: Option<f64>,
    pub(crate) route: Option<RunRoute>,
    pub(crate) source: Option<&'static str>,
}

/// Times all touched runs of a draft.
pub(super) async fn time(roads: &dyn Roads, terms: &Terms<'_>, draft: &Draft) -> Result<Vec<Timed>> {
    let runs: Vec<i64> = draft.touched().collect();
    stream::iter(runs).map(|run| one(roads, terms, draft, run)).buffered(AT_ONCE).try_collect().await
}

async fn one(roads: &dyn Roads, terms: &Terms<'_>, draft: &Draft, id: i64) -> Result<Timed> {
    let run = draft.run(id)?;
    let jobs = draft.sequence(id).iter().map(|job| draft.job(*job)).collect::<Result<Vec<&PlanJob>>>()?;
    if jobs.is_empty() {
        return Ok(empty(run));
    }
    let travel = Travel::along(roads, run, &jobs).await?;
    let mut posed =
        Posed::new(terms, &travel, [run], jobs.iter().copied(), &draft.before.links, |_| Vec::new());
    leave(&mut posed.problem.vehicles[0], run, terms.day, draft.departure(id));
    let sequences = vec![(0..jobs.len()).collect()];
    let plan = retime(&posed.problem, &sequences).map_err(Error::internal)?;
    let route = plan.routes.first().ok_or_else(|| Error::internal("a run with jobs has no route"))?;
    let way = way(roads, run, &jobs, route).await?;
    let timed = timed(run, &jobs, route, way, terms.day, travel.source);
    Ok(Timed { departure_fixed: draft.departure_fixed(id), ..timed })
}

/// A run without jobs goes nowhere.
fn empty(run: &PlanRun) -> Timed {
    Timed {
        run: run.id,
        jobs: Vec::new(),
        start: None,
        end: None,
        departure_fixed: false,
        distance: 0,
        driving: 0,
        service: 0,
        fuel: Some(0.0),
        co2: Some(0.0),
        route: None,
        source: None,
    }
}

/// Sets when the vehicle may leave. What was planned or asked for may lie before the shift.
fn leave(vehicle: &mut Vehicle, run: &PlanRun, day: Day, departure: Departure) {
    let planned = run.planned_start_time.map_or(vehicle.shift.earliest, |moment| day.of(moment));
    let decided = run.planned_start_time.is_some() && (run.departure_fixed || run.started());
    let window = match departure {
        Departure::Usual => return,
        Departure::Kept if !decided => return,
        Departure::Kept => TimeWindow { earliest: planned, latest: planned },
        Departure::Shifted(by) => TimeWindow { earliest: planned + by, latest: planned + by },
        Departure::Within(window) => window,
    };
    vehicle.shift.earliest = vehicle.shift.earliest.min(window.earliest);
    vehicle.departure = Some(window);
}

fn timed(
    run: &PlanRun,
    jobs: &[&PlanJob],
    route: &Route,
    way: RunRoute,
    day: Day,
    source: &'static str,
) -> Timed {
    let litres = run.litres_per_100_km.map(|rate| litres(route.totals.distance, rate));
    Timed {
        run: run.id,
        jobs: route
            .visits
            .iter()
            .map(|visit| TimedJob {
                id: jobs[visit.stop].id,
                eta: day.moment(visit.service_start),
                etd: day.moment(visit.departure),
                wait: visit.wait,
            })
            .collect(),
        start: Some(day.moment(route.departure)),
        end: Some(day.moment(route.end)),
        departure_fixed: false,
        distance: route.totals.distance,
        driving: route.totals.driving,
        service: route.totals.service,
        fuel: litres,
        co2: litres.zip(run.co2_per_litre).map(|(litres, grams)| litres * grams),
        route: Some(way),
        source: Some(source),
    }
}

/// Litres burnt over so many metres at so many litres per 100 km.
#[expect(clippy::cast_precision_loss, reason = "metres of a day are far below 2^53")]
fn litres(metres: i64, per_100_km: f64) -> f64 {
    metres as f64 / 100_000.0 * per_100_km
}

/// The drawn way. Its figures are those the times were made with.
async fn way(roads: &dyn Roads, run: &PlanRun, jobs: &[&PlanJob], route: &Route) -> Result<RunRoute> {
    let stops = route.visits.iter().map(|visit| {
        let job = jobs[visit.stop];
        (Some(job.id), (job.lat, job.lon))
    });
    let places: Vec<(Option<i64>, (f64, f64))> = run
        .start()
        .map(|place| (None, place))
        .into_iter()
        .chain(stops)
        .chain(run.end().map(|place| (None, place)))
        .collect();
    let points = places
        .iter()
        .map(|(_, (lat, lon))| Point::new(*lat, *lon).map_err(Error::internal))
        .collect::<Result<Vec<Point>>>()?;
    let drawn = roads.route_of(run.drives_as(), &points).await;
    let figures = route.visits.iter().filter_map(|visit| visit.leg).chain(route.last_leg);
    let legs = places
        .windows(2)
        .zip(figures)
        .enumerate()
        .map(|(at, (pair, leg))| RunLeg {
            seq: at + 1,
            from_job_id: pair[0].0,
            to_job_id: pair[1].0,
            distance: leg.distance,
            duration: leg.driving,
            geometry: drawn.legs.get(at).map(|leg| leg.geometry.clone()).unwrap_or_default(),
        })
        .collect();
    Ok(RunRoute { legs, geometry: drawn.geometry })
}
