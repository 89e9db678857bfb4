//! Times along one run: forward the earliest departures, backward the latest arrivals.
//!
//! Driving is first-in first-out, so leaving earlier never makes a later arrival: of all ways to reach a
//! stop with the break taken (or not yet taken) only the earliest matters. Two numbers per stop and
//! direction therefore decide exactly whether a stop can be inserted, in constant time.

use crate::model::{ANY_TIME, FAR, Model};
use crate::problem::Break;
use crate::traffic::Road;

/// No such time.
pub(crate) const NEVER: i64 = 1 << 41;

/// Times of one run. Node 0 is the start, 1..=n the stops, n + 1 the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lane {
    pub(crate) vehicle: usize,
    pub(crate) sequence: Vec<usize>,
    /// Latest end of the run.
    shift_end: i64,
    lunch: Option<Break>,
    /// Earliest departure with the break still ahead; [`NEVER`] when there is no break to take.
    before: Vec<i64>,
    /// Earliest departure with the break taken or none to take.
    after: Vec<i64>,
    /// Latest arrival with the break still ahead.
    latest_before: Vec<i64>,
    /// Latest arrival with nothing ahead.
    latest_after: Vec<i64>,
}

/// Earliest arrival over a leg on which the break is taken; [`NEVER`] when it is too late for it.
pub(crate) fn over_break(departure: i64, driving: i64, lunch: Break, road: Road) -> i64 {
    if departure > lunch.latest { NEVER } else { road.arrive_over(departure, driving, lunch) }
}

/// Arrivals with the break still ahead and with it taken.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrivals {
    pub(crate) before: i64,
    pub(crate) after: i64,
}

impl Lane {
    /// Times of a run in the given order.
    pub(crate) fn new(model: &Model, vehicle: usize, sequence: Vec<usize>) -> Self {
        let data = &model.vehicles[vehicle];
        let mut lane =
            Self { vehicle, sequence, shift_end: data.shift_end, lunch: data.lunch, ..Self::default() };
        lane.refresh(model);
        lane
    }

    /// The same run without an end of the shift.
    pub(crate) fn without_shift(&self, model: &Model) -> Self {
        let mut lane = Self { shift_end: ANY_TIME, ..self.clone() };
        lane.refresh(model);
        lane
    }

    /// The same run with so much more time at its end.
    pub(crate) fn extended(&self, model: &Model, seconds: i64) -> Self {
        let mut lane = Self { shift_end: self.shift_end + seconds, ..self.clone() };
        lane.refresh(model);
        lane
    }

    /// The same run without its break: nowhere later than with it.
    pub(crate) fn without_break(&self, model: &Model) -> Self {
        let mut lane = Self { lunch: None, ..self.clone() };
        lane.refresh(model);
        lane
    }

    /// Recalculates after the sequence changed.
    pub(crate) fn refresh(&mut self, model: &Model) {
        let nodes = self.sequence.len() + 2;
        for times in [&mut self.before, &mut self.after, &mut self.latest_before, &mut self.latest_after] {
            times.clear();
            times.resize(nodes, 0);
        }
        let vehicle = &model.vehicles[self.vehicle];
        let (lunch, road) = (self.lunch, self.road(model));
        self.before[0] = if lunch.is_some() { vehicle.depart_earliest } else { NEVER };
        self.after[0] = if lunch.is_some() { NEVER } else { vehicle.depart_earliest };
        for node in 1..nodes {
            let driving = self.driving(model, self.place(model, node - 1), self.place(model, node));
            let left = Arrivals { before: self.before[node - 1], after: self.after[node - 1] };
            let arrived = travel(left, driving, road);
            let stop = self.sequence.get(node - 1).copied();
            let gone = stop.map_or(arrived, |stop| serve(model, stop, arrived));
            (self.before[node], self.after[node]) = (gone.before, gone.after);
        }
        let end = nodes - 1;
        self.latest_after[end] = self.shift_end;
        self.latest_before[end] = lunch.map_or(-NEVER, |lunch| lunch.latest.min(self.shift_end));
        for node in (1..end).rev() {
            let driving = self.driving(model, self.place(model, node), self.place(model, node + 1));
            let stop = &model.stops[self.sequence[node - 1]];
            let arrive_by = |leave_by: i64| {
                if leave_by < stop.earliest + stop.service {
                    -NEVER
                } else {
                    stop.latest.min(leave_by - stop.service)
                }
            };
            self.latest_after[node] = arrive_by(road.leave_by(self.latest_after[node + 1], driving));
            let plain = road.leave_by(self.latest_before[node + 1], driving);
            let leave_by = lunch.map_or(plain, |lunch| {
                plain.max(leave_by_over_break(self.latest_after[node + 1], driving, lunch, road))
            });
            self.latest_before[node] = if lunch.is_some() { arrive_by(leave_by) } else { -NEVER };
        }
    }

    /// Whether windows, shift and break can all be kept.
    pub(crate) fn feasible(&self) -> bool {
        let end = self.sequence.len() + 1;
        self.sequence.is_empty()
            || self.after[end] <= self.shift_end
            || self.before[end] <= self.latest_before[end]
    }

    /// When the vehicle can leave its last stop; the earliest departure when it is late before that.
    pub(crate) fn free_at_end(&self, model: &Model) -> i64 {
        let free = self.before[self.sequence.len()].min(self.after[self.sequence.len()]);
        if free < FAR { free } else { model.vehicles[self.vehicle].depart_earliest }
    }

    /// Whether `stop` can be inserted before position `at` without breaking windows, shift or break.
    pub(crate) fn admits(&self, model: &Model, stop: usize, at: usize) -> bool {
        let data = &model.stops[stop];
        self.admits_between(model, stop, at, (data.earliest, data.latest))
    }

    /// The same with another window of the stop.
    pub(crate) fn admits_between(&self, model: &Model, stop: usize, at: usize, window: (i64, i64)) -> bool {
        let place = model.stops[stop].place;
        let left = Arrivals { before: self.before[at], after: self.after[at] };
        let road = self.road(model);
        let arrived = travel(left, self.driving(model, self.place(model, at), place), road);
        let gone = serve_between(arrived, window, model.stops[stop].service);
        let next = travel(gone, self.driving(model, place, self.place(model, at + 1)), road);
        next.before <= self.latest_before[at + 1] || next.after <= self.latest_after[at + 1]
    }

    /// Seconds by which at least one rule of time is missed when `stop` is inserted before position `at` of a run that keeps
    /// all of them and has no break. Where traffic changes on the way what is behind the stop counts as a second: it may make up
    /// for the rest.
    pub(crate) fn missed(&self, model: &Model, stop: usize, at: usize) -> i64 {
        let data = &model.stops[stop];
        let road = self.road(model);
        let arrival = road.arrive(self.after[at], self.driving(model, self.place(model, at), data.place));
        if arrival > data.latest {
            return arrival - data.latest;
        }
        let gone = arrival.max(data.earliest) + data.service;
        let next = road.arrive(gone, self.driving(model, data.place, self.place(model, at + 1)));
        let late = (next - self.latest_after[at + 1]).max(0);
        if road.clock.is_some() { late.min(1) } else { late }
    }

    /// Extra driving seconds, at the usual pace, and metres of inserting `stop` before position `at`.
    pub(crate) fn detour(&self, model: &Model, stop: usize, at: usize) -> (i64, i64) {
        let (from, via, to) = (self.place(model, at), model.stops[stop].place, self.place(model, at + 1));
        let driving =
            self.driving(model, from, via) + self.driving(model, via, to) - self.driving(model, from, to);
        let profile = model.vehicles[self.vehicle].profile;
        let metres = |from, to| model.metres(profile, from, to);
        let metres = metres(from, via) + metres(via, to) - metres(from, to);
        (driving, metres)
    }

    /// Place of a node.
    fn place(&self, model: &Model, node: usize) -> usize {
        let vehicle = &model.vehicles[self.vehicle];
        match node.checked_sub(1) {
            None => vehicle.start,
            Some(position) => {
                self.sequence.get(position).map_or(vehicle.end, |stop| model.stops[*stop].place)
            }
        }
    }

    fn road<'m>(&self, model: &'m Model) -> Road<'m> {
        Road { lunch: self.lunch, ..model.road(self.vehicle) }
    }

    fn driving(&self, model: &Model, from: usize, to: usize) -> i64 {
        model.driving(model.vehicles[self.vehicle].profile, from, to)
    }
}

/// Arrivals over a leg, possibly with the break on it.
#[inline]
pub(crate) fn travel(left: Arrivals, driving: i64, road: Road) -> Arrivals {
    let after = road.arrive(left.after, driving).min(NEVER);
    match road.lunch {
        Some(lunch) if left.before < FAR => Arrivals {
            before: road.arrive(left.before, driving).min(NEVER),
            after: after.min(over_break(left.before, driving, lunch, road)),
        },
        _ => Arrivals { before: NEVER, after },
    }
}

/// Departures after serving a stop; [`NEVER`] when it is reached too late.
#[inline]
pub(crate) fn serve(model: &Model, stop: usize, arrived: Arrivals) -> Arrivals {
    let stop = &model.stops[stop];
    serve_between(arrived, (stop.earliest, stop.latest), stop.service)
}

#[inline]
fn serve_between(arrived: Arrivals, (earliest, latest): (i64, i64), service: i64) -> Arrivals {
    let leave = |arrival: i64| if arrival > latest { NEVER } else { arrival.max(earliest) + service };
    Arrivals { before: leave(arrived.before), after: leave(arrived.after) }
}

/// Latest departure on a leg with the break so that the next node is reached in time.
pub(crate) fn leave_by_over_break(arrive_by: i64, driving: i64, lunch: Break, road: Road) -> i64 {
    if lunch.earliest + lunch.duration > arrive_by {
        return -NEVER;
    }
    let plain = || Some(arrive_by - lunch.duration - driving);
    let leave = road.clock.map_or_else(plain, |clock| clock.leave_by_over(arrive_by, driving, lunch));
    leave.map_or(-NEVER, |leave| lunch.latest.min(leave))
}

/// When a run in the given order leaves and ends: as early as it can, and as late as that allows. `None` when it breaks a rule of
/// time.
pub(crate) fn span(model: &Model, vehicle: usize, stops: &[u32]) -> Option<(i64, i64)> {
    let data = &model.vehicles[vehicle];
    let road = model.road(vehicle);
    let place = |node: usize| match node.checked_sub(1) {
        None => data.start,
        Some(at) => stops.get(at).map_or(data.end, |stop| model.stops[*stop as usize].place),
    };
    let driving = |node: usize| model.driving(data.profile, place(node - 1), place(node));
    let (earliest, latest) = (data.depart_earliest, data.depart_latest);
    let mut gone = if road.lunch.is_some() {
        Arrivals { before: earliest, after: NEVER }
    } else {
        Arrivals { before: NEVER, after: earliest }
    };
    for (at, stop) in stops.iter().enumerate() {
        gone = serve(model, *stop as usize, travel(gone, driving(at + 1), road));
    }
    let over = travel(gone, driving(stops.len() + 1), road);
    let skipped = road.lunch.map_or(NEVER, |lunch| lunch.latest.min(data.shift_end));
    let ends = [(over.before, skipped), (over.after, data.shift_end)];
    let in_time = |(end, by): &(i64, i64)| *end < FAR && end <= by;
    let (end, _) = ends.into_iter().filter(in_time).min()?;
    if latest <= earliest {
        return Some((earliest, end));
    }
    let mut after = end;
    let mut before = road.lunch.map_or(-NEVER, |lunch| lunch.latest.min(end));
    for node in (0..=stops.len()).rev() {
        let way = driving(node + 1);
        let arrive_by = |leave_by: i64| match node.checked_sub(1) {
            None => leave_by,
            Some(at) => {
                let stop = &model.stops[stops[at] as usize];
                let opens = leave_by >= stop.earliest + stop.service;
                if opens { stop.latest.min(leave_by - stop.service) } else { -NEVER }
            }
        };
        let rested = road.lunch.map_or(-NEVER, |lunch| {
            arrive_by(leave_by_over_break(after, way, lunch, road).max(road.leave_by(before, way)))
        });
        (after, before) = (arrive_by(road.leave_by(after, way)), rested);
    }
    let leave = if road.lunch.is_some() { before } else { after };
    Some((leave.clamp(earliest, latest), end))
}

impl Lane {
    /// How late the run is: seconds by which stops and shift are missed when everything late is served all
    /// the same, without looking for the best place of the break; 0 when the run is feasible.
    pub(crate) fn lateness(&self, model: &Model) -> i128 {
        if self.feasible() {
            return 0;
        }
        let mut free = model.vehicles[self.vehicle].depart_earliest;
        let mut late = 1;
        for node in 1..=self.sequence.len() + 1 {
            let driving = self.driving(model, self.place(model, node - 1), self.place(model, node));
            free = if driving < FAR { self.road(model).arrive(free, driving) } else { free + FAR };
            if let Some(&stop) = self.sequence.get(node - 1) {
                let stop = &model.stops[stop];
                late += i128::from((free - stop.latest).max(0));
                free = free.max(stop.earliest) + stop.service;
            }
        }
        late + i128::from((free - self.shift_end).max(0))
    }
}
