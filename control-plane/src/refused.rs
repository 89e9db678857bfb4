//! Who has tried something too often, remembered in this process.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use dashmap::DashMap;

/// Keys remembered; beyond that those of windows that have ended are forgotten, then all.
const MOST: usize = 50_000;

/// Bucket, and the hash of what is limited in it.
type Key = (&'static str, [u8; 32]);

/// Who is refused, and until when. Cheap to clone; one per process.
#[derive(Clone, Default)]
pub(crate) struct Refused(Arc<DashMap<Key, DateTime<Utc>>>);

impl Refused {
    /// Until when somebody was refused last.
    pub(crate) fn until(&self, bucket: &'static str, key: [u8; 32]) -> Option<DateTime<Utc>> {
        self.0.get(&(bucket, key)).map(|until| *until)
    }

    /// Remembers that somebody is refused.
    pub(crate) fn note(&self, bucket: &'static str, key: [u8; 32], until: DateTime<Utc>, now: DateTime<Utc>) {
        if self.0.len() > MOST {
            self.0.retain(|_, until| *until > now);
        }
        if self.0.len() > MOST {
            self.0.clear();
        }
        self.0.insert((bucket, key), until);
    }
}
