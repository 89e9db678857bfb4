//! The day that is rehearsed: deliveries and drivers in Porto (`data/ATTRIBUTION`).

use routewright_core::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

const DAY: &str = include_str!("data/day.json");

/// The day, its rows as the API takes them.
#[derive(Debug, Deserialize)]
pub(super) struct Day {
    /// Where all runs begin and end.
    pub(super) depot: Value,
    /// Drivers as they are posted.
    pub(super) drivers: Vec<Map<String, Value>>,
    /// Jobs as the rows of a file.
    pub(super) jobs: Vec<Map<String, Value>>,
}

impl Day {
    /// Reads it.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub(super) fn read() -> Result<Self> {
        serde_json::from_str(DAY).map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 13.5: a modest day.
    #[test]
    fn the_day_can_be_read() {
        let day = Day::read().expect("the day");
        assert_eq!((day.jobs.len(), day.drivers.len()), (120, 6));
        assert!(day.jobs.iter().all(|job| job["lat"].is_f64() && job["customer_email"].is_string()));
    }
}
