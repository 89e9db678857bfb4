//! What the local search needs to know about the instance before it starts.

use std::sync::Arc;

use super::NOWHERE;
use super::route::{Penalties, Route};
use super::segment::Timed;
use crate::engine::native::data::{Data, short};
use crate::problem::Sequences;

/// Neighbours whose joining with a stop is tried.
const NEAR: usize = 40;

/// Part of the waiting that counts as distance between neighbours.
const WAIT_PART: f64 = 0.2;

/// Prices to start with: a second late costs as much as ten seconds on the road, a hundredth of the capacity
/// as much as ten average edges.
pub(super) fn first_prices<T: Timed>(data: &Data, routes: &[Route<T>]) -> Penalties {
    let (mut points_sum, mut seconds, mut edges) = (0_i64, 0_i64, 0_i64);
    for route in routes.iter().filter(|route| !route.stops.is_empty()) {
        let kind = &data.kinds[route.vehicle];
        let profile = data.model.vehicles[route.vehicle].profile;
        points_sum += route.edges[route.stops.len() + 1] * kind.scale;
        edges += i64::from(short(route.stops.len())) + 1;
        for pair in route.places.windows(2) {
            let driving = data.model.driving(profile, pair[0] as usize, pair[1] as usize);
            seconds += driving;
            points_sum += driving * kind.weights.working;
        }
    }
    Penalties {
        warp: (points_sum.saturating_mul(10 * 1024) / seconds.max(1)).max(1024),
        load: (points_sum.saturating_mul(10 * 1024 / 1000) / edges.max(1)).max(1024),
    }
}

pub(super) fn rates(data: &Data) -> Vec<Option<i64>> {
    data.kinds
        .iter()
        .map(|kind| match (kind.weights.working, kind.weights.metre, kind.weights.driving) {
            _ if kind.weights.balance != 0 => None,
            (0, ..) => Some(kind.scale),
            (working, 0, driving) if driving > 0 => Some(kind.scale * (driving + working) / driving),
            _ => None,
        })
        .collect()
}

/// A number per vehicle: those with the same number pay the same for every edge.
pub(super) fn prices(data: &Data) -> Vec<usize> {
    let rates = rates(data);
    let alike =
        |a: usize, b: usize| rates[a] == rates[b] && Arc::ptr_eq(&data.kinds[a].edges, &data.kinds[b].edges);
    (0..rates.len())
        .map(|vehicle| (0..vehicle).find(|other| alike(*other, vehicle)).unwrap_or(vehicle))
        .collect()
}

pub(super) fn classes(data: &Data) -> Vec<usize> {
    let model = data.model;
    let alike = |a: usize, b: usize| {
        let (first, second) = (&model.vehicles[a], &model.vehicles[b]);
        (
            first.profile,
            first.clock,
            first.class,
            first.end,
            first.shift_end,
            first.depart_earliest,
            first.lunch,
        ) == (
            second.profile,
            second.clock,
            second.class,
            second.end,
            second.shift_end,
            second.depart_earliest,
            second.lunch,
        ) && Arc::ptr_eq(&data.kinds[a].edges, &data.kinds[b].edges)
    };
    let mut leaders: Vec<usize> = Vec::new();
    (0..model.vehicles.len())
        .map(|vehicle| {
            leaders.iter().copied().find(|leader| alike(*leader, vehicle)).unwrap_or_else(|| {
                leaders.push(vehicle);
                vehicle
            })
        })
        .collect()
}

/// Neighbours by edge cost, waiting and lateness when going straight from one to the other, the better way
/// round.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "only an order")]
pub(super) fn near(data: &Data) -> Vec<Vec<u32>> {
    let model = data.model;
    let n = model.stops.len();
    let Some(kind) = data.kinds.first() else { return vec![Vec::new(); n] };
    let profile = model.vehicles[0].profile;
    let second = (kind.weights.driving + kind.weights.working).max(1) as f64;
    // With distance as the objective a second is worth what driving it costs on average.
    let worth = if kind.weights.metre == 0 {
        second
    } else {
        let edge: i64 = model
            .stops
            .iter()
            .map(|stop| i64::from(kind.edges.costs_from(model.stops[0].place).at(stop.place)))
            .sum();
        let time: i64 =
            model.stops.iter().map(|stop| model.driving(profile, model.stops[0].place, stop.place)).sum();
        (edge * kind.scale) as f64 / time.max(1) as f64
    };
    let one_way = |a: usize, b: usize| -> f64 {
        let (from, to) = (&model.stops[a], &model.stops[b]);
        let driving = model.driving(profile, from.place, to.place);
        let wait = (to.earliest - driving - from.service - from.latest).max(0);
        let late = (from.earliest + from.service + driving - to.latest).max(0);
        f64::from(kind.edges.costs_from(from.place).at(to.place)) * kind.scale as f64
            + worth * (WAIT_PART * wait as f64 + late as f64)
    };
    (0..n)
        .map(|stop| {
            let mut others: Vec<(i64, u32)> = (0..n)
                .filter(|other| *other != stop)
                .map(|other| (one_way(stop, other).min(one_way(other, stop)) as i64, short(other)))
                .collect();
            if others.len() > NEAR {
                others.select_nth_unstable(NEAR);
                others.truncate(NEAR);
            }
            others.sort_unstable();
            others.into_iter().map(|(_, other)| other).collect()
        })
        .collect()
}

/// Stops of runs that may change, behind the locked beginnings; linked ones only together with the other stop of
/// their pair.
pub(super) fn free(data: &Data, sequences: &Sequences, mates: &[u32]) -> Vec<bool> {
    let model = data.model;
    let mut free = vec![false; model.stops.len()];
    for (vehicle, stops) in sequences.iter().enumerate().filter(|(vehicle, _)| data.active[*vehicle]) {
        for &stop in stops.iter().skip(model.locked_stops(vehicle).len()) {
            free[stop] = model.stops[stop].component.is_none() || mates[stop] != NOWHERE;
        }
    }
    for stop in 0..free.len() {
        let mate = mates[stop] as usize;
        free[stop] = free[stop] && free.get(mate).is_none_or(|free| *free);
    }
    free
}
