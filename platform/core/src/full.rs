//! Where there is no room left, as the last refusal told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::{Error, Kind};

/// For how long a refusal counts.
const COUNTS: Duration = Duration::from_secs(60);

/// Seconds since 1970 of the last refusal of each place; 0 while there was none.
static LAST: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// What may be full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The disk of the database.
    Database,
    /// The storage of files.
    Storage,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Database, Self::Storage];

    /// What is told of it when it is full.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Database => "There is no room left on the disk of the database.",
            Self::Storage => "There is no room left in the file storage.",
        }
    }

    const fn index(self) -> usize {
        match self {
            Self::Database => 0,
            Self::Storage => 1,
        }
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Notes that a place refused something for want of room.
pub fn note(place: Place) {
    LAST[place.index()].store(now(), Ordering::Relaxed);
}

/// 507 for whoever wanted to store something; it is noted.
#[must_use]
pub fn refused(place: Place) -> Error {
    note(place);
    let text = format!("{} Nothing was saved. Please tell your operator.", place.sentence());
    Error::new(Kind::Full, text)
}

/// Whether a place refused something for want of room within the last minute.
#[must_use]
pub fn lately(place: Place) -> bool {
    now().saturating_sub(LAST[place.index()].load(Ordering::Relaxed)) < COUNTS.as_secs()
}
