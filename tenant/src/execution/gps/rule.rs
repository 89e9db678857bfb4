//! Which points are kept. Pure.

use chrono::{DateTime, Duration, Utc};

/// Metres beyond which a position says nothing.
const WORST_ACCURACY: f64 = 100.0;

/// So long before its start a run's points begin.
pub(crate) const BEFORE_START: Duration = Duration::minutes(30);
/// Points are kept so long; older ones are not stored at all.
const KEPT: Duration = Duration::days(90);

/// Whether a point is good enough to be stored.
pub(super) fn is_kept(accuracy: Option<f64>, recorded_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    accuracy.is_none_or(|metres| metres <= WORST_ACCURACY)
        && recorded_at <= now + Duration::minutes(5)
        && recorded_at > now - KEPT
}

/// Whether a point lies in the run's time.
pub(super) fn belongs(
    recorded_at: DateTime<Utc>,
    start: Option<DateTime<Utc>>,
    end: Option<DateTime<Utc>>,
) -> bool {
    start.is_some_and(|start| recorded_at >= start - BEFORE_START) && end.is_none_or(|end| recorded_at <= end)
}

/// Whether two moments lie in different spans of so many seconds: what is told once per span is told at the first point
/// of each.
pub(super) fn is_next_span(before: Option<DateTime<Utc>>, now: DateTime<Utc>, seconds: i64) -> bool {
    before.is_none_or(|before| before.timestamp().div_euclid(seconds) != now.timestamp().div_euclid(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-24: accuracy, future points, and the run's time.
    #[test]
    fn only_good_points_of_the_runs_time_count() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a moment");
        let minutes = Duration::minutes;
        assert!(is_kept(None, now, now) && is_kept(Some(100.0), now + minutes(5), now));
        assert!(!is_kept(Some(100.5), now, now) && !is_kept(None, now + minutes(6), now));
        assert!(
            is_kept(None, now - minutes(89 * 1440), now) && !is_kept(None, now - minutes(90 * 1440), now)
        );
        assert!(belongs(now - minutes(30), Some(now), None) && !belongs(now - minutes(31), Some(now), None));
        assert!(!belongs(now + minutes(11), Some(now), Some(now + minutes(10))) && !belongs(now, None, None));
        assert!(is_next_span(None, now, 60) && !is_next_span(Some(now), now, 60));
        assert!(is_next_span(Some(now), now + minutes(1), 60));
    }
}
