//! Times of consecutive stops where traffic changes over the day.
//!
//! A way takes as long as it does at the moment at which the run leaves the stop before it as it is now. So parts still join in
//! constant time: exact are the beginning of a run and what is put behind it, while its rest is taken to take as long as it did
//! before. The whole run is driven once when it is changed, and what does not pay then is taken back ([`Polish::paid`]).

use super::Polish;
use super::segment::{Segment, Timed};
use crate::problem::Break;
use crate::traffic::Road;

/// Times of consecutive stops as `S` joins them, and when they are left.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hourly<S> {
    times: S,
    gone: i64,
    /// Window and service, for a single stop.
    opens: i64,
    closes: i64,
    service: i64,
    rested: bool,
}

impl<S: Timed> Timed for Hourly<S> {
    const HOURLY: bool = true;

    fn stop(early: i64, late: i64, service: i64) -> Self {
        let times = S::stop(early, late, service);
        Self { times, gone: early, opens: early, closes: late, service, rested: false }
    }

    fn end(early: i64, late: i64, lunch: Option<Break>) -> Self {
        let times = S::end(early, late, lunch);
        Self { times, gone: early, opens: early, closes: late, service: 0, rested: false }
    }

    fn then(self, way: i64, next: Self, road: Road) -> Self {
        let arrival = road.arrive(self.gone, way);
        // About where the break lies: on the first way on which it may.
        let rests = road.lunch.filter(|lunch| !self.rested && arrival >= lunch.earliest);
        let rested = rests.map_or(arrival, |lunch| road.arrive_over(self.gone, way, lunch));
        // What comes too late goes on as if it had been in time, as segments count it.
        let gone = rested.min(next.closes).max(next.opens) + next.service;
        let times = self.times.then(arrival - self.gone, next.times, road);
        Self { times, gone, rested: self.rested || rests.is_some(), ..next }
    }

    fn left(self, at: i64) -> Self {
        Self { gone: at, ..self }
    }

    fn gone(self) -> i64 {
        self.gone
    }

    fn whole(self) -> Segment {
        self.times.whole()
    }

    fn rests(self) -> bool {
        self.times.rests()
    }
}

impl<T: Timed> Polish<'_, '_, T> {
    /// Tries a move, which tells whether it changed anything. Where only whole runs tell what it is worth, one that does not pay
    /// is taken back.
    #[inline]
    pub(super) fn paid(&mut self, change: impl FnOnce(&mut Self) -> bool) -> bool {
        if !T::HOURLY {
            return change(self);
        }
        self.tried.clear();
        let before = self.worth.cost(self.penalties);
        if !change(self) {
            return false;
        }
        if self.worth.cost(self.penalties) < before {
            return true;
        }
        for (index, stops) in std::mem::take(&mut self.tried).into_iter().rev() {
            self.edit(index, |current| *current = stops);
        }
        false
    }
}
