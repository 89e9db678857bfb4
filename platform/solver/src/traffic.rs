//! How fast traffic is over the day, and the times of ways through it.

use serde::{Deserialize, Serialize};

use crate::model::FAR;
use crate::problem::Break;

/// How fast traffic is over the day: shares of the speed that the matrices are told for, each from its moment on until the next.
/// The first holds before its moment, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// The pace at which ways are weighed against each other before it is known when they are driven. Times do not depend on it
    /// but for the rounding of each way to whole seconds.
    pub usual: f64,
    /// Moments in seconds, ascending, and the pace from each on: 1 as the matrices say, 0.5 takes twice as long.
    pub paces: Vec<(i64, f64)>,
}

/// Slowest and fastest pace that is calculated with.
pub(crate) const PACES: std::ops::RangeInclusive<f64> = 0.01..=100.0;
/// Seconds in which the pace stays.
const CELL: i64 = 900;
/// Most of them: more than a month.
const MOST_CELLS: i64 = 3_000;
/// Parts of a second of driving that are counted with.
const PARTS: i64 = 10_000;

impl Traffic {
    /// Whether moments ascend, follow each other within a month, and all paces can be calculated with.
    pub(crate) fn is_sound(&self) -> bool {
        let ascends = self.paces.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let span = match (self.paces.first(), self.paces.last()) {
            (Some((first, _)), Some((last, _))) => last.saturating_sub(*first),
            _ => 0,
        };
        ascends
            && (0..CELL * (MOST_CELLS - 2)).contains(&span)
            && PACES.contains(&self.usual)
            && self.paces.iter().all(|(at, pace)| at.abs() < FAR / 8 && PACES.contains(pace))
    }

    /// The pace at which ways are told: the usual one, or the one that holds all the time.
    pub(crate) fn told(&self) -> f64 {
        self.constant().unwrap_or(self.usual)
    }

    /// The pace when it is the same all the time; 1 when nothing is told.
    fn constant(&self) -> Option<f64> {
        let first = self.paces.first().map_or(1.0, |(_, pace)| *pace);
        self.paces.iter().all(|(_, pace)| (pace - first).abs() < 1e-9).then_some(first)
    }

    /// The pace at a moment.
    fn at(&self, moment: i64) -> f64 {
        let next = self.paces.partition_point(|(from, _)| *from <= moment);
        self.paces.get(next.saturating_sub(1)).map_or(1.0, |(_, pace)| *pace)
    }
}

/// Driving that can be done until each moment, from which follows when a drive arrives.
///
/// Both directions are exact in whole seconds: `arrive(leave, way) <= by` holds exactly when `leave <= leave_by(by, way)`, so that
/// who leaves later never arrives earlier, and what is known backward from the end of a run decides as surely as driving it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clock {
    /// First moment of the first cell.
    from: i64,
    /// Parts of a second of driving done from there until the beginning of each cell.
    done: Vec<i64>,
    /// Parts of a second of driving in each second of a cell.
    rates: Vec<i64>,
}

impl Clock {
    /// A clock on which ways are told at the usual pace; none where traffic is the same all the time.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "paces lie in a small range"
    )]
    pub(crate) fn new(traffic: &Traffic) -> Option<Self> {
        if traffic.constant().is_some() {
            return None;
        }
        let first = traffic.paces.first().map_or(0, |(at, _)| at.div_euclid(CELL) * CELL);
        let last = traffic.paces.last().map_or(0, |(at, _)| *at);
        // The first and the last are longer than all others: what is before and behind them belongs to them.
        let cells = ((last - first) / CELL + 2).clamp(1, MOST_CELLS);
        let rates: Vec<i64> = (0..cells)
            .map(|cell| {
                // A pace that changes within a cell holds from the next one on.
                let pace = traffic.at(first + cell * CELL) / traffic.usual;
                ((pace * PARTS as f64).round() as i64).clamp(PARTS / 1000, PARTS * 100)
            })
            .collect();
        let mut done = Vec::with_capacity(rates.len());
        let mut sum = 0;
        for rate in &rates {
            done.push(sum);
            sum += rate * CELL;
        }
        Some(Self { from: first, done, rates })
    }

    /// How much longer a way takes when traffic is slowest than when it is fastest, in thousandths of its usual time.
    pub(crate) fn spread(&self) -> i64 {
        let (slowest, fastest) = (self.rates.iter().min(), self.rates.iter().max());
        slowest.zip(fastest).map_or(0, |(slow, fast)| 1000 * PARTS / slow - 1000 * PARTS / fast)
    }

    #[inline]
    fn cell(&self, moment: i64) -> usize {
        let cell = usize::try_from((moment - self.from).div_euclid(CELL)).unwrap_or(0);
        cell.min(self.rates.len() - 1)
    }

    #[inline]
    fn begin(&self, cell: usize) -> i64 {
        self.from + i64::try_from(cell).unwrap_or(0) * CELL
    }

    /// Driving done until a moment, and its cell.
    #[inline]
    fn until(&self, moment: i64) -> (i64, usize) {
        let cell = self.cell(moment);
        (self.done[cell] + (moment - self.begin(cell)) * self.rates[cell], cell)
    }

    /// First moment until which so much driving is done, at or behind a cell.
    #[inline]
    fn first(&self, done: i64, mut cell: usize) -> i64 {
        while self.done.get(cell + 1).is_some_and(|next| *next < done) {
            cell += 1;
        }
        let left = done - self.done[cell];
        self.begin(cell)
            + left.div_euclid(self.rates[cell])
            + i64::from(left.rem_euclid(self.rates[cell]) > 0)
    }

    /// Last moment until which no more driving is done, at or before a cell.
    #[inline]
    fn last(&self, done: i64, mut cell: usize) -> i64 {
        while cell > 0 && self.done[cell] > done {
            cell -= 1;
        }
        self.begin(cell) + (done - self.done[cell]).div_euclid(self.rates[cell])
    }

    /// When a drive arrives that takes so many seconds at the usual pace.
    #[inline]
    pub(crate) fn arrive(&self, leave: i64, way: i64) -> i64 {
        if way <= 0 || way >= FAR || leave.abs() >= FAR {
            return leave + way;
        }
        let (done, cell) = self.until(leave);
        self.first(done + parts(way), cell)
    }

    /// The last moment to leave so that it arrives by then.
    #[inline]
    pub(crate) fn leave_by(&self, arrive: i64, way: i64) -> i64 {
        if way <= 0 || way >= FAR || arrive.abs() >= FAR {
            return arrive - way;
        }
        let (done, cell) = self.until(arrive);
        self.last(done - parts(way), cell)
    }

    /// When a drive arrives on which a break is taken as early as it may be: it goes on behind the break, or waits for it at its end.
    pub(crate) fn arrive_over(&self, leave: i64, way: i64, lunch: Break) -> i64 {
        if way >= FAR || leave.abs() >= FAR {
            return leave + way;
        }
        let start = leave.max(lunch.earliest);
        let (rested, cell) = self.until(start + lunch.duration);
        let left = parts(way) - (self.until(start).0 - self.until(leave).0);
        if left > 0 { self.first(rested + left, cell) } else { start + lunch.duration }
    }

    /// The last moment to leave so that it arrives by then, the latest start of the break left out; `None` when the break alone
    /// takes too long.
    pub(crate) fn leave_by_over(&self, arrive: i64, way: i64, lunch: Break) -> Option<i64> {
        if lunch.earliest + lunch.duration > arrive {
            return None;
        }
        if way >= FAR || arrive.abs() >= FAR {
            return Some(arrive - way - lunch.duration);
        }
        // The break before the drive; where it cannot begin early enough for that, a part of the drive before it.
        let rested = self.leave_by(arrive, way) - lunch.duration;
        if rested >= lunch.earliest {
            return Some(rested);
        }
        let behind = self.until(arrive).0 - self.until(lunch.earliest + lunch.duration).0;
        let (before, cell) = self.until(lunch.earliest);
        Some(self.last(before + behind - parts(way), cell).min(lunch.earliest))
    }
}

/// Rounded so that a way takes as many whole seconds as it is told for where traffic is as it is on average.
#[inline]
fn parts(way: i64) -> i64 {
    if way > 0 { way * PARTS - PARTS / 2 } else { 0 }
}

/// What the times along a run depend on beside its stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Road<'c> {
    pub(crate) lunch: Option<Break>,
    /// Ways take as long at any time without.
    pub(crate) clock: Option<&'c Clock>,
}

impl Road<'_> {
    /// When a drive arrives.
    #[inline]
    pub(crate) fn arrive(self, leave: i64, way: i64) -> i64 {
        self.clock.map_or(leave + way, |clock| clock.arrive(leave, way))
    }

    /// The last moment to leave so that it arrives by then.
    #[inline]
    pub(crate) fn leave_by(self, arrive: i64, way: i64) -> i64 {
        self.clock.map_or(arrive - way, |clock| clock.leave_by(arrive, way))
    }

    /// When a drive arrives on which the break is taken, however late it begins.
    #[inline]
    pub(crate) fn arrive_over(self, leave: i64, way: i64, lunch: Break) -> i64 {
        match self.clock {
            Some(clock) => clock.arrive_over(leave, way, lunch),
            None => (leave + way).max(lunch.earliest) + lunch.duration,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: i64 = 6 * 3600;

    fn traffic(usual: f64, paces: &[f64]) -> Traffic {
        let paces = paces.iter().zip(0..).map(|(pace, hour)| (START + 3600 * hour, *pace)).collect();
        Traffic { usual, paces }
    }

    fn clock(usual: f64, paces: &[f64]) -> Clock {
        Clock::new(&traffic(usual, paces)).expect("paces that differ")
    }

    #[test]
    fn each_hour_has_its_pace() {
        let free = clock(1.0, &[1.0, 0.5]);
        // To the second where a way is as it is told, rounded otherwise.
        let minutes = |leave: i64, way: i64| {
            let leave = START + 60 * leave;
            (free.arrive(leave, 60 * way) - leave + 30) / 60
        };
        assert_eq!([minutes(0, 30), minutes(30, 30), minutes(60, 30), minutes(40, 30)], [30, 30, 60, 40]);
        assert_eq!([minutes(-600, 30), minutes(600, 30), minutes(0, 0)], [30, 60, 0]);
        assert_eq!(free.leave_by(START + 60 * 80, 30 * 60), START + 60 * 40);
        assert_eq!(Clock::new(&traffic(1.0, &[0.7, 0.7])), None, "the same all day");
        assert!((traffic(1.0, &[0.7, 0.7]).told() - 0.7).abs() < 1e-9);
    }

    #[test]
    fn a_break_in_the_slow_hour_costs_no_drive_in_it() {
        let free = clock(1.0, &[1.0, 0.5, 1.0]);
        let lunch = Break { duration: 3600, earliest: START + 3600, latest: START + 7200 };
        // Half of the drive before the break, half behind it.
        assert_eq!(free.arrive_over(START + 1800, 3600, lunch), START + 7200 + 1800);
        assert_eq!(
            free.arrive_over(START, 1800, lunch),
            START + 7200,
            "too early for the break: it is waited for"
        );
    }

    #[test]
    fn what_cannot_be_calculated_with_is_told() {
        let paces = |paces: &[(i64, f64)]| Traffic { usual: 1.0, paces: paces.to_vec() }.is_sound();
        assert!(paces(&[]) && paces(&[(0, 1.0), (900, 0.2)]));
        assert!(!paces(&[(900, 1.0), (0, 0.2)]) && !paces(&[(0, 0.0)]) && !paces(&[(0, f64::NAN)]));
        assert!(!paces(&[(0, 1.0), (i64::MAX, 0.5)]) && !paces(&[(0, 1.0), (60 * 86_400, 0.5)]));
    }

    proptest! {
        /// Issue 12.2: who leaves later does not arrive earlier, with a break or without; backward is the way round of forward to the
        /// second.
        #[test]
        fn first_in_first_out(
            mut paces in prop::collection::vec(0.1..2.0_f64, 1..30),
            usual in 0.3..1.3_f64,
            leave in 0..40 * 3600_i64,
            later in prop_oneof![0..3_i64, 0..7200_i64],
            way in prop_oneof![0..5_i64, 0..20_000_i64],
            (earliest, length, duration) in (0..40 * 3600_i64, 0..7200_i64, 1..7200_i64),
            by in 0..60 * 3600_i64,
        ) {
            paces.push(2.5);
            let clock = clock(usual, &paces);
            let lunch = Break { duration, earliest, latest: earliest + length };
            prop_assert!(clock.arrive(leave, way) <= clock.arrive(leave + later, way));
            prop_assert!(clock.arrive(leave, way) >= leave + i64::from(way > 0));
            prop_assert!(clock.arrive_over(leave, way, lunch) <= clock.arrive_over(leave + later, way, lunch));
            prop_assert!(clock.arrive_over(leave, way, lunch) >= clock.arrive(leave, way));
            prop_assert!(clock.arrive_over(leave, way, lunch) >= leave.max(earliest) + duration);
            let last = clock.leave_by(by, way);
            prop_assert!(clock.arrive(last, way) <= by && clock.arrive(last + 1, way) > by);
            match clock.leave_by_over(by, way, lunch) {
                Some(last) => {
                    prop_assert!(clock.arrive_over(last, way, lunch) <= by, "{last}");
                    prop_assert!(clock.arrive_over(last + 1, way, lunch) > by, "{last}");
                }
                None => prop_assert!(clock.arrive_over(-50 * 3600, way, lunch) > by),
            }
        }
    }
}
