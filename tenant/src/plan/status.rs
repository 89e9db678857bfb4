//! Where a run stands, derived from its actuals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not started.
    Pending,
    /// Started, without being on the road or closed: something recorded is missing.
    Started,
    /// On the road.
    Driving,
    /// Both odometers and both actual times are recorded.
    Closed,
}

impl Status {
    /// From what is recorded: start and end odometer, actual start and end.
    pub(crate) fn of(odometers: (bool, bool), times: (bool, bool)) -> Self {
        let started = odometers.0 || times.0;
        if odometers.0 && odometers.1 && times.0 && times.1 {
            Self::Closed
        } else if started && !(odometers.1 && times.1) {
            Self::Driving
        } else if started {
            Self::Started
        } else {
            Self::Pending
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X-311..X-315: every definition of the specification holds, and each run has one status.
    #[test]
    fn the_first_status_that_fits_counts() {
        let cases = [
            ((false, false), (false, false), Status::Pending),
            ((false, true), (false, true), Status::Pending),
            ((true, false), (false, false), Status::Driving),
            ((true, false), (true, false), Status::Driving),
            ((true, true), (true, false), Status::Driving),
            ((true, false), (true, true), Status::Driving),
            ((false, true), (true, true), Status::Started),
            ((true, true), (true, true), Status::Closed),
        ];
        for (odometers, times, expected) in cases {
            assert_eq!(Status::of(odometers, times), expected, "{odometers:?} {times:?}");
        }
    }
}
