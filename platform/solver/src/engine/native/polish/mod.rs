//! Iterated local search for plans whose rules fit segments: windows and capacity may be broken at a price
//! while searching, which leads through plans that a strict search cannot cross.
//!
//! Each round takes out a handful of neighbouring stops, puts them back where it is cheapest, improves around
//! them by [`moves`] over near neighbours, and is kept by late acceptance (Burke and Bykov 2017). The prices
//! follow how many rounds end feasible.

mod aboard;
mod around;
mod breed;
mod cross;
mod crowd;
mod exchange;
mod herd;
mod hourly;
mod improve;
mod linked;
mod moves;
mod near;
mod parts;
mod perturb;
mod rested;
mod route;
mod rules;
mod search;
mod segment;
mod stock;
mod sum;
#[cfg(test)]
mod tests;
mod within;

use rand::rngs::SmallRng;

use super::data::{Data, short};
use crate::engine::guard::Board;
use crate::problem::Sequences;
use around::Around;
use hourly::Hourly;
use rested::Rested;
use route::{Penalties, Route};
use search::Watch;
use segment::{Segment, Timed};

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
pub(super) struct Polish<'d, 'm, T> {
    data: &'d Data<'m>,
    routes: Vec<Route<T>>,
    route_of: Vec<u32>,
    at_of: Vec<u32>,
    around: Vec<Around>,
    /// Routes with the same number pay the same for every edge.
    prices: Vec<usize>,
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
    saved: Vec<(usize, Route<T>)>,
    /// Where only the whole run tells what a change is worth: the routes before each change of the move being tried.
    tried: Vec<(usize, Vec<u32>)>,
    spare: Vec<Route<T>>,
    is_saved: Vec<bool>,
    saved_worth: Worth,
    /// No further run is used when putting stops back.
    closed: bool,
    /// Stops that stay at the beginning of each route.
    floor: Vec<usize>,
    /// Stops that may change their run: not locked, and linked to one other at most.
    free: Vec<bool>,
    /// The other stop of each pickup and delivery; [`NOWHERE`] for stops that are no pair.
    mates: Vec<u32>,
    buffers: linked::Buffers<T>,
    /// Whether stops are exchanged freely, too, and the number of changes when that was last done.
    freely: bool,
    exchanged: u64,
    /// One unused route of each kind of vehicle.
    empty: Vec<usize>,
    /// Used routes of each alternatives group.
    group_users: Vec<u32>,
    /// Runs in use, and how many may be.
    used: usize,
    most: usize,
}

/// Whether every stop may change its run here: it is linked to one other stop at most.
pub(super) fn suits(data: &Data) -> bool {
    data.model.components.iter().all(|component| !component.cyclic && component.members.len() == 2)
}

/// How the local search comes by other plans than the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// They are made anew, and children bred from them.
    Bred,
    /// They are given or grown from the best one when that is stuck.
    Crowd,
}

/// Improves sequences until told to stop; better feasible ones are posted.
pub(super) fn run(
    data: &Data,
    starts: &[Sequences],
    manner: Manner,
    rng: &mut SmallRng,
    board: &Board,
    over: &dyn Fn(u64) -> bool,
) -> Sequences {
    let Some(start) = starts.first() else { return Sequences::new() };
    let base = dominant_fixed(data, start);
    let eased;
    let mut data = data;
    if base > 0 {
        let mut copy = data.clone();
        for kind in &mut copy.kinds {
            kind.weights.fixed -= base;
        }
        eased = copy;
        data = &eased;
    }
    let mut watch = Watch {
        best: Found { sequences: start.clone(), points: i64::MAX },
        base,
        board,
        round: 0,
        over,
        posted: std::time::Instant::now(),
        unposted: false,
    };
    let rests = data.kinds.iter().any(|kind| kind.lunch.is_some());
    let hourly = data.kinds.iter().any(|kind| kind.clock.is_some());
    match (rests, hourly) {
        (false, false) => improved::<Segment>(data, starts, base, manner, rng, &mut watch),
        (true, false) => improved::<Rested>(data, starts, base, manner, rng, &mut watch),
        (false, true) => improved::<Hourly<Segment>>(data, starts, base, manner, rng, &mut watch),
        (true, true) => improved::<Hourly<Rested>>(data, starts, base, manner, rng, &mut watch),
    }
}

fn improved<T: Timed>(
    data: &Data,
    starts: &[Sequences],
    base: i64,
    manner: Manner,
    rng: &mut SmallRng,
    watch: &mut Watch,
) -> Sequences {
    Polish::<T>::new(data, &starts[0]).keeping(base).run(starts, manner, rng, watch)
}

/// What every run costs at least where that outweighs all else: the search then keeps to the number of runs.
fn dominant_fixed(data: &Data, start: &Sequences) -> i64 {
    let active = || data.kinds.iter().zip(&data.active).filter(|(_, active)| **active);
    let base = active().map(|(kind, _)| kind.weights.fixed).min().unwrap_or(0);
    if base == 0 {
        return 0;
    }
    let tours = || start.iter().enumerate().filter(|(_, stops)| !stops.is_empty());
    let variable: i64 = tours()
        .map(|(vehicle, stops)| {
            Route::<Segment>::new(data, vehicle, stops).points - data.kinds[vehicle].weights.fixed
        })
        .sum();
    let used = i64::from(short(tours().count().max(1)));
    if base > 2 * variable / used { base } else { 0 }
}

/// Prepares a plan that no move improves, without breaks, and hands it over.
pub(super) fn measure<'d, 'm>(
    data: &'d Data<'m>,
    start: &Sequences,
    rng: &mut SmallRng,
    then: impl FnOnce(&mut Polish<'d, 'm, Segment>),
) {
    let mut polish = Polish::new(data, start);
    polish.improve_all(rng);
    then(&mut polish);
}

/// A feasible plan.
#[derive(Debug, Clone, Default)]
struct Found {
    sequences: Sequences,
    points: i64,
}

impl<'d, 'm, T: Timed> Polish<'d, 'm, T> {
    fn new(data: &'d Data<'m>, sequences: &Sequences) -> Self {
        let model = data.model;
        let routes: Vec<Route<T>> =
            sequences.iter().enumerate().map(|(vehicle, stops)| Route::new(data, vehicle, stops)).collect();
        let count = routes.len();
        let n = model.stops.len();
        let mates = linked::mates(data);
        let mut polish = Self {
            data,
            route_of: vec![NOWHERE; n],
            at_of: vec![0; n],
            around: vec![Around::default(); n],
            prices: near::prices(data),
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
            tried: Vec::new(),
            spare: Vec::new(),
            is_saved: vec![false; count],
            saved_worth: Worth::default(),
            closed: false,
            floor: (0..count).map(|vehicle| model.locked_stops(vehicle).len()).collect(),
            free: near::free(data, sequences, &mates),
            mates,
            buffers: linked::Buffers::default(),
            freely: false,
            exchanged: 0,
            empty: Vec::new(),
            group_users: vec![0; model.groups],
            used: super::used_runs(sequences),
            most: usize::MAX,
            routes,
        };
        for index in 0..count {
            let free = polish.routes[index].stops.iter().copied();
            polish.stops.extend(free.filter(|stop| polish.free[*stop as usize]));
            if let (Some(group), false) = (model.vehicles[index].group, polish.routes[index].stops.is_empty())
            {
                polish.group_users[group] += 1;
            }
            polish.locate(index);
            polish.worth = polish.plus(polish.worth, index, 1);
            polish.slack[index] = polish.routes[index].slack(data, polish.penalties);
        }
        polish.find_empty();
        polish
    }

    /// With no more runs than now where that outweighs all else.
    fn keeping(mut self, base: i64) -> Self {
        if base > 0 {
            self.most = self.used;
        }
        self
    }

    /// Tests all moves around every stop.
    pub(super) fn test_all(&mut self) -> usize {
        self.updates += 1;
        self.last_update.fill(self.updates);
        for position in 0..self.stops.len() {
            let stop = self.stops[position];
            self.last_test[stop as usize] = 0;
            self.improve_at(stop);
        }
        self.stops.len()
    }

    /// One round that is taken back.
    pub(super) fn round(&mut self, rng: &mut SmallRng) -> usize {
        self.begin();
        self.perturb(rng);
        self.improve(rng);
        self.undo();
        1
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
            self.around[stop as usize] = Around::new(&self.routes[index], position + 1);
        }
    }

    fn begin(&mut self) {
        self.saved_worth = self.worth;
        self.tried.clear();
        for (index, route) in self.saved.drain(..) {
            self.is_saved[index] = false;
            self.spare.push(route);
        }
    }

    fn undo(&mut self) {
        while let Some((index, route)) = self.saved.pop() {
            self.is_saved[index] = false;
            let changed = std::mem::replace(&mut self.routes[index], route);
            self.count(index, !changed.stops.is_empty());
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
        if T::HOURLY {
            self.tried.push((index, self.routes[index].stops.clone()));
        }
        self.worth = self.plus(self.worth, index, -1);
        let used = !self.routes[index].stops.is_empty();
        change(&mut self.routes[index].stops);
        self.routes[index].refresh(self.data);
        self.worth = self.plus(self.worth, index, 1);
        self.slack[index] = self.routes[index].slack(self.data, self.penalties);
        self.updates += 1;
        self.last_update[index] = self.updates;
        self.count(index, used);
    }

    /// Marks a stop to be improved around.
    fn mark(&mut self, stop: u32) {
        if !self.promising[stop as usize] {
            self.promising[stop as usize] = true;
            self.queue.push(stop);
        }
    }
}
