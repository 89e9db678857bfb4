//! From runs and jobs to a problem of the solver.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use chrono::NaiveTime;
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
    /// Where runs cross midnight: when the first of them starts.
    overnight_from: Option<i64>,
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
            overnight_from: None,
        };
        let mut matrices = travel.matrices().cloned();
        posed.problem.matrix = matrices.next().unwrap_or_default();
        posed.problem.others = matrices.collect();
        posed.problem.traffic = travel.traffic(terms.day).into_iter().collect();
        let mut overnight = false;
        let mut first_start = i64::MAX;
        for run in runs {
            let mut vehicle = vehicle(run, terms, travel);
            let in_traffic = run.drives_as().profile.in_traffic() && !posed.problem.traffic.is_empty();
            vehicle.traffic = in_traffic.then_some(0);
            overnight |= vehicle.shift.latest > DAY;
            first_start = first_start.min(vehicle.shift.earliest);
            posed.vehicle_of.insert(run.id, posed.runs.len());
            posed.runs.push(run.id);
            posed.problem.vehicles.push(vehicle);
        }
        posed.overnight_from = overnight.then_some(first_start);
        for job in jobs {
            let mut stop = stop(job, terms, travel);
            stop.window = posed.window(job.arrive_after, job.leave_by);
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

    /// The window of a stop between two times of the day; none without either. Where runs cross midnight, one that closes
    /// before any of them starts means the next morning.
    pub(crate) fn window(&self, from: Option<NaiveTime>, to: Option<NaiveTime>) -> Option<TimeWindow> {
        let mut window = (from.is_some() || to.is_some()).then(|| TimeWindow {
            earliest: from.map_or(0, |time| self.day.at(time)),
            latest: to.map_or(2 * DAY, |time| self.day.at(time)),
        })?;
        if self.overnight_from.is_some_and(|first| window.latest < first) {
            window.earliest += DAY;
            window.latest += DAY;
        }
        Some(window)
    }

    /// Sequences of jobs as sequences of stops.
    pub(crate) fn sequences(&self, of: impl Fn(i64) -> Vec<i64>) -> Sequences {
        self.runs.iter().map(|run| of(*run).into_iter().filter_map(|job| self.stop(job)).collect()).collect()
    }
}

fn stop(job: &PlanJob, terms: &Terms<'_>, travel: &Travel) -> Stop {
    Stop {
        place: travel.place(job.lat, job.lon),
        service: minutes(job.duration),
        window: None,
        // What jobs are stored with has been checked; a text from before a rule changed takes up nothing.
        size: job.size.as_deref().and_then(|text| Size::from_str(text).ok()).unwrap_or_default(),
        types: job.spec_type.as_deref().map(parse_types).unwrap_or_default(),
        territories: terms.territories.get(&job.id).cloned().unwrap_or_default(),
        priority: job.priority,
        optional_penalty: None,
        fixed_vehicle: None,
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
        speed: run.speed_multiplier,
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
