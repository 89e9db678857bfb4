//! Iterated local search for plans whose rules fit segments: windows and capacity may be broken at a price
//! while searching, which leads through plans that a strict search cannot cross.
//!
//! Each round takes out a handful of neighbouring stops, puts them back where it is cheapest, improves around
//! them by [`moves`] over near neighbours, and is kept by late acceptance (Burke and Bykov 2017). The prices
//! follow how many rounds end feasible.

mod moves;
mod near;
mod perturb;
mod route;
mod segment;
mod within;

use std::sync::Arc;

use rand::Rng;
use rand::rngs::SmallRng;

use super::data::{Data, short};
use crate::engine::guard::Board;
use crate::model::on_board;
use crate::problem::Sequences;
use route::{Penalties, Route};

/// Rounds that late acceptance looks back.
const HISTORY: usize = 300;
/// Rounds between two looks at the prices.
const PRICE_EVERY: u64 = 200;
/// Part of the rounds that should end feasible, and how far it may be off.
const FEASIBLE: f64 = 0.6;
const TOLERANCE: f64 = 0.05;
/// Rounds without a better plan after which the search returns to the best.
const PATIENCE: u64 = 100_000;
/// In no route.
const NOWHERE: u32 = u32::MAX;

/// What is compared: points, seconds late, load units too much.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Worth {
    points: i64,
    warp: i64,
    excess: i64,
}

impl Worth {
    fn cost(self, penalties: Penalties) -> i64 {
        self.points + penalties.of(self.warp, self.excess)
    }

    fn feasible(self) -> bool {
        self.warp == 0 && self.excess == 0
    }
}

/// The plan being improved.
pub(super) struct Polish<'d, 'm> {
    data: &'d Data<'m>,
    routes: Vec<Route>,
    route_of: Vec<u32>,
    at_of: Vec<u32>,
    penalties: Penalties,
    worth: Worth,
    /// What each route could save at most without driving less.
    slack: Vec<i64>,
    /// Points per unit of edge cost, where the points cannot fall otherwise.
    rates: Vec<Option<i64>>,
    /// Vehicles of the same class may exchange the ends of their routes.
    class: Vec<usize>,
    symmetric: Vec<bool>,
    near: Vec<Vec<u32>>,
    /// Served stops.
    stops: Vec<u32>,
    promising: Vec<bool>,
    queue: Vec<u32>,
    last_test: Vec<u64>,
    last_update: Vec<u64>,
    updates: u64,
    saved: Vec<(usize, Route)>,
    spare: Vec<Route>,
    is_saved: Vec<bool>,
    saved_worth: Worth,
    /// No further run is used when putting stops back.
    closed: bool,
}

/// Whether every rule of the problem fits segments: no break, links, alternatives groups, locked beginnings,
/// loads on board or balance.
pub(super) fn suits(data: &Data) -> bool {
    let model = data.model;
    !on_board(model)
        && model.components.is_empty()
        && model.groups == 0
        && (0..model.vehicles.len()).all(|vehicle| {
            data.kinds[vehicle].lunch.is_none()
                && data.kinds[vehicle].weights.balance == 0
                && (model.vehicles[vehicle].locked || model.locked_stops(vehicle).is_empty())
        })
}

impl<'d, 'm> Polish<'d, 'm> {
    pub(super) fn new(data: &'d Data<'m>, sequences: &Sequences) -> Self {
        let model = data.model;
        let routes: Vec<Route> =
            sequences.iter().enumerate().map(|(vehicle, stops)| Route::new(data, vehicle, stops)).collect();
        let count = routes.len();
        let n = model.stops.len();
        let mut polish = Self {
            data,
            route_of: vec![NOWHERE; n],
            at_of: vec![0; n],
            penalties: near::first_prices(data, &routes),
            worth: Worth::default(),
            slack: vec![0; count],
            rates: near::rates(data),
            class: near::classes(data),
            symmetric: data.kinds.iter().map(|kind| kind.edges.symmetric()).collect(),
            near: near::near(data),
            stops: Vec::new(),
            promising: vec![false; n],
            queue: Vec::new(),
            last_test: vec![0; n],
            last_update: vec![0; count],
            updates: 0,
            saved: Vec::new(),
            spare: Vec::new(),
            is_saved: vec![false; count],
            saved_worth: Worth::default(),
            closed: false,
            routes,
        };
        for index in 0..count {
            if data.active[index] {
                polish.stops.extend_from_slice(&polish.routes[index].stops);
            }
            polish.locate(index);
            polish.worth = polish.plus(polish.worth, index, 1);
            polish.slack[index] = polish.routes[index].slack(data, polish.penalties);
        }
        polish
    }

    /// Searches until told to stop; better feasible sequences are posted.
    pub(super) fn run(
        mut self,
        rng: &mut SmallRng,
        board: &Arc<Board>,
        over: &dyn Fn(u64) -> bool,
    ) -> Sequences {
        let mut best = self.sequences();
        let mut best_points = self.worth.points;
        self.begin();
        for position in 0..self.stops.len() {
            self.mark(self.stops[position]);
        }
        self.improve(rng);
        if self.worth.feasible() && self.worth.points < best_points {
            best_points = self.worth.points;
            self.copy_to(&mut best);
        }
        let mut history = vec![self.worth; HISTORY];
        let (mut round, mut idle) = (0_u64, 0_u64);
        let mut counted = (0_u64, 0_u64, 0_u64);
        let mut posted = std::time::Instant::now();
        let mut unposted = false;
        while self.stops.len() > 1 && !(round.is_multiple_of(8) && over(round)) {
            self.begin();
            self.perturb(rng);
            self.improve(rng);
            let (worth, before) = (self.worth, self.saved_worth);
            counted = (
                counted.0 + 1,
                counted.1 + u64::from(worth.warp == 0),
                counted.2 + u64::from(worth.excess == 0),
            );
            idle += 1;
            if worth.feasible() && worth.points < best_points {
                best_points = worth.points;
                self.copy_to(&mut best);
                (idle, unposted) = (0, true);
            }
            let slot = usize::try_from(round).unwrap_or(0) % HISTORY;
            let (cost, current) = (worth.cost(self.penalties), before.cost(self.penalties));
            if cost < current || cost < history[slot].cost(self.penalties) {
                if cost < history[slot].cost(self.penalties) {
                    history[slot] = worth;
                }
            } else {
                self.undo();
                if current < history[slot].cost(self.penalties) {
                    history[slot] = before;
                }
            }
            round += 1;
            if round.is_multiple_of(PRICE_EVERY) {
                self.adapt(counted);
                counted = (0, 0, 0);
            }
            if idle >= PATIENCE {
                idle = 0;
                self.restore(&best);
                history.fill(self.worth);
            }
            if unposted && posted.elapsed().as_millis() >= 50 {
                board.post(&best);
                (unposted, posted) = (false, std::time::Instant::now());
            }
        }
        best
    }

    fn sequences(&self) -> Sequences {
        let mut sequences = Sequences::new();
        self.copy_to(&mut sequences);
        sequences
    }

    fn copy_to(&self, sequences: &mut Sequences) {
        sequences.resize(self.routes.len(), Vec::new());
        for (sequence, route) in sequences.iter_mut().zip(&self.routes) {
            sequence.clear();
            sequence.extend(route.stops.iter().map(|stop| *stop as usize));
        }
    }

    fn restore(&mut self, sequences: &Sequences) {
        self.begin();
        for (index, stops) in sequences.iter().enumerate() {
            if !stops.iter().map(|stop| short(*stop)).eq(self.routes[index].stops.iter().copied()) {
                self.edit(index, |current| {
                    current.clear();
                    current.extend(stops.iter().map(|stop| short(*stop)));
                });
            }
        }
        for index in 0..self.routes.len() {
            self.locate(index);
        }
    }

    /// Raises the price of what is broken too often and lowers it otherwise.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "prices")]
    fn adapt(&mut self, (rounds, in_time, in_load): (u64, u64, u64)) {
        let next = |price: i64, kept: u64| -> i64 {
            let off = FEASIBLE - kept as f64 / rounds.max(1) as f64;
            let factor = if off > TOLERANCE {
                1.4
            } else if off < -TOLERANCE {
                0.88
            } else {
                1.0
            };
            ((price as f64 * factor) as i64).clamp(64, 1 << 40)
        };
        self.penalties =
            Penalties { warp: next(self.penalties.warp, in_time), load: next(self.penalties.load, in_load) };
        for index in 0..self.routes.len() {
            self.slack[index] = self.routes[index].slack(self.data, self.penalties);
        }
    }

    fn plus(&self, worth: Worth, index: usize, sign: i64) -> Worth {
        let route = &self.routes[index];
        if route.stops.is_empty() {
            return worth;
        }
        Worth {
            points: worth.points + sign * route.points,
            warp: worth.warp + sign * route.time.warp,
            excess: worth.excess + sign * route.excess,
        }
    }

    fn locate(&mut self, index: usize) {
        for (position, &stop) in self.routes[index].stops.iter().enumerate() {
            self.route_of[stop as usize] = short(index);
            self.at_of[stop as usize] = short(position + 1);
        }
    }

    fn begin(&mut self) {
        self.saved_worth = self.worth;
        for (index, route) in self.saved.drain(..) {
            self.is_saved[index] = false;
            self.spare.push(route);
        }
    }

    fn undo(&mut self) {
        while let Some((index, route)) = self.saved.pop() {
            self.is_saved[index] = false;
            let changed = std::mem::replace(&mut self.routes[index], route);
            self.spare.push(changed);
            self.slack[index] = self.routes[index].slack(self.data, self.penalties);
            self.locate(index);
        }
        self.worth = self.saved_worth;
    }

    fn edit(&mut self, index: usize, change: impl FnOnce(&mut Vec<u32>)) {
        self.edit_raw(index, change);
        self.locate(index);
    }

    /// Changes a route without noting where its stops are.
    fn edit_raw(&mut self, index: usize, change: impl FnOnce(&mut Vec<u32>)) {
        if !self.is_saved[index] {
            self.is_saved[index] = true;
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.clone_from(&self.routes[index]);
            self.saved.push((index, copy));
        }
        self.worth = self.plus(self.worth, index, -1);
        change(&mut self.routes[index].stops);
        self.routes[index].refresh(self.data);
        self.worth = self.plus(self.worth, index, 1);
        self.slack[index] = self.routes[index].slack(self.data, self.penalties);
        self.updates += 1;
        self.last_update[index] = self.updates;
    }

    fn mark(&mut self, stop: u32) {
        if !self.promising[stop as usize] {
            self.promising[stop as usize] = true;
            self.queue.push(stop);
        }
    }

    /// Improves around the marked stops until no move helps.
    fn improve(&mut self, rng: &mut SmallRng) {
        self.updates += 1;
        for position in 0..self.queue.len() {
            self.last_test[self.queue[position] as usize] = 0;
        }
        loop {
            let before = self.updates;
            for index in (1..self.queue.len()).rev() {
                self.queue.swap(index, rng.random_range(0..=index));
            }
            let mut position = 0;
            while position < self.queue.len() {
                let stop = self.queue[position];
                position += 1;
                self.improve_at(stop);
            }
            if self.updates == before {
                return;
            }
        }
    }

    fn improve_at(&mut self, u: u32) {
        let tested = self.last_test[u as usize];
        self.last_test[u as usize] = self.updates;
        let near = std::mem::take(&mut self.near[u as usize]);
        for &v in &near {
            let (route_u, route_v) = (self.route_of[u as usize], self.route_of[v as usize]);
            if route_v == NOWHERE || route_u == NOWHERE || !self.data.active[route_v as usize] {
                continue;
            }
            let (ru, rv) = (route_u as usize, route_v as usize);
            if self.last_update[ru].max(self.last_update[rv]) <= tested {
                continue;
            }
            let at = self.at_of[v as usize] as usize;
            if self.join(u, rv, at) || (at == 1 && self.join(u, rv, 0)) {
                self.mark_new(u, v);
            }
        }
        self.near[u as usize] = near;
        let mut tried: Vec<usize> = Vec::new();
        for index in 0..self.routes.len() {
            let leader = self.data.twin[index];
            if self.routes[index].stops.is_empty() && self.data.active[index] && !tried.contains(&leader) {
                tried.push(leader);
                let route = self.route_of[u as usize] as usize;
                if self.last_update[route] > tested && self.join(u, index, 0) {
                    self.mark_new(u, u);
                    break;
                }
            }
        }
    }

    fn mark_new(&mut self, u: u32, v: u32) {
        for stop in [u, v] {
            if !self.promising[stop as usize] {
                self.last_test[stop as usize] = 0;
            }
            self.mark(stop);
        }
    }
}
