//! Time is given, never taken: everything that needs "now" asks the [`Clock`] of the application state.

use std::sync::{Arc, RwLock};

use chrono::{DateTime, Duration, NaiveDate, SubsecRound, Utc};
use chrono_tz::Tz;

/// The time source of a service; tests hand in a clock that they can move.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<RwLock<DateTime<Utc>>>>);

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that stands at `at` until it is moved.
    #[must_use]
    pub fn fixed(at: DateTime<Utc>) -> Self {
        Self(Some(Arc::new(RwLock::new(at))))
    }

    /// The present moment, cut to microseconds as Postgres stores it.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            None => Utc::now().trunc_subsecs(6),
            Some(fixed) => *fixed.read().unwrap_or_else(std::sync::PoisonError::into_inner),
        }
    }

    /// Today's date in a time zone.
    #[must_use]
    pub fn today(&self, zone: Tz) -> NaiveDate {
        self.now().with_timezone(&zone).date_naive()
    }

    /// Moves a fixed clock; the machine's clock does not move.
    pub fn advance(&self, by: Duration) {
        if let Some(fixed) = &self.0 {
            let mut at = fixed.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            *at += by;
        }
    }
}
