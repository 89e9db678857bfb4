//! From runs and jobs to a problem of the solver.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use routewright_solver::problem::parse_types;
use routewright_solver::{
    Break, Capacity, CapacityMode, Link, Objective, Problem, RouteEnd, Rules, Sequences, Size, Stop,
    TerritoryMode, TimeWindow, Vehicle,
};

use super::day::{DAY, Day};
use super::links::Links;
use super::snapshot::{PlanJob, PlanRun};
use super::travel::Travel;
use crate::setup::settings::Optimisation;

/// The rules that a problem is made with.
#[derive(Debug, Clone)]
pub(crate) struct Terms<'a> {
    pub(crate) day: Day,
    pub(crate) settings: &'a Optimisation,
    pub(crate) rules: Rules,
    /// Territories that each job lies in.
    pub(crate) territories: HashMap<i64, Vec<i64>>,
}

impl<'a> Terms<'a> {
    /// The organisation's rules.
    pub(crate) fn new(day: Day, settings: &'a Optimisation) -> Self {
        let rules = Rules {
            objective: objective(&settings.objective),
            capacity_mode: match settings.capacity_mode.as_str() {
                "on_board" => CapacityMode::OnBoard,
                _ => CapacityMode::Sum,
            },
            territory_mode: match settings.territory_mode.as_str() {
                "only" => TerritoryMode::Only,
                "prefer" => TerritoryMode::Prefer,
                _ => TerritoryMode::Off,
            },
            ..Rules::default()
        };
        Self { day, settings, rules, territories: HashMap::new() }
    }
}

/// The objective of a name; working time for any other.
pub(crate) fn objective(name: &str) -> Objective {
    match name {
        "fewest_runs" => Objective::FewestRuns,
        "shortest_distance" => Objective::ShortestDistance,
        "balanced" => Objective::Balanced,
        _ => Objective::ShortestTime,
    }
}

/// A problem, and which run and job its vehicles and stops are.
#[derive(Debug, Clone)]
pub(crate) struct Posed {
    pub(crate) problem: Problem,
    /// The clock of its seconds.
    pub(crate) day: Day,
    /// Id of the run behind each vehicle.
    pub(crate) runs: Vec<i64>,
    /// Id of the job behind each stop.
    pub(crate) jobs: Vec<i64>,
    stop_of: HashMap<i64, usize>,
    vehicle_of: HashMap<i64, usize>,
}

impl Posed {
    /// Puts a problem together. `current` names the jobs of each run in order.
    pub(crate) fn new<'r>(
        terms: &Terms<'_>,
        travel: &Travel,
        runs: impl IntoIterator<Item = &'r PlanRun>,
        jobs: impl IntoIterator<Item = &'r PlanJob>,
        links: &Links,
        current: impl Fn(i64) -> Vec<i64>,
    ) -> Self {
        let mut posed = Self {
            problem: Problem { rules: terms.rules, ..Problem::default() },
            day: terms.day,
            runs: Vec::new(),
            jobs: Vec::new(),
            stop_of: HashMap::new(),
            vehicle_of: HashMap::new(),
        };
        let mut matrices = travel.matrices().cloned();
        posed.problem.matrix = matrices.next().unwrap_or_default();
        posed.problem.others = matrices.collect();
        let mut overnight = false;
        let mut first_start = i64::MAX;
        for run in runs {
            let vehicle = vehicle(run, terms, travel);
            overnight |= vehicle.shift.latest > DAY;
            first_start = first_start.min(vehicle.shift.earliest);
            posed.vehicle_of.insert(run.id, posed.runs.len());
            posed.runs.push(run.id);
            posed.problem.vehicles.push(vehicle);
        }
        for job in jobs {
            let mut stop = stop(job, terms, travel);
            if overnight {
                next_morning(&mut stop, first_start);
            }
            posed.stop_of.insert(job.id, posed.jobs.len());
            posed.jobs.push(job.id);
            posed.problem.stops.push(stop);
        }
        posed.problem.links = links
            .pairs()
            .into_iter()
            .filter_map(|(pickup, delivery)| {
                Some(Link { pickup: posed.stop(pickup)?, delivery: posed.stop(delivery)? })
            })
            .collect();
        posed.problem.current = posed.sequences(current);
        posed
    }

    /// The stop of a job.
    pub(crate) fn stop(&self, job: i64) -> Option<usize> {
        self.stop_of.get(&job).copied()
    }

    /// The vehicle of a run.
    pub(crate) fn vehicle(&self, run: i64) -> Option<usize> {
        self.vehicle_of.get(&run).copied()
    }

    /// Sequences of jobs as sequences of stops.
    pub(crate) fn sequences(&self, of: impl Fn(i64) -> Vec<i64>) -> Sequences {
        self.runs.iter().map(|run| of(*run).into_iter().filter_map(|job| self.stop(job)).collect()).collect()
    }
}

fn stop(job: &PlanJob, terms: &Terms<'_>, travel: &Travel) -> Stop {
    let window = (job.arrive_after.is_some() || job.leave_by.is_some()).then(|| TimeWindow {
        earliest: job.arrive_after.map_or(0, |time| terms.day.at(time)),
        latest: job.leave_by.map_or(2 * DAY, |time| terms.day.at(time)),
    });
    Stop {
        place: travel.place(job.lat, job.lon),
        service: minutes(job.duration),
        window,
        // What jobs are stored with has been checked; a text from before a rule changed takes up nothing.
        size: job.size.as_deref().and_then(|text| Size::from_str(text).ok()).unwrap_or_default(),
        types: job.spec_type.as_deref().map(parse_types).unwrap_or_default(),
        territories: terms.territories.get(&job.id).cloned().unwrap_or_default(),
        priority: job.priority,
        optional_penalty: None,
        fixed_vehicle: None,
    }
}

/// Where runs cross midnight, a window that closes before any of them starts means the next morning.
fn next_morning(stop: &mut Stop, first_start: i64) {
    if let Some(window) = stop.window.as_mut().filter(|window| window.latest < first_start) {
        window.earliest += DAY;
        window.latest += DAY;
    }
}

fn vehicle(run: &PlanRun, terms: &Terms<'_>, travel: &Travel) -> Vehicle {
    let shift = shift(run, terms.day);
    let start = run.start_lat.zip(run.start_lon).map(|(lat, lon)| travel.place(lat, lon));
    let end = match (run.route_end.as_str(), run.end_lat.zip(run.end_lon)) {
        ("anywhere", _) => RouteEnd::Anywhere,
        ("end_location", Some((lat, lon))) => RouteEnd::Place(travel.place(lat, lon)),
        _ => RouteEnd::Start,
    };
    Vehicle {
        start,
        end,
        shift,
        departure: (terms.settings.depart != "shift_start").then_some(shift),
        lunch: lunch(run, shift, terms.day),
        capacity: Capacity::parse(&run.capacity, terms.settings.zero_capacity_is_unlimited)
            .unwrap_or(Capacity::UNLIMITED),
        types: run.spec_type.as_deref().map(parse_types).unwrap_or_default(),
        matrix: travel.by(run.drives_as()),
        speed: run.speed_multiplier * travel.pace(run.drives_as().profile, terms.day, shift),
        alternatives_group: run.alternatives_group.clone(),
        territories: run.territory_ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
        ..Vehicle::default()
    }
}

/// Shift of a run in seconds of the day; one that ends before it starts ends on the next day.
pub(crate) fn shift(run: &PlanRun, day: Day) -> TimeWindow {
    let (earliest, latest) = (day.at(run.shift_start), day.at(run.shift_end));
    TimeWindow { earliest, latest: if latest <= earliest { latest + DAY } else { latest } }
}

/// The break: within its times, which default to any time of the shift.
fn lunch(run: &PlanRun, shift: TimeWindow, day: Day) -> Option<Break> {
    let duration = minutes(run.lunch_duration);
    let within = |time: chrono::NaiveTime| {
        let seconds = day.at(time);
        if seconds < shift.earliest { seconds + DAY } else { seconds }
    };
    let earliest = run.lunch_time.map_or(shift.earliest, within);
    let latest = run.lunch_latest_start.map_or(shift.latest - duration, within);
    (duration > 0).then_some(Break { duration, earliest, latest: latest.max(earliest) })
}

/// Minutes as stored in whole seconds.
#[expect(clippy::cast_possible_truncation, reason = "stored durations are at most 1e9 minutes")]
fn minutes(minutes: f64) -> i64 {
    (minutes * 60.0).round() as i64
}
