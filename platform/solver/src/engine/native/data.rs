//! What the search reads all the time, laid out flat: edge costs per kind of vehicle, neighbours, units.

use std::sync::Arc;

use super::compact::astray;
use crate::model::{FAR, Model};
use crate::objective::Weights;
use crate::problem::{Break, Sequences};

/// Edge cost of a missing way; sums of a few of them stay inside `i64` and above every real cost.
const NO_EDGE: i32 = 1 << 29;
/// Neighbours kept per stop.
const NEIGHBOURS: usize = 120;

/// The way from one place to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Edge cost.
    pub(super) cost: i32,
    seconds: i32,
}

impl Way {
    /// Driving seconds; [`FAR`] without a way.
    #[inline]
    pub(super) fn seconds(self) -> i64 {
        if self.seconds == i32::MAX { FAR } else { i64::from(self.seconds) }
    }
}

/// Square matrix of ways, cost and time side by side, and turned round so that a stop's row serves arrivals and
/// departures.
#[derive(Debug)]
pub(super) struct Edges {
    places: usize,
    out: Vec<Way>,
    /// Transposed; empty when the matrix is symmetric.
    back: Vec<Way>,
    /// Both ways cost the same everywhere, whatever time they take.
    symmetric: bool,
}

impl Edges {
    /// Ways from a place.
    pub(super) fn from(&self, place: usize) -> &[Way] {
        &self.out[place * self.places..(place + 1) * self.places]
    }

    /// Cost of one edge.
    #[inline]
    pub(super) fn cost(&self, from: u32, to: u32) -> i64 {
        i64::from(self.out[from as usize * self.places + to as usize].cost)
    }

    /// Cost and driving seconds of one edge.
    #[inline]
    pub(super) fn way(&self, from: u32, to: u32) -> (i64, i64) {
        let way = self.out[from as usize * self.places + to as usize];
        (i64::from(way.cost), way.seconds())
    }

    /// Whether both ways cost the same everywhere.
    pub(super) fn symmetric(&self) -> bool {
        self.symmetric
    }

    /// Ways to a place.
    pub(super) fn to(&self, place: usize) -> &[Way] {
        let cells = if self.back.is_empty() { &self.out } else { &self.back };
        &cells[place * self.places..(place + 1) * self.places]
    }
}

/// What tours of one vehicle cost.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub(super) edges: Arc<Edges>,
    /// Points of one unit of edge cost.
    pub(super) scale: i64,
    pub(super) weights: Weights,
    pub(super) lunch: Option<Break>,
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
                let (edges, scale) = edges(model, data.profile, weights.metre, driving);
                shared.push((data.profile, weights.metre, driving, Arc::new(edges), scale));
                shared.len() - 1
            });
            let (.., edges, scale) = &shared[index];
            kinds.push(Kind { edges: Arc::clone(edges), scale: *scale, weights, lunch: data.lunch });
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

fn edges(model: &Model, profile: usize, metre: i64, driving: i64) -> (Edges, i64) {
    let places = model.places;
    let cost = |from: usize, to: usize| -> Option<i64> {
        let seconds = model.driving(profile, from, to);
        (seconds < FAR).then(|| {
            metre.saturating_mul(model.metres(from, to)).saturating_add(driving.saturating_mul(seconds))
        })
    };
    let most =
        (0..places).flat_map(|from| (0..places).filter_map(move |to| cost(from, to))).max().unwrap_or(0);
    let scale = most / i64::from(NO_EDGE / 8) + 1;
    let mut out = Vec::with_capacity(places * places);
    for from in 0..places {
        out.extend((0..places).map(|to| {
            let points = cost(from, to).and_then(|points| i32::try_from(points / scale).ok());
            let seconds = i32::try_from(model.driving(profile, from, to)).unwrap_or(i32::MAX);
            Way { cost: points.unwrap_or(NO_EDGE), seconds }
        }));
    }
    let alike = |same: &dyn Fn(Way, Way) -> bool| {
        (0..places).all(|a| (0..a).all(|b| same(out[a * places + b], out[b * places + a])))
    };
    let symmetric = alike(&|one, other| one.cost == other.cost);
    let back = if symmetric && alike(&|one, other| one.seconds == other.seconds) {
        Vec::new()
    } else {
        (0..places)
            .flat_map(|to| (0..places).map(move |from| (from, to)))
            .map(|(from, to)| out[from * places + to])
            .collect()
    };
    (Edges { places, out, back, symmetric }, scale)
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
            let (out, back) = (kind.edges.from(place), kind.edges.to(place));
            let mut others: Vec<(i64, u32)> = (0..n)
                .filter(|other| *other != stop)
                .map(|other| {
                    let at = model.stops[other].place;
                    (i64::from(out[at].cost.min(back[at].cost)), short(other))
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
