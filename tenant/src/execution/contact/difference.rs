//! What the office has changed between two states of a run.

use chrono::{DateTime, Duration, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Difference of planned times from which a driver is told of it.
const TOLD_FROM: Duration = Duration::minutes(5);

/// An open stop as its driver knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stop {
    pub(super) job_id: i64,
    pub(super) uid: String,
    /// Name of the customer; the job's where there is none.
    pub(super) name: String,
    pub(super) seq: i32,
    /// Planned arrival.
    pub(super) eta: Option<DateTime<Utc>>,
    /// The window, `HH:mm` to `HH:mm`.
    pub(super) window: [Option<String>; 2],
    /// What its customer asked for, in his own words.
    #[serde(default)]
    pub(super) wishes: [Option<String>; 2],
}

/// What became of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "StopChangeKind")]
pub(super) enum Kind {
    /// It is new on the run.
    Added,
    /// It is no longer on the run.
    Removed,
    /// It is at another place in the order.
    Moved,
    /// Its planned time or its window is another.
    Times,
    /// Its customer asked for something.
    Wishes,
}

/// One stop that the office changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "StopChange")]
pub(super) struct StopChange {
    pub(super) kind: Kind,
    pub(super) job_id: i64,
    /// Number of the job.
    uid: String,
    /// Name of the customer; the job's where there is none.
    name: String,
    /// Its place now; null when it was removed.
    seq: Option<i32>,
    /// Planned arrival before; null when it was added.
    eta_before: Option<DateTime<Utc>>,
    /// Planned arrival now; null when it was removed.
    eta: Option<DateTime<Utc>>,
}

/// The stops that differ, in the order of the run, those that were removed last. As few as possible count as moved.
pub(super) fn between(before: &[Stop], now: &[Stop]) -> Vec<StopChange> {
    let of = |stops: &[Stop], id: i64| stops.iter().find(|stop| stop.job_id == id).cloned();
    let kept = kept_in_order(before, now);
    let mut changes = Vec::new();
    for stop in now {
        let old = of(before, stop.job_id);
        let kind = match &old {
            None => Kind::Added,
            Some(_) if !kept.contains(&stop.job_id) => Kind::Moved,
            Some(old) if differs(old, stop) => Kind::Times,
            Some(old) if old.wishes != stop.wishes => Kind::Wishes,
            Some(_) => continue,
        };
        changes.push(change(kind, stop, old.and_then(|old| old.eta), Some(stop)));
    }
    let gone = before.iter().filter(|stop| of(now, stop.job_id).is_none());
    changes.extend(gone.map(|stop| change(Kind::Removed, stop, stop.eta, None)));
    changes
}

fn change(kind: Kind, stop: &Stop, eta_before: Option<DateTime<Utc>>, now: Option<&Stop>) -> StopChange {
    StopChange {
        kind,
        job_id: stop.job_id,
        uid: stop.uid.clone(),
        name: stop.name.clone(),
        seq: now.map(|stop| stop.seq),
        eta_before,
        eta: now.and_then(|stop| stop.eta),
    }
}

fn differs(before: &Stop, now: &Stop) -> bool {
    let shifted = match (before.eta, now.eta) {
        (Some(before), Some(now)) => (now - before).abs() >= TOLD_FROM,
        (before, now) => before.is_some() != now.is_some(),
    };
    shifted || before.window != now.window
}

/// The largest part of the stops in both that has the same order in both.
fn kept_in_order(before: &[Stop], now: &[Stop]) -> Vec<i64> {
    let place = |id: i64| before.iter().position(|stop| stop.job_id == id);
    let common: Vec<(i64, usize)> =
        now.iter().filter_map(|stop| place(stop.job_id).map(|at| (stop.job_id, at))).collect();
    // The longest rising row that ends with each.
    let mut rows: Vec<Vec<i64>> = Vec::with_capacity(common.len());
    for (at, (id, old)) in common.iter().enumerate() {
        let earlier = (0..at).filter(|other| common[*other].1 < *old).map(|other| &rows[other]);
        let mut row = earlier.max_by_key(|row| row.len()).cloned().unwrap_or_default();
        row.push(*id);
        rows.push(row);
    }
    rows.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(order: &[i64]) -> Vec<Stop> {
        let start: DateTime<Utc> = "2026-11-23T08:00:00Z".parse().expect("a moment");
        let at = |seq: i32| Some(start + Duration::minutes(i64::from(seq)));
        (1..)
            .zip(order)
            .map(|(seq, id)| Stop {
                job_id: *id,
                uid: format!("J{id}"),
                name: format!("J{id}"),
                seq,
                eta: at(seq),
                window: [None, None],
                wishes: [None, None],
            })
            .collect()
    }

    fn kinds(before: &[Stop], now: &[Stop]) -> Vec<(i64, Kind)> {
        between(before, now).iter().map(|change| (change.job_id, change.kind)).collect()
    }

    #[test]
    fn as_few_stops_as_possible_count_as_moved() {
        let before = stops(&[1, 2, 3, 4, 5]);
        assert_eq!(kinds(&before, &before), []);
        assert_eq!(kinds(&before, &stops(&[1, 5, 2, 3, 4])), [(5, Kind::Moved)]);
        assert_eq!(
            kinds(&before, &stops(&[2, 6, 3, 5])),
            [(6, Kind::Added), (1, Kind::Removed), (4, Kind::Removed)]
        );
        assert_eq!(kinds(&[], &stops(&[1])), [(1, Kind::Added)]);
    }

    #[test]
    fn times_are_told_from_five_minutes_on() {
        let before = stops(&[1, 2]);
        let mut now = before.clone();
        now[0].eta = now[0].eta.map(|eta| eta + Duration::minutes(4));
        assert_eq!(kinds(&before, &now), []);
        now[0].eta = now[0].eta.map(|eta| eta + Duration::minutes(1));
        now[1].window[1] = Some("12:00".to_owned());
        assert_eq!(kinds(&before, &now), [(1, Kind::Times), (2, Kind::Times)]);
    }
}
