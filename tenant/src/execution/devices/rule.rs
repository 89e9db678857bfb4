//! Which run a device's point belongs to. Pure.

use chrono::{DateTime, Duration, Utc};
use sqlx::FromRow;

use crate::execution::gps::BEFORE_START;

/// Who never said that a run has ended is followed for so long.
const UNENDED: Duration = Duration::hours(24);

/// A run that was begun.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Begun {
    pub(super) id: i64,
    pub(super) start: DateTime<Utc>,
    pub(super) end: Option<DateTime<Utc>>,
}

impl Begun {
    fn until(&self) -> DateTime<Utc> {
        self.end.unwrap_or(self.start + UNENDED)
    }
}

/// The run that was driven at a moment, the one that began last where there are several; before all of them one that begins
/// soon.
pub(super) fn run_at(runs: &[Begun], at: DateTime<Utc>) -> Option<i64> {
    let driven = runs.iter().filter(|run| run.start <= at && at <= run.until()).max_by_key(|run| run.start);
    let soon = || {
        runs.iter().filter(|run| at < run.start && run.start - BEFORE_START <= at).min_by_key(|run| run.start)
    };
    driven.or_else(soon).map(|run| run.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> DateTime<Utc> {
        format!("2026-11-{time}:00Z").parse().expect("a moment")
    }

    /// Issue 13.3: late points go to the run of their time; before, between and long after runs nobody is followed.
    #[test]
    fn points_belong_to_the_run_of_their_time() {
        let begun = |id, start: &str, end: Option<&str>| Begun { id, start: at(start), end: end.map(at) };
        let runs = [
            begun(1, "23T08:00", Some("23T12:00")),
            begun(2, "23T12:15", Some("23T17:00")),
            begun(3, "24T08:00", None),
        ];
        let of = |time: &str| run_at(&runs, at(time));
        assert_eq!([of("23T07:29"), of("23T07:30"), of("23T08:00")], [None, Some(1), Some(1)]);
        assert_eq!([of("23T12:00"), of("23T12:05"), of("23T12:15")], [Some(1), Some(2), Some(2)]);
        assert_eq!(
            [of("23T17:01"), of("24T07:45"), of("25T07:59"), of("25T08:01")],
            [None, Some(3), Some(3), None]
        );
        let forgotten = [begun(1, "23T08:00", None), begun(2, "23T20:00", None)];
        assert_eq!(run_at(&forgotten, at("23T19:45")), Some(1), "still driven when the next one begins");
        assert_eq!(run_at(&forgotten, at("23T21:00")), Some(2));
    }
}
