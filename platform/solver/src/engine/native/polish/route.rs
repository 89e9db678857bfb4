//! One vehicle's route with segments from both sides.

use super::segment::Segment;
use crate::engine::native::data::{Data, short};

/// A hundred thousandth of a limit is the unit in which loads above it are counted.
const LOAD_UNIT: i64 = 100_000;

/// What breaking windows, shift and capacity costs at the moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Penalties {
    /// Points per 1024 seconds late.
    pub(super) warp: i64,
    /// Points per 1024 load units too much.
    pub(super) load: i64,
}

/// A route.
#[derive(Debug, Clone, Default)]
pub(super) struct Route {
    pub(super) vehicle: usize,
    /// Stops in order; position p of a route is `stops[p - 1]`, 0 is the start, `stops.len() + 1` the end.
    pub(super) stops: Vec<u32>,
    /// Place of each position.
    pub(super) places: Vec<u32>,
    /// Edge cost from the start up to each position.
    pub(super) edges: Vec<i64>,
    /// Segments from the start up to each position.
    pub(super) ahead: Vec<Segment>,
    /// Segments from each position to the end.
    pub(super) behind: Vec<Segment>,
    /// Amounts up to each position, per key.
    pub(super) loads: Vec<i64>,
    pub(super) time: Segment,
    pub(super) excess: i64,
    /// Seconds of waiting.
    pub(super) waiting: i64,
    /// Points without penalties.
    pub(super) points: i64,
}

impl Route {
    pub(super) fn new(data: &Data, vehicle: usize, stops: &[usize]) -> Self {
        let mut route =
            Self { vehicle, stops: stops.iter().map(|stop| short(*stop)).collect(), ..Self::default() };
        route.refresh(data);
        route
    }

    /// Recalculates everything after the stops changed.
    pub(super) fn refresh(&mut self, data: &Data) {
        let model = data.model;
        let vehicle = &model.vehicles[self.vehicle];
        let edges = &data.kinds[self.vehicle].edges;
        let n = self.stops.len();
        let keys = model.keys.len();
        let start = Segment::stop(vehicle.depart_earliest, vehicle.depart_earliest, 0);
        let end = Segment::stop(vehicle.depart_earliest, vehicle.shift_end, 0);
        self.places.clear();
        self.places.push(short(vehicle.start));
        self.places.extend(self.stops.iter().map(|stop| short(model.stops[*stop as usize].place)));
        self.places.push(short(vehicle.end));
        self.ahead.clear();
        self.ahead.push(start);
        self.edges.clear();
        self.edges.push(0);
        self.loads.clear();
        self.loads.resize(keys, 0);
        let (mut joined, mut cost, mut busy) = (start, 0, 0);
        for position in 1..=n + 1 {
            let (from, to) = (self.places[position - 1] as usize, self.places[position] as usize);
            cost += i64::from(edges.from(from)[to]);
            self.edges.push(cost);
            let next = self.stops.get(position - 1).map_or(end, |stop| segment_of(data, *stop));
            let driving = model.driving(vehicle.profile, from, to);
            busy += driving + next.duration;
            joined = joined.then(driving, next);
            self.ahead.push(joined);
            if let Some(&stop) = self.stops.get(position - 1) {
                for key in 0..keys {
                    let sum = self.loads[(position - 1) * keys + key]
                        + model.amounts(vehicle.class, stop as usize)[key];
                    self.loads.push(sum);
                }
            }
        }
        self.time = joined;
        self.waiting = (joined.duration - joined.warp - busy).max(0);
        self.behind.clear();
        self.behind.resize(n + 2, end);
        for position in (0..=n).rev() {
            let (from, to) = (self.places[position] as usize, self.places[position + 1] as usize);
            let here = position.checked_sub(1).map_or(start, |at| segment_of(data, self.stops[at]));
            self.behind[position] =
                here.then(model.driving(vehicle.profile, from, to), self.behind[position + 1]);
        }
        self.excess = excess(data, self.vehicle, |key| self.loads[n * keys + key]);
        self.points =
            if n == 0 { 0 } else { points(data, self.vehicle, cost, self.time, n) + self.outside(data) };
    }

    fn outside(&self, data: &Data) -> i64 {
        let weight = data.kinds[self.vehicle].weights.outside;
        if weight == 0 {
            return 0;
        }
        self.stops.iter().map(|stop| outside(data, self.vehicle, *stop)).sum()
    }

    /// Points and penalties.
    pub(super) fn cost(&self, penalties: Penalties) -> i64 {
        if self.stops.is_empty() { 0 } else { self.points + penalties.of(self.time.warp, self.excess) }
    }

    /// Part of the cost that a better order could save at most without driving less.
    pub(super) fn slack(&self, data: &Data, penalties: Penalties) -> i64 {
        let weights = &data.kinds[self.vehicle].weights;
        let waiting = self.waiting * weights.working;
        penalties.of(self.time.warp, self.excess) + waiting
    }
}

impl Penalties {
    /// Points of being late and overloaded.
    #[inline]
    pub(super) fn of(self, warp: i64, excess: i64) -> i64 {
        (warp.saturating_mul(self.warp) + excess.saturating_mul(self.load)) >> 10
    }
}

/// A stop as a segment.
#[inline]
pub(super) fn segment_of(data: &Data, stop: u32) -> Segment {
    let stop = &data.model.stops[stop as usize];
    Segment::stop(stop.earliest, stop.latest, stop.service)
}

/// Points of serving a stop outside the vehicle's territories.
pub(super) fn outside(data: &Data, vehicle: usize, stop: u32) -> i64 {
    if data.model.territory_fits(stop as usize, vehicle) { 0 } else { data.kinds[vehicle].weights.outside }
}

/// Points of a route from its edge cost, its times and its number of stops.
pub(super) fn points(data: &Data, vehicle: usize, edges: i64, time: Segment, stops: usize) -> i64 {
    let kind = &data.kinds[vehicle];
    let weights = &kind.weights;
    let mut points = weights.fixed + edges * kind.scale + weights.drop * i64::from(short(stops));
    if weights.working != 0 {
        points += weights.working * (time.duration - time.warp);
    }
    points
}

/// Load above the best fitting layout, in load units.
#[inline]
pub(super) fn excess(data: &Data, vehicle: usize, load: impl Fn(usize) -> i64) -> i64 {
    let layouts = &data.model.vehicles[vehicle].layouts;
    if layouts.is_empty() || data.model.rules.ignore_capacity {
        return 0;
    }
    let over = |layout: &Vec<(usize, i64)>| -> i64 {
        layout
            .iter()
            .map(|&(key, limit)| (load(key), limit))
            .filter(|(load, limit)| load > limit)
            .map(|(load, limit)| (load - limit).min(i64::from(u32::MAX)) * LOAD_UNIT / limit.max(1) + 1)
            .sum()
    };
    layouts.iter().map(over).min().unwrap_or(0)
}
