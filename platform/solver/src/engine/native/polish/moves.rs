//! Moves between two routes and within one, evaluated from segments.

use super::Polish;
use super::route::{Route, excess, outside, points, segment_of};
use super::segment::Segment;
use crate::engine::native::data::Data;

/// Most stops moved together.
const CHAIN: usize = 2;

/// A part of a new route.
enum Piece<'r> {
    /// From the start of a route up to a position.
    Ahead(&'r Route, usize),
    /// Stops one by one.
    Stops(&'r [u32]),
    /// From a position of a route of the same kind to the end.
    Behind(&'r Route, usize),
}

/// Adds up a route from pieces.
struct Sum<'d, 'm> {
    data: &'d Data<'m>,
    vehicle: usize,
    edges: i64,
    time: Segment,
    last: u32,
    count: usize,
}

impl<'d, 'm> Sum<'d, 'm> {
    fn of(data: &'d Data<'m>, vehicle: usize, pieces: &[Piece]) -> Self {
        let mut sum = Self { data, vehicle, edges: 0, time: Segment::default(), last: u32::MAX, count: 0 };
        for piece in pieces {
            match *piece {
                Piece::Ahead(route, to) => {
                    sum.edges = route.edges[to];
                    sum.time = route.ahead[to];
                    sum.last = route.places[to];
                    sum.count = to;
                }
                Piece::Stops(stops) => {
                    for &stop in stops {
                        let place = data.model.stops[stop as usize].place;
                        sum.join(place, segment_of(data, stop));
                        sum.count += 1;
                    }
                }
                Piece::Behind(route, from) => {
                    sum.join(route.places[from] as usize, route.behind[from]);
                    sum.edges += route.edges[route.stops.len() + 1] - route.edges[from];
                    sum.count += route.stops.len() + 1 - from;
                }
            }
        }
        sum
    }

    fn join(&mut self, place: usize, segment: Segment) {
        let model = self.data.model;
        let way = model.driving(model.vehicles[self.vehicle].profile, self.last as usize, place);
        self.edges += i64::from(self.data.kinds[self.vehicle].edges.from(self.last as usize)[place]);
        self.time = self.time.then(way, segment);
        self.last = u32::try_from(place).unwrap_or(u32::MAX);
    }

    fn points(&self) -> i64 {
        if self.count == 0 { 0 } else { points(self.data, self.vehicle, self.edges, self.time, self.count) }
    }
}

impl Polish<'_, '_> {
    /// Tries every move that joins `u` to `v`, a stop or (position 0) the start of a route. Applies the first
    /// that improves.
    pub(super) fn join(&mut self, u: u32, route_v: usize, at_v: usize) -> bool {
        let (route_u, at_u) = (self.route_of[u as usize] as usize, self.at_of[u as usize] as usize);
        if route_u == route_v {
            return self.within(route_u, at_u, at_v);
        }
        for length in 1..=CHAIN {
            if self.relocate(route_u, at_u, length, route_v, at_v) {
                return true;
            }
        }
        if at_v > 0 {
            for (first, second) in [(1, 1), (2, 1), (2, 2)] {
                if self.swap(route_u, at_u, first, route_v, at_v, second) {
                    return true;
                }
            }
        }
        self.swap_tails(route_u, at_u, route_v, at_v)
    }

    /// Stops `at..at + length` of a route, when there are as many.
    fn chain(&self, route: usize, at: usize, length: usize) -> Option<&[u32]> {
        self.routes[route].stops.get(at - 1..at - 1 + length)
    }

    fn edge(&self, route: usize, from: u32, to: u32) -> i64 {
        i64::from(self.data.kinds[self.routes[route].vehicle].edges.from(from as usize)[to as usize])
    }

    /// Cost of the edges of a chain inside a route of the same or another kind.
    fn inner(&self, route: usize, stops: &[u32]) -> i64 {
        stops.windows(2).map(|pair| self.edge(route, self.place(pair[0]), self.place(pair[1]))).sum()
    }

    fn place(&self, stop: u32) -> u32 {
        u32::try_from(self.data.model.stops[stop as usize].place).unwrap_or(u32::MAX)
    }

    /// Whether a change of edge costs can still improve after what penalties and waiting may give back.
    fn hopeless(&self, route_u: usize, route_v: usize, edges_u: i64, edges_v: i64) -> bool {
        let (a, b) = (self.routes[route_u].vehicle, self.routes[route_v].vehicle);
        let (Some(rate_a), Some(rate_b)) = (self.rates[a], self.rates[b]) else { return false };
        edges_u * rate_a + edges_v * rate_b >= self.slack[route_u] + self.slack[route_v]
    }

    /// Moves a chain of `u` behind position `at_v` of another route.
    fn relocate(&mut self, route_u: usize, at_u: usize, length: usize, route_v: usize, at_v: usize) -> bool {
        let Some(chain) = self.chain(route_u, at_u, length) else { return false };
        let (ru, rv) = (&self.routes[route_u], &self.routes[route_v]);
        let (first, last) = (ru.places[at_u], ru.places[at_u + length - 1]);
        let (before, after) = (ru.places[at_u - 1], ru.places[at_u + length]);
        let (left, right) = (rv.places[at_v], rv.places[at_v + 1]);
        let taken = self.edge(route_u, before, after) - (ru.edges[at_u + length] - ru.edges[at_u - 1]);
        let given =
            self.edge(route_v, left, first) + self.inner(route_v, chain) + self.edge(route_v, last, right)
                - self.edge(route_v, left, right);
        let fixed = self.opening(route_v) - self.closing(route_u, length);
        let vehicle_v = rv.vehicle;
        if self.hopeless_with(route_u, route_v, taken, given, fixed)
            || !chain.iter().all(|stop| self.data.model.may_serve(*stop as usize, vehicle_v))
        {
            return false;
        }
        let data = self.data;
        let new_u =
            Sum::of(data, ru.vehicle, &[Piece::Ahead(ru, at_u - 1), Piece::Behind(ru, at_u + length)]);
        let new_v = Sum::of(
            data,
            rv.vehicle,
            &[Piece::Ahead(rv, at_v), Piece::Stops(chain), Piece::Behind(rv, at_v + 1)],
        );
        let delta = self.delta(route_u, route_v, &new_u, &new_v, chain, &[]);
        if delta >= 0 {
            return false;
        }
        let moved: Vec<u32> = chain.to_vec();
        self.edit(route_u, |stops| {
            stops.drain(at_u - 1..at_u - 1 + length);
        });
        self.edit(route_v, |stops| {
            stops.splice(at_v..at_v, moved);
        });
        true
    }

    /// Exchanges a chain of `u` with one of `v`.
    fn swap(
        &mut self,
        route_u: usize,
        at_u: usize,
        first: usize,
        route_v: usize,
        at_v: usize,
        second: usize,
    ) -> bool {
        let (Some(mine), Some(other)) = (self.chain(route_u, at_u, first), self.chain(route_v, at_v, second))
        else {
            return false;
        };
        let (ru, rv) = (&self.routes[route_u], &self.routes[route_v]);
        let around =
            |route: &Route, at: usize, length: usize| (route.places[at - 1], route.places[at + length]);
        let ((left_u, right_u), (left_v, right_v)) = (around(ru, at_u, first), around(rv, at_v, second));
        let replaced = |route: usize, left: u32, chain: &[u32], right: u32| {
            let (head, tail) = (self.place(chain[0]), self.place(chain[chain.len() - 1]));
            self.edge(route, left, head) + self.inner(route, chain) + self.edge(route, tail, right)
        };
        let change_u =
            replaced(route_u, left_u, other, right_u) - (ru.edges[at_u + first] - ru.edges[at_u - 1]);
        let change_v =
            replaced(route_v, left_v, mine, right_v) - (rv.edges[at_v + second] - rv.edges[at_v - 1]);
        if self.hopeless(route_u, route_v, change_u, change_v) {
            return false;
        }
        let model = self.data.model;
        let (vehicle_u, vehicle_v) = (ru.vehicle, rv.vehicle);
        if !mine.iter().all(|stop| model.may_serve(*stop as usize, vehicle_v))
            || !other.iter().all(|stop| model.may_serve(*stop as usize, vehicle_u))
        {
            return false;
        }
        let data = self.data;
        let pieces_u = [Piece::Ahead(ru, at_u - 1), Piece::Stops(other), Piece::Behind(ru, at_u + first)];
        let pieces_v = [Piece::Ahead(rv, at_v - 1), Piece::Stops(mine), Piece::Behind(rv, at_v + second)];
        let (new_u, new_v) = (Sum::of(data, vehicle_u, &pieces_u), Sum::of(data, vehicle_v, &pieces_v));
        if self.delta(route_u, route_v, &new_u, &new_v, mine, other) >= 0 {
            return false;
        }
        let (mine, other) = (mine.to_vec(), other.to_vec());
        self.edit(route_u, |stops| {
            stops.splice(at_u - 1..at_u - 1 + first, other);
        });
        self.edit(route_v, |stops| {
            stops.splice(at_v - 1..at_v - 1 + second, mine);
        });
        true
    }

    /// Joins `u` to `v` and the stop before `v` to the stop behind `u`: the routes exchange their ends. At the
    /// start of `v`'s route its whole content follows `u`.
    fn swap_tails(&mut self, route_u: usize, at_u: usize, route_v: usize, at_v: usize) -> bool {
        let (ru, rv) = (&self.routes[route_u], &self.routes[route_v]);
        if self.class[ru.vehicle] != self.class[rv.vehicle] {
            return false;
        }
        let cut = at_v.max(1);
        if cut > rv.stops.len() && at_u == ru.stops.len() {
            return false;
        }
        let (before_v, here_v) = (rv.places[cut - 1], rv.places[cut]);
        let (here_u, after_u) = (ru.places[at_u], ru.places[at_u + 1]);
        let whole = |route: &Route| route.edges[route.stops.len() + 1];
        let edges_u =
            ru.edges[at_u] + self.edge(route_u, here_u, here_v) + whole(rv) - rv.edges[cut] - whole(ru);
        let edges_v = rv.edges[cut - 1] + self.edge(route_v, before_v, after_u) + whole(ru)
            - ru.edges[at_u + 1]
            - whole(rv);
        let becomes_empty = cut == 1 && at_u == ru.stops.len();
        let fixed =
            self.opening(route_v) - if becomes_empty { self.data.kinds[rv.vehicle].weights.fixed } else { 0 };
        if self.hopeless_with(route_u, route_v, edges_u, edges_v, fixed) {
            return false;
        }
        let data = self.data;
        let (vehicle_u, vehicle_v) = (ru.vehicle, rv.vehicle);
        let new_u = Sum::of(data, vehicle_u, &[Piece::Ahead(ru, at_u), Piece::Behind(rv, cut)]);
        let new_v = Sum::of(data, vehicle_v, &[Piece::Ahead(rv, cut - 1), Piece::Behind(ru, at_u + 1)]);
        let (mine, other) = (&ru.stops[at_u..], &rv.stops[cut - 1..]);
        let model = data.model;
        if self.delta_tails(route_u, at_u, route_v, cut - 1, &new_u, &new_v) >= 0
            || (data.twin[vehicle_u] != data.twin[vehicle_v]
                && (!mine.iter().all(|stop| model.may_serve(*stop as usize, vehicle_v))
                    || !other.iter().all(|stop| model.may_serve(*stop as usize, vehicle_u))))
        {
            return false;
        }
        let (mine, other) = (mine.to_vec(), other.to_vec());
        self.edit(route_u, |stops| {
            stops.truncate(at_u);
            stops.extend(other);
        });
        self.edit(route_v, |stops| {
            stops.truncate(cut - 1);
            stops.extend(mine);
        });
        true
    }

    fn opening(&self, route: usize) -> i64 {
        let route = &self.routes[route];
        if route.stops.is_empty() { self.data.kinds[route.vehicle].weights.fixed } else { 0 }
    }

    fn closing(&self, route: usize, taken: usize) -> i64 {
        let route = &self.routes[route];
        if route.stops.len() == taken { self.data.kinds[route.vehicle].weights.fixed } else { 0 }
    }

    fn hopeless_with(&self, route_u: usize, route_v: usize, edges_u: i64, edges_v: i64, fixed: i64) -> bool {
        let (a, b) = (self.routes[route_u].vehicle, self.routes[route_v].vehicle);
        let (Some(rate_a), Some(rate_b)) = (self.rates[a], self.rates[b]) else { return false };
        edges_u * rate_a + edges_v * rate_b + fixed >= self.slack[route_u] + self.slack[route_v]
    }

    /// Change of the cost when `mine` leaves u's route for v's and `other` goes the other way.
    fn delta(
        &self,
        route_u: usize,
        route_v: usize,
        new_u: &Sum,
        new_v: &Sum,
        mine: &[u32],
        other: &[u32],
    ) -> i64 {
        let load = |route: usize, gone: &[u32], come: &[u32]| {
            let route = &self.routes[route];
            let (model, keys) = (self.data.model, self.data.model.keys.len());
            let class = model.vehicles[route.vehicle].class;
            let sum = |stops: &[u32], key: usize| -> i64 {
                stops.iter().map(|stop| model.amounts(class, *stop as usize)[key]).sum()
            };
            excess(self.data, route.vehicle, |key| {
                route.loads[route.stops.len() * keys + key] - sum(gone, key) + sum(come, key)
            })
        };
        let excess_u = load(route_u, mine, other);
        let excess_v = load(route_v, other, mine);
        self.difference(route_u, route_v, new_u, new_v, excess_u, excess_v)
            + self.outside_change(route_u, route_v, mine)
            + self.outside_change(route_v, route_u, other)
    }

    fn delta_tails(
        &self,
        route_u: usize,
        at_u: usize,
        route_v: usize,
        at_v: usize,
        new_u: &Sum,
        new_v: &Sum,
    ) -> i64 {
        let keys = self.data.model.keys.len();
        let (ru, rv) = (&self.routes[route_u], &self.routes[route_v]);
        let tail = |route: &Route, at: usize, key: usize| {
            route.loads[route.stops.len() * keys + key] - route.loads[at * keys + key]
        };
        let excess_u = excess(self.data, ru.vehicle, |key| ru.loads[at_u * keys + key] + tail(rv, at_v, key));
        let excess_v = excess(self.data, rv.vehicle, |key| rv.loads[at_v * keys + key] + tail(ru, at_u, key));
        self.difference(route_u, route_v, new_u, new_v, excess_u, excess_v)
            + self.outside_change(route_u, route_v, &ru.stops[at_u..])
            + self.outside_change(route_v, route_u, &rv.stops[at_v..])
    }

    /// Points of stops lying outside the territories, when they change vehicles.
    fn outside_change(&self, from: usize, to: usize, stops: &[u32]) -> i64 {
        let (from, to) = (self.routes[from].vehicle, self.routes[to].vehicle);
        if self.data.kinds[from].weights.outside == 0 || self.data.twin[from] == self.data.twin[to] {
            return 0;
        }
        stops.iter().map(|stop| outside(self.data, to, *stop) - outside(self.data, from, *stop)).sum()
    }

    fn difference(
        &self,
        route_u: usize,
        route_v: usize,
        new_u: &Sum,
        new_v: &Sum,
        excess_u: i64,
        excess_v: i64,
    ) -> i64 {
        let cost = |new: &Sum, excess: i64| {
            if new.count == 0 { 0 } else { new.points() + self.penalties.of(new.time.warp, excess) }
        };
        let old = |route: usize| {
            let route = &self.routes[route];
            if route.stops.is_empty() {
                0
            } else {
                points(
                    self.data,
                    route.vehicle,
                    route.edges[route.stops.len() + 1],
                    route.time,
                    route.stops.len(),
                ) + self.penalties.of(route.time.warp, route.excess)
            }
        };
        cost(new_u, excess_u) + cost(new_v, excess_v) - old(route_u) - old(route_v)
    }

    /// Moves inside one route: a chain behind another stop, two stops exchanged, a part turned round.
    fn within(&mut self, index: usize, at_u: usize, at_v: usize) -> bool {
        for length in 1..=CHAIN {
            if at_u + length - 1 > self.routes[index].stops.len() || (at_u..at_u + length).contains(&at_v) {
                break;
            }
            if at_v + 1 != at_u && self.shift(index, at_u, length, at_v) {
                return true;
            }
        }
        at_v > 0 && (self.exchange(index, at_u, at_v) || self.turn(index, at_u, at_v))
    }

    fn shift(&mut self, index: usize, at_u: usize, length: usize, at_v: usize) -> bool {
        let route = &self.routes[index];
        let (first, last) = (route.places[at_u], route.places[at_u + length - 1]);
        let (before, after) = (route.places[at_u - 1], route.places[at_u + length]);
        let (left, right) = (route.places[at_v], route.places[at_v + 1]);
        let change =
            self.edge(index, before, after) + self.edge(index, left, first) + self.edge(index, last, right)
                - self.edge(index, before, first)
                - self.edge(index, last, after)
                - self.edge(index, left, right);
        if self.hopeless_within(index, change) {
            return false;
        }
        let chain = &route.stops[at_u - 1..at_u - 1 + length];
        let pieces = if at_v < at_u {
            [
                Piece::Ahead(route, at_v),
                Piece::Stops(chain),
                Piece::Stops(&route.stops[at_v..at_u - 1]),
                Piece::Behind(route, at_u + length),
            ]
        } else {
            [
                Piece::Ahead(route, at_u - 1),
                Piece::Stops(&route.stops[at_u - 1 + length..at_v]),
                Piece::Stops(chain),
                Piece::Behind(route, at_v + 1),
            ]
        };
        if self.gain_within(index, &pieces) >= 0 {
            return false;
        }
        self.edit(index, |stops| {
            if at_v < at_u {
                stops[at_v..at_u - 1 + length].rotate_right(length);
            } else {
                stops[at_u - 1..at_v].rotate_left(length);
            }
        });
        true
    }

    fn exchange(&mut self, index: usize, at_u: usize, at_v: usize) -> bool {
        let (low, high) = (at_u.min(at_v), at_u.max(at_v));
        if high < low + 2 {
            return false;
        }
        let route = &self.routes[index];
        let place = |at: usize| route.places[at];
        let edge = |from: usize, to: usize| self.edge(index, place(from), place(to));
        let change = edge(low - 1, high) + edge(high, low + 1) + edge(high - 1, low) + edge(low, high + 1)
            - edge(low - 1, low)
            - edge(low, low + 1)
            - edge(high - 1, high)
            - edge(high, high + 1);
        if self.hopeless_within(index, change) {
            return false;
        }
        let stops = &route.stops;
        let pieces = [
            Piece::Ahead(route, low - 1),
            Piece::Stops(&stops[high - 1..high]),
            Piece::Stops(&stops[low..high - 1]),
            Piece::Stops(&stops[low - 1..low]),
            Piece::Behind(route, high + 1),
        ];
        if self.gain_within(index, &pieces) >= 0 {
            return false;
        }
        self.edit(index, |stops| stops.swap(low - 1, high - 1));
        true
    }

    /// Joins `u` to `v` by turning what lies between them round.
    fn turn(&mut self, index: usize, at_u: usize, at_v: usize) -> bool {
        let (low, high) = (at_u.min(at_v) + 1, at_u.max(at_v));
        if high <= low || !self.symmetric[self.routes[index].vehicle] {
            return false;
        }
        let route = &self.routes[index];
        let edge = |from: usize, to: usize| self.edge(index, route.places[from], route.places[to]);
        let change = edge(low - 1, high) + edge(low, high + 1) - edge(low - 1, low) - edge(high, high + 1);
        if self.hopeless_within(index, change) {
            return false;
        }
        let turned: Vec<u32> = route.stops[low - 1..high].iter().rev().copied().collect();
        let pieces = [Piece::Ahead(route, low - 1), Piece::Stops(&turned), Piece::Behind(route, high + 1)];
        if self.gain_within(index, &pieces) >= 0 {
            return false;
        }
        self.edit(index, |stops| stops[low - 1..high].reverse());
        true
    }

    fn hopeless_within(&self, index: usize, change: i64) -> bool {
        self.rates[self.routes[index].vehicle].is_some_and(|rate| change * rate >= self.slack[index])
    }

    fn gain_within(&self, index: usize, pieces: &[Piece]) -> i64 {
        let route = &self.routes[index];
        let new = Sum::of(self.data, route.vehicle, pieces);
        let old = points(
            self.data,
            route.vehicle,
            route.edges[route.stops.len() + 1],
            route.time,
            route.stops.len(),
        );
        new.points() - old + self.penalties.of(new.time.warp, 0) - self.penalties.of(route.time.warp, 0)
    }
}
