//! How long a way takes in traffic that changes by the hour.

use chrono::{DateTime, Duration, Utc};

/// Hours begin at full quarters of UTC everywhere.
const QUARTER: i64 = 15 * 60;
/// The slowest pace: traffic that stands is none that a way can be timed in.
const SLOWEST: f64 = 0.01;
/// Quarters after which the pace stays as it is: two weeks.
const LONGEST: usize = 14 * 24 * 4;

/// When a drive arrives that takes so many seconds where streets are free. It goes on at the pace of every moment of it, where 1 is
/// free, so that who leaves later never arrives earlier, however the pace changes.
pub fn arrival(leaves: DateTime<Utc>, driving: f64, pace: impl Fn(DateTime<Utc>) -> f64) -> DateTime<Utc> {
    let (mut at, mut left) = (leaves, driving.max(0.0));
    for quarter in 0.. {
        let pace = pace(at).max(SLOWEST);
        let rest = Duration::seconds(QUARTER - at.timestamp().rem_euclid(QUARTER))
            - Duration::nanoseconds(i64::from(at.timestamp_subsec_nanos()));
        let driven = seconds(rest) * pace;
        if driven >= left || quarter == LONGEST {
            // Rounded down, so that it is not later than whoever drives on in the next quarter.
            return at + Duration::microseconds((left / pace * 1e6) as i64);
        }
        left -= driven;
        at += rest;
    }
    at
}

fn seconds(duration: Duration) -> f64 {
    duration.num_microseconds().unwrap_or(i64::MAX) as f64 * 1e-6
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a moment")
    }

    /// The pace of the hour of the week, as plans ask for it.
    fn by_hour(paces: &[f64]) -> impl Fn(DateTime<Utc>) -> f64 {
        move |at| paces[(at.timestamp() / 3_600) as usize % paces.len()]
    }

    #[test]
    fn each_hour_has_its_pace() {
        // 1,800,000,000 is a full hour: an hour of free streets, then one at half the speed.
        let paces = by_hour(&[1.0, 0.5]);
        let first = moment(0).timestamp() / 3_600 % 2;
        assert_eq!(first, 0);
        let minutes = |leaves: i64, driving: f64| {
            (arrival(moment(leaves * 60), driving * 60.0, &paces) - moment(leaves * 60)).num_minutes()
        };
        assert_eq!([minutes(0, 30.0), minutes(60, 30.0), minutes(90, 30.0)], [30, 60, 45]);
        assert_eq!([minutes(30, 30.0), minutes(30, 40.0), minutes(0, 0.0)], [30, 50, 0]);
    }

    proptest! {
        /// Issue 12.2: whoever leaves later, by however little, does not arrive earlier, over hours of any pace; and nobody waits by
        /// the road to be faster.
        #[test]
        fn first_in_first_out(
            paces in prop::collection::vec(0.05..2.0_f64, 1..168),
            leaves in 0..604_800_000_000_i64,
            later in prop_oneof![0..1_000_000_i64, 0..7_200_000_000_i64, 0..86_400_000_000_i64],
            driving in prop_oneof![0.0..60.0_f64, 0.0..7_200.0_f64, 0.0..100_000.0_f64],
        ) {
            let leaves = moment(0) + Duration::microseconds(leaves);
            let [first, second] = [leaves, leaves + Duration::microseconds(later)]
                .map(|leaves| arrival(leaves, driving, by_hour(&paces)));
            prop_assert!(first <= second, "{first} {second}");
            // A way over a third place takes as long as one that passes it.
            let half = arrival(leaves, driving / 2.0, by_hour(&paces));
            let both = arrival(half, driving / 2.0, by_hour(&paces));
            prop_assert!((both - first).num_milliseconds().abs() <= 1, "{both} {first}");
        }
    }
}
