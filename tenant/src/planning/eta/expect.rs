//! Expected arrivals along a way. Pure.

use chrono::{DateTime, Duration, Utc};

/// A stop that is still to be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    /// Driving time from the place before, seconds, of an average car.
    pub(super) driving: u32,
    /// When service may begin.
    pub(super) opens: Option<DateTime<Utc>>,
    /// Service time, minutes.
    pub(super) minutes: f64,
}

/// When service begins at each stop, driving `speed` times as fast as an average car from `from` on: never before the
/// stop opens.
pub(super) fn arrivals(from: DateTime<Utc>, speed: f64, stops: &[Ahead]) -> Vec<DateTime<Utc>> {
    let mut at = from;
    stops
        .iter()
        .map(|stop| {
            let arrival = at + seconds(f64::from(stop.driving) / speed.max(0.1));
            let begin = stop.opens.map_or(arrival, |opens| arrival.max(opens));
            at = begin + seconds(stop.minutes * 60.0);
            begin
        })
        .collect()
}

#[expect(clippy::cast_possible_truncation, reason = "seconds of a day; a float cast saturates")]
fn seconds(value: f64) -> Duration {
    Duration::seconds(value.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-25: remaining stops follow one another; waiting for a window absorbs what is early.
    #[test]
    fn stops_follow_one_another() {
        let nine = DateTime::from_timestamp(1_800_000_000, 0).expect("a moment");
        let stop = |driving, opens, minutes| Ahead { driving, opens, minutes };
        let opens = nine + Duration::minutes(60);
        let stops = [stop(600, None, 5.0), stop(600, Some(opens), 10.0), stop(1200, Some(nine), 0.5)];
        let minutes: Vec<i64> =
            arrivals(nine, 1.0, &stops).iter().map(|at| (*at - nine).num_minutes()).collect();
        assert_eq!(minutes, [10, 60, 90]);
        let faster = arrivals(nine, 2.0, &stops);
        assert_eq!((faster[0] - nine).num_minutes(), 5);
    }
}
