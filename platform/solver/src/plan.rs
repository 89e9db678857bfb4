//! The evaluated plan: timed routes, violations and unserved stops.

use serde::{Deserialize, Serialize};

use crate::size::Clause;

/// Timed and checked routes of one problem.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// One per vehicle with at least one stop, in the order of the vehicles.
    pub routes: Vec<Route>,
    /// Stops in no route, in the order of the stops.
    pub unserved: Vec<Unserved>,
    /// Sums over the routes.
    pub totals: Totals,
    /// Why the search came to its end.
    pub ended: Ended,
    /// What compact runs cost; `None` where they were not asked for, or nothing was searched.
    #[serde(default)]
    pub compact: Option<Compactness>,
}

/// A plan of compact runs beside the best plan that the same search found before it minded that, in six tenths of its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compactness {
    /// Stops nearer to the centre of another run than to that of their own.
    pub strays: usize,
    /// Sums of the plan found before.
    pub without: Totals,
    /// Such stops of that plan.
    pub strays_without: usize,
}

impl Plan {
    /// All violations of all routes.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.routes.iter().flat_map(|route| &route.violations)
    }
}

/// Why the search came to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Nothing was searched: a given sequence was timed.
    #[default]
    Retimed,
    /// The budget was used, or nothing more could be gained.
    Finished,
    /// The caller cancelled; the best plan so far is returned.
    Cancelled,
    /// The engine broke down; the best plan up to then, completed by simple insertion, is returned.
    Recovered,
}

/// One vehicle's day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Index of the vehicle.
    pub vehicle: usize,
    /// Departure from the start place, seconds.
    pub departure: i64,
    /// End of the run (at the end place, or leaving the last stop), seconds.
    pub end: i64,
    /// Stops in order.
    pub visits: Vec<Visit>,
    /// Way from the last stop to the end place; `None` when the run ends anywhere.
    pub last_leg: Option<Leg>,
    /// The lunch break, when the run needs one.
    pub lunch: Option<PlacedBreak>,
    /// Sums over the route.
    pub totals: Totals,
    /// Most that counts against the capacity, per key, thousandths.
    pub load: Clause,
    /// Rules the route breaks, in visiting order.
    pub violations: Vec<Violation>,
}

/// A way between two places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    /// From this place.
    pub from: usize,
    /// To this place.
    pub to: usize,
    /// Driving time, seconds.
    pub driving: i64,
    /// Metres.
    pub distance: i64,
}

/// One stop of a route.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Index of the stop.
    pub stop: usize,
    /// Way from the previous place; `None` when the run starts here.
    pub leg: Option<Leg>,
    /// Arrival, seconds.
    pub arrival: i64,
    /// Waiting between arrival and service, seconds.
    pub wait: i64,
    /// Start of service, seconds.
    pub service_start: i64,
    /// End of service, seconds.
    pub departure: i64,
    /// Load after leaving, per key, thousandths: on board in mode `on_board`, served so far in mode `sum`.
    pub load: Clause,
}

/// A break in a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedBreak {
    /// It is taken before the visit of this position is reached; equal to the number of visits: on the way
    /// to the end.
    pub before: usize,
    /// Start, seconds.
    pub start: i64,
    /// End, seconds.
    pub end: i64,
    /// Idle time between being free for the break and its start, seconds.
    pub wait: i64,
}

/// Sums over a route or plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Routes.
    pub routes: i64,
    /// Stops served.
    pub stops: i64,
    /// Metres.
    pub distance: i64,
    /// Driving, seconds.
    pub driving: i64,
    /// Service, seconds.
    pub service: i64,
    /// Waiting, seconds.
    pub waiting: i64,
    /// Breaks, seconds.
    pub breaks: i64,
    /// Departure to end, seconds.
    pub duration: i64,
    /// Costs, thousandths of the currency.
    pub cost: i64,
}

/// A stop in no route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unserved {
    /// Index of the stop.
    pub stop: usize,
    /// Why it could not be placed.
    pub reason: UnservedReason,
}

/// Why a stop is unserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnservedReason {
    /// No vehicle serves one of its types.
    NoMatchingType,
    /// It does not fit any vehicle (any more).
    Capacity,
    /// It, or a stop after it, would be late everywhere.
    TimeWindow,
    /// Every run would end after its shift.
    Shift,
    /// Its territory belongs to none of the vehicles.
    Territory,
    /// A linked stop cannot be served, or not in the same run.
    LinkedJob,
    /// There is no way to it, or none onwards.
    Unreachable,
    /// It could be served alone, but the vehicles are taken for different reasons; or leaving it out was
    /// cheaper than its penalty.
    NotEnoughDrivers,
}

impl UnservedReason {
    /// Name in the HTTP contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoMatchingType => "no_matching_type",
            Self::Capacity => "capacity",
            Self::TimeWindow => "time_window",
            Self::Shift => "shift",
            Self::Territory => "territory",
            Self::LinkedJob => "linked_job",
            Self::Unreachable => "unreachable",
            Self::NotEnoughDrivers => "not_enough_drivers",
        }
    }
}

/// A rule that a route breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Which rule.
    pub kind: ViolationKind,
    /// Index of the vehicle.
    pub vehicle: usize,
    /// The stop concerned; `None` when it is the run as a whole.
    pub stop: Option<usize>,
    /// Capacity key concerned, for [`ViolationKind::Capacity`].
    pub key: Option<String>,
    /// What was found: load in thousandths, arrival, end of run or start of break in seconds, or the linked
    /// stop, or the other vehicle of the group; 0 where nothing is measured.
    pub value: i64,
    /// What is allowed, in the unit of `value`; 0 where nothing is measured.
    pub limit: i64,
}

/// Rules a route can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViolationKind {
    /// More than the capacity.
    Capacity,
    /// The vehicle serves none of the stop's types.
    TypeMismatch,
    /// Arrival after the window.
    LateArrival,
    /// The run ends after the shift.
    OutsideShift,
    /// No place for the lunch break.
    Break,
    /// The delivery comes before its pickup.
    LinkOrder,
    /// The linked stop is in another run or in none.
    LinkOtherRun,
    /// The stop lies outside the vehicle's territories.
    Territory,
    /// Another vehicle of the alternatives group is used, too.
    AlternativesGroup,
    /// There is no way on the leg to this stop (or to the end); it is timed as zero.
    Unreachable,
}

impl ViolationKind {
    /// Name in the HTTP contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::TypeMismatch => "type_mismatch",
            Self::LateArrival => "late_arrival",
            Self::OutsideShift => "outside_shift",
            Self::Break => "break",
            Self::LinkOrder => "link_order",
            Self::LinkOtherRun => "link_other_run",
            Self::Territory => "territory",
            Self::AlternativesGroup => "alternatives_group",
            Self::Unreachable => "unreachable",
        }
    }
}
