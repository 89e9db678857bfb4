//! One vehicle's tour with everything that decides an insertion in constant time.

use super::data::{Data, short};
use crate::load;
use crate::model::FAR;
use crate::timing::{Arrivals, NEVER, leave_by_over_break, serve, travel};
use crate::traffic::Road;

/// Times at a node; node 0 is the start, 1..=n the stops, n + 1 the end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    /// Earliest departure with the break ahead and with none ahead.
    pub(super) gone: Arrivals,
    /// Latest arrival with the break ahead and with none ahead.
    pub(super) latest: Arrivals,
    /// Arriving at t with nothing ahead the tour ends at max(t + tail, floor): where traffic changes over the day as if ways took as
    /// long as they do now.
    pub(super) tail: i64,
    /// Seconds of the way behind it, as it is driven now.
    pub(super) way: i64,
    pub(super) floor: i64,
    /// Where the departure may be chosen: waiting on the way here without a break, and how much later than at the earliest the
    /// tour may leave so that everything up to here is in time.
    pub(super) waited: i64,
    pub(super) spare: i64,
}

/// A tour.
#[derive(Debug, Clone, Default)]
pub(super) struct Tour {
    pub(super) vehicle: usize,
    pub(super) stops: Vec<u32>,
    /// Place of each node.
    pub(super) places: Vec<u32>,
    /// Cost of the edge behind each node but the last.
    pub(super) edges: Vec<i32>,
    pub(super) times: Vec<Times>,
    /// Sum of the amounts per key (mode `sum`), or the most on board (mode `on_board`).
    pub(super) load: Vec<i64>,
    /// Mode `on_board`: load behind each node, per key.
    pub(super) on_board: Vec<i64>,
    /// Latest departure with which the tour ends as early as it can.
    pub(super) leave: i64,
    pub(super) end: i64,
    pub(super) points: i64,
    pub(super) feasible: bool,
}

impl Tour {
    pub(super) fn new(data: &Data, vehicle: usize, stops: &[usize]) -> Self {
        let mut tour =
            Self { vehicle, stops: stops.iter().map(|stop| short(*stop)).collect(), ..Self::default() };
        tour.refresh(data);
        tour
    }

    /// Copies into existing buffers.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// Number of stops that stay at the beginning.
    pub(super) fn fixed(&self, data: &Data) -> usize {
        data.model.locked_stops(self.vehicle).len().min(self.stops.len())
    }

    /// Recalculates everything after the stops changed.
    pub(super) fn refresh(&mut self, data: &Data) {
        let vehicle = &data.model.vehicles[self.vehicle];
        self.places.clear();
        self.places.push(short(vehicle.start));
        self.places.extend(self.stops.iter().map(|stop| short(data.model.stops[*stop as usize].place)));
        self.places.push(short(vehicle.end));
        self.refresh_times(data);
        self.refresh_load(data);
        self.refresh_points(data);
    }

    fn refresh_times(&mut self, data: &Data) {
        let model = data.model;
        let vehicle = &model.vehicles[self.vehicle];
        let kind = &data.kinds[self.vehicle];
        let (lunch, road, edges) = (kind.lunch, kind.road(), &kind.edges);
        let n = self.stops.len();
        self.times.clear();
        self.times.resize(n + 2, Times::default());
        self.times[0].spare = vehicle.depart_latest - vehicle.depart_earliest;
        let (ahead, free) =
            if lunch.is_some() { (vehicle.depart_earliest, NEVER) } else { (NEVER, vehicle.depart_earliest) };
        let mut gone = Arrivals { before: ahead, after: free };
        self.times[0].gone = gone;
        self.edges.clear();
        for node in 1..=n + 1 {
            let way = edges.from(self.places[node - 1] as usize).at(self.places[node] as usize);
            let driving = way.seconds();
            self.edges.push(way.cost);
            let left = gone;
            let arrived = travel(gone, driving, road);
            gone = self.stops.get(node - 1).map_or(arrived, |stop| serve(model, *stop as usize, arrived));
            self.times[node].gone = gone;
            self.times[node - 1].tail = driving;
            self.times[node - 1].way = way_at(left, driving, road);
        }
        let last = &mut self.times[n + 1];
        last.latest = Arrivals {
            before: lunch.map_or(-NEVER, |lunch| lunch.latest.min(vehicle.shift_end)),
            after: vehicle.shift_end,
        };
        (last.tail, last.floor) = (0, -NEVER);
        let mut next = *last;
        for node in (0..=n).rev() {
            let driving = self.times[node].tail;
            let (earliest, latest, service) = node.checked_sub(1).map_or((-NEVER, NEVER, 0), |position| {
                let stop = &model.stops[self.stops[position] as usize];
                (stop.earliest, stop.latest, stop.service)
            });
            let arrive_by = |leave_by: i64| {
                if leave_by < earliest + service { -NEVER } else { latest.min(leave_by - service) }
            };
            let times = &mut self.times[node];
            times.latest.after = arrive_by(road.leave_by(next.latest.after, driving));
            times.latest.before = lunch.map_or(-NEVER, |lunch| {
                let rested = leave_by_over_break(next.latest.after, driving, lunch, road);
                arrive_by(rested.max(road.leave_by(next.latest.before, driving)))
            });
            times.tail = service + times.way + next.tail;
            times.floor = next.floor.max(earliest + times.tail);
            next = *times;
        }
        let (end, bound) = (self.times[n + 1].gone, self.times[n + 1].latest);
        let skipped = if end.before <= bound.before { end.before } else { NEVER };
        let taken = if end.after <= bound.after { end.after } else { NEVER };
        self.end = if n == 0 { vehicle.depart_earliest } else { skipped.min(taken) };
        self.feasible = self.end < FAR;
        self.leave = vehicle.depart_earliest;
        if self.feasible && n > 0 && vehicle.depart_latest > vehicle.depart_earliest {
            self.refresh_departure(data);
        }
    }

    /// How late the tour may leave without ending later, and what that depends on at each node.
    fn refresh_departure(&mut self, data: &Data) {
        let model = data.model;
        let vehicle = &model.vehicles[self.vehicle];
        let kind = &data.kinds[self.vehicle];
        let (lunch, road, edges) = (kind.lunch, kind.road(), &kind.edges);
        let driving = |places: &[u32], node: usize| edges.way(places[node - 1], places[node]).1;
        let (mut free, mut waited) = (vehicle.depart_earliest, 0);
        let mut spare = vehicle.depart_latest - vehicle.depart_earliest;
        (self.times[0].waited, self.times[0].spare) = (waited, spare);
        for (at, stop) in self.stops.iter().enumerate() {
            let stop = &model.stops[*stop as usize];
            let arrival = road.arrive(free, driving(&self.places, at + 1));
            spare = spare.min(stop.latest - arrival + waited);
            waited += (stop.earliest - arrival).max(0);
            free = arrival.max(stop.earliest) + stop.service;
            (self.times[at + 1].waited, self.times[at + 1].spare) = (waited, spare);
        }
        // Backward from the end as early as it can be: latest arrivals with the break behind and ahead.
        let mut after = self.end;
        let mut before = lunch.map_or(-NEVER, |lunch| lunch.latest.min(self.end));
        for node in (0..=self.stops.len()).rev() {
            let driving = driving(&self.places, node + 1);
            let arrive_by = |leave_by: i64| match node.checked_sub(1) {
                None => leave_by,
                Some(position) => {
                    let stop = &model.stops[self.stops[position] as usize];
                    let opens = leave_by >= stop.earliest + stop.service;
                    if opens { stop.latest.min(leave_by - stop.service) } else { -NEVER }
                }
            };
            let rested = lunch.map_or(-NEVER, |lunch| {
                let over = leave_by_over_break(after, driving, lunch, road);
                arrive_by(over.max(road.leave_by(before, driving)))
            });
            (after, before) = (arrive_by(road.leave_by(after, driving)), rested);
        }
        let latest = if lunch.is_some() { before } else { after };
        self.leave = latest.clamp(vehicle.depart_earliest, vehicle.depart_latest);
    }

    fn refresh_load(&mut self, data: &Data) {
        let model = data.model;
        let class = model.vehicles[self.vehicle].class;
        let keys = model.keys.len();
        self.load.clear();
        self.load.resize(keys, 0);
        if keys == 0 {
            return;
        }
        if data.board_keys == 0 {
            for &stop in &self.stops {
                for (sum, amount) in self.load.iter_mut().zip(model.amounts(class, stop as usize)) {
                    *sum += amount;
                }
            }
            return;
        }
        self.on_board.clear();
        for &stop in self.stops.iter().filter(|stop| model.loads_at_start(**stop as usize)) {
            for (sum, amount) in self.load.iter_mut().zip(model.amounts(class, stop as usize)) {
                *sum += amount;
            }
        }
        self.on_board.extend_from_slice(&self.load);
        for &stop in &self.stops {
            let before = self.on_board.len() - keys;
            for key in 0..keys {
                let load = self.on_board[before + key] + model.changes(class, stop as usize)[key];
                self.on_board.push(load);
                self.load[key] = self.load[key].max(load);
            }
        }
    }

    fn refresh_points(&mut self, data: &Data) {
        if self.stops.is_empty() {
            self.points = 0;
            return;
        }
        let model = data.model;
        let kind = &data.kinds[self.vehicle];
        let weights = &kind.weights;
        let vehicle = &model.vehicles[self.vehicle];
        // Edges are exact unless they were divided to fit 32 bits.
        let way = if kind.exact {
            kind.scale * self.edges.iter().map(|edge| i64::from(*edge)).sum::<i64>()
        } else {
            self.places.windows(2).fold(0_i64, |sum, pair| {
                let (from, to) = (pair[0] as usize, pair[1] as usize);
                let metres = weights.metre.saturating_mul(model.metres(vehicle.profile, from, to));
                let driving = weights.driving.saturating_mul(model.driving(vehicle.profile, from, to));
                sum.saturating_add(metres).saturating_add(driving)
            })
        };
        let mut strange = 0;
        if data.has_strange(self.vehicle) {
            strange = self.stops.iter().map(|stop| data.strange(self.vehicle, *stop)).sum();
        }
        let duration = self.end - self.leave;
        let stops = i64::from(short(self.stops.len()));
        self.points = (weights.fixed)
            .saturating_add(way)
            .saturating_add(duration_points(weights, duration))
            .saturating_add(weights.drop.saturating_mul(stops))
            .saturating_add(strange);
    }

    /// Whether amounts added over the nodes `from..to` fit the capacity.
    pub(super) fn holds(&self, data: &Data, added: &[i64], from: usize, to: usize) -> bool {
        let model = data.model;
        let layouts = &model.vehicles[self.vehicle].layouts;
        if layouts.is_empty() || model.rules.ignore_capacity {
            return true;
        }
        if data.board_keys == 0 {
            return layouts
                .iter()
                .any(|layout| layout.iter().all(|&(key, limit)| self.load[key] + added[key] <= limit));
        }
        let keys = data.board_keys;
        let mut peak = self.load.clone();
        for node in from..to {
            for key in 0..keys {
                peak[key] = peak[key].max(self.on_board[node * keys + key] + added[key]);
            }
        }
        load::fits(model, self.vehicle, &peak)
    }

    /// Whether amounts added behind one node fit some layout there.
    pub(super) fn holds_at(&self, data: &Data, added: &[i64], node: usize) -> bool {
        let layouts = &data.model.vehicles[self.vehicle].layouts;
        let loads = &self.on_board[node * data.board_keys..];
        layouts.is_empty()
            || data.model.rules.ignore_capacity
            || layouts
                .iter()
                .any(|layout| layout.iter().all(|&(key, limit)| loads[key] + added[key] <= limit))
    }

    /// End of the tour when the node is reached at the given times; with a break ahead an estimate that
    /// counts the break in full.
    pub(super) fn end_from(&self, data: &Data, node: usize, at: Arrivals) -> i64 {
        let times = &self.times[node];
        let free = |t: i64| (t + times.tail).max(times.floor);
        let mut end = NEVER;
        if at.after <= times.latest.after {
            end = free(at.after);
        }
        if let (Some(lunch), true) = (data.kinds[self.vehicle].lunch, at.before <= times.latest.before) {
            let plain = free(at.before);
            end = end.min(if plain <= lunch.latest { plain } else { free(at.before + lunch.duration) });
        }
        end
    }
}

impl Tour {
    /// Latest departure with which the tour ends no later, when the node is reached at a time after so much waiting right
    /// before it. Where a break is ahead this is an estimate.
    pub(super) fn leave_for(&self, data: &Data, node: usize, at: Arrivals, waits: i64, end: i64) -> i64 {
        let vehicle = &data.model.vehicles[self.vehicle];
        if vehicle.depart_latest <= vehicle.depart_earliest {
            return vehicle.depart_earliest;
        }
        let (behind, times) = (&self.times[node - 1], &self.times[node]);
        let arrival = at.before.min(at.after);
        let slack = (times.latest.after.min(end - times.tail) - arrival).max(0);
        vehicle.depart_earliest + behind.spare.min(behind.waited + waits + slack).max(0)
    }
}

/// Points of a duration.
pub(super) fn duration_points(weights: &crate::objective::Weights, duration: i64) -> i64 {
    let mut points = weights.working.saturating_mul(duration);
    if weights.balance != 0 {
        let squared = duration.saturating_mul(duration) / crate::objective::BALANCE_SCALE;
        points = points.saturating_add(weights.balance.saturating_mul(squared));
    }
    points
}

/// Seconds of a way as it is driven by whoever leaves first.
fn way_at(left: Arrivals, driving: i64, road: Road) -> i64 {
    let leave = left.before.min(left.after);
    if road.clock.is_none() || leave >= FAR { driving } else { road.arrive(leave, driving) - leave }
}
