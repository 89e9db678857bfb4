//! What each organisation has taken lately, in processor time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Organisations that are remembered before those that have taken nothing for long are forgotten.
const REMEMBERED: usize = 1024;

/// Processor time, which is forgotten evenly: after a while a 2.7th of it (1/e) is left.
#[derive(Debug)]
pub(crate) struct Lately {
    /// That while.
    memory: Duration,
    by: HashMap<Option<i64>, Taken>,
}

/// Seconds, as of a moment.
#[derive(Debug, Clone, Copy)]
struct Taken {
    seconds: f64,
    at: Instant,
}

impl Lately {
    pub(crate) fn new(memory: Duration) -> Self {
        Self { memory, by: HashMap::new() }
    }

    /// How many processors that was on average.
    pub(crate) fn processors(&self, organisation: Option<i64>, now: Instant) -> f64 {
        self.by.get(&organisation).map_or(0.0, |taken| self.left(*taken, now) / self.memory.as_secs_f64())
    }

    pub(crate) fn note(&mut self, organisation: Option<i64>, took: Duration, now: Instant) {
        if self.by.len() > REMEMBERED {
            let memory = self.memory;
            self.by.retain(|_, taken| now.saturating_duration_since(taken.at) < 10 * memory);
        }
        let before = self.by.get(&organisation).map_or(0.0, |taken| self.left(*taken, now));
        self.by.insert(organisation, Taken { seconds: before + took.as_secs_f64(), at: now });
    }

    fn left(&self, taken: Taken, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(taken.at).as_secs_f64();
        taken.seconds * (-passed / self.memory.as_secs_f64()).exp()
    }
}
