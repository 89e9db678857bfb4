//! Expected arrivals along a way. Pure.

use chrono::{DateTime, Duration, Utc};
use routewright_roads::arrival;

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

/// When service begins at each stop, driving from `from` on as many times as fast as an average car on free streets as `speed`
/// says of every moment: never before the stop opens.
pub(super) fn arrivals(
    from: DateTime<Utc>,
    speed: impl Fn(DateTime<Utc>) -> f64,
    stops: &[Ahead],
) -> Vec<DateTime<Utc>> {
    let mut at = from;
    stops
        .iter()
        .map(|stop| {
            let arrives = arrival(at, f64::from(stop.driving), &speed);
            let begin = stop.opens.map_or(arrives, |opens| arrives.max(opens));
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
            arrivals(nine, |_| 1.0, &stops).iter().map(|at| (*at - nine).num_minutes()).collect();
        assert_eq!(minutes, [10, 60, 90]);
        let faster = arrivals(nine, |_| 2.0, &stops);
        assert_eq!((faster[0] - nine).num_minutes(), 5);
    }

    /// Issue 12.2: each way is driven at the pace of the hour in which it is, so that who leaves later arrives nowhere earlier.
    #[test]
    fn each_way_is_driven_at_its_hour() {
        let nine = DateTime::from_timestamp(1_800_000_000, 0).expect("a moment");
        let opens = Some(nine + Duration::minutes(90));
        let stop = |opens| Ahead { driving: 1_800, opens, minutes: 15.0 };
        let stops = [stop(None), stop(None), stop(opens), stop(None)];
        // From ten on half as fast, from eleven on free again.
        let pace = |at: DateTime<Utc>| if (at - nine).num_hours() == 1 { 0.5 } else { 1.0 };
        let of = |late: i64| arrivals(nine + Duration::minutes(late), pace, &stops);
        let minutes: Vec<i64> = of(0).iter().map(|at| (*at - nine).num_minutes()).collect();
        assert_eq!(minutes, [30, 90, 142, 187]);
        for late in 0..180 {
            assert!(of(late).iter().zip(of(late + 1)).all(|(first, second)| *first <= second), "{late}");
        }
    }
}
