//! Turns at the processors. Searching is what one organisation could take from all others, so each may have only a few
//! searches at the same time, and of those who wait the organisation with the fewest comes first. Those at work share the
//! processors in slices, organisation by organisation ([`seats`]).
//!
//! Large searches are bounded by memory, small ones hardly: a small one waits for no large one.

mod seats;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::{Error, OrganisationId, Result, transaction};
use routewright_solver::{Budget, Cancel, Plan, Problem, Progress, Standing, compare, default_engine};
use tokio::sync::{Notify, oneshot, watch};

use seats::Seats;

/// Large searches of one organisation at the same time, and small ones beside them.
const EACH: usize = 2;
/// Stops of a small search, at most: a travel matrix of a few megabytes.
const SMALL: usize = 500;
/// So many small searches in the place of a large one.
const SMALL_EACH: usize = 8;
/// Memory of all large searches at the same time, bytes.
const MEMORY: u64 = 3 << 30;
/// Longest that somebody who looks at the screen waits for a turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// The turns of this process.
#[derive(Clone)]
pub struct Solvers(Arc<Inner>);

struct Inner {
    each: usize,
    large: Mutex<Line>,
    small: Mutex<Line>,
    seats: Seats,
    /// Searches of this process by organisation and task, so that they can be ended.
    searches: DashMap<(i64, i64), Search>,
}

struct Search {
    cancel: Cancel,
    look: Arc<Notify>,
}

/// How much a search takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    Large,
    Small,
}

#[derive(Default)]
struct Line {
    /// Most at work at the same time.
    total: usize,
    at_work: HashMap<i64, usize>,
    /// Memory that those at work take, bytes.
    memory: u64,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
}

struct Waiting {
    organisation: i64,
    urgent: bool,
    memory: u64,
    call: oneshot::Sender<()>,
}

/// What was found, beside what stood.
#[derive(Debug)]
pub(crate) struct Solved {
    /// The best plan found.
    pub(crate) plan: Plan,
    /// The plan that the search started from, and whether it was beaten.
    pub(crate) standing: Standing,
}

/// A turn; the next one is called when it is dropped.
struct Turn {
    solvers: Solvers,
    organisation: i64,
    weight: Weight,
    memory: u64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut line = self.solvers.line(self.weight);
        line.memory -= self.memory;
        if let Some(count) = line.at_work.get_mut(&self.organisation) {
            *count -= 1;
            if *count == 0 {
                line.at_work.remove(&self.organisation);
            }
        }
        self.solvers.call_next(&mut line);
    }
}

/// Ends a search when whoever asked for it is gone.
pub(crate) struct CancelOnDrop(pub(crate) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Solvers {
    /// As many as the machine can share: twice its processors, and at least four.
    #[must_use]
    pub fn for_machine() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self::new((2 * processors).max(4), EACH, processors)
    }

    fn new(total: usize, each: usize, processors: usize) -> Self {
        let line = |total: usize| Mutex::new(Line { total, ..Line::default() });
        Self(Arc::new(Inner {
            each,
            large: line(total),
            small: line(total * SMALL_EACH),
            seats: Seats::new(processors),
            searches: DashMap::new(),
        }))
    }

    fn line(&self, weight: Weight) -> std::sync::MutexGuard<'_, Line> {
        let line = if weight == Weight::Large { &self.0.large } else { &self.0.small };
        line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls as many as there is room for.
    fn call_next(&self, line: &mut Line) {
        while line.at_work.values().sum::<usize>() < line.total {
            let next = line
                .waiting
                .iter()
                .enumerate()
                .map(|(at, waiting)| {
                    (at, waiting, line.at_work.get(&waiting.organisation).copied().unwrap_or(0))
                })
                .filter(|(_, _, busy)| *busy < self.0.each)
                .min_by_key(|(at, waiting, busy)| (*busy, !waiting.urgent, *at))
                .map(|(at, ..)| at);
            let Some(at) = next else { return };
            // Whoever is next waits until there is memory for it; nobody overtakes it.
            let needed = line.waiting.get(at).map_or(0, |waiting| waiting.memory);
            if line.memory > 0 && line.memory + needed > MEMORY {
                return;
            }
            let waiting = line.waiting.remove(at);
            // Whoever gave up waiting is passed over.
            if waiting.call.send(()).is_ok() {
                *line.at_work.entry(waiting.organisation).or_default() += 1;
                line.memory += waiting.memory;
            }
        }
    }

    async fn turn(&self, organisation: OrganisationId, urgent: bool, weight: Weight) -> Turn {
        self.turn_with(organisation, urgent, weight, 0).await
    }

    /// A turn for a search that takes so many bytes of memory.
    async fn turn_with(
        &self,
        organisation: OrganisationId,
        urgent: bool,
        weight: Weight,
        memory: u64,
    ) -> Turn {
        let (call, called) = oneshot::channel();
        let organisation = organisation.get();
        let turn = Entering { solvers: self.clone(), organisation, weight, memory, called };
        {
            let mut line = self.line(weight);
            line.waiting.push(Waiting { organisation, urgent, memory, call });
            self.call_next(&mut line);
        }
        turn.wait().await
    }

    /// Searches for a plan when it is the organisation's turn. `progress` is told how far it is; `cancel` ends it.
    ///
    /// # Errors
    /// 400 when the day takes more memory than there is for searches; 503 when somebody who waits for the answer would wait too
    /// long.
    pub(crate) async fn solve(
        &self,
        organisation: OrganisationId,
        urgent: bool,
        problem: Problem,
        budget: Budget,
        cancel: &Cancel,
        progress: watch::Sender<Progress>,
    ) -> Result<Solved> {
        transaction::slow("an optimisation");
        let weight = if problem.stops.len() > SMALL { Weight::Large } else { Weight::Small };
        let memory = problem.memory();
        affordable(memory)?;
        // Small ones are bounded by their number.
        let memory = if weight == Weight::Large { memory } else { 0 };
        let turn = self.turn_with(organisation, urgent, weight, memory);
        let turn = if urgent {
            tokio::time::timeout(PATIENCE, turn).await.map_err(|_| {
                Error::new(Kind::Unavailable, "Too many optimisations at once. Please try again.")
                    .retry_after(10)
            })?
        } else {
            turn.await
        };
        let cancel = cancel.through(self.0.seats.search(organisation));
        let search = tokio::task::spawn_blocking(move || {
            // The turn ends with the search, also when nobody waits for it any more.
            let _turn = turn;
            let tell = &mut |now| progress.send(now).unwrap_or_default();
            let plan = default_engine().solve(&problem, budget, tell, &cancel).map_err(Error::internal)?;
            let standing = compare(&problem, &plan).map_err(Error::internal)?;
            Ok(Solved { plan, standing })
        });
        search.await.map_err(Error::internal)?
    }

    /// Calculates for somebody who waits, when it is the organisation's turn.
    ///
    /// # Errors
    /// 503 when that would take too long.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        organisation: OrganisationId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        transaction::slow("a calculation");
        let turn = tokio::time::timeout(PATIENCE, self.turn(organisation, true, Weight::Small))
            .await
            .map_err(|_| {
                Error::new(Kind::Unavailable, "Too many calculations at once. Please try again.")
                    .retry_after(10)
            })?;
        let thinking = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        thinking.await.map_err(Error::internal)
    }

    /// Remembers a task's search. What comes back wakes whoever should look whether it was ended elsewhere.
    pub(crate) fn register(&self, organisation: OrganisationId, task: i64, cancel: Cancel) -> Arc<Notify> {
        let look = Arc::new(Notify::new());
        let search = Search { cancel, look: Arc::clone(&look) };
        self.0.searches.insert((organisation.get(), task), search);
        look
    }

    /// Forgets a task's search.
    pub(crate) fn forget(&self, organisation: OrganisationId, task: i64) {
        self.0.searches.remove(&(organisation.get(), task));
    }

    /// Ends a task's search if it runs in this process.
    pub(crate) fn cancel(&self, organisation: OrganisationId, task: i64) {
        if let Some(search) = self.0.searches.get(&(organisation.get(), task)) {
            search.cancel.cancel();
        }
    }

    /// Lets the searches of an organisation look whether they were ended by another process.
    pub(crate) fn look(&self, organisation: OrganisationId) {
        for search in self.0.searches.iter().filter(|search| search.key().0 == organisation.get()) {
            search.look.notify_one();
        }
    }
}

/// Refuses a search that takes more memory than there is, and tells what can be done about it.
fn affordable(memory: u64) -> Result<()> {
    if memory <= MEMORY {
        return Ok(());
    }
    let (needed, most) = (memory.div_ceil(1 << 30), MEMORY >> 30);
    Err(Error::bad_request(format!(
        "Optimising these jobs together would take {needed} GB of memory; at most {most} GB are available. \
         Please optimise fewer jobs at once, or give the drivers fewer different speeds."
    )))
}

/// Somebody in the line. When he is called and gone at the same moment, the turn is given back.
struct Entering {
    solvers: Solvers,
    organisation: i64,
    weight: Weight,
    memory: u64,
    called: oneshot::Receiver<()>,
}

impl Entering {
    async fn wait(mut self) -> Turn {
        // The sender is dropped only together with the line.
        drop((&mut self.called).await);
        self.called.close();
        Turn {
            solvers: self.solvers.clone(),
            organisation: self.organisation,
            weight: self.weight,
            memory: self.memory,
        }
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        self.called.close();
        if self.called.try_recv().is_ok() {
            drop(Turn {
                solvers: self.solvers.clone(),
                organisation: self.organisation,
                weight: self.weight,
                memory: self.memory,
            });
        }
    }
}

#[cfg(test)]
mod tests;
