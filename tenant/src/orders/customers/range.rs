//! The span of time that customers see instead of a minute. Pure.

use chrono::{DateTime, Duration, Utc};
use schemars::JsonSchema;
use serde::Serialize;

/// Begins are cut to so many seconds.
const STEP: i64 = 5 * 60;
/// Length of the span.
const SPAN: Duration = Duration::minutes(15);

/// From when until when a delivery is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ExpectedRange")]
pub(crate) struct Range {
    /// Begin.
    pub(crate) from: DateTime<Utc>,
    /// End.
    pub(crate) to: DateTime<Utc>,
}

/// The expected time cut to five minutes, and a quarter of an hour from there.
pub(crate) fn eta_range(eta: DateTime<Utc>) -> Range {
    let seconds = eta.timestamp().div_euclid(STEP) * STEP;
    let from = DateTime::from_timestamp(seconds, 0).unwrap_or(eta);
    Range { from, to: from + SPAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// floor to 5 minutes, span 15 minutes.
    #[test]
    fn a_range_begins_at_five_minutes_and_lasts_fifteen() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        for (eta, from, to) in [
            ("2026-11-23T09:04:59Z", "2026-11-23T09:00:00Z", "2026-11-23T09:15:00Z"),
            ("2026-11-23T09:05:00Z", "2026-11-23T09:05:00Z", "2026-11-23T09:20:00Z"),
            ("2026-11-23T23:59:00Z", "2026-11-23T23:55:00Z", "2026-11-24T00:10:00Z"),
        ] {
            assert_eq!(eta_range(at(eta)), Range { from: at(from), to: at(to) });
        }
    }
}
