//! A first look at the moves that join two stops of different runs, by their edges alone.
//!
//! Nearly all moves are dropped here, so what it reads lies together: the edges around the other stop in one
//! place, and the rows of the matrix that belong to the stop being moved, which stay the same for all its
//! neighbours.

use super::moves::TAILS;
use super::route::Route;
use super::segment::Timed;
use super::{NOWHERE, Polish};
use crate::cells::Line;
use crate::engine::native::data::Data;

/// Places and edges around a stop: `before - here - next - after`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    before: u32,
    here: u32,
    next: u32,
    /// [`NOWHERE`] behind the last stop.
    after: u32,
    cost_in: i32,
    cost_out: i32,
    cost_after: i32,
}

impl Around {
    pub(super) fn new<T>(route: &Route<T>, position: usize) -> Self {
        let place = |at: usize| route.places.get(at).copied().unwrap_or(NOWHERE);
        let cost = |at: usize| {
            let edge = route.edges.get(at + 1).map_or(0, |sum| sum - route.edges[at]);
            i32::try_from(edge).unwrap_or(i32::MAX)
        };
        Self {
            before: place(position - 1),
            here: place(position),
            next: place(position + 1),
            after: place(position + 2),
            cost_in: cost(position - 1),
            cost_out: cost(position),
            cost_after: cost(position + 1),
        }
    }
}

/// Ways to and from a stop that is put back.
pub(super) struct Ways<'d> {
    /// Of the runs that pay the same for every edge.
    pub(super) price: usize,
    rate: Option<i64>,
    to: Line<'d>,
    from: Line<'d>,
}

impl<'d> Ways<'d> {
    pub(super) fn new(data: &'d Data, price: usize, rate: Option<i64>, stop: u32) -> Self {
        let place = data.visits[stop as usize].place as usize;
        let edges = &*data.kinds[price].edges;
        Self { price, rate, to: edges.costs_to(place), from: edges.costs_from(place) }
    }

    /// Whether the place behind a stop, and the one before it, may cost less than the bound.
    #[inline]
    pub(super) fn hopeful(&self, near: &Around, bound: Option<i64>) -> (bool, bool) {
        let Some((rate, bound)) = self.rate.zip(bound) else { return (true, true) };
        let behind = cost(self.to, near.here) + cost(self.from, near.next) - i64::from(near.cost_out);
        let ahead = cost(self.to, near.before) + cost(self.from, near.here) - i64::from(near.cost_in);
        (behind * rate < bound, ahead * rate < bound)
    }
}

/// The stop being moved: `p - u - x - z`.
pub(super) struct Moved<'d> {
    route: usize,
    rate: i64,
    /// Edge cost of `p - u - x`, and what taking `u` out changes.
    through: i64,
    taken: i64,
    u_x: i64,
    from_p: Line<'d>,
    from_u: Line<'d>,
    to_u: Line<'d>,
    from_x: Line<'d>,
    to_x: Line<'d>,
    chain: Option<Chain<'d>>,
}

/// The stop behind the moved one going with it.
struct Chain<'d> {
    /// Edge cost of `p - u` and `x - z`, and what taking both out changes.
    ends: i64,
    taken: i64,
    to_z: Line<'d>,
}

#[inline]
fn cost(row: Line<'_>, place: u32) -> i64 {
    i64::from(row.at(place as usize))
}

impl<'d, T: Timed> Polish<'d, '_, T> {
    /// What all moves of a stop have in common; `None` where they have to be tried one by one.
    pub(super) fn moved(&self, u: u32) -> Option<Moved<'d>> {
        let route = self.route_of[u as usize] as usize;
        let rate = self.rates[route]?;
        // Closing a run saves more than its edges.
        if self.routes[route].stops.len() < 3 || self.floor[route] > 0 {
            return None;
        }
        let data = self.data;
        let edges = &*data.kinds[route].edges;
        let near = self.around[u as usize];
        let (p_u, u_x, x_z) = (i64::from(near.cost_in), i64::from(near.cost_out), i64::from(near.cost_after));
        let from_p = edges.costs_from(near.before as usize);
        let chain = (near.after != NOWHERE).then(|| Chain {
            ends: p_u + x_z,
            taken: cost(from_p, near.after) - p_u - x_z,
            to_z: edges.costs_to(near.after as usize),
        });
        Some(Moved {
            route,
            rate,
            through: p_u + u_x,
            taken: cost(from_p, near.next) - p_u - u_x,
            u_x,
            from_p,
            from_u: edges.costs_from(near.here as usize),
            to_u: edges.costs_to(near.here as usize),
            from_x: edges.costs_from(near.next as usize),
            to_x: edges.costs_to(near.next as usize),
            chain,
        })
    }

    /// Which moves that join the stop to `v` in another run may improve, counting all penalties and waiting as
    /// saved: a bit each in the order in which they are tried.
    #[inline]
    pub(super) fn hopeful(&self, moved: Option<&Moved>, v: u32, route_v: usize) -> u8 {
        let Some(moved) = moved.filter(|moved| self.alike(moved, route_v)) else { return u8::MAX };
        let Around { before: q, here: v, next: y, after: w, cost_in, cost_out, cost_after } =
            self.around[v as usize];
        let (q_v, v_y, y_w) = (i64::from(cost_in), i64::from(cost_out), i64::from(cost_after));
        let bound = self.slack[moved.route] + self.slack[route_v];
        let test = |change: i64, bit: u8| if change * moved.rate < bound { bit } else { 0 };
        let (v_u, u_y, x_y) = (cost(moved.to_u, v), cost(moved.from_u, y), cost(moved.from_x, y));
        let (q_u, p_v) = (cost(moved.to_u, q), cost(moved.from_p, v));
        let mut hopeful = test(moved.taken + v_u + u_y - v_y, 1)
            | test(q_u + u_y + p_v + cost(moved.to_x, v) - moved.through - q_v - v_y, 4)
            | test(cost(moved.from_u, v) + cost(moved.to_x, q) - moved.u_x - q_v, TAILS);
        if let Some(chain) = &moved.chain {
            hopeful |= test(chain.taken + v_u + x_y - v_y, 2)
                | test(q_u + x_y + p_v + cost(chain.to_z, v) - chain.ends - q_v - v_y, 8);
            if w != NOWHERE {
                let change = q_u + cost(moved.from_x, w) + p_v + cost(chain.to_z, y) - chain.ends - q_v - y_w;
                hopeful |= test(change, 16);
            }
        }
        hopeful
    }

    /// The same for joining it to the start of the run that begins with `v`.
    pub(super) fn hopeful_at_start(&self, moved: Option<&Moved>, v: u32, route_v: usize) -> u8 {
        let Some(moved) = moved.filter(|moved| self.alike(moved, route_v)) else { return u8::MAX };
        let Around { before: start, here: y, cost_in, .. } = self.around[v as usize];
        let edge = i64::from(cost_in);
        let bound = self.slack[moved.route] + self.slack[route_v];
        let test = |change: i64, bit: u8| if change * moved.rate < bound { bit } else { 0 };
        let to = cost(moved.to_u, start) - edge;
        let mut hopeful = test(moved.taken + to + cost(moved.from_u, y), 1)
            | test(cost(moved.from_u, y) + cost(moved.to_x, start) - moved.u_x - edge, TAILS);
        if let Some(chain) = &moved.chain {
            hopeful |= test(chain.taken + to + cost(moved.from_x, y), 2);
        }
        hopeful
    }

    /// Whether an edge costs the same in both runs and none of the other run's stops is locked.
    #[inline]
    fn alike(&self, moved: &Moved, route_v: usize) -> bool {
        self.prices[moved.route] == self.prices[route_v] && self.floor[route_v] == 0
    }
}
