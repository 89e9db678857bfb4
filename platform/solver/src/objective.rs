//! The objective in points: whole numbers that add up over routes.
//!
//! ```text
//! points(route) = fixed + metre * metres + driving * driving seconds + working * duration
//!               + balance * duration^2 / BALANCE_SCALE + outside * stops outside the territories
//! ```

use crate::compact;
use crate::model::{FAR, Model};
use crate::plan::{Plan, Route};
use crate::problem::{Objective, TerritoryMode};

/// Points of one second or metre: leaves room for tie-breaks below it.
const UNIT: i64 = 10;
/// Points of one run more under [`Objective::FewestRuns`]: 28 hours of work.
const RUN: i64 = UNIT * 100_000;
/// Divisor of the squared duration under [`Objective::Balanced`], seconds.
pub(crate) const BALANCE_SCALE: i64 = 7200;
/// Half an hour or 20 km rather than one stop outside the territories.
const OUTSIDE_SECONDS: i64 = 1800;
const OUTSIDE_METRES: i64 = 20_000;
/// Points of a thousandth of the currency: makes rates per km and hour whole numbers per metre and second.
const MONEY: i64 = 18_000;

/// Points per measure of one vehicle's route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) fixed: i64,
    pub(crate) metre: i64,
    pub(crate) driving: i64,
    pub(crate) working: i64,
    pub(crate) balance: i64,
    pub(crate) drop: i64,
    pub(crate) outside: i64,
    /// Points of one unit of an optional stop's penalty.
    pub(crate) penalty_unit: i64,
}

impl Weights {
    /// Weights of a vehicle under the rules in force.
    pub(crate) fn of(model: &Model, vehicle: usize) -> Self {
        let costs = model.problem.vehicles[vehicle].costs;
        let prefer = model.rules.territory_mode == TerritoryMode::Prefer;
        // Working time alone would not care about driving while there is waiting ahead.
        let time = Self {
            driving: 1,
            working: UNIT,
            outside: UNIT * OUTSIDE_SECONDS,
            penalty_unit: UNIT,
            ..Self::default()
        };
        let mut weights = match model.rules.objective {
            Objective::ShortestTime => time,
            Objective::FewestRuns => Self { fixed: RUN, ..time },
            Objective::Balanced => Self { balance: UNIT, ..time },
            Objective::ShortestDistance => {
                Self { metre: UNIT, outside: UNIT * OUTSIDE_METRES, penalty_unit: UNIT, ..Self::default() }
            }
            Objective::LowestCost => Self {
                fixed: costs.fixed.saturating_mul(MONEY),
                metre: costs.per_km * (MONEY / 1000),
                driving: 1,
                working: costs.per_hour * (MONEY / 3600),
                drop: costs.per_drop.saturating_mul(MONEY),
                outside: OUTSIDE_METRES * costs.per_km.max(1) * (MONEY / 1000),
                penalty_unit: MONEY,
                ..Self::default()
            },
        };
        if !prefer {
            weights.outside = 0;
        }
        weights
    }

    /// Points of driving so much further.
    pub(crate) fn detour(&self, driving: i64, metres: i64) -> i64 {
        (self.driving + self.working)
            .saturating_mul(driving)
            .saturating_add(self.metre.saturating_mul(metres))
    }
}

/// How good a plan is, smaller is better: unserved stops that should stay on their run, unserved priority stops, unserved stops that are not optional,
/// points of the routes and of what was left out; with compact runs also those of stops away from the centres.
pub(crate) type Score = (usize, usize, usize, i64);

/// Scores an evaluated plan.
pub(crate) fn score(model: &Model, plan: &Plan) -> Score {
    let (mut kept, mut priority, mut mandatory, mut points) = (0, 0, 0, 0_i64);
    let penalty_unit = if model.vehicles.is_empty() { 1 } else { Weights::of(model, 0).penalty_unit };
    for stop in plan.unserved.iter().map(|unserved| unserved.stop) {
        if model.kept[stop] {
            kept += 1;
            continue;
        }
        let stop = &model.stops[stop];
        match stop.penalty {
            Some(penalty) => points = points.saturating_add(penalty.saturating_mul(penalty_unit)),
            None if stop.priority => priority += 1,
            None => mandatory += 1,
        }
    }
    for route in &plan.routes {
        let weights = Weights::of(model, route.vehicle);
        let totals = &route.totals;
        let outside =
            route.visits.iter().filter(|visit| !model.territory_fits(visit.stop, route.vehicle)).count();
        let balance = i128::from(totals.duration) * i128::from(totals.duration) / i128::from(BALANCE_SCALE);
        points = points
            .saturating_add(weights.fixed)
            .saturating_add(weights.metre.saturating_mul(totals.distance))
            .saturating_add(weights.driving.saturating_mul(driving(model, route)))
            .saturating_add(weights.working.saturating_mul(totals.duration))
            .saturating_add(weights.drop.saturating_mul(totals.stops))
            .saturating_add(weights.balance.saturating_mul(i64::try_from(balance).unwrap_or(i64::MAX)))
            .saturating_add(weights.outside.saturating_mul(i64::try_from(outside).unwrap_or(i64::MAX)));
    }
    if model.rules.compact {
        points = points.saturating_add(compact_points(model, plan));
    }
    (kept, priority, mandatory, points)
}

/// Driving seconds, where traffic changes over the day those at its usual pace: its hours are in the duration.
fn driving(model: &Model, route: &Route) -> i64 {
    if model.clock(route.vehicle).is_none() {
        return route.totals.driving;
    }
    let profile = model.vehicles[route.vehicle].profile;
    let legs = route.visits.iter().filter_map(|visit| visit.leg).chain(route.last_leg);
    legs.map(|leg| model.driving(profile, leg.from, leg.to)).filter(|driving| *driving < FAR).sum()
}

fn compact_points(model: &Model, plan: &Plan) -> i64 {
    let stops = |route: &Route| route.visits.iter().map(|visit| visit.stop).collect::<Vec<_>>();
    let runs: Vec<(usize, Vec<usize>)> =
        plan.routes.iter().map(|route| (route.vehicle, stops(route))).collect();
    compact::points(model, runs.iter().map(|(vehicle, stops)| (*vehicle, stops.as_slice())))
}
