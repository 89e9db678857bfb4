//! Simulated time: how the time of a rehearsal follows from real time. Pure.

use chrono::{DateTime, TimeDelta, Utc};

/// Fastest that simulated time may run: so many seconds of it in a real one.
pub const FASTEST: i16 = 60;

/// Simulated time that runs from a real moment on, at an even speed, and never past its end. Changing the speed makes a new
/// one that begins where this one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulatedTime {
    /// Real moment from which it runs.
    pub began: DateTime<Utc>,
    /// Simulated moment at that time.
    pub origin: DateTime<Utc>,
    /// Simulated moment at which it stands still for good.
    pub ends: DateTime<Utc>,
    /// Simulated seconds in a real one, 1 to [`FASTEST`].
    pub speed: i16,
    /// Whether it stands at its origin.
    pub paused: bool,
}

impl SimulatedTime {
    /// The simulated moment at a real one.
    #[must_use]
    pub fn at(&self, real: DateTime<Utc>) -> DateTime<Utc> {
        if self.paused {
            return self.origin.min(self.ends);
        }
        let passed = (real - self.began).max(TimeDelta::zero());
        let simulated = passed.checked_mul(i32::from(self.speed)).unwrap_or(TimeDelta::MAX);
        self.origin.checked_add_signed(simulated).unwrap_or(self.ends).min(self.ends)
    }

    /// The same time from a real moment on, with another speed, paused or not.
    #[must_use]
    pub fn changed(&self, real: DateTime<Utc>, speed: i16, paused: bool) -> Self {
        Self { began: real, origin: self.at(real), ends: self.ends, speed, paused }
    }

    /// Whether it has come to its end.
    #[must_use]
    pub fn is_over(&self, real: DateTime<Utc>) -> bool {
        self.at(real) >= self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + count, 0).expect("a moment")
    }

    /// Issue 13.5: an eight-hour day takes eight minutes at x60.
    #[test]
    fn it_runs_at_its_speed_and_stands_at_its_end() {
        let time = SimulatedTime {
            began: seconds(0),
            origin: seconds(-50_000),
            ends: seconds(-50_000 + 8 * 3600),
            speed: 60,
            paused: false,
        };
        assert_eq!(time.at(seconds(-5)), time.origin, "a clock that goes back does not turn time back");
        assert_eq!(time.at(seconds(60)), seconds(-50_000 + 3600));
        assert_eq!(time.at(seconds(8 * 60)), time.ends);
        assert_eq!(time.at(seconds(100_000_000)), time.ends);
        assert!(time.is_over(seconds(480)) && !time.is_over(seconds(479)));
    }

    /// Changes of speed and pauses lose no moment and repeat none.
    #[test]
    fn it_goes_on_where_it_was() {
        let time = SimulatedTime {
            began: seconds(0),
            origin: seconds(0),
            ends: seconds(100_000),
            speed: 15,
            paused: false,
        };
        let slower = time.changed(seconds(10), 1, false);
        assert_eq!(slower.at(seconds(10)), time.at(seconds(10)));
        assert_eq!(slower.at(seconds(20)), seconds(160));
        let pause = slower.changed(seconds(20), 1, true);
        assert_eq!(pause.at(seconds(5_000)), seconds(160));
        let on = pause.changed(seconds(5_000), 5, false);
        assert_eq!(on.at(seconds(5_002)), seconds(170));
    }
}
