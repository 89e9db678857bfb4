//! Time of consecutive stops as one segment; two segments join in constant time (Vidal et al. 2013).
//!
//! A segment started inside `[early, late]` takes `duration` seconds, waiting included, and is late by `warp`
//! seconds in all; starting earlier adds waiting, starting later adds lateness. Joining `a` and `b` over a way
//! of `d` seconds, with `delta = a.duration - a.warp + d`:
//!
//! ```text
//! wait = max(b.early - delta - a.late, 0)      warp = max(a.early + delta - b.late, 0)
//! duration = a.duration + b.duration + d + wait      warp = a.warp + b.warp + warp
//! early = max(b.early - delta, a.early) - wait       late = min(b.late - delta, a.late) + warp
//! ```

use crate::problem::Break;
use crate::traffic::Road;

/// Times of consecutive stops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::engine::native) struct Segment {
    pub(super) duration: i64,
    pub(super) warp: i64,
    pub(super) early: i64,
    pub(super) late: i64,
}

impl Segment {
    /// A single stop.
    #[inline]
    pub(super) fn stop(early: i64, late: i64, service: i64) -> Self {
        Self { duration: service, warp: 0, early, late }
    }

    /// This segment, then `way` seconds, then the next.
    #[inline]
    pub(super) fn then(self, way: i64, next: Self) -> Self {
        let delta = self.duration - self.warp + way;
        let wait = (next.early - delta - self.late).max(0);
        let warp = (self.early + delta - next.late).max(0);
        Self {
            duration: self.duration + next.duration + way + wait,
            warp: self.warp + next.warp + warp,
            early: (next.early - delta).max(self.early) - wait,
            late: (next.late - delta).min(self.late) + warp,
        }
    }
}

/// What the local search needs of the times of consecutive stops.
pub(in crate::engine::native) trait Timed:
    Copy + Default + std::fmt::Debug
{
    /// Ways take as long as traffic lets them at the hour in which they are driven: a part that is moved to another hour is judged
    /// as it was driven before, so that only the whole run tells what a change is worth.
    const HOURLY: bool = false;

    /// A single stop, or the start of a run.
    fn stop(early: i64, late: i64, service: i64) -> Self;
    /// The end of a run.
    fn end(early: i64, late: i64, lunch: Option<Break>) -> Self;
    /// This part, then `way` seconds, then the next, as the vehicle drives it.
    fn then(self, way: i64, next: Self, road: Road) -> Self;
    /// The same part when it is known when it is begun, or left if it is a stop.
    #[must_use]
    fn left(self, _at: i64) -> Self {
        self
    }
    /// When it is left as far as that is known; 0 where ways take as long at any time.
    fn gone(self) -> i64 {
        0
    }
    /// The times of a whole run.
    fn whole(self) -> Segment;
    /// Whether the break is taken in a whole run.
    fn rests(self) -> bool;
}

impl Timed for Segment {
    #[inline]
    fn stop(early: i64, late: i64, service: i64) -> Self {
        Self::stop(early, late, service)
    }

    fn end(early: i64, late: i64, _: Option<Break>) -> Self {
        Self::stop(early, late, 0)
    }

    #[inline]
    fn then(self, way: i64, next: Self, _: Road) -> Self {
        self.then(way, next)
    }

    #[inline]
    fn whole(self) -> Segment {
        self
    }

    fn rests(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Joined in any grouping, segments give the times of driving the stops one after the other.
        #[test]
        fn joins_like_driving(
            stops in prop::collection::vec((0..500_i64, 0..300_i64, 0..60_i64, 0..90_i64), 1..8),
            split in 0..8_usize,
        ) {
            let segment = |(early, length, service, _): (i64, i64, i64, i64)| Segment::stop(early, early + length, service);
            let join = |part: &[(i64, i64, i64, i64)]| {
                part[1..].iter().fold(segment(part[0]), |joined, stop| joined.then(stop.3, segment(*stop)))
            };
            let start = Segment::stop(0, 0, 0);
            let whole = start.then(stops[0].3, join(&stops));
            let split = split.clamp(1, stops.len());
            let grouped = match stops.split_at(split) {
                (all, []) => start.then(stops[0].3, join(all)),
                (first, rest) => start.then(stops[0].3, join(first)).then(rest[0].3, join(rest)),
            };
            prop_assert_eq!(whole, grouped);
            let (mut now, mut warp) = (0, 0);
            for (early, length, service, way) in stops {
                now = (now + way).max(early);
                let late = (now - early - length).max(0);
                warp += late;
                now = now - late + service;
            }
            prop_assert_eq!((whole.duration - whole.warp, whole.warp), (now, warp));
        }
    }
}
