//! The seam between a problem and whatever searches for its plan.

mod guard;
mod models;
mod native;
mod vrp_core;

pub use native::Native;
pub(crate) use native::measured;
pub use vrp_core::VrpCore;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::problem::{Problem, ProblemError};

/// Something that searches for a plan.
pub trait Engine: Send + Sync {
    /// Short name for logs and benchmarks.
    fn name(&self) -> &'static str;

    /// Searches for a plan until the budget is used or `cancel` is set. Whatever comes back has passed the
    /// evaluator: hard rules hold except on locked work, and every stop is in a route or unserved with a
    /// reason. `progress` is called at least every 250 ms from the calling thread; cancelling answers within
    /// 200 ms with the best plan so far.
    ///
    /// # Errors
    /// [`SolveError::Problem`] when the problem contradicts itself.
    fn solve(
        &self,
        problem: &Problem,
        budget: Budget,
        progress: &mut dyn FnMut(Progress),
        cancel: &Cancel,
    ) -> Result<Plan, SolveError>;
}

/// The engine to use.
pub fn default_engine() -> Box<dyn Engine> {
    Box::new(Native)
}

/// How much searching is allowed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Budget {
    /// Limit by the budget's clock.
    pub time: Duration,
    /// Wall-clock limit beside it, so that a search whose clock hardly moves ends, too. `None` with another clock than the
    /// wall's: a hundred times `time`.
    pub cap: Option<Duration>,
    /// Worker threads an engine may use.
    pub threads: usize,
    /// Seed of the search: the same problem, seed and number of iterations give the same plan.
    pub seed: u64,
    /// Ends the search after so many iterations, whatever the time.
    pub iterations: Option<u64>,
    /// Ends the search when the best plan has not become better for so long; `None` uses all of `time`.
    pub patience: Option<Duration>,
    /// What the search measures its time with.
    #[serde(skip)]
    pub clock: Clock,
}

/// What a search measures its time with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clock {
    /// The time of day.
    #[default]
    Wall,
    /// Processor time of the thread that searches, so that a plan does not depend on what else the machine does. Only the
    /// native engine knows it.
    Processor,
}

impl Budget {
    /// A budget of so many seconds on one thread.
    pub fn seconds(seconds: u64) -> Self {
        Self {
            time: Duration::from_secs(seconds),
            cap: None,
            threads: 1,
            seed: 1,
            iterations: None,
            patience: None,
            clock: Clock::Wall,
        }
    }

    /// A budget that fits the size of the problem: 2 s for a handful of stops, about 10 s for 100, 30 s for
    /// 500, at most two minutes. A quarter of it without a better plan ends the search.
    pub fn for_size(stops: usize) -> Self {
        let stops = stops.min(10_000) as u64;
        let seconds = match stops {
            0..=10 => 2,
            11..=100 => 2 + stops * 8 / 100,
            101..=500 => 10 + (stops - 100) * 20 / 400,
            _ => (30 + (stops - 500) * 60 / 1000).min(120),
        };
        Self { patience: Some(Duration::from_secs(seconds) / PATIENCE_PART), ..Self::seconds(seconds) }
    }
}

/// Part of a budget by size after which a search without a better plan ends.
const PATIENCE_PART: u32 = 4;

/// How a search is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Since the start.
    pub elapsed: Duration,
    /// By the budget's clock, as the search looked at it last.
    pub worked: Duration,
    /// Part of the budget used, 0 to 1.
    pub fraction: f64,
    /// Routes of the best plan so far.
    pub routes: usize,
    /// Stops served by it; 0 until there is one.
    pub served: usize,
    /// Its cost in points of the objective (ten per second or metre, or 18 per millionth of the currency);
    /// comparable within one search. `None` until there is a plan.
    pub cost: Option<i64>,
    /// No plan that serves as much costs less than this; `None` while nothing is known.
    pub lower_bound: Option<i64>,
}

/// Set from anywhere to end a search.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    cancelled: Arc<AtomicBool>,
    gate: Option<Arc<dyn Gate>>,
}

impl Cancel {
    /// Asks the search to end.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The same for a search that a gate holds back now and then.
    #[must_use]
    pub fn through(&self, gate: Arc<dyn Gate>) -> Self {
        Self { cancelled: Arc::clone(&self.cancelled), gate: Some(gate) }
    }
}

/// Where a search waits until it may go on, so that several share the processors as the caller wants it. What it waits counts
/// by the wall's clock only.
pub trait Gate: fmt::Debug + Send + Sync {
    /// Called by the thread that searches, at first and then every few milliseconds of its work, with its processor time so
    /// far. Returns when the search may go on, and soon after `stopped` became true.
    fn pass(&self, worked: Duration, stopped: &dyn Fn() -> bool);

    /// Called when the search is over.
    fn leave(&self);
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolveError {
    /// The problem contradicts itself.
    Problem(ProblemError),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(error) => write!(f, "the problem cannot be planned: {error}"),
        }
    }
}

impl std::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Problem(error) => Some(error),
        }
    }
}

impl From<ProblemError> for SolveError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(error)
    }
}
