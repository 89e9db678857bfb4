//! The cheapest place for a unit of stops in a tour.

use super::data::Data;
use super::tour::{Tour, duration_points};
use crate::timing::{Arrivals, serve, travel};

/// A place for one unit: positions refer to the tour before anything is inserted.
#[derive(Debug, Clone, Default)]
pub(super) struct Spot {
    pub(super) tour: usize,
    /// Position of each stop of the unit, counted in the tour as it grows.
    pub(super) at: Vec<usize>,
}

/// What the next search over positions must beat, and how often a good position is overlooked on purpose.
pub(super) struct Bound<'r> {
    pub(super) points: i64,
    /// Buffers of [`pair`].
    pub(super) detours: &'r mut Vec<i64>,
    pub(super) least: &'r mut Vec<i64>,
    pub(super) blink: &'r mut dyn FnMut() -> bool,
}

/// Best position of one stop in a tour, when it costs less than the bound: (points, position).
pub(super) fn single(
    data: &Data,
    tour: &Tour,
    stop: u32,
    base: i64,
    bound: &mut Bound,
) -> Option<(i64, usize)> {
    let model = data.model;
    let index = stop as usize;
    let vehicle = &model.vehicles[tour.vehicle];
    let kind = &data.kinds[tour.vehicle];
    if data.board_keys == 0 && !tour.holds(data, model.amounts(vehicle.class, index), 0, 0) {
        return None;
    }
    let place = model.stops[index].place;
    let (to, from) = (kind.edges.to(place), kind.edges.from(place));
    let timed = kind.weights.working > 0;
    let road = kind.road();
    let fixed = tour.fixed(data);
    let mut best = None;
    let nodes = tour.places.windows(2).zip(&tour.edges).enumerate().skip(fixed);
    for (at, (pair, edge)) in nodes {
        let (before, behind) = (to.at(pair[0] as usize), from.at(pair[1] as usize));
        let detour = i64::from(before.cost) + i64::from(behind.cost) - i64::from(*edge);
        let mut points = base + detour * kind.scale;
        if !timed && points >= bound.points {
            continue;
        }
        let waits;
        let arrived = if kind.lunch.is_none() {
            let stop = &model.stops[index];
            let arrival = road.arrive(tour.times[at].gone.after, before.seconds());
            if arrival > stop.latest {
                // Departures only grow along the tour.
                if tour.times[at].gone.after > stop.latest {
                    break;
                }
                continue;
            }
            waits = (stop.earliest - arrival).max(0);
            let gone = arrival.max(stop.earliest) + stop.service;
            let arrival = road.arrive(gone, behind.seconds());
            if arrival > tour.times[at + 1].latest.after {
                continue;
            }
            Arrivals { before: crate::timing::NEVER, after: arrival }
        } else {
            let arrived = travel(tour.times[at].gone, before.seconds(), road);
            waits = (model.stops[index].earliest - arrived.before.min(arrived.after)).max(0);
            let gone = serve(model, index, arrived);
            let next = travel(gone, behind.seconds(), road);
            let latest = tour.times[at + 1].latest;
            if next.before > latest.before && next.after > latest.after {
                continue;
            }
            next
        };
        if timed {
            points = base + later(data, tour, at, detour * kind.scale, arrived, waits);
            if points >= bound.points {
                continue;
            }
        }
        if data.board_keys > 0 && !fits_on_board(data, tour, index, at) {
            continue;
        }
        if (bound.blink)() {
            continue;
        }
        bound.points = points;
        best = Some((points, at));
    }
    best
}

/// Points of a detour when the tour's duration counts: driving, the later end and, where it may be chosen, another departure;
/// `waits` is what the inserted stop waits to open.
fn later(data: &Data, tour: &Tour, at: usize, detour: i64, arrived: Arrivals, waits: i64) -> i64 {
    let weights = &data.kinds[tour.vehicle].weights;
    let end = tour.end_from(data, at + 1, arrived);
    let leave = tour.leave_for(data, at + 1, arrived, waits, end);
    let extra = duration_points(weights, end - leave) - duration_points(weights, tour.end - tour.leave);
    detour.saturating_add(extra)
}

/// A stop that is on board from the start to its position.
fn fits_on_board(data: &Data, tour: &Tour, stop: usize, at: usize) -> bool {
    let class = data.model.vehicles[tour.vehicle].class;
    if data.model.loads_at_start(stop) {
        return tour.holds(data, data.model.amounts(class, stop), 0, at + 1);
    }
    // Linked stops are placed as units; one alone only happens where its partners are fixed elsewhere.
    true
}

/// Best positions of a pickup and its delivery in a tour. A delivery on the way is taken never to make a tour earlier.
pub(super) fn pair(
    data: &Data,
    tour: &Tour,
    unit: [u32; 2],
    base: i64,
    bound: &mut Bound,
) -> Option<(i64, usize, usize)> {
    let model = data.model;
    let vehicle = &model.vehicles[tour.vehicle];
    let kind = &data.kinds[tour.vehicle];
    let (pickup, delivery) = (unit[0] as usize, unit[1] as usize);
    let timed = kind.weights.working > 0;
    let road = kind.road();
    let (place_p, place_d) = (model.stops[pickup].place, model.stops[delivery].place);
    let (from_p, to_p) = (kind.edges.from(place_p), kind.edges.to(place_p));
    let (from_d, to_d) = (kind.edges.from(place_d), kind.edges.to(place_d));
    let goods = goods(data, vehicle.class, pickup, delivery);
    if data.board_keys == 0 && !tour.holds(data, &goods, 0, 0) {
        return None;
    }
    let layouts = if model.rules.ignore_capacity { 0 } else { vehicle.layouts.len() };
    let last = tour.stops.len();
    let start = tour.fixed(data);
    let late = |next: Arrivals, at: usize| {
        let latest = tour.times[at].latest;
        next.before > latest.before && next.after > latest.after
    };
    // Edge cost of the delivery at a position, and the least there or further on.
    bound.detours.clear();
    bound.detours.extend(
        tour.places.windows(2).zip(&tour.edges).map(|(pair, edge)| {
            to_d.cost(pair[0] as usize) + from_d.cost(pair[1] as usize) - i64::from(*edge)
        }),
    );
    bound.least.clone_from(bound.detours);
    for at in (start..last).rev() {
        bound.least[at] = bound.least[at].min(bound.least[at + 1]);
    }
    let mut best = None;
    for first in start..=last {
        let (a, b) = (tour.places[first] as usize, tour.places[first + 1] as usize);
        let (to, on, edge) = (to_p.at(a), from_p.at(b), i64::from(tour.edges[first]));
        let pickup_detour = i64::from(to.cost) + i64::from(on.cost) - edge;
        let straight = i64::from(to.cost) + from_p.cost(place_d) + from_d.cost(b) - edge;
        let further = bound.least.get(first + 1).map_or(i64::MAX, |least| pickup_detour + least);
        if !timed && base + straight.min(further) * kind.scale >= bound.points {
            continue;
        }
        let gone = tour.times[first].gone;
        if kind.lunch.is_none() && gone.after > model.stops[pickup].latest {
            // Departures only grow along the tour.
            break;
        }
        let mut gone = serve(model, pickup, travel(gone, to.seconds(), road));
        if gone.before >= crate::model::FAR && gone.after >= crate::model::FAR {
            continue;
        }
        // Delivery straight after the pickup, then behind each later stop.
        let mut place = place_p;
        for second in first..=last {
            if data.board_keys > 0 && !tour.holds_at(data, &goods, second) {
                break;
            }
            let next_place = tour.places[second + 1] as usize;
            let detour = if second == first { straight } else { pickup_detour + bound.detours[second] };
            let mut points = base + detour * kind.scale;
            if timed || points < bound.points {
                let delivered = serve(model, delivery, travel(gone, to_d.at(place).seconds(), road));
                let next = travel(delivered, from_d.at(next_place).seconds(), road);
                if !late(next, second + 1) {
                    if timed {
                        points = base + later(data, tour, second, detour * kind.scale, next, 0);
                    }
                    if points < bound.points
                        && (data.board_keys == 0
                            || layouts < 2
                            || tour.holds(data, &goods, first, second + 1))
                        && !(bound.blink)()
                    {
                        bound.points = points;
                        best = Some((points, first, second + 1));
                    }
                }
            }
            let Some(&stop) = tour.stops.get(second) else { break };
            if !timed && base + (pickup_detour + bound.least[second + 1]) * kind.scale >= bound.points {
                break;
            }
            // On to the next stop with the pickup on board.
            let way = kind.edges.from(place).at(next_place);
            let next = travel(gone, way.seconds(), road);
            if late(next, second + 1) {
                break;
            }
            gone = serve(model, stop as usize, next);
            place = next_place;
        }
    }
    best
}

/// What is on board between a pickup and its delivery, or what both together add to a load that is summed up.
fn goods(data: &Data, class: usize, pickup: usize, delivery: usize) -> Vec<i64> {
    let model = data.model;
    if data.board_keys > 0 {
        return model.changes(class, pickup).to_vec();
    }
    let both = model.amounts(class, pickup).iter().zip(model.amounts(class, delivery));
    both.map(|(first, second)| first + second).collect()
}

/// Best places of more than two linked stops, one after the other: exact for each stop given those before.
pub(super) fn several(
    data: &Data,
    tour: &Tour,
    unit: &[u32],
    base: i64,
    bound: &mut Bound,
) -> Option<(i64, Vec<usize>)> {
    let model = data.model;
    let mut grown = tour.clone();
    let mut at = Vec::with_capacity(unit.len());
    let before = tour.points;
    for &stop in unit {
        let pickups = &model.stops[stop as usize].pickups;
        let lowest = grown
            .stops
            .iter()
            .rposition(|placed| pickups.contains(&(*placed as usize)))
            .map_or(0, |position| position + 1)
            .max(tour.fixed(data));
        let mut cheapest: Option<(i64, usize)> = None;
        for position in lowest..=grown.stops.len() {
            if !admits(data, &grown, stop as usize, position) {
                continue;
            }
            let mut tried = grown.clone();
            tried.stops.insert(position, stop);
            tried.refresh(data);
            if tried.feasible && cheapest.is_none_or(|(points, _)| tried.points < points) {
                cheapest = Some((tried.points, position));
            }
        }
        let (_, position) = cheapest?;
        grown.stops.insert(position, stop);
        grown.refresh(data);
        at.push(position);
    }
    if !crate::load::fits(model, tour.vehicle, &grown.load) && !model.rules.ignore_capacity {
        return None;
    }
    let points = base + grown.points - before;
    (points < bound.points).then(|| {
        bound.points = points;
        (points, at)
    })
}

/// Whether windows, shift and break hold with a stop at a position.
fn admits(data: &Data, tour: &Tour, stop: usize, at: usize) -> bool {
    let model = data.model;
    let kind = &data.kinds[tour.vehicle];
    let profile = model.vehicles[tour.vehicle].profile;
    let place = model.stops[stop].place;
    let arrived =
        travel(tour.times[at].gone, model.driving(profile, tour.places[at] as usize, place), kind.road());
    let gone = serve(model, stop, arrived);
    let next = travel(gone, model.driving(profile, place, tour.places[at + 1] as usize), kind.road());
    let latest = tour.times[at + 1].latest;
    next.before <= latest.before || next.after <= latest.after
}
