//! Taking stops out and putting them back.

use rand::Rng;
use rand::rngs::SmallRng;

use super::around::Ways;
use super::route::{excess, points, stop_of};
use super::segment::Timed;
use super::sum::{Piece, excess_of};
use super::{NOWHERE, Polish, aboard};

/// Most stops taken out at once.
const MOST_REMOVED: usize = 40;
/// The same around a stop that is linked to another: placing two costs much more time.
const MOST_PAIRED: usize = 10;
/// One round in so many dissolves a run instead, without opening another for its stops.
const DISSOLVE_EVERY: u32 = 50;
/// It is the shortest run of so many stops drawn.
const DRAWN: usize = 3;

impl<T: Timed> Polish<'_, '_, T> {
    /// Takes out some stops near each other and puts each back where it is cheapest.
    pub(super) fn perturb(&mut self, rng: &mut SmallRng) {
        self.forget_marks();
        if rng.random_ratio(1, DISSOLVE_EVERY) {
            self.dissolve(rng);
            return;
        }
        let seed = self.stops[rng.random_range(0..self.stops.len())];
        self.closed = false;
        let out = self.take_around(seed, rng);
        self.put_back_shuffled(out, rng);
    }

    pub(super) fn forget_marks(&mut self) {
        for stop in self.queue.drain(..) {
            self.promising[stop as usize] = false;
        }
    }

    /// Takes out a random number of stops around one, run by run in the order in which the runs are met.
    fn take_around(&mut self, seed: u32, rng: &mut SmallRng) -> Vec<u32> {
        let most = if self.mates[seed as usize] == NOWHERE { MOST_REMOVED } else { MOST_PAIRED };
        let most = rng.random_range(1..=most.min(self.stops.len()));
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for &stop in std::iter::once(&seed).chain(&self.near[seed as usize]) {
            let run = self.route_of[stop as usize];
            if run == NOWHERE || !self.free[stop as usize] {
                continue;
            }
            if !runs.iter().any(|(known, _)| *known == run) {
                runs.push((run, Vec::new()));
            }
            let Some((_, stops)) = runs.iter_mut().find(|(known, _)| *known == run) else { continue };
            if !stops.contains(&stop) {
                stops.push(stop);
                stops.extend(Some(self.mates[stop as usize]).filter(|mate| *mate != NOWHERE));
            }
        }
        let mut out: Vec<u32> = Vec::with_capacity(most);
        for (run, mut stops) in runs {
            let mut kept = (most - out.len()).min(stops.len());
            // Both stops of a pair or none.
            kept += usize::from(
                stops.get(kept).is_some_and(|stop| self.mates[*stop as usize] == stops[kept - 1]),
            );
            stops.truncate(kept);
            self.take(run as usize, &stops);
            out.extend(stops);
            if out.len() >= most {
                break;
            }
        }
        out
    }

    /// Takes out a run that may be, rather a short one, and puts its stops into the others.
    pub(super) fn dissolve(&mut self, rng: &mut SmallRng) {
        self.closed = true;
        let drawn: [u32; DRAWN] = std::array::from_fn(|_| self.stops[rng.random_range(0..self.stops.len())]);
        let length = |stop: &u32| self.routes[self.route_of[*stop as usize] as usize].stops.len();
        let Some(seed) = drawn.into_iter().min_by_key(length) else { return };
        let out = self.take_run(seed);
        self.put_back_shuffled(out, rng);
    }

    /// Puts stops back in random order. Where one fits nowhere any more, because another run of its group came into use or
    /// no run may, all is as it was when the round began.
    pub(super) fn put_back_shuffled(&mut self, mut out: Vec<u32>, rng: &mut SmallRng) {
        for index in (1..out.len()).rev() {
            out.swap(index, rng.random_range(0..=index));
        }
        for stop in out {
            self.mark(stop);
            if self.route_of[stop as usize] == NOWHERE {
                self.put_back(stop);
            }
            if self.route_of[stop as usize] == NOWHERE {
                self.undo();
                self.forget_marks();
                return;
            }
        }
    }

    /// Takes out a whole run.
    fn take_run(&mut self, seed: u32) -> Vec<u32> {
        let run = self.route_of[seed as usize] as usize;
        let mut stops = self.routes[run].stops.clone();
        stops.retain(|stop| self.free[*stop as usize]);
        self.take(run, &stops);
        stops
    }

    /// Takes stops out of their run.
    pub(super) fn take(&mut self, run: usize, stops: &[u32]) {
        for &stop in stops {
            self.route_of[stop as usize] = NOWHERE;
        }
        let route_of = std::mem::take(&mut self.route_of);
        self.edit_raw(run, |sequence| sequence.retain(|stop| route_of[*stop as usize] != NOWHERE));
        self.route_of = route_of;
        self.locate(run);
    }

    /// Inserts a stop behind the near stop, at the start or in the empty route where it costs least.
    pub(super) fn put_back(&mut self, stop: u32) {
        if self.mates[stop as usize] != NOWHERE {
            self.put_back_pair(stop);
            return;
        }
        let mut best: Option<(i64, usize, usize)> = None;
        let mut ways: Option<Ways> = None;
        let near = std::mem::take(&mut self.near[stop as usize]);
        for &other in &near {
            let route = self.route_of[other as usize] as usize;
            if route == NOWHERE as usize {
                continue;
            }
            let known = ways.as_ref().is_some_and(|ways| ways.price == self.prices[route]);
            if !known {
                ways = Some(Ways::new(self.data, self.prices[route], self.rates[route], stop));
            }
            let (at, least) = (self.at_of[other as usize] as usize, best.map(|(least, ..)| least));
            let bound = least.map(|least| least.saturating_add(self.slack[route]));
            let (behind, ahead) =
                ways.as_ref().map_or((true, true), |ways| ways.hopeful(&self.around[other as usize], bound));
            let start = at == 1 && self.floor[route] == 0;
            let start = start && ahead;
            if !(behind || start) || !self.fits(stop, route) {
                continue;
            }
            if behind && at >= self.floor[route] {
                self.price(stop, route, at, &mut best);
            }
            if start {
                self.price(stop, route, 0, &mut best);
            }
        }
        self.near[stop as usize] = near;
        if !self.closed {
            for position in 0..self.empty.len() {
                let index = self.empty[position];
                if self.may_open(index) && self.fits(stop, index) {
                    self.price(stop, index, 0, &mut best);
                }
            }
        }
        if best.is_none() {
            for index in 0..self.routes.len() {
                if self.fits(stop, index) && (!self.routes[index].stops.is_empty() || self.may_open(index)) {
                    for at in self.floor[index]..=self.routes[index].stops.len() {
                        self.price(stop, index, at, &mut best);
                    }
                }
            }
        }
        if let Some((_, route, at)) = best {
            self.edit(route, |stops| stops.insert(at, stop));
        }
    }

    fn fits(&self, stop: u32, route: usize) -> bool {
        self.data.active[route] && self.data.model.may_serve(stop as usize, self.routes[route].vehicle)
    }

    /// Cost of inserting a stop behind a position, kept when it is the least so far.
    fn price(&self, stop: u32, index: usize, at: usize, best: &mut Option<(i64, usize, usize)>) {
        let data = self.data;
        let route = &self.routes[index];
        let vehicle = route.vehicle;
        let model = data.model;
        let edges = &data.kinds[vehicle].edges;
        let place = data.visits[stop as usize].place;
        let ((to, there), (from, back)) =
            (edges.way(route.places[at], place), edges.way(place, route.places[at + 1]));
        let n = route.stops.len();
        let total = route.edges[n + 1];
        let detour = to + from - route.leg(at);
        let old = route.cost(self.penalties);
        if let Some((least, ..)) = *best
            && self.rates[vehicle].is_some_and(|rate| detour * rate - self.slack[index] >= least)
        {
            return;
        }
        let road = data.kinds[vehicle].road();
        let time = route.ahead[at]
            .then(there, stop_of(data, stop), road)
            .then(back, route.behind[at + 1], road)
            .whole();
        let loads = route.whole_load(model.keys.len());
        let amounts = model.amounts(model.vehicles[vehicle].class, stop as usize);
        let over = if aboard::varies(data) {
            let pieces = [Piece::Ahead(route, at), Piece::Stops(&[stop]), Piece::Behind(route, at + 1)];
            excess_of(data, vehicle, &pieces)
        } else {
            excess(data, vehicle, |key| loads[key] + amounts[key])
        };
        let cost = points(data, vehicle, total + detour, time, n + 1)
            + route.outside
            + data.strange(vehicle, stop)
            + self.penalties.of(time.warp, over)
            - old;
        if best.is_none_or(|(least, ..)| cost < least) {
            *best = Some((cost, index, at));
        }
    }
}
