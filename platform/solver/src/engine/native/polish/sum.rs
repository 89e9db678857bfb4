//! A new route added up from parts of others, in constant time per part.

use super::aboard::{self, Aboard};
use super::route::{Route, excess, points, stop_of};
use super::segment::{Segment, Timed};
use crate::engine::native::data::Data;

/// A part of a new route.
pub(super) enum Piece<'r, T> {
    /// From the start of a route up to a position.
    Ahead(&'r Route<T>, usize),
    /// Stops one by one.
    Stops(&'r [u32]),
    /// From a position of a route of the same kind to the end.
    Behind(&'r Route<T>, usize),
}

/// Adds up a route from pieces.
pub(super) struct Sum<'d, 'm> {
    data: &'d Data<'m>,
    vehicle: usize,
    edges: i64,
    pub(super) time: Segment,
    pub(super) count: usize,
    /// Load above the limits, where the load changes on the way.
    pub(super) excess: Option<i64>,
}

impl<'d, 'm> Sum<'d, 'm> {
    pub(super) fn of<T: Timed>(data: &'d Data<'m>, vehicle: usize, pieces: &[Piece<T>]) -> Self {
        let kind = &data.kinds[vehicle];
        let road = kind.road();
        let (mut edges, mut last, mut count, mut time) = (0, 0, 0, T::default());
        for piece in pieces {
            match *piece {
                Piece::Ahead(route, to) => {
                    (edges, time) = (route.edges[to], route.ahead[to]);
                    (last, count) = (route.places[to], to);
                }
                Piece::Stops(stops) => {
                    for &stop in stops {
                        let place = data.visits[stop as usize].place;
                        let (cost, seconds) = kind.edges.way(last, place);
                        edges += cost;
                        time = time.then(seconds, stop_of(data, stop), road);
                        last = place;
                    }
                    count += stops.len();
                }
                Piece::Behind(route, from) => {
                    let (cost, seconds) = kind.edges.way(last, route.places[from]);
                    edges += cost + route.edges[route.stops.len() + 1] - route.edges[from];
                    time = time.then(seconds, route.behind[from], road);
                    count += route.stops.len() + 1 - from;
                }
            }
        }
        let excess = aboard::varies(data).then(|| excess_of(data, vehicle, pieces));
        Self { data, vehicle, edges, time: time.whole(), count, excess }
    }

    pub(super) fn points(&self) -> i64 {
        if self.count == 0 { 0 } else { points(self.data, self.vehicle, self.edges, self.time, self.count) }
    }
}

/// Load above the limits in a run made of pieces, in load units.
pub(super) fn excess_of<T>(data: &Data, vehicle: usize, pieces: &[Piece<T>]) -> i64 {
    let keys = data.model.keys.len();
    let class = data.model.vehicles[vehicle].class;
    excess(data, vehicle, |key| {
        let join = |whole: Aboard, piece: &Piece<T>| match *piece {
            Piece::Ahead(route, to) => whole.then(route.aboard[to * keys + key]),
            Piece::Stops(stops) => {
                stops.iter().fold(whole, |whole, stop| whole.then(Aboard::stop(data, class, *stop, key)))
            }
            Piece::Behind(route, from) => whole.then(route.rest[from * keys + key]),
        };
        pieces.iter().fold(Aboard::default(), join).peak()
    })
}
