//! Refusing what cannot be calculated with.

use crate::problem::{Costs, Problem, ProblemError, RouteEnd, Sequences};
use crate::size::Clause;

/// Bound of times given by the caller.
const TIME_LIMIT: i64 = 1 << 36;
/// Bound of costs per run and penalties given by the caller.
const COST_LIMIT: i64 = 1 << 40;
/// Bound of costs per kilometre and hour.
const RATE_LIMIT: i64 = 1 << 26;
/// Bound of amounts given by the caller, thousandths.
const AMOUNT_LIMIT: i64 = 1 << 47;

/// Refuses what cannot be calculated with: indices outside, numbers beyond their range.
pub(super) fn check(problem: &Problem) -> Result<(), ProblemError> {
    let places = problem.matrix.size();
    if problem.others.iter().any(|other| other.size() != places) {
        return Err(ProblemError::MatrixShape);
    }
    let place = |of: String, place: usize| {
        if place < places { Ok(()) } else { Err(ProblemError::UnknownPlace { of, place }) }
    };
    let within = |ok: bool, what: String| if ok { Ok(()) } else { Err(ProblemError::OutOfRange { what }) };
    let time = |t: i64| (-TIME_LIMIT..=TIME_LIMIT).contains(&t);
    for (i, stop) in problem.stops.iter().enumerate() {
        place(format!("stop {i}"), stop.place)?;
        within((0..=TIME_LIMIT).contains(&stop.service), format!("service of stop {i}"))?;
        within(
            stop.window.is_none_or(|w| time(w.earliest) && time(w.latest)),
            format!("window of stop {i}"),
        )?;
        let penalty_fits = stop.optional_penalty.is_none_or(|p| (0..=COST_LIMIT).contains(&p));
        within(penalty_fits, format!("penalty of stop {i}"))?;
        within(amounts_fit(&stop.size.0), format!("size of stop {i}"))?;
        if let Some(vehicle) = stop.fixed_vehicle.filter(|vehicle| *vehicle >= problem.vehicles.len()) {
            return Err(ProblemError::UnknownVehicle(vehicle));
        }
    }
    for (i, traffic) in problem.traffic.iter().enumerate() {
        within(traffic.is_sound(), format!("traffic {i}"))?;
    }
    for (i, vehicle) in problem.vehicles.iter().enumerate() {
        within(vehicle.traffic.is_none_or(|t| t < problem.traffic.len()), format!("traffic of vehicle {i}"))?;
        if vehicle.matrix.is_some_and(|matrix| matrix >= problem.others.len()) {
            return Err(ProblemError::OutOfRange { what: format!("matrix of vehicle {i}") });
        }
        if let Some(start) = vehicle.start {
            place(format!("start of vehicle {i}"), start)?;
        }
        if let RouteEnd::Place(end) = vehicle.end {
            place(format!("end of vehicle {i}"), end)?;
        }
        let shift = time(vehicle.shift.earliest) && time(vehicle.shift.latest);
        within(shift, format!("shift of vehicle {i}"))?;
        let depart = vehicle.departure.is_none_or(|w| time(w.earliest) && time(w.latest));
        within(depart, format!("departure of vehicle {i}"))?;
        let lunch = vehicle.lunch.is_none_or(|b| time(b.earliest) && time(b.latest) && time(b.duration));
        within(lunch, format!("break of vehicle {i}"))?;
        within(vehicle.speed.is_finite() && vehicle.speed >= 0.001, format!("speed of vehicle {i}"))?;
        within(amounts_fit(&vehicle.capacity.0), format!("capacity of vehicle {i}"))?;
        let Costs { fixed, per_km, per_hour, per_drop } = vehicle.costs;
        let once = [fixed, per_drop].iter().all(|cost| (0..=COST_LIMIT).contains(cost));
        let rates = [per_km, per_hour].iter().all(|rate| (0..=RATE_LIMIT).contains(rate));
        within(once && rates, format!("costs of vehicle {i}"))?;
    }
    for stop in problem.links.iter().flat_map(|link| [link.pickup, link.delivery]) {
        if stop >= problem.stops.len() {
            return Err(ProblemError::UnknownStop(stop));
        }
    }
    check_sequences(problem, &problem.current)
}

fn amounts_fit(clauses: &[Clause]) -> bool {
    clauses.iter().flat_map(|clause| &clause.0).all(|part| (0..=AMOUNT_LIMIT).contains(&part.amount))
}

/// Refuses sequences that name unknown vehicles or stops, or a stop twice.
pub(crate) fn check_sequences(problem: &Problem, sequences: &Sequences) -> Result<(), ProblemError> {
    let vehicles = problem.vehicles.len();
    if let Some(extra) = sequences.iter().skip(vehicles).position(|stops| !stops.is_empty()) {
        return Err(ProblemError::UnknownVehicle(vehicles + extra));
    }
    let mut seen = vec![false; problem.stops.len()];
    for &stop in sequences.iter().flatten() {
        match seen.get_mut(stop) {
            None => return Err(ProblemError::UnknownStop(stop)),
            Some(true) => return Err(ProblemError::RepeatedStop(stop)),
            Some(unseen) => *unseen = true,
        }
    }
    Ok(())
}
