//! Where a delivery stands, told truly: what is forecast only while it is to come, what is late as late. Pure.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::orders::customers::{Range, eta_range};

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DeliveryState")]
pub(super) enum State {
    /// It is known and has no day yet.
    Received,
    /// It has a day, and nobody who brings it yet.
    NotPlanned,
    /// It is on a run that has not begun.
    Planned,
    /// Its run is on the road, other stops come first.
    OutForDelivery,
    /// It is the next stop.
    Next,
    /// The vehicle is at the door.
    Arrived,
    /// It was delivered.
    Delivered,
    /// It could not be delivered.
    NotDelivered,
}

/// What is known of a delivery.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// Whether the delivery went well; none before anything was recorded.
    pub(super) success: Option<bool>,
    pub(super) has_day: bool,
    pub(super) has_run: bool,
    /// Whether the run is on the road.
    pub(super) driving: bool,
    pub(super) stops_before: i64,
    pub(super) at_the_door: bool,
    /// When it was planned to be.
    pub(super) eta: Option<DateTime<Utc>>,
    /// When it is expected by how the run goes.
    pub(super) updated_eta: Option<DateTime<Utc>>,
    /// When it is expected by the run's pace as well, as the office sees it.
    pub(super) expected: Option<Range>,
}

/// When a delivery is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forecast {
    /// The span; none when nobody knows.
    pub(super) range: Option<Range>,
    /// Whether it is later than was planned.
    pub(super) delayed: bool,
}

impl Known {
    pub(super) fn state(&self) -> State {
        match self.success {
            Some(true) => State::Delivered,
            Some(false) => State::NotDelivered,
            None if !self.has_day => State::Received,
            None if !self.has_run => State::NotPlanned,
            None if !self.driving => State::Planned,
            None if self.stops_before > 0 => State::OutForDelivery,
            None if self.at_the_door => State::Arrived,
            None => State::Next,
        }
    }

    /// What is forecast at a moment. A span that is over is no forecast any more.
    pub(super) fn forecast(&self, now: DateTime<Utc>) -> Forecast {
        let to_come = matches!(self.state(), State::Planned | State::OutForDelivery | State::Next);
        let reckoned = self.expected.or(self.updated_eta.or(self.eta).map(eta_range));
        let expected = reckoned.filter(|_| to_come);
        let promised = self.eta.filter(|_| to_come).map(eta_range);
        let later = match (promised, expected) {
            (Some(promised), Some(expected)) => expected.from >= promised.to,
            _ => false,
        };
        let over = expected.is_some_and(|range| now > range.to);
        Forecast { range: expected.filter(|_| !over), delayed: later || over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a moment")
    }

    /// W-105: each state by what is known, none that is not true.
    #[test]
    fn states_follow_what_is_known() {
        let mut known = Known::default();
        assert_eq!(known.state(), State::Received);
        known.has_day = true;
        assert_eq!(known.state(), State::NotPlanned);
        known.has_run = true;
        assert_eq!(known.state(), State::Planned);
        (known.driving, known.stops_before, known.at_the_door) = (true, 2, true);
        assert_eq!(known.state(), State::OutForDelivery);
        known.stops_before = 0;
        assert_eq!(known.state(), State::Arrived);
        known.at_the_door = false;
        assert_eq!(known.state(), State::Next);
        known.success = Some(false);
        assert_eq!(known.state(), State::NotDelivered);
        known.success = Some(true);
        assert_eq!(known.state(), State::Delivered);
    }

    /// W-105: at 16:53 nothing is "expected 12:45–13:00"; a delay has its new span; what is over has no forecast.
    #[test]
    fn forecasts_are_of_what_is_to_come() {
        let planned =
            Known { has_day: true, has_run: true, eta: Some(at("2026-11-23T12:45:00Z")), ..Known::default() };
        let range = |from: &str| Some(eta_range(at(from)));
        let on_time = planned.forecast(at("2026-11-23T12:00:00Z"));
        assert_eq!(on_time, Forecast { range: range("2026-11-23T12:45:00Z"), delayed: false });
        let silent = planned.forecast(at("2026-11-23T16:53:00Z"));
        assert_eq!(silent, Forecast { range: None, delayed: true });
        let late = Known { updated_eta: Some(at("2026-11-23T13:05:00Z")), driving: true, ..planned };
        assert_eq!(
            late.forecast(at("2026-11-23T12:50:00Z")),
            Forecast { range: range("2026-11-23T13:05:00Z"), delayed: true }
        );
        let span = Range { from: at("2026-11-23T13:02:00Z"), to: at("2026-11-23T13:18:00Z") };
        let paced = Known { expected: Some(span), ..late };
        assert_eq!(
            paced.forecast(at("2026-11-23T12:50:00Z")),
            Forecast { range: Some(span), delayed: true },
            "what the office sees"
        );
        let door = Known { at_the_door: true, ..late };
        assert_eq!(door.forecast(at("2026-11-23T12:50:00Z")), Forecast { range: None, delayed: false });
        let done = Known { success: Some(true), ..late };
        assert_eq!(done.forecast(at("2026-11-23T16:00:00Z")), Forecast { range: None, delayed: false });
    }
}
