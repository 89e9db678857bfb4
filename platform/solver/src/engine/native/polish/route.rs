//! One vehicle's route with segments from both sides.

use super::aboard::{self, Aboard};
use super::segment::{Segment, Timed};
use crate::engine::native::data::{Data, short};
use crate::timing::span;
use crate::traffic::Road;

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
pub(super) struct Route<T> {
    pub(super) vehicle: usize,
    /// Stops in order; position p of a route is `stops[p - 1]`, 0 is the start, `stops.len() + 1` the end.
    pub(super) stops: Vec<u32>,
    /// Place of each position.
    pub(super) places: Vec<u32>,
    /// Edge cost from the start up to each position.
    pub(super) edges: Vec<i64>,
    /// Times from the start up to each position.
    pub(super) ahead: Vec<T>,
    /// Times from each position to the end.
    pub(super) behind: Vec<T>,
    /// Amounts up to each position, per key.
    pub(super) loads: Vec<i64>,
    /// Goods on board from the start up to each position and from each position to the end, per key; empty unless the
    /// load changes on the way.
    pub(super) aboard: Vec<Aboard>,
    pub(super) rest: Vec<Aboard>,
    /// Links begun and not ended behind each position; empty where nothing is linked.
    pub(super) open: Vec<u32>,
    pub(super) time: Segment,
    pub(super) excess: i64,
    /// Seconds of waiting.
    pub(super) waiting: i64,
    /// Points without penalties.
    pub(super) points: i64,
    /// Those among them of stops outside the vehicle's territories.
    pub(super) outside: i64,
}

impl<T: Timed> Route<T> {
    pub(super) fn new(data: &Data, vehicle: usize, stops: &[usize]) -> Self {
        let mut route =
            Self { vehicle, stops: stops.iter().map(|stop| short(*stop)).collect(), ..Self::default() };
        route.refresh(data);
        route
    }

    /// Cost of the edge from a position to the next.
    #[inline]
    pub(super) fn leg(&self, at: usize) -> i64 {
        self.edges[at + 1] - self.edges[at]
    }

    /// Amounts of all its stops, per key.
    #[inline]
    pub(super) fn whole_load(&self, keys: usize) -> &[i64] {
        &self.loads[self.stops.len() * keys..]
    }

    /// Recalculates everything after the stops changed.
    pub(super) fn refresh(&mut self, data: &Data) {
        let model = data.model;
        let vehicle = &model.vehicles[self.vehicle];
        let edges = &data.kinds[self.vehicle].edges;
        let (lunch, road) = (vehicle.lunch, data.kinds[self.vehicle].road());
        let n = self.stops.len();
        let keys = model.keys.len();
        // What the times of a whole run are where its ways take as long as traffic lets them; `None` when it is late then.
        let span = road.clock.and_then(|_| span(model, self.vehicle, &self.stops));
        let leave = span.map_or(vehicle.depart_earliest, |(leave, _)| leave);
        let start = T::stop(vehicle.depart_earliest, vehicle.depart_latest, 0).left(leave);
        let end = T::end(vehicle.depart_earliest, vehicle.shift_end, lunch);
        self.places.clear();
        self.places.push(short(vehicle.start));
        self.places.extend(self.stops.iter().map(|stop| data.visits[*stop as usize].place));
        self.places.push(short(vehicle.end));
        self.ahead.clear();
        self.ahead.push(start);
        self.behind.clear();
        self.behind.resize(n + 2, end);
        self.edges.clear();
        self.edges.push(0);
        self.loads.clear();
        self.loads.resize(keys, 0);
        let (mut joined, mut cost, mut busy) = (start, 0, 0);
        for position in 1..=n + 1 {
            let (edge, driving) = edges.way(self.places[position - 1], self.places[position]);
            cost += edge;
            self.edges.push(cost);
            let stop = self.stops.get(position - 1).copied();
            let next = stop.map_or(end, |stop| stop_of(data, stop));
            busy += driven(joined, driving, road) + stop.map_or(0, |stop| data.visits[stop as usize].service);
            joined = joined.then(driving, next, road);
            self.ahead.push(joined);
            if let Some(stop) = stop {
                let amounts = model.amounts(vehicle.class, stop as usize);
                for amount in amounts {
                    self.loads.push(self.loads[self.loads.len() - keys] + amount);
                }
            }
        }
        self.time = joined.whole();
        if road.clock.is_some() {
            self.time = match span {
                Some((leave, end)) => Segment { duration: end - leave, warp: 0, early: leave, late: leave },
                None => Segment { warp: self.time.warp.max(1), ..self.time },
            };
        }
        busy += lunch.filter(|_| joined.rests()).map_or(0, |lunch| lunch.duration);
        self.waiting = (self.time.duration - self.time.warp - busy).max(0);
        for position in (1..=n).rev() {
            let (_, driving) = edges.way(self.places[position], self.places[position + 1]);
            let here = stop_of::<T>(data, self.stops[position - 1]).left(self.ahead[position].gone());
            self.behind[position] = here.then(driving, self.behind[position + 1], road);
        }
        self.refresh_open(data);
        self.refresh_aboard(data);
        self.excess = if aboard::varies(data) {
            excess(data, self.vehicle, |key| self.aboard[n * keys + key].peak())
        } else {
            let loads = self.whole_load(keys);
            excess(data, self.vehicle, |key| loads[key])
        };
        self.outside = self.outside(data);
        self.points = if n == 0 { 0 } else { points(data, self.vehicle, cost, self.time, n) + self.outside };
    }

    fn refresh_aboard(&mut self, data: &Data) {
        self.aboard.clear();
        self.rest.clear();
        if !aboard::varies(data) {
            return;
        }
        let (n, keys) = (self.stops.len(), data.model.keys.len());
        let class = data.model.vehicles[self.vehicle].class;
        self.aboard.resize((n + 1) * keys, Aboard::default());
        self.rest.resize((n + 2) * keys, Aboard::default());
        for key in 0..keys {
            for at in 1..=n {
                let here = Aboard::stop(data, class, self.stops[at - 1], key);
                self.aboard[at * keys + key] = self.aboard[(at - 1) * keys + key].then(here);
            }
            for at in (1..=n).rev() {
                let here = Aboard::stop(data, class, self.stops[at - 1], key);
                self.rest[at * keys + key] = here.then(self.rest[(at + 1) * keys + key]);
            }
        }
    }

    fn refresh_open(&mut self, data: &Data) {
        let model = data.model;
        self.open.clear();
        if model.components.is_empty() {
            return;
        }
        let mut open = 0;
        self.open.push(open);
        for &stop in &self.stops {
            let stop = &model.stops[stop as usize];
            open = (open + short(stop.deliveries.len())).saturating_sub(short(stop.pickups.len()));
            self.open.push(open);
        }
    }

    /// Whether no link spans the way behind a position.
    pub(super) fn is_closed(&self, at: usize) -> bool {
        self.open.get(at).is_none_or(|open| *open == 0)
    }

    fn outside(&self, data: &Data) -> i64 {
        if !data.has_strange(self.vehicle) {
            return 0;
        }
        self.stops.iter().map(|stop| data.strange(self.vehicle, *stop)).sum()
    }

    /// Points and penalties.
    pub(super) fn cost(&self, penalties: Penalties) -> i64 {
        if self.stops.is_empty() { 0 } else { self.points + penalties.of(self.time.warp, self.excess) }
    }

    /// Points without those of stops outside territories.
    pub(super) fn points_inside(&self) -> i64 {
        self.points - self.outside
    }

    /// Part of the cost that a better order could save at most without driving less. That a run may become so short that it
    /// needs no break is left out: with half an hour to be saved in every run no move could be dropped by its edges.
    pub(super) fn slack(&self, data: &Data, penalties: Penalties) -> i64 {
        let weights = &data.kinds[self.vehicle].weights;
        let waiting = self.waiting * weights.working;
        penalties.of(self.time.warp, self.excess) + waiting + self.outside + self.other_hours(data)
    }

    /// About what a stop could save by being served at another hour of traffic.
    fn other_hours(&self, data: &Data) -> i64 {
        let kind = &data.kinds[self.vehicle];
        let Some(clock) = kind.clock.as_deref().filter(|_| !self.stops.is_empty()) else { return 0 };
        let profile = data.model.vehicles[self.vehicle].profile;
        let ways = self.places.windows(2);
        let driving: i64 =
            ways.map(|way| data.model.driving(profile, way[0] as usize, way[1] as usize).min(1 << 20)).sum();
        let around_one = 2 * driving / i64::from(short(self.stops.len()) + 1);
        around_one * clock.spread() / 1000 * kind.weights.working
    }
}

/// Seconds that a way takes behind a part of a run.
#[inline]
fn driven<T: Timed>(part: T, way: i64, road: Road) -> i64 {
    if road.clock.is_some() { road.arrive(part.gone(), way) - part.gone() } else { way }
}

impl Penalties {
    /// Points of being late and overloaded.
    #[inline]
    pub(super) fn of(self, warp: i64, excess: i64) -> i64 {
        (warp.saturating_mul(self.warp) + excess.saturating_mul(self.load)) >> 10
    }
}

/// A stop as a part of a run.
#[inline]
pub(super) fn stop_of<T: Timed>(data: &Data, stop: u32) -> T {
    let visit = &data.visits[stop as usize];
    T::stop(visit.earliest, visit.latest, visit.service)
}

/// Points of a route from its edge cost, its times and its number of stops.
pub(super) fn points(data: &Data, vehicle: usize, edges: i64, time: Segment, stops: usize) -> i64 {
    let kind = &data.kinds[vehicle];
    let weights = &kind.weights;
    let mut points = weights.fixed + edges * kind.scale + weights.drop * i64::from(short(stops));
    if weights.working != 0 {
        points += weights.working * (time.duration - time.warp);
    }
    if weights.balance != 0 {
        let duration = time.duration - time.warp;
        points += weights.balance * (duration * duration / crate::objective::BALANCE_SCALE);
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
    // Loops, as the closure is not inlined into chains of iterators.
    let mut least = i64::MAX;
    for layout in layouts {
        let mut over = 0;
        for &(key, limit) in layout {
            let load = load(key);
            if load > limit {
                over += (load - limit).min(i64::from(u32::MAX)) * LOAD_UNIT / limit.max(1) + 1;
            }
        }
        least = least.min(over);
    }
    least
}
