//! Departure, arrivals and break of one run.
//!
//! The departure is the start of the shift, or, with a departure window, the latest moment that neither ends
//! the run later nor makes anyone later. The break goes on the leg where the run ends earliest; when every
//! place makes someone late, where the lateness is least.

use crate::model::{FAR, Model};
use crate::plan::PlacedBreak;
use crate::traffic::Road;

/// Times of one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Schedule {
    pub(super) departure: i64,
    pub(super) arrivals: Vec<i64>,
    /// Seconds on the road on the leg to each stop and to the end.
    pub(super) driving: Vec<i64>,
    pub(super) end: i64,
    pub(super) lunch: Option<PlacedBreak>,
    /// Seconds by which stops and the end of the shift are missed together.
    pub(super) late: i64,
    /// The run keeps its times without the break but not with it.
    pub(super) lunch_is_in_the_way: bool,
}

/// A run reduced to what its times depend on.
struct Timeline<'m> {
    /// Seconds of the leg to each stop and to the end, where traffic changes over the day those at its usual pace.
    legs: Vec<i64>,
    /// Earliest, latest and service of each stop.
    stops: Vec<(i64, i64, i64)>,
    shift_end: i64,
    road: Road<'m>,
}

/// How late everything is together, then when the run ends: what makes one schedule better than another.
type Quality = (i64, i64);

/// The best schedule of a run in the given order.
pub(super) fn best(model: &Model, vehicle: usize, stops: &[usize]) -> Schedule {
    let data = &model.vehicles[vehicle];
    let timeline = Timeline::new(model, vehicle, stops);
    let quality = |departure: i64| timeline.place_lunch(departure).1;
    let earliest = data.depart_earliest;
    let target = if data.depart_latest > earliest { quality(earliest) } else { (0, 0) };
    // Leaving later never makes anything earlier, so the last departure without loss is found by halving.
    let (mut good, mut bad) = (earliest, data.depart_latest + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if quality(middle) <= target { good = middle } else { bad = middle }
    }
    let (placed, reached) = timeline.place_lunch(good);
    let mut schedule = timeline.run(good, placed);
    schedule.late = timeline.quality(&schedule).0;
    schedule.lunch_is_in_the_way =
        placed.is_some() && reached.0 > 0 && timeline.quality(&timeline.run(good, None)).0 == 0;
    schedule
}

impl<'m> Timeline<'m> {
    fn new(model: &'m Model, vehicle: usize, stops: &[usize]) -> Self {
        let data = &model.vehicles[vehicle];
        let places: Vec<usize> = std::iter::once(data.start)
            .chain(stops.iter().map(|stop| model.stops[*stop].place))
            .chain(std::iter::once(data.end))
            .collect();
        let seconds = |pair: &[usize]| {
            let driving = model.driving(data.profile, pair[0], pair[1]);
            if driving >= FAR { 0 } else { driving }
        };
        Self {
            legs: places.windows(2).map(seconds).collect(),
            stops: stops
                .iter()
                .map(|stop| &model.stops[*stop])
                .map(|stop| (stop.earliest, stop.latest, stop.service))
                .collect(),
            shift_end: data.shift_end,
            road: model.road(vehicle),
        }
    }

    /// Position of the break (if one is needed) and what is reached with it.
    fn place_lunch(&self, departure: i64) -> (Option<usize>, Quality) {
        let plain = self.run(departure, None);
        let reached = self.quality(&plain);
        let Some(lunch) = self.road.lunch else { return (None, reached) };
        if plain.end <= lunch.latest {
            return (None, reached);
        }
        if self.road.clock.is_some()
            && let Some(found) = self.lunch_in_time(departure)
        {
            return found;
        }
        // Beyond the first leg that starts too late there is nothing to try. Equal placements: the earlier.
        let mut best: Option<(usize, Quality)> = None;
        for (leg, (latest, after, floor)) in self.onward().into_iter().enumerate() {
            let free = self.free_at(&plain, leg, departure);
            if free > lunch.latest {
                break;
            }
            let arrival = self.road.arrive_over(free, self.legs[leg], lunch);
            let on_time_before =
                plain.arrivals[..leg].iter().zip(&self.stops).all(|(at, stop)| *at <= stop.1);
            let quality = if self.road.clock.is_none() && on_time_before && arrival <= latest {
                (0, (arrival + after).max(floor))
            } else {
                self.quality(&self.run(departure, Some(leg)))
            };
            if best.is_none_or(|(_, least)| quality < least) {
                best = Some((leg, quality));
            }
        }
        // Departing after the latest start of the break is no way around it.
        best.map_or((None, (i64::MAX, reached.1)), |(leg, quality)| (Some(leg), quality))
    }

    /// The break where the run ends earliest with all in time, traffic and all; `None` when there is no such place.
    fn lunch_in_time(&self, departure: i64) -> Option<(Option<usize>, Quality)> {
        let lunch = self.road.lunch?;
        let never = i64::MAX;
        let (mut ahead, mut rested) = (departure, (never, 0));
        for (leg, &way) in self.legs.iter().enumerate() {
            let arrive = |free: i64| if free == never { never } else { self.road.arrive(free, way) };
            let here = if ahead <= lunch.latest { self.road.arrive_over(ahead, way, lunch) } else { never };
            let behind = arrive(rested.0);
            // Equal placements: the earlier.
            rested = if here < behind { (here, leg) } else { (behind, rested.1) };
            ahead = arrive(ahead);
            match self.stops.get(leg) {
                Some(&(earliest, latest, service)) => {
                    let leave = |at: i64| if at > latest { never } else { at.max(earliest) + service };
                    (ahead, rested.0) = (leave(ahead), leave(rested.0));
                }
                None if rested.0 > self.shift_end => rested.0 = never,
                None => {}
            }
        }
        (rested.0 < never).then_some((Some(rested.1), (0, rested.0)))
    }

    /// For arriving at each stop (or the end) at time t without a break ahead: latest t that keeps all times,
    /// and the end of the run as max(t + after, floor), where ways take as long at any time.
    fn onward(&self) -> Vec<(i64, i64, i64)> {
        let mut onward = vec![(self.shift_end, 0, i64::MIN / 4)];
        for (position, &(earliest, latest, service)) in self.stops.iter().enumerate().rev() {
            let (next_latest, next_after, next_floor) = onward[onward.len() - 1];
            let leg = self.legs[position + 1];
            let leave_by = next_latest - leg;
            let arrive_by =
                if leave_by < earliest + service { i64::MIN / 4 } else { latest.min(leave_by - service) };
            let after = service + leg + next_after;
            onward.push((arrive_by, after, next_floor.max(earliest + after)));
        }
        onward.reverse();
        onward
    }

    /// When the vehicle may set off on a leg.
    fn free_at(&self, schedule: &Schedule, leg: usize, departure: i64) -> i64 {
        leg.checked_sub(1).map_or(departure, |position| {
            let (earliest, _, service) = self.stops[position];
            schedule.arrivals[position].max(earliest) + service
        })
    }

    /// Drives the run once, with the break on the given leg.
    fn run(&self, departure: i64, lunch_on: Option<usize>) -> Schedule {
        let mut schedule = Schedule { departure, ..Schedule::default() };
        let mut free = departure;
        for (leg, &driving) in self.legs.iter().enumerate() {
            let mut arrival = self.road.arrive(free, driving);
            let mut idle = 0;
            if let (Some(lunch), true) = (self.road.lunch, lunch_on == Some(leg)) {
                let start = free.max(lunch.earliest);
                let wait = (lunch.earliest - arrival).max(0);
                arrival = self.road.arrive_over(free, driving, lunch);
                idle = wait + lunch.duration;
                schedule.lunch = Some(PlacedBreak { before: leg, start, end: start + lunch.duration, wait });
            }
            schedule.driving.push(arrival - free - idle);
            match self.stops.get(leg) {
                Some(&(earliest, _, service)) => {
                    schedule.arrivals.push(arrival);
                    free = arrival.max(earliest) + service;
                }
                None => schedule.end = arrival,
            }
        }
        schedule
    }

    fn quality(&self, schedule: &Schedule) -> Quality {
        let late: i64 =
            schedule.arrivals.iter().zip(&self.stops).map(|(arrival, stop)| (arrival - stop.1).max(0)).sum();
        (late + (schedule.end - self.shift_end).max(0), schedule.end)
    }
}
