//! Moves inside one route.

use super::Polish;
use super::moves::CHAIN;
use super::segment::Timed;
use super::sum::{Piece, Sum};
use crate::engine::native::edges::Edges;

impl<T: Timed> Polish<'_, '_, T> {
    #[inline]
    fn edges(&self, index: usize) -> &Edges {
        &self.data.kinds[self.routes[index].vehicle].edges
    }

    /// Moves inside one route: a chain behind another stop, two stops exchanged, a part turned round.
    pub(super) fn within(&mut self, index: usize, at_u: usize, at_v: usize) -> bool {
        let floor = self.floor[index];
        if at_u <= floor || at_v < floor {
            return false;
        }
        for length in 1..=CHAIN {
            if at_u + length - 1 > self.routes[index].stops.len() || (at_u..at_u + length).contains(&at_v) {
                break;
            }
            if at_v + 1 != at_u && self.shift(index, at_u, length, at_v) {
                return true;
            }
        }
        at_v > floor && (self.exchange(index, at_u, at_v) || self.turn(index, at_u, at_v))
    }

    fn shift(&mut self, index: usize, at_u: usize, length: usize, at_v: usize) -> bool {
        let route = &self.routes[index];
        let edges = self.edges(index);
        let edge = |from: usize, to: usize| edges.cost(route.places[from], route.places[to]);
        let behind = at_u + length;
        let change = edge(at_u - 1, behind) + edge(at_v, at_u) + edge(behind - 1, at_v + 1)
            - route.leg(at_u - 1)
            - route.leg(behind - 1)
            - route.leg(at_v);
        if self.hopeless_within(index, change) {
            return false;
        }
        let chain = &route.stops[at_u - 1..at_u - 1 + length];
        let in_order = if at_v < at_u {
            self.may_precede(index, at_u..at_u + length, at_v + 1..at_u)
        } else {
            self.may_precede(index, at_u + length..at_v + 1, at_u..at_u + length)
        };
        if !in_order {
            return false;
        }
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
        let edges = self.edges(index);
        let edge = |from: usize, to: usize| edges.cost(route.places[from], route.places[to]);
        let change = edge(low - 1, high) + edge(high, low + 1) + edge(high - 1, low) + edge(low, high + 1)
            - route.leg(low - 1)
            - route.leg(low)
            - route.leg(high - 1)
            - route.leg(high);
        if self.hopeless_within(index, change) {
            return false;
        }
        let stops = &route.stops;
        if !self.may_precede(index, high..high + 1, low..high)
            || !self.may_precede(index, low + 1..high, low..low + 1)
        {
            return false;
        }
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
        let edges = self.edges(index);
        let edge = |from: usize, to: usize| edges.cost(route.places[from], route.places[to]);
        let change = edge(low - 1, high) + edge(low, high + 1) - route.leg(low - 1) - route.leg(high);
        if self.hopeless_within(index, change) {
            return false;
        }
        if !self.data.model.components.is_empty() && !self.may_turn(index, low..high + 1) {
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

    fn gain_within(&self, index: usize, pieces: &[Piece<T>]) -> i64 {
        let route = &self.routes[index];
        let new = Sum::of(self.data, route.vehicle, pieces);
        // Where all is on board at the start the order does not change the load.
        let (after, before) = new.excess.map_or((0, 0), |excess| (excess, route.excess));
        new.points() - route.points_inside() + self.penalties.of(new.time.warp, after)
            - self.penalties.of(route.time.warp, before)
    }
}
