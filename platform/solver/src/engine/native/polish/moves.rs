//! Moves between two routes and within one, evaluated from segments.

use super::route::{Route, excess};
use super::segment::Timed;
use super::sum::{Piece, Sum};
use super::{Polish, aboard};
use crate::engine::native::edges::Edges;

/// Most stops moved together.
pub(super) const CHAIN: usize = 2;

/// Bit of the exchange of ends among the moves that may improve.
pub(super) const TAILS: u8 = 32;

/// A move between two routes that improves.
enum Between {
    /// A chain of so many stops from `u` on goes behind `v`.
    Relocate(usize),
    /// Chains of so many stops from `u` and from `v` on change places.
    Swap(usize, usize),
    /// What begins with the stop at the position follows `u`, what followed `u` takes its place.
    Tails(usize),
}

/// Two routes and a position in each, with what every move between them needs.
struct Pair<'r, T> {
    u: usize,
    v: usize,
    at_u: usize,
    at_v: usize,
    ru: &'r Route<T>,
    rv: &'r Route<T>,
    edges_u: &'r Edges,
    edges_v: &'r Edges,
    rates: Option<(i64, i64)>,
    slack_u: i64,
    slack_v: i64,
    /// Both routes cost the same per edge.
    alike: bool,
}

/// What is known of a move before both runs are added up: for u's run and for v's.
struct Moving<'r> {
    /// Stops that go to the other run.
    mine: &'r [u32],
    other: &'r [u32],
    /// Change of the edge costs.
    edges: (i64, i64),
    /// Points of a run that comes into use or goes out of it.
    fixed: (i64, i64),
    /// Load above the limits afterwards.
    excess: (i64, i64),
}

impl<T> Pair<'_, T> {
    /// Whether a change of edge costs cannot improve even if all penalties and waiting were saved.
    #[inline]
    fn hopeless(&self, edges_u: i64, edges_v: i64, fixed: i64) -> bool {
        let slack = self.slack_u + self.slack_v;
        self.rates.is_some_and(|(rate_u, rate_v)| edges_u * rate_u + edges_v * rate_v + fixed >= slack)
    }

    /// The same when it is known what `u`'s run costs more.
    #[inline]
    fn hopeless_behind(&self, change_u: i64, edges_v: i64, fixed_v: i64) -> bool {
        self.rates.is_some_and(|(_, rate_v)| change_u + edges_v * rate_v + fixed_v >= self.slack_v)
    }
}

impl<T: Timed> Polish<'_, '_, T> {
    /// Tries the hopeful moves that join `u` to `v`, a stop of another route or (position 0) its start. Applies
    /// the first that improves.
    pub(super) fn join(&mut self, u: u32, route_v: usize, at_v: usize, hopeful: u8) -> bool {
        let (route_u, at_u) = (self.route_of[u as usize] as usize, self.at_of[u as usize] as usize);
        let (ru, rv) = (&self.routes[route_u], &self.routes[route_v]);
        let (edges_u, edges_v) = (&*self.data.kinds[route_u].edges, &*self.data.kinds[route_v].edges);
        let pair = Pair {
            u: route_u,
            v: route_v,
            at_u,
            at_v,
            ru,
            rv,
            edges_u,
            edges_v,
            rates: self.rates[route_u].zip(self.rates[route_v]),
            slack_u: self.slack[route_u],
            slack_v: self.slack[route_v],
            alike: std::ptr::eq(edges_u, edges_v),
        };
        if rv.stops.is_empty() && !self.may_open(route_v) {
            return false;
        }
        let Some(found) = self.between(&pair, hopeful) else { return false };
        self.apply(route_u, at_u, route_v, at_v, &found);
        true
    }

    fn between(&self, pair: &Pair<T>, hopeful: u8) -> Option<Between> {
        let (floor_u, floor_v) = (self.floor[pair.u], self.floor[pair.v]);
        if pair.at_u <= floor_u || pair.at_v < floor_v {
            return (pair.at_u >= floor_u
                && pair.at_v.max(1) > floor_v
                && self.swap_tails(pair, pair.at_v.max(1)))
            .then_some(Between::Tails(pair.at_v.max(1)));
        }
        for length in 1..=CHAIN {
            if hopeful & (1 << (length - 1)) != 0 && self.relocate(pair, length) {
                return Some(Between::Relocate(length));
            }
        }
        if pair.at_v > floor_v {
            for (index, (first, second)) in [(1, 1), (2, 1), (2, 2)].into_iter().enumerate() {
                if hopeful & (4 << index) != 0 && self.swap(pair, first, second) {
                    return Some(Between::Swap(first, second));
                }
            }
        }
        let cut = pair.at_v.max(1);
        (hopeful & TAILS != 0 && cut > floor_v && self.swap_tails(pair, cut)).then_some(Between::Tails(cut))
    }

    fn apply(&mut self, route_u: usize, at_u: usize, route_v: usize, at_v: usize, found: &Between) {
        let of = |polish: &Self, route: usize, from: usize, to: usize| {
            polish.routes[route].stops[from..to].to_vec()
        };
        match *found {
            Between::Relocate(length) => {
                let chain = of(self, route_u, at_u - 1, at_u - 1 + length);
                self.edit(route_u, |stops| {
                    stops.drain(at_u - 1..at_u - 1 + length);
                });
                self.edit(route_v, |stops| {
                    stops.splice(at_v..at_v, chain);
                });
            }
            Between::Swap(first, second) => {
                let mine = of(self, route_u, at_u - 1, at_u - 1 + first);
                let other = of(self, route_v, at_v - 1, at_v - 1 + second);
                self.edit(route_u, |stops| {
                    stops.splice(at_u - 1..at_u - 1 + first, other);
                });
                self.edit(route_v, |stops| {
                    stops.splice(at_v - 1..at_v - 1 + second, mine);
                });
            }
            Between::Tails(cut) => {
                let mine = of(self, route_u, at_u, self.routes[route_u].stops.len());
                let other = of(self, route_v, cut - 1, self.routes[route_v].stops.len());
                self.edit(route_u, |stops| {
                    stops.truncate(at_u);
                    stops.extend(other);
                });
                self.edit(route_v, |stops| {
                    stops.truncate(cut - 1);
                    stops.extend(mine);
                });
            }
        }
    }

    /// Whether it improves to move a chain from `u` on behind `v`.
    fn relocate(&self, pair: &Pair<T>, length: usize) -> bool {
        let &Pair { at_u, at_v, ru, rv, edges_u, edges_v, .. } = pair;
        if at_u + length > ru.stops.len() + 1 {
            return false;
        }
        let (first, last) = (ru.places[at_u], ru.places[at_u + length - 1]);
        let taken = edges_u.cost(ru.places[at_u - 1], ru.places[at_u + length])
            - (ru.edges[at_u + length] - ru.edges[at_u - 1]);
        let inner = if pair.alike {
            ru.edges[at_u + length - 1] - ru.edges[at_u]
        } else {
            ru.places[at_u..at_u + length].windows(2).map(|edge| edges_v.cost(edge[0], edge[1])).sum()
        };
        let given = edges_v.cost(rv.places[at_v], first) + inner + edges_v.cost(last, rv.places[at_v + 1])
            - rv.leg(at_v);
        let fixed = (-self.closing(pair.u, length), self.opening(pair.v));
        if pair.hopeless(taken, given, fixed.0 + fixed.1) {
            return false;
        }
        let chain = &ru.stops[at_u - 1..at_u - 1 + length];
        if !self.is_whole(chain)
            || !chain.iter().all(|stop| self.data.model.may_serve(*stop as usize, rv.vehicle))
        {
            return false;
        }
        let moving = Moving {
            mine: chain,
            other: &[],
            edges: (taken, given),
            fixed,
            excess: (self.excess_with(pair.u, chain, &[]), self.excess_with(pair.v, &[], chain)),
        };
        let pieces_u = [Piece::Ahead(ru, at_u - 1), Piece::Behind(ru, at_u + length)];
        let pieces_v = [Piece::Ahead(rv, at_v), Piece::Stops(chain), Piece::Behind(rv, at_v + 1)];
        self.pays(pair, &moving, &pieces_u, &pieces_v)
    }

    /// Whether it improves to exchange a chain from `u` on with one from `v` on.
    fn swap(&self, pair: &Pair<T>, first: usize, second: usize) -> bool {
        let &Pair { at_u, at_v, ru, rv, edges_u, edges_v, .. } = pair;
        if at_u + first > ru.stops.len() + 1 || at_v + second > rv.stops.len() + 1 {
            return false;
        }
        let (head_u, tail_u) = (ru.places[at_u], ru.places[at_u + first - 1]);
        let (head_v, tail_v) = (rv.places[at_v], rv.places[at_v + second - 1]);
        let (inner_u, inner_v) = if pair.alike {
            (rv.edges[at_v + second - 1] - rv.edges[at_v], ru.edges[at_u + first - 1] - ru.edges[at_u])
        } else {
            let inner = |edges: &Edges, places: &[u32]| -> i64 {
                places.windows(2).map(|edge| edges.cost(edge[0], edge[1])).sum()
            };
            (inner(edges_u, &rv.places[at_v..at_v + second]), inner(edges_v, &ru.places[at_u..at_u + first]))
        };
        let change_u = edges_u.cost(ru.places[at_u - 1], head_v)
            + inner_u
            + edges_u.cost(tail_v, ru.places[at_u + first])
            - (ru.edges[at_u + first] - ru.edges[at_u - 1]);
        let change_v = edges_v.cost(rv.places[at_v - 1], head_u)
            + inner_v
            + edges_v.cost(tail_u, rv.places[at_v + second])
            - (rv.edges[at_v + second] - rv.edges[at_v - 1]);
        if pair.hopeless(change_u, change_v, 0) {
            return false;
        }
        let (mine, other) = (&ru.stops[at_u - 1..at_u - 1 + first], &rv.stops[at_v - 1..at_v - 1 + second]);
        let model = self.data.model;
        let (vehicle_u, vehicle_v) = (ru.vehicle, rv.vehicle);
        if !self.is_whole(mine)
            || !self.is_whole(other)
            || !mine.iter().all(|stop| model.may_serve(*stop as usize, vehicle_v))
            || !other.iter().all(|stop| model.may_serve(*stop as usize, vehicle_u))
        {
            return false;
        }
        let moving = Moving {
            mine,
            other,
            edges: (change_u, change_v),
            fixed: (0, 0),
            excess: (self.excess_with(pair.u, mine, other), self.excess_with(pair.v, other, mine)),
        };
        let pieces_u = [Piece::Ahead(ru, at_u - 1), Piece::Stops(other), Piece::Behind(ru, at_u + first)];
        let pieces_v = [Piece::Ahead(rv, at_v - 1), Piece::Stops(mine), Piece::Behind(rv, at_v + second)];
        self.pays(pair, &moving, &pieces_u, &pieces_v)
    }

    /// Whether it improves that the routes exchange their ends: what begins at `cut` follows `u`.
    fn swap_tails(&self, pair: &Pair<T>, cut: usize) -> bool {
        let &Pair { at_u, ru, rv, edges_u, edges_v, .. } = pair;
        let (vehicle_u, vehicle_v) = (ru.vehicle, rv.vehicle);
        if self.class[vehicle_u] != self.class[vehicle_v]
            || (cut > rv.stops.len() && at_u == ru.stops.len())
            || !ru.is_closed(at_u)
            || !rv.is_closed(cut - 1)
        {
            return false;
        }
        let whole = |route: &Route<T>| route.edges[route.stops.len() + 1];
        let change_u = ru.edges[at_u] + edges_u.cost(ru.places[at_u], rv.places[cut]) + whole(rv)
            - rv.edges[cut]
            - whole(ru);
        let change_v = rv.edges[cut - 1] + edges_v.cost(rv.places[cut - 1], ru.places[at_u + 1]) + whole(ru)
            - ru.edges[at_u + 1]
            - whole(rv);
        let becomes_empty = cut == 1 && at_u == ru.stops.len();
        let closing = if becomes_empty { self.data.kinds[vehicle_v].weights.fixed } else { 0 };
        let fixed = self.opening(pair.v) - closing;
        if pair.hopeless(change_u, change_v, fixed) {
            return false;
        }
        let (mine, other) = (&ru.stops[at_u..], &rv.stops[cut - 1..]);
        let moving = Moving {
            mine,
            other,
            edges: (change_u, change_v),
            fixed: (0, fixed),
            excess: (
                self.excess_joined((ru, at_u), (rv, cut - 1)),
                self.excess_joined((rv, cut - 1), (ru, at_u)),
            ),
        };
        let pieces_u = [Piece::Ahead(ru, at_u), Piece::Behind(rv, cut)];
        let pieces_v = [Piece::Ahead(rv, cut - 1), Piece::Behind(ru, at_u + 1)];
        if !self.pays(pair, &moving, &pieces_u, &pieces_v) {
            return false;
        }
        let model = self.data.model;
        self.data.twin[vehicle_u] == self.data.twin[vehicle_v]
            || (mine.iter().all(|stop| model.may_serve(*stop as usize, vehicle_v))
                && other.iter().all(|stop| model.may_serve(*stop as usize, vehicle_u)))
    }

    /// Whether a move improves: the new loads have to leave it a chance, then what the first of the new runs costs.
    fn pays(&self, pair: &Pair<T>, moving: &Moving, pieces_u: &[Piece<T>], pieces_v: &[Piece<T>]) -> bool {
        let &Moving { mine, other, edges, fixed, excess } = moving;
        let load = self.penalties.of(0, excess.0 + excess.1);
        if pair.hopeless(edges.0, edges.1, fixed.0 + fixed.1 + load) {
            return false;
        }
        let new_u = Sum::of(self.data, pair.ru.vehicle, pieces_u);
        let outside = self.outside_change(pair.u, pair.v, mine) + self.outside_change(pair.v, pair.u, other);
        let change_u = self.change(pair.u, &new_u, excess.0) + outside;
        if pair.hopeless_behind(change_u, edges.1, fixed.1) {
            return false;
        }
        let new_v = Sum::of(self.data, pair.rv.vehicle, pieces_v);
        change_u + self.change(pair.v, &new_v, excess.1) < 0
    }

    fn opening(&self, route: usize) -> i64 {
        if self.routes[route].stops.is_empty() { self.data.kinds[route].weights.fixed } else { 0 }
    }

    fn closing(&self, route: usize, taken: usize) -> i64 {
        if self.routes[route].stops.len() == taken { self.data.kinds[route].weights.fixed } else { 0 }
    }

    /// Change of a run's cost, what lies outside territories left out; the load above its limits is that of the new run where
    /// it changes on the way.
    pub(super) fn change(&self, run: usize, new: &Sum, excess: i64) -> i64 {
        let broken = self.penalties.of(new.time.warp, new.excess.unwrap_or(excess));
        let cost = if new.count == 0 { 0 } else { new.points() + broken };
        let route = &self.routes[run];
        cost - (route.cost(self.penalties) - route.outside)
    }

    /// Load above the limits of a run when some of its stops leave and others come; nothing where the load changes on the way.
    pub(super) fn excess_with(&self, route: usize, gone: &[u32], come: &[u32]) -> i64 {
        if aboard::varies(self.data) {
            return 0;
        }
        let route = &self.routes[route];
        let model = self.data.model;
        let class = model.vehicles[route.vehicle].class;
        let loads = route.whole_load(model.keys.len());
        excess(self.data, route.vehicle, |key| {
            // Loops, as chains of iterators are not inlined here.
            let mut load = loads[key];
            for stop in gone {
                load -= model.amounts(class, *stop as usize)[key];
            }
            for stop in come {
                load += model.amounts(class, *stop as usize)[key];
            }
            load
        })
    }

    /// The same for the beginning of a run up to a position and the end of another behind a position.
    fn excess_joined(&self, (head, to): (&Route<T>, usize), (tail, behind): (&Route<T>, usize)) -> i64 {
        if aboard::varies(self.data) {
            return 0;
        }
        let keys = self.data.model.keys.len();
        let whole = tail.whole_load(keys);
        excess(self.data, head.vehicle, |key| {
            head.loads[to * keys + key] + whole[key] - tail.loads[behind * keys + key]
        })
    }

    /// Points of stops lying outside the territories, when they change vehicles.
    pub(super) fn outside_change(&self, from: usize, to: usize, stops: &[u32]) -> i64 {
        let (from, to) = (self.routes[from].vehicle, self.routes[to].vehicle);
        if !self.data.has_strange(from) || self.data.twin[from] == self.data.twin[to] {
            return 0;
        }
        stops.iter().map(|stop| self.data.strange(to, *stop) - self.data.strange(from, *stop)).sum()
    }
}
