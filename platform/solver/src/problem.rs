//! What is to be planned: stops, vehicles, travel matrices and the rules in force.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cells;
use crate::matrix::Matrix;
use crate::size::{Capacity, Size};
use crate::traffic::Traffic;

/// The day to plan. All indices (`stop`, `vehicle`, `place`) are positions in the vectors here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// Jobs to be visited.
    pub stops: Vec<Stop>,
    /// Runs (drivers) that may be used.
    pub vehicles: Vec<Vehicle>,
    /// Travel between places.
    pub matrix: Matrix,
    /// Travel between the same places for vehicles that take other ways or their own time, such as trucks beside bicycles.
    #[serde(default)]
    pub others: Vec<Matrix>,
    /// How fast traffic is over the day, for the vehicles that name it.
    #[serde(default)]
    pub traffic: Vec<Traffic>,
    /// Pickup and delivery pairs; a stop may take part in several.
    pub links: Vec<Link>,
    /// Rules and objective in force.
    pub rules: Rules,
    /// The current plan, from which the search starts: per vehicle its stops in order. Empty means none.
    pub current: Sequences,
}

impl Problem {
    /// Memory that searching takes at most, bytes: travel between all places outweighs all else from a few hundred on. Counted
    /// are the matrices, their cells for vehicles of another speed, costs that are neither time nor length, and all of it turned
    /// round for ways that are not the same there and back; then what the search keeps of each stop, and of each stop and vehicle.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let mut speeds: Vec<(Option<usize>, f64, Option<usize>)> = Vec::new();
        let mut kinds: Vec<(Option<usize>, f64, Option<usize>, Costs)> = Vec::new();
        for vehicle in &self.vehicles {
            let kind = (vehicle.matrix, vehicle.speed, vehicle.traffic, vehicle.costs);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            let speed = (vehicle.matrix, vehicle.speed, vehicle.traffic);
            let changed = (vehicle.speed - 1.0).abs() > 1e-9 || vehicle.traffic.is_some();
            if changed && !speeds.contains(&speed) {
                speeds.push(speed);
            }
        }
        let matrices = self.others.len() + 1;
        let width = cells::width(self.matrix.size());
        // What vehicles cost differs only where cost is striven for.
        let (ways, bytes) = match self.rules.objective {
            Objective::LowestCost => (kinds.len(), 2 * ADDED + width),
            Objective::ShortestDistance => (speeds.len() + matrices, 2 * width),
            _ => (speeds.len() + matrices, width),
        };
        let cells = (self.matrix.size() as u64 + 1).saturating_pow(2);
        let each = 2 * width * matrices as u64 + width * speeds.len() as u64 + bytes * ways as u64;
        let (stops, vehicles) = (self.stops.len() as u64, self.vehicles.len() as u64);
        cells.saturating_mul(each).saturating_add(stops * (PER_STOP + PER_PAIR * vehicles))
    }
}

/// Bytes of a cell of length and time together.
const ADDED: u64 = 4;
/// What is kept of each stop, bytes: its neighbours, its times in the plan and in those that are bred.
const PER_STOP: u64 = 8192;
/// What is kept of each stop and vehicle, bytes: whether they fit, and how far the stop is astray.
const PER_PAIR: u64 = 12;

/// Stops of each vehicle in visiting order; one entry per vehicle of the problem.
pub type Sequences = Vec<Vec<usize>>;

/// One job at one place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Row and column of the matrix. Stops at the same coordinates may share a place.
    pub place: usize,
    /// Time spent there, seconds.
    pub service: i64,
    /// When the vehicle may arrive: earlier arrivals wait, later ones are late. `None` is any time.
    pub window: Option<TimeWindow>,
    /// What the job takes up.
    pub size: Size,
    /// Types of which a vehicle needs at least one; empty fits every vehicle. Compared without case.
    pub types: Vec<String>,
    /// Territories the place lies in; empty is free for all.
    pub territories: Vec<i64>,
    /// Dropped last when not everything fits.
    pub priority: bool,
    /// `None`: served whenever possible. `Some(p)`: left out when serving it costs more than `p`, in the
    /// unit of the objective (seconds, metres or thousandths of the currency).
    pub optional_penalty: Option<i64>,
    /// Must be served by this vehicle or not at all. A stop that the current plan has on it stays there: it comes before
    /// all others, and a rule that its run breaks already is eased for it as far as it is broken; only where there is no
    /// way to it, it is left out.
    pub fixed_vehicle: Option<usize>,
}

/// Closed interval of times, seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeWindow {
    /// First moment.
    pub earliest: i64,
    /// Last moment.
    pub latest: i64,
}

/// One run that may be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vehicle {
    /// Place it starts from; `None` starts at its first stop.
    pub start: Option<usize>,
    /// Where the run ends.
    pub end: RouteEnd,
    /// Departure not before `earliest`, end of the run not after `latest`.
    pub shift: TimeWindow,
    /// When the run may depart. `None` departs at the start of the shift; with a window the latest departure
    /// is taken that does not make the run end later.
    pub departure: Option<TimeWindow>,
    /// Lunch break.
    pub lunch: Option<Break>,
    /// What it can hold.
    pub capacity: Capacity,
    /// Types it serves. Compared without case.
    pub types: Vec<String>,
    /// Which of [`Problem::others`] it travels by; [`Problem::matrix`] without.
    #[serde(default)]
    pub matrix: Option<usize>,
    /// Which of [`Problem::traffic`] it drives in; ways take as long at any time without.
    #[serde(default)]
    pub traffic: Option<usize>,
    /// Driving times are divided by it, 1.2 is 20 % faster.
    pub speed: f64,
    /// What it costs, for [`Objective::LowestCost`] and the cost shown with each route.
    pub costs: Costs,
    /// At most one vehicle of a group is used.
    pub alternatives_group: Option<String>,
    /// Territories it works in; empty is not bound to any.
    pub territories: Vec<i64>,
    /// Its current stops stay exactly as they are, none is added.
    pub locked: bool,
    /// So many of its first current stops stay where they are.
    pub locked_prefix: usize,
}

impl Default for Vehicle {
    fn default() -> Self {
        Self {
            start: None,
            end: RouteEnd::Start,
            shift: TimeWindow { earliest: 9 * 3600, latest: 17 * 3600 },
            departure: None,
            lunch: None,
            capacity: Capacity::UNLIMITED,
            types: Vec::new(),
            matrix: None,
            traffic: None,
            speed: 1.0,
            costs: Costs::default(),
            alternatives_group: None,
            territories: Vec::new(),
            locked: false,
            locked_prefix: 0,
        }
    }
}

/// Where a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouteEnd {
    /// Back where it started.
    Start,
    /// At this place.
    Place(usize),
    /// At its last stop.
    Anywhere,
}

/// A break of `duration` seconds that starts between `earliest` and `latest`, at a stop or on the road. A
/// run that is over by `latest` needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// Length, seconds.
    pub duration: i64,
    /// Earliest start, seconds.
    pub earliest: i64,
    /// Latest start, seconds.
    pub latest: i64,
}

/// Costs of a vehicle in thousandths of the currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// Per run that serves at least one stop.
    pub fixed: i64,
    /// Per kilometre.
    pub per_km: i64,
    /// Per hour between departure and end.
    pub per_hour: i64,
    /// Per stop.
    pub per_drop: i64,
}

/// Both stops in the same run, the pickup before the delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Stop visited first.
    pub pickup: usize,
    /// Stop visited later.
    pub delivery: usize,
}

/// Rules and objective in force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What is minimised once as many stops as possible are served.
    pub objective: Objective,
    /// How loads are counted.
    pub capacity_mode: CapacityMode,
    /// What territories mean.
    pub territory_mode: TerritoryMode,
    /// Types do not bind; mismatches are still reported.
    pub ignore_type: bool,
    /// Windows do not bind and are not waited for; late arrivals are still reported.
    pub ignore_time_window: bool,
    /// Capacity does not bind; excess is still reported.
    pub ignore_capacity: bool,
    /// Runs keep to areas of their own, which may make them longer: a second between a stop and the centre of its run costs
    /// as much as three on the road.
    #[serde(default)]
    pub compact: bool,
}

/// What is minimised. Serving priority stops comes first, then serving stops, then this.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// Number of used runs, then working time.
    FewestRuns,
    /// Working time of all runs (driving, waiting, service, breaks).
    #[default]
    ShortestTime,
    /// Metres of all runs.
    ShortestDistance,
    /// Working time, spread evenly over the vehicles.
    Balanced,
    /// [`Costs`] of all runs.
    LowestCost,
}

/// How loads are counted against a capacity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapacityMode {
    /// All stops of a run together.
    #[default]
    Sum,
    /// What is on the vehicle at once: unlinked jobs are loaded at the start and leave at their stop, linked
    /// ones are loaded at the pickup and leave at the delivery.
    OnBoard,
}

/// What territories mean for a vehicle that has some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerritoryMode {
    /// Nothing.
    #[default]
    Off,
    /// Stops outside are avoided.
    Prefer,
    /// Stops outside are not served.
    Only,
}

/// Reads comma-separated types as they are stored: lower case, without blanks and repeats.
pub fn parse_types(text: &str) -> Vec<String> {
    let mut types = Vec::new();
    for name in text.split(',').map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()) {
        if !types.contains(&name) {
            types.push(name);
        }
    }
    types
}

/// The problem contradicts itself: a fault of the caller, not of the day's plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemError {
    /// A matrix part does not hold size x size cells.
    MatrixShape,
    /// A stop, vehicle or route end names a place outside the matrix.
    UnknownPlace {
        /// What names it, e.g. `stop 3`.
        of: String,
        /// The place named.
        place: usize,
    },
    /// A link, lock or sequence names a stop that does not exist.
    UnknownStop(usize),
    /// A lock or sequence names a vehicle that does not exist.
    UnknownVehicle(usize),
    /// The same stop appears twice in the sequences.
    RepeatedStop(usize),
    /// A number is out of the range that is calculated with.
    OutOfRange {
        /// Which number, e.g. `service of stop 3`.
        what: String,
    },
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatrixShape => f.write_str("a travel matrix must be square"),
            Self::UnknownPlace { of, place } => write!(f, "{of} is at unknown place {place}"),
            Self::UnknownStop(stop) => write!(f, "unknown stop {stop}"),
            Self::UnknownVehicle(vehicle) => write!(f, "unknown vehicle {vehicle}"),
            Self::RepeatedStop(stop) => write!(f, "stop {stop} appears twice in the plan"),
            Self::OutOfRange { what } => write!(f, "{what} is out of range"),
        }
    }
}

impl std::error::Error for ProblemError {}
