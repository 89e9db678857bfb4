//! Times of consecutive stops of a run with a break: each part of the run may lie before the break, after it, or
//! around it.
//!
//! On a way of `w` seconds the break is two stops without a place: one that must be left by the latest start of
//! the break, then after the drive one that opens at its earliest start and takes its duration. Of the ways to
//! lay the break into a part, the one that is least late and then shortest is kept, so the times of a run are
//! those of a real way to drive it, if not always of the best.

use super::segment::{Segment, Timed};
use crate::problem::Break;
use crate::traffic::Road;

/// Times of consecutive stops with the break still ahead behind them, inside, and taken before them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rested {
    ahead: Segment,
    inside: Option<Segment>,
    behind: Segment,
}

fn better(a: Option<Segment>, b: Option<Segment>) -> Option<Segment> {
    let quality = |segment: &Segment| (segment.warp, segment.duration, -segment.late);
    match (a, b) {
        (Some(first), Some(second)) if quality(&second) < quality(&first) => b,
        (None, _) => b,
        _ => a,
    }
}

fn over_break(before: Segment, way: i64, lunch: Break, after: Segment) -> Segment {
    // Joined with a stop that closes at the latest start, and one that opens at the earliest; half of that falls away.
    let lasting = before.duration - before.warp;
    let warp = (before.early + lasting - lunch.latest).max(0);
    let late = (lunch.latest - lasting).min(before.late) + warp;
    let reached = lasting - warp + way;
    let wait = (lunch.earliest - reached - late).max(0);
    let rested = Segment {
        duration: before.duration + way + wait + lunch.duration,
        warp: before.warp + warp,
        early: (lunch.earliest - reached).max(before.early) - wait,
        late,
    };
    rested.then(0, after)
}

impl Timed for Rested {
    fn stop(early: i64, late: i64, service: i64) -> Self {
        let stop = Segment::stop(early, late, service);
        Self { ahead: stop, inside: None, behind: stop }
    }

    /// A run that ends by the latest start of the break needs none.
    fn end(early: i64, late: i64, lunch: Option<Break>) -> Self {
        let by = lunch.map_or(late, |lunch| late.min(lunch.latest));
        Self {
            ahead: Segment::stop(early.min(by), by, 0),
            inside: None,
            behind: Segment::stop(early, late, 0),
        }
    }

    fn then(self, way: i64, next: Self, road: Road) -> Self {
        let ahead = self.ahead.then(way, next.ahead);
        let Some(lunch) = road.lunch else { return Self { ahead, inside: None, behind: ahead } };
        let first = self.inside.map(|inside| inside.then(way, next.behind));
        let second = next.inside.map(|inside| self.ahead.then(way, inside));
        let between = over_break(self.ahead, way, lunch, next.behind);
        Self {
            ahead,
            inside: better(better(first, second), Some(between)),
            behind: self.behind.then(way, next.behind),
        }
    }

    /// Without a break when none is needed, or when it would make the run later.
    fn whole(self) -> Segment {
        self.inside.filter(|_| self.rests()).unwrap_or(self.ahead)
    }

    fn rests(self) -> bool {
        self.inside.is_some_and(|inside| inside.warp < self.ahead.warp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Drives stops given as (way, early, late, service) and the way to the end; lateness and end of the run with
    /// the break on a way, if it may start there.
    fn drive(stops: &[(i64, i64, i64, i64)], home: i64, rest: Option<(usize, Break)>) -> Option<(i64, i64)> {
        let (mut now, mut late) = (0, 0);
        for leg in 0..=stops.len() {
            let (way, window) = stops.get(leg).map_or((home, None), |stop| (stop.0, Some(stop)));
            match rest.filter(|(at, _)| *at == leg) {
                Some((_, lunch)) if now > lunch.latest => return None,
                Some((_, lunch)) => now = (now + way).max(lunch.earliest) + lunch.duration,
                None => now += way,
            }
            if let Some(&(_, early, latest, service)) = window {
                late += (now - latest).max(0);
                now = now.max(early) + service;
            }
        }
        Some((late, now))
    }

    proptest! {
        /// From the start on, a run is in time exactly when some place of the break is, and ends as early.
        #[test]
        fn rests_where_it_is_best(
            stops in prop::collection::vec((0..90_i64, 0..500_i64, 0..300_i64, 0..60_i64), 1..7),
            (home, end) in (0..90_i64, 100..900_i64),
            (duration, earliest, length) in (1..80_i64, 0..500_i64, 0..200_i64),
        ) {
            let stops: Vec<_> = stops.into_iter().map(|(way, early, length, s)| (way, early, early + length, s)).collect();
            let lunch = Break { duration, earliest, latest: earliest + length };
            let road = Road { lunch: Some(lunch), clock: None };
            let run = stops.iter().fold(Rested::stop(0, 0, 0), |run, &(way, early, late, service)| {
                run.then(way, Rested::stop(early, late, service), road)
            });
            let run = run.then(home, Rested::end(0, end, Some(lunch)), road).whole();
            let in_time = |(late, over): &(i64, i64)| *late == 0 && *over <= end;
            let plain = drive(&stops, home, None).filter(in_time).filter(|(_, over)| *over <= lunch.latest);
            let rests = (0..=stops.len()).filter_map(|leg| drive(&stops, home, Some((leg, lunch))));
            let best = plain.or_else(|| rests.filter(in_time).min_by_key(|(_, over)| *over));
            prop_assert_eq!(run.warp == 0, best.is_some());
            if let Some((_, over)) = best {
                prop_assert_eq!(run.duration, over);
            }
        }
    }
}
