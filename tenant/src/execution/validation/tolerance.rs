//! Whether a run kept to its plan: at most 15 % more time and distance. Pure; whole numbers, so that
//! exactly 15 % is never a question of rounding.

use chrono::{DateTime, Utc};

use crate::planning::runs::Run;

/// Percent of the plan that need no question.
const PASSES: i128 = 115;

/// Whether `actual` is at most 15 % above `planned`, both in the same unit.
fn within(actual: i64, planned: i64) -> bool {
    i128::from(actual) * 100 <= i128::from(planned) * PASSES
}

/// Whether the actual duration is within the planned one: driving plus service. Missing times fail.
pub(super) fn time_ok(run: &Run) -> bool {
    let planned = i64::from(run.total_driving_time) + i64::from(run.total_job_duration);
    let times: Option<(DateTime<Utc>, DateTime<Utc>)> = run.actual_start_time.zip(run.actual_end_time);
    times.is_some_and(|(start, end)| within((end - start).num_milliseconds(), planned * 1000))
}

/// Whether the actual distance, additional kilometres included, is within the planned one. A missing odometer fails.
pub(super) fn distance_ok(run: &Run) -> bool {
    let Some((start, end)) = run.start_odometer.zip(run.end_odometer) else { return false };
    let metres = hundredths(end) - hundredths(start) + hundredths(run.additional_billing_kms);
    within(metres * 10, run.distance.into())
}

/// Kilometres as they are stored, with two decimals: tens of metres.
#[expect(clippy::cast_possible_truncation, reason = "odometers are below 1e9 km")]
fn hundredths(km: f64) -> i64 {
    (km * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// up to 15 % above the plan passes, exactly 15 % too; anything above a plan of nothing does not.
    #[test]
    fn fifteen_percent_pass() {
        assert!(within(115, 100) && within(80, 100) && within(0, 0));
        assert!(!within(116, 100) && !within(1, 0));
        assert!(within(46_000, 40_000) && !within(46_010, 40_000), "46 km of 40 km, and 10 m more");
        assert!(!within(i64::MAX, 1), "no overflow");
    }

    #[test]
    fn stored_decimals_are_exact() {
        // 0.29 * 100 is 28.999999999999996 in floating point.
        assert_eq!(
            (hundredths(0.29), hundredths(1043.8), hundredths(999_999_999.99)),
            (29, 104_380, 99_999_999_999)
        );
    }
}
