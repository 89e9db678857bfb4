//! What the search reads all the time, laid out flat: vehicles, visits, neighbours, units.

use std::sync::Arc;

use super::compact::astray;
use super::edges::Edges;
use crate::model::Model;
use crate::objective::Weights;
use crate::problem::{Break, Sequences};
use crate::traffic::{Clock, Road};

/// Neighbours kept per stop.
const NEIGHBOURS: usize = 120;

/// What tours of one vehicle cost.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub(super) edges: Arc<Edges>,
    /// Points of one unit of edge cost.
    pub(super) scale: i64,
    /// Whether edge costs are whole points, not divided to fit 32 bits.
    pub(super) exact: bool,
    pub(super) weights: Weights,
    pub(super) lunch: Option<Break>,
    pub(super) clock: Option<Arc<Clock>>,
}

impl Kind {
    /// What the times of its tours depend on beside their stops.
    #[inline]
    pub(super) fn road(&self) -> Road<'_> {
        Road { lunch: self.lunch, clock: self.clock.as_deref() }
    }
}

/// Where a stop is and when it is served, apart from all else about it, which is seldom read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) place: u32,
    pub(super) earliest: i64,
    pub(super) latest: i64,
    pub(super) service: i64,
}

/// Compiled once per search.
#[derive(Debug, Clone)]
pub(super) struct Data<'a> {
    pub(super) model: &'a Model,
    pub(super) kinds: Vec<Kind>,
    /// Of each stop.
    pub(super) visits: Vec<Visit>,
    /// Nearest other stops, nearest first.
    pub(super) near: Vec<Vec<u32>>,
    /// First vehicle that is exactly like each vehicle.
    pub(super) twin: Vec<usize>,
    /// Whether a vehicle takes part in the search at all.
    pub(super) active: Vec<bool>,
    /// Stops that are inserted and removed together: linked ones, or the stop alone.
    pub(super) units: Vec<Vec<u32>>,
    pub(super) unit_of: Vec<usize>,
    /// Size of each stop relative to the smallest limit, for ordering.
    pub(super) bulk: Vec<f64>,
    /// Number of keys counted on board at each moment; 0 in mode `sum`.
    pub(super) board_keys: usize,
    /// Whether any stop has a window.
    pub(super) windows: bool,
    /// Points of each stop away from the centre of the run, vehicle by vehicle; empty where runs need not be compact.
    astray: Vec<i64>,
}

impl<'a> Data<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let mut shared: Vec<(usize, i64, i64, Arc<Edges>, i64)> = Vec::new();
        let mut kinds = Vec::with_capacity(model.vehicles.len());
        for (vehicle, data) in model.vehicles.iter().enumerate() {
            let weights = Weights::of(model, vehicle);
            let driving = weights.driving;
            let key = (data.profile, weights.metre, driving);
            let known =
                shared.iter().position(|(profile, metre, seconds, ..)| (*profile, *metre, *seconds) == key);
            let index = known.unwrap_or_else(|| {
                let (edges, scale) = Edges::new(model, data.profile, weights.metre, driving);
                shared.push((data.profile, weights.metre, driving, Arc::new(edges), scale));
                shared.len() - 1
            });
            let (.., edges, scale) = &shared[index];
            let exact = *scale == 1 || weights.metre == 0 || driving == 0;
            let (edges, scale, clock) = (Arc::clone(edges), *scale, model.clock(vehicle).cloned());
            kinds.push(Kind { edges, scale, exact, weights, lunch: data.lunch, clock });
        }
        let units = units(model);
        let mut unit_of = vec![0; model.stops.len()];
        for (unit, stops) in units.iter().enumerate() {
            for &stop in stops {
                unit_of[stop as usize] = unit;
            }
        }
        let visit = |stop: &crate::model::StopData| Visit {
            place: short(stop.place),
            earliest: stop.earliest,
            latest: stop.latest,
            service: stop.service,
        };
        Self {
            model,
            visits: model.stops.iter().map(visit).collect(),
            near: near(model, kinds.first()),
            twin: twins(model, &kinds),
            active: model.vehicles.iter().map(|vehicle| !vehicle.locked).collect(),
            units,
            unit_of,
            bulk: bulk(model),
            board_keys: if crate::model::on_board(model) { model.keys.len() } else { 0 },
            windows: model.problem.stops.iter().any(|stop| stop.window.is_some()),
            kinds,
            astray: Vec::new(),
        }
    }

    /// The same with each run of a plan held to its centre. Unused vehicles, which have none, are of use only while something
    /// is unserved.
    pub(super) fn held(&self, plan: &Sequences) -> Self {
        let mut data = self.clone();
        data.astray = astray(self.model, plan);
        let all_served = plan.iter().map(Vec::len).sum::<usize>() == self.model.stops.len();
        let used = |vehicle: usize| !plan[vehicle].is_empty();
        for vehicle in 0..plan.len() {
            data.active[vehicle] &= used(vehicle) || !all_served;
            let alike = |other: &usize| self.twin[*other] == self.twin[vehicle] && !used(*other);
            data.twin[vehicle] =
                if used(vehicle) { vehicle } else { (0..vehicle).find(alike).unwrap_or(vehicle) };
        }
        data
    }

    /// Points of serving a stop in a run apart from time and way: outside the vehicle's territories, away from the centre.
    #[inline]
    pub(super) fn strange(&self, vehicle: usize, stop: u32) -> i64 {
        let weight = self.kinds[vehicle].weights.outside;
        let outside =
            if weight == 0 || self.model.territory_fits(stop as usize, vehicle) { 0 } else { weight };
        let astray = self.astray.get(vehicle * self.model.stops.len() + stop as usize);
        outside + astray.copied().unwrap_or(0)
    }

    /// Whether [`Self::strange`] may be anything but zero in runs of a vehicle.
    #[inline]
    pub(super) fn has_strange(&self, vehicle: usize) -> bool {
        self.kinds[vehicle].weights.outside != 0 || !self.astray.is_empty()
    }
}

fn units(model: &Model) -> Vec<Vec<u32>> {
    let mut units: Vec<Vec<u32>> = Vec::new();
    for stop in (0..model.stops.len()).filter(|stop| model.stops[*stop].component.is_none()) {
        units.push(vec![short(stop)]);
    }
    units.extend(
        model.components.iter().map(|component| component.members.iter().map(|stop| short(*stop)).collect()),
    );
    units
}

/// Stops are counted in 32 bits inside the search.
pub(super) fn short(stop: usize) -> u32 {
    u32::try_from(stop).unwrap_or(u32::MAX)
}

/// Nearest other stops by edge cost, either way round.
fn near(model: &Model, kind: Option<&Kind>) -> Vec<Vec<u32>> {
    let Some(kind) = kind else { return vec![Vec::new(); model.stops.len()] };
    let n = model.stops.len();
    (0..n)
        .map(|stop| {
            let place = model.stops[stop].place;
            let (out, back) = (kind.edges.costs_from(place), kind.edges.costs_to(place));
            let mut others: Vec<(i64, u32)> = (0..n)
                .filter(|other| *other != stop)
                .map(|other| {
                    let at = model.stops[other].place;
                    (i64::from(out.at(at).min(back.at(at))), short(other))
                })
                .collect();
            if others.len() > NEIGHBOURS {
                others.select_nth_unstable(NEIGHBOURS);
                others.truncate(NEIGHBOURS);
            }
            others.sort_unstable();
            others.into_iter().map(|(_, other)| other).collect()
        })
        .collect()
}

/// Vehicles that are alike in everything the search looks at: only one empty one of them is tried.
fn twins(model: &Model, kinds: &[Kind]) -> Vec<usize> {
    let alike = |a: usize, b: usize| {
        let (first, second) = (&model.vehicles[a], &model.vehicles[b]);
        let same_times =
            (first.start, first.end, first.profile, first.depart_earliest, first.shift_end, first.lunch)
                == (
                    second.start,
                    second.end,
                    second.profile,
                    second.depart_earliest,
                    second.shift_end,
                    second.lunch,
                );
        same_times
            && first.group.is_none()
            && second.group.is_none()
            && first.clock == second.clock
            && kinds[a].weights == kinds[b].weights
            && (first.class, &first.layouts) == (second.class, &second.layouts)
            && !first.locked
            && !second.locked
            && model.locked_stops(a).is_empty()
            && model.locked_stops(b).is_empty()
            && (0..model.stops.len()).all(|stop| {
                model.may_serve(stop, a) == model.may_serve(stop, b)
                    && model.territory_fits(stop, a) == model.territory_fits(stop, b)
            })
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

#[expect(clippy::cast_precision_loss, reason = "only an order")]
fn bulk(model: &Model) -> Vec<f64> {
    let limit = |key: usize| {
        let limits = model.vehicles.iter().flat_map(|v| v.layouts.iter().flatten());
        limits.filter(|(limited, _)| *limited == key).map(|(_, limit)| *limit).max().unwrap_or(1).max(1)
    };
    let limits: Vec<i64> = (0..model.keys.len()).map(limit).collect();
    (0..model.stops.len())
        .map(|stop| {
            if model.vehicles.is_empty() {
                return 0.0;
            }
            model
                .amounts(0, stop)
                .iter()
                .zip(&limits)
                .map(|(amount, limit)| *amount as f64 / *limit as f64)
                .sum()
        })
        .collect()
}
