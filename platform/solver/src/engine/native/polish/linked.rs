//! A pickup and its delivery, which change their run together.

use super::route::{Route, excess, points, stop_of};
use super::segment::Timed;
use super::{NOWHERE, Polish, aboard};
use crate::engine::native::data::{Data, short};

/// A place for a pickup and its delivery: behind which positions of the run without them.
#[derive(Debug, Clone, Copy)]
struct Place {
    cost: i64,
    route: usize,
    pickup: usize,
    delivery: usize,
}

/// Kept between calls.
#[derive(Debug, Default)]
pub(super) struct Buffers<T> {
    detours: Vec<i64>,
    least: Vec<i64>,
    peaks: Vec<i64>,
    without: Route<T>,
    routes: Vec<usize>,
    /// Positions behind which the pickup, and the delivery, come near another stop.
    beside: [Vec<bool>; 2],
}

/// The other stop of each pickup and delivery that are linked to nothing else; [`NOWHERE`] for all others.
pub(super) fn mates(data: &Data) -> Vec<u32> {
    let mut mates = vec![NOWHERE; data.model.stops.len()];
    for component in data.model.components.iter().filter(|component| !component.cyclic) {
        if let [one, other] = *component.members.as_slice() {
            (mates[one], mates[other]) = (short(other), short(one));
        }
    }
    mates
}

impl<T: Timed> Polish<'_, '_, T> {
    /// Pickup and delivery, in this order.
    fn pair_of(&self, stop: u32) -> Option<[u32; 2]> {
        let mate = self.mates[stop as usize];
        if mate == NOWHERE {
            return None;
        }
        let is_delivery = self.data.model.stops[stop as usize].deliveries.is_empty();
        Some(if is_delivery { [mate, stop] } else { [stop, mate] })
    }

    /// Moves a pickup and its delivery to a better place, in their run or in another near them.
    pub(super) fn move_pair(&mut self, stop: u32, tested: u64) -> bool {
        let Some(pair) = self.pair_of(stop) else { return false };
        let from = self.route_of[stop as usize] as usize;
        if from == NOWHERE as usize || !self.free[stop as usize] || !self.data.active[from] {
            return false;
        }
        let mut buffers = std::mem::take(&mut self.buffers);
        let mut without = std::mem::take(&mut buffers.without);
        without.clone_from(&self.routes[from]);
        without.stops.retain(|stop| !pair.contains(stop));
        without.refresh(self.data);
        let gain = self.routes[from].cost(self.penalties) - without.cost(self.penalties);
        let mut best: Option<Place> = None;
        let mut routes = std::mem::take(&mut buffers.routes);
        self.routes_near(pair, &mut routes);
        let changed = self.last_update[from] > tested;
        for &index in &routes {
            if index == from || !(changed || self.last_update[index] > tested) {
                continue;
            }
            let limit = best.map_or(gain, |best| best.cost);
            best = self.place(pair, index, &self.routes[index], limit, &mut buffers).or(best);
        }
        if changed {
            let limit = best.map_or(gain, |best| best.cost);
            best = self.place(pair, from, &without, limit, &mut buffers).or(best);
            for position in 0..self.empty.len() {
                let index = self.empty[position];
                if self.may_open(index) {
                    let limit = best.map_or(gain, |best| best.cost);
                    best = self.place(pair, index, &self.routes[index], limit, &mut buffers).or(best);
                }
            }
        }
        (buffers.without, buffers.routes) = (without, routes);
        self.buffers = buffers;
        let Some(place) = best else { return false };
        if place.route == from {
            self.edit(from, |stops| {
                stops.retain(|stop| !pair.contains(stop));
                insert(stops, pair, place);
            });
        } else {
            self.edit(from, |stops| stops.retain(|stop| !pair.contains(stop)));
            self.edit(place.route, |stops| insert(stops, pair, place));
        }
        true
    }

    /// Puts a pickup and its delivery where they cost least.
    pub(super) fn put_back_pair(&mut self, stop: u32) {
        let Some(pair) = self.pair_of(stop) else { return };
        let mut buffers = std::mem::take(&mut self.buffers);
        let mut routes = std::mem::take(&mut buffers.routes);
        self.routes_near(pair, &mut routes);
        if !self.closed {
            routes.extend(self.empty.iter().copied().filter(|index| self.may_open(*index)));
        }
        let mut best: Option<Place> = None;
        let among = |polish: &Self, routes: &[usize], buffers: &mut Buffers<T>, best: &mut Option<Place>| {
            for &index in routes {
                let limit = best.map_or(i64::MAX, |best| best.cost);
                *best = polish.place(pair, index, &polish.routes[index], limit, buffers).or(*best);
            }
        };
        among(self, &routes, &mut buffers, &mut best);
        if best.is_none() {
            routes.clear();
            let open = |index: &usize| !self.routes[*index].stops.is_empty() || self.may_open(*index);
            routes.extend((0..self.routes.len()).filter(open));
            among(self, &routes, &mut buffers, &mut best);
        }
        buffers.routes = routes;
        self.buffers = buffers;
        if let Some(place) = best {
            self.edit(place.route, |stops| insert(stops, pair, place));
        }
    }

    /// Used runs of stops near a pickup or its delivery.
    fn routes_near(&self, pair: [u32; 2], found: &mut Vec<usize>) {
        found.clear();
        for stop in pair {
            for &near in &self.near[stop as usize] {
                let route = self.route_of[near as usize] as usize;
                if route != NOWHERE as usize && !found.contains(&route) {
                    found.push(route);
                }
            }
        }
    }

    /// Cheapest place in a run without the pair, if it costs less than the limit.
    fn place(
        &self,
        pair: [u32; 2],
        index: usize,
        route: &Route<T>,
        limit: i64,
        buffers: &mut Buffers<T>,
    ) -> Option<Place> {
        let data = self.data;
        let model = data.model;
        let vehicle = route.vehicle;
        if !data.active[index] || !pair.iter().all(|stop| model.may_serve(*stop as usize, vehicle)) {
            return None;
        }
        let kind = &data.kinds[vehicle];
        let (edges, road) = (&*kind.edges, kind.road());
        let [pickup, delivery] = pair;
        let [place_p, place_d] = pair.map(|stop| data.visits[stop as usize].place as usize);
        let (to_p, from_p) = (edges.to(place_p), edges.from(place_p));
        let (to_d, from_d) = (edges.to(place_d), edges.from(place_d));
        let [served, brought]: [T; 2] = [stop_of(data, pickup), stop_of(data, delivery)];
        let n = route.stops.len();
        let total = route.edges[n + 1];
        let old = route.cost(self.penalties);
        let strange = data.strange(vehicle, pickup) + data.strange(vehicle, delivery);
        let slack = route.slack(data, self.penalties);
        let rate = self.rates[vehicle];
        let opening = if n == 0 { kind.weights.fixed } else { 0 } + strange;
        let hopeless = |detour: i64, broken: i64, best: i64| {
            rate.is_some_and(|rate| detour.saturating_mul(rate) + opening + broken - slack >= best)
        };
        self.beside(pair, index, n, &mut buffers.beside);
        let Buffers { detours, least, peaks, beside: [beside_p, beside_d], .. } = buffers;
        detours.clear();
        detours.extend((0..=n).map(|at| {
            let (before, behind) = (route.places[at] as usize, route.places[at + 1] as usize);
            to_d.cost(before) + from_d.cost(behind) - route.leg(at)
        }));
        least.clone_from(detours);
        for at in (0..n).rev() {
            least[at] = least[at].min(least[at + 1]);
        }
        let mut best = limit;
        let mut found = None;
        for first in (self.floor[index].min(n)..=n).filter(|first| beside_p[*first]) {
            let (a, b) = (route.places[first] as usize, route.places[first + 1] as usize);
            let to = to_p.cost(a);
            let picked = to + from_p.cost(b) - route.leg(first);
            let straight = to + from_p.cost(place_d) + from_d.cost(b) - route.leg(first);
            let further = least.get(first + 1).map_or(i64::MAX, |least| picked + least);
            if hopeless(straight.min(further), 0, best) {
                continue;
            }
            self.peaks(route, pair, peaks);
            let mut run = route.ahead[first].then(to_p.at(a).seconds(), served, road);
            if hopeless(straight.min(further), self.penalties.of(run.whole().warp, 0), best) {
                continue;
            }
            let mut last = place_p;
            for second in first..=n {
                self.carry(route, pickup, second, peaks);
                let detour = if second == first { straight } else { picked + detours[second] };
                let next = route.places[second + 1] as usize;
                if (beside_d[second] || second == first) && !hopeless(detour, 0, best) {
                    let time = run
                        .then(to_d.at(last).seconds(), brought, road)
                        .then(from_d.at(next).seconds(), route.behind[second + 1], road)
                        .whole();
                    let cost = points(data, vehicle, total + detour, time, n + 2)
                        + route.outside
                        + strange
                        + self.penalties.of(time.warp, excess(data, vehicle, |key| peaks[key]))
                        - old;
                    if cost < best {
                        best = cost;
                        found = Some(Place { cost, route: index, pickup: first, delivery: second });
                    }
                }
                if second == n {
                    break;
                }
                let (_, seconds) = edges.way(short(last), route.places[second + 1]);
                run = run.then(seconds, stop_of(data, route.stops[second]), road);
                let broken = self.penalties.of(run.whole().warp, 0);
                if hopeless(picked + least[second + 1], broken, best) {
                    break;
                }
                last = next;
            }
        }
        found
    }

    /// Finds the positions of a run without the pair that are next to near stops of its pickup and its delivery.
    fn beside(&self, pair: [u32; 2], index: usize, n: usize, beside: &mut [Vec<bool>; 2]) {
        let here = |stop: u32| self.route_of[stop as usize] as usize == index;
        let gone = pair.map(|stop| if here(stop) { self.at_of[stop as usize] } else { NOWHERE });
        for (stop, beside) in pair.into_iter().zip(beside) {
            beside.clear();
            beside.resize(n + 1, n < 2);
            for &near in &self.near[stop as usize] {
                if here(near) && !pair.contains(&near) {
                    let at = self.at_of[near as usize];
                    let at = at as usize - gone.iter().filter(|gone| **gone < at).count();
                    beside[at] = true;
                    beside[at - 1] = true;
                }
            }
        }
    }

    /// Most on board of each key, with what a pair adds wherever it is placed.
    fn peaks(&self, route: &Route<T>, pair: [u32; 2], peaks: &mut Vec<i64>) {
        let (data, keys) = (self.data, self.data.model.keys.len());
        let class = data.model.vehicles[route.vehicle].class;
        let n = route.stops.len();
        let loads = route.whole_load(keys);
        peaks.clear();
        peaks.extend((0..keys).map(|key| {
            if aboard::varies(data) {
                return route.aboard[n * keys + key].peak();
            }
            let added = pair.map(|stop| data.model.amounts(class, stop as usize)[key]);
            loads[key] + added[0] + added[1]
        }));
    }

    /// Counts the goods of a pickup as on board behind a position.
    fn carry(&self, route: &Route<T>, pickup: u32, at: usize, peaks: &mut [i64]) {
        if !aboard::varies(self.data) {
            return;
        }
        let (model, keys) = (self.data.model, peaks.len());
        let goods = model.changes(model.vehicles[route.vehicle].class, pickup as usize);
        let n = route.stops.len();
        for (key, peak) in peaks.iter_mut().enumerate() {
            let level = route.aboard[n * keys + key].loaded + route.aboard[at * keys + key].change;
            *peak = (*peak).max(level + goods[key]);
        }
    }
}

fn insert(stops: &mut Vec<u32>, [pickup, delivery]: [u32; 2], place: Place) {
    stops.insert(place.delivery, delivery);
    stops.insert(place.pickup, pickup);
}
