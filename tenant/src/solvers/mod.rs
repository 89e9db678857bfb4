//! Turns at the processors. Searching is what one organisation could take from all others, so each may have only a few
//! searches at the same time, and of those who wait the organisation with the fewest comes first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::{Error, OrganisationId, Result};
use routewright_solver::{Budget, Cancel, Plan, Problem, Progress, Standing, compare, default_engine};
use tokio::sync::{Notify, oneshot, watch};

/// Searches of one organisation at the same time.
const EACH: usize = 2;
/// Longest that somebody who looks at the screen waits for a turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// The turns of this process.
#[derive(Clone)]
pub struct Solvers(Arc<Inner>);

struct Inner {
    total: usize,
    each: usize,
    line: Mutex<Line>,
    /// Searches of this process by organisation and task, so that they can be ended.
    searches: DashMap<(i64, i64), Search>,
}

struct Search {
    cancel: Cancel,
    look: Arc<Notify>,
}

#[derive(Default)]
struct Line {
    at_work: HashMap<i64, usize>,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
}

struct Waiting {
    organisation: i64,
    urgent: bool,
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
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut line = self.solvers.line();
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
        Self::new((2 * processors).max(4), EACH)
    }

    fn new(total: usize, each: usize) -> Self {
        Self(Arc::new(Inner { total, each, line: Mutex::default(), searches: DashMap::new() }))
    }

    fn line(&self) -> std::sync::MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls as many as there is room for.
    fn call_next(&self, line: &mut Line) {
        while line.at_work.values().sum::<usize>() < self.0.total {
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
            let waiting = line.waiting.remove(at);
            // Whoever gave up waiting is passed over.
            if waiting.call.send(()).is_ok() {
                *line.at_work.entry(waiting.organisation).or_default() += 1;
            }
        }
    }

    async fn turn(&self, organisation: OrganisationId, urgent: bool) -> Turn {
        let (call, called) = oneshot::channel();
        let organisation = organisation.get();
        let turn = Entering { solvers: self.clone(), organisation, called };
        {
            let mut line = self.line();
            line.waiting.push(Waiting { organisation, urgent, call });
            self.call_next(&mut line);
        }
        turn.wait().await
    }

    /// Searches for a plan when it is the organisation's turn. `progress` is told how far it is; `cancel` ends it.
    ///
    /// # Errors
    /// 503 when somebody who waits for the answer would wait too long.
    pub(crate) async fn solve(
        &self,
        organisation: OrganisationId,
        urgent: bool,
        problem: Problem,
        budget: Budget,
        cancel: &Cancel,
        progress: watch::Sender<Progress>,
    ) -> Result<Solved> {
        let turn = self.turn(organisation, urgent);
        let turn = if urgent {
            tokio::time::timeout(PATIENCE, turn).await.map_err(|_| {
                Error::new(Kind::Unavailable, "Too many optimisations at once. Please try again.")
                    .retry_after(10)
            })?
        } else {
            turn.await
        };
        let cancel = cancel.clone();
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
        let turn = tokio::time::timeout(PATIENCE, self.turn(organisation, true)).await.map_err(|_| {
            Error::new(Kind::Unavailable, "Too many calculations at once. Please try again.").retry_after(10)
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

/// Somebody in the line. When he is called and gone at the same moment, the turn is given back.
struct Entering {
    solvers: Solvers,
    organisation: i64,
    called: oneshot::Receiver<()>,
}

impl Entering {
    async fn wait(mut self) -> Turn {
        // The sender is dropped only together with the line.
        drop((&mut self.called).await);
        self.called.close();
        Turn { solvers: self.solvers.clone(), organisation: self.organisation }
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        self.called.close();
        if self.called.try_recv().is_ok() {
            drop(Turn { solvers: self.solvers.clone(), organisation: self.organisation });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn organisation(id: i64) -> OrganisationId {
        OrganisationId::new(id)
    }

    async fn soon<T>(turn: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(50), turn).await.ok()
    }

    #[tokio::test]
    async fn a_loud_organisation_waits_for_itself_only() {
        let solvers = Solvers::new(4, 2);
        let first = solvers.turn(organisation(1), false).await;
        let _second = solvers.turn(organisation(1), false).await;
        assert!(soon(solvers.turn(organisation(1), true)).await.is_none(), "two are enough for one");
        let quiet = soon(solvers.turn(organisation(2), false)).await;
        assert!(quiet.is_some(), "another organisation does not wait");
        drop(first);
        assert!(soon(solvers.turn(organisation(1), false)).await.is_some());
    }

    #[tokio::test]
    async fn of_those_who_wait_the_organisation_with_the_fewest_comes_first() {
        let solvers = Solvers::new(2, 2);
        let one = solvers.turn(organisation(1), false).await;
        let two = solvers.turn(organisation(1), false).await;
        let loud = solvers.clone();
        let loud = tokio::spawn(async move { loud.turn(organisation(1), true).await });
        tokio::task::yield_now().await;
        let quiet = solvers.clone();
        let quiet = tokio::spawn(async move { quiet.turn(organisation(2), false).await });
        tokio::task::yield_now().await;
        drop(one);
        let quiet = soon(quiet).await.expect("it is the quiet one's turn").expect("no panic");
        assert!(!loud.is_finished());
        drop(two);
        assert!(soon(loud).await.is_some());
        drop(quiet);
    }

    /// Twelve stops in a row and so much processor time for their plan, without patience.
    fn day(worked: Duration) -> (Problem, Budget) {
        use routewright_solver::{Clock, Matrix, Stop, Vehicle};
        let cells: Vec<u32> =
            (0..13_u32).flat_map(|a| (0..13_u32).map(move |b| a.abs_diff(b) * 60)).collect();
        let problem = Problem {
            stops: (1..13).map(|place| Stop { place, ..Stop::default() }).collect(),
            vehicles: vec![Vehicle { start: Some(0), ..Vehicle::default() }; 3],
            matrix: Matrix::new(13, cells.clone(), cells).expect("a matrix"),
            current: vec![Vec::new(); 3],
            ..Problem::default()
        };
        let clock = Clock::Processor;
        (problem, Budget { time: worked, patience: None, clock, ..Budget::seconds(1) })
    }

    /// W-005: two searches of one organisation, and one of another, run side by side and each gets all of its processor time,
    /// however busy the machine is: when the first ends, the others have had their share.
    #[tokio::test(flavor = "multi_thread")]
    async fn searches_share_the_processors() {
        let solvers = Solvers::new(4, 2);
        let whole = Duration::from_millis(800);
        let searches = [1, 1, 2].map(|of| {
            let (tell, told) = watch::channel(Progress::default());
            let (solvers, (problem, budget)) = (solvers.clone(), day(whole));
            let search = tokio::spawn(async move {
                solvers.solve(organisation(of), false, problem, budget, &Cancel::default(), tell).await
            });
            (search, told)
        });
        let mut ended = Vec::new();
        for (search, told) in searches {
            let solved = search.await.expect("no panic").expect("a plan");
            assert!(solved.standing.beaten && solved.plan.unserved.is_empty());
            ended.push(told.borrow().worked);
        }
        assert!(ended.iter().all(|worked| *worked >= whole), "{ended:?}");
        assert!(ended.iter().all(|worked| *worked < 2 * whole), "{ended:?}");
    }

    #[tokio::test]
    async fn whoever_gives_up_takes_no_turn() {
        let solvers = Solvers::new(1, 1);
        let held = solvers.turn(organisation(1), false).await;
        assert!(soon(solvers.turn(organisation(2), false)).await.is_none());
        drop(held);
        assert!(soon(solvers.turn(organisation(3), false)).await.is_some());
    }
}
