//! Searches and what else is calculated for plans. Searching is what one organisation could take from all others, so each may
//! have only a few searches at the same time, and of those who wait the organisation with the fewest comes first: the turns are
//! those of the [`governor`](routewright_governor). Those at work share the processors in slices, organisation by organisation, and with
//! all other heavy work ([`Seats`]).
//!
//! Large searches are bounded by memory, small ones hardly: a small one waits for no large one.

use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::{Error, OrganisationId, Result, transaction};
use routewright_governor::{Pace, Seat, Seats, Share, Sizes, Turn, Turns, priority};
use routewright_solver::{Budget, Cancel, Gate, Plan, Problem, Progress, Standing, compare, default_engine};
use tokio::sync::{Notify, watch};

/// Large searches of one organisation at the same time, and small ones beside them, unless operators allow it another number.
const EACH: usize = 2;
/// Stops of a small search, at most: a travel matrix of a few megabytes.
const SMALL: usize = 500;
/// So many small searches in the place of a large one.
const SMALL_EACH: usize = 8;
/// Memory of all large searches at the same time, bytes.
const MEMORY: u64 = 3 << 30;
/// Longest that somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Seconds after which whoever was refused may try again.
const RETRY_AFTER: u32 = 10;

/// Memory of one way, bytes: seconds and metres.
const WAY: u64 = 8;

/// The turns of this process.
#[derive(Clone)]
pub struct Solvers(Arc<Inner>);

struct Inner {
    large: Turns,
    small: Turns,
    travel: Turns,
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

/// What was found, beside what stood.
#[derive(Debug)]
pub(crate) struct Solved {
    /// The best plan found.
    pub(crate) plan: Plan,
    /// The plan that the search started from, and whether it was beaten.
    pub(crate) standing: Standing,
    /// The turn that it was found in: what changed meanwhile is put in its place in the same.
    pub(crate) turn: SearchTurn,
}

/// The turn of a search; the next one is called when it is dropped.
#[derive(Debug)]
pub(crate) struct SearchTurn(Turn);

impl SearchTurn {
    /// Calculates in this turn, with nobody to wait for, not even for a seat.
    ///
    /// # Errors
    /// 500 when that panics.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.0.oversee(priority::SEARCH, |_| work()).await
    }
}

/// A search takes its seat between two looks at its clock.
#[derive(Debug)]
struct AtGate(Seat);

impl Gate for AtGate {
    fn pass(&self, worked: Duration, stopped: &dyn Fn() -> bool) {
        self.0.pass(worked, stopped);
    }

    fn leave(&self) {
        self.0.leave();
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
        let processors = priority::processors();
        Self::new((2 * processors).max(4), EACH, processors, Seats::of_machine())
    }

    fn new(total: usize, each: usize, processors: usize, seats: Seats) -> Self {
        let turns = |at_once, each| turns(at_once, each).seated(seats.clone());
        Self(Arc::new(Inner {
            large: turns(total, each),
            small: turns(total * SMALL_EACH, each),
            // As many questions for ways at once as there are processors, half of them for one organisation.
            travel: turns(processors.max(2), (processors / 2).max(1)),
            seats: seats.clone(),
            searches: DashMap::new(),
        }))
    }

    /// A turn for a search that takes so many bytes of memory.
    async fn turn(&self, share: impl Into<Share>, weight: Weight, memory: u64) -> Result<Turn> {
        transaction::slow("an optimisation");
        let turn = match weight {
            Weight::Large => self.0.large.take(share, "search", memory),
            // They are bounded by their number.
            Weight::Small => self.0.small.take(share, "small_search", 0),
        };
        turn.await.map_err(|_| busy("Too many optimisations at once. Please try again."))
    }

    /// Searches for a plan when it is the organisation's turn. `progress` is told how far it is; `cancel` ends it.
    ///
    /// # Errors
    /// 400 when the day takes more memory than there is for searches; 503 when somebody who waits for the answer would wait too
    /// long.
    pub(crate) async fn solve(
        &self,
        share: Share,
        problem: Problem,
        budget: Budget,
        cancel: &Cancel,
        progress: watch::Sender<Progress>,
    ) -> Result<Solved> {
        let weight = if problem.stops.len() > SMALL { Weight::Large } else { Weight::Small };
        let memory = problem.memory();
        affordable(memory)?;
        let turn = self.turn(share, weight, memory).await?;
        let cancel = cancel.through(Arc::new(AtGate(self.0.seats.seat(share.organisation()))));
        let search = turn.oversee(priority::SEARCH, move |_| {
            let tell = &mut |now| progress.send(now).unwrap_or_default();
            let plan = default_engine().solve(&problem, budget, tell, &cancel).map_err(Error::internal)?;
            let standing = compare(&problem, &plan).map_err(Error::internal)?;
            Ok::<_, Error>((plan, standing))
        });
        let (plan, standing) = search.await??;
        Ok(Solved { plan, standing, turn: SearchTurn(turn) })
    }

    /// Calculates when it is the organisation's turn.
    ///
    /// # Errors
    /// 503 when somebody who waits for the answer would wait too long.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        share: Share,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        transaction::slow("a calculation");
        let turn = self.0.small.take(share, "calculation", 0);
        let turn = turn.await.map_err(|_| busy("Too many calculations at once. Please try again."))?;
        let (answer, took) = turn.work(priority::WORK, || priority::timed(work)).await?;
        Pace::charge(took);
        Ok(answer)
    }

    /// Threads for a calculation that shares itself out.
    pub(crate) fn threads(&self) -> usize {
        self.0.seats.count()
    }

    /// Asks for the ways between so many places when it is the organisation's turn, and makes something of them: their number is
    /// the square of that.
    ///
    /// # Errors
    /// 400 when they take more memory than there is; 503 when somebody who waits for the answer would wait too long.
    pub(crate) async fn travel<A: Send + 'static, T: Send + 'static>(
        &self,
        share: Share,
        places: usize,
        ask: impl Future<Output = A>,
        make: impl FnOnce(A) -> T + Send + 'static,
    ) -> Result<T> {
        transaction::slow("the ways between places");
        let memory = WAY.saturating_mul((places as u64).saturating_pow(2));
        if memory > MEMORY {
            return Err(Error::bad_request(format!(
                "There are too many places to plan together: {places}. Please take fewer jobs into one plan."
            )));
        }
        let turn = self.0.travel.take(share, "travel", memory).await;
        let turn = turn.map_err(|_| busy("Too many plans at once. Please try again."))?;
        let found = ask.await;
        if places <= SMALL { Ok(make(found)) } else { turn.work(priority::WORK, move || make(found)).await }
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

/// Turns at so many pieces of work at once, so many of them of one organisation.
fn turns(at_once: usize, each: usize) -> Turns {
    Turns::new(Sizes {
        at_once,
        each,
        beside_others: each,
        memory: MEMORY,
        memory_each: MEMORY,
        waiting_each: 16 * at_once,
        waiting: 128 * at_once,
        patience: PATIENCE,
    })
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

fn busy(text: &str) -> Error {
    Error::new(Kind::Unavailable, text).retry_after(RETRY_AFTER)
}

#[cfg(test)]
mod tests;
