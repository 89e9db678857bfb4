//! Rules that a plan breaks.

use std::collections::HashMap;

use super::schedule::Schedule;
use crate::load;
use crate::model::{FAR, Model};
use crate::plan::{Route, Violation, ViolationKind};
use crate::problem::{Sequences, TerritoryMode};

/// Violations that one run shows by itself.
pub(super) fn of(model: &Model, route: &Route, schedule: &Schedule) -> Vec<Violation> {
    let vehicle = route.vehicle;
    let found = |kind, stop, value, limit| Violation { kind, vehicle, stop, key: None, value, limit };
    let mut violations = Vec::new();
    for (key, value, limit) in load::excess(model, vehicle, &super::checked_load(model, route)) {
        let key = Some(model.keys[key].clone());
        violations.push(Violation { key, ..found(ViolationKind::Capacity, None, value, limit) });
    }
    for visit in &route.visits {
        let stop = visit.stop;
        if missing_way(model, vehicle, visit.leg) {
            violations.push(found(ViolationKind::Unreachable, Some(stop), 0, 0));
        }
        if !model.type_fits(stop, vehicle) {
            violations.push(found(ViolationKind::TypeMismatch, Some(stop), 0, 0));
        }
        if model.rules.territory_mode == TerritoryMode::Only && !model.territory_fits(stop, vehicle) {
            violations.push(found(ViolationKind::Territory, Some(stop), 0, 0));
        }
        let latest = model.stops[stop].reported_latest;
        if visit.arrival > latest {
            violations.push(found(ViolationKind::LateArrival, Some(stop), visit.arrival, latest));
        }
    }
    if missing_way(model, vehicle, route.last_leg) {
        violations.push(found(ViolationKind::Unreachable, None, 0, 0));
    }
    if let (Some(placed), true, Some(lunch)) =
        (route.lunch, schedule.lunch_is_in_the_way, model.vehicles[vehicle].lunch)
    {
        violations.push(found(ViolationKind::Break, None, placed.start, lunch.latest));
    }
    let shift_end = model.vehicles[vehicle].shift_end;
    if route.end > shift_end {
        violations.push(found(ViolationKind::OutsideShift, None, route.end, shift_end));
    }
    violations
}

fn missing_way(model: &Model, vehicle: usize, leg: Option<crate::plan::Leg>) -> bool {
    leg.is_some_and(|leg| model.driving(model.vehicles[vehicle].profile, leg.from, leg.to) >= FAR)
}

/// Adds violations that only show across runs: links and alternatives groups.
pub(super) fn across(model: &Model, sequences: &Sequences, routes: &mut [Route]) {
    let mut placed: HashMap<usize, (usize, usize)> = HashMap::new();
    for (vehicle, stops) in sequences.iter().enumerate() {
        placed.extend(stops.iter().enumerate().map(|(position, stop)| (*stop, (vehicle, position))));
    }
    let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
    for route in routes.iter() {
        if let Some(group) = model.vehicles[route.vehicle].group {
            users.entry(group).or_default().push(route.vehicle);
        }
    }
    let index = |stop: usize| i64::try_from(stop).unwrap_or(i64::MAX);
    for route in routes {
        let vehicle = route.vehicle;
        let found =
            |kind, stop, other| Violation { kind, vehicle, stop, key: None, value: index(other), limit: 0 };
        for (position, visit) in route.visits.iter().enumerate() {
            let data = &model.stops[visit.stop];
            for &other in data.pickups.iter().chain(&data.deliveries) {
                if placed.get(&other).is_none_or(|(run, _)| *run != vehicle) {
                    route.violations.push(found(ViolationKind::LinkOtherRun, Some(visit.stop), other));
                }
            }
            for &pickup in &data.pickups {
                if placed.get(&pickup).is_some_and(|(run, at)| *run == vehicle && *at >= position) {
                    route.violations.push(found(ViolationKind::LinkOrder, Some(visit.stop), pickup));
                }
            }
        }
        let group = model.vehicles[vehicle].group.and_then(|group| users.get(&group));
        if let Some(other) = group.and_then(|users| users.iter().find(|user| **user != vehicle)) {
            route.violations.push(found(ViolationKind::AlternativesGroup, None, *other));
        }
    }
}
