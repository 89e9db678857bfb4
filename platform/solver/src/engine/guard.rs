//! Runs a search on its own thread: the caller gets progress and an answer in time whatever the search does,
//! and what it returns is repaired, completed and evaluated.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Budget, Cancel, Progress, SolveError};
use crate::evaluate;
use crate::model::Model;
use crate::objective::score;
use crate::plan::{Ended, Plan};
use crate::problem::{Problem, Sequences};
use crate::repair::repaired;

/// Between two progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// How long a cancelled search may take to hand in its own result.
const GRACE: Duration = Duration::from_millis(80);
/// The same for a search whose time is up; also bounds completing its plan by insertion.
const OVERTIME: Duration = Duration::from_secs(2);

/// What an engine does inside the guard.
pub(super) trait Search: Send + 'static {
    /// Searches for better sequences than `start` until the board says stop. Better ones may be posted.
    fn search(&self, model: &Arc<Model>, start: Sequences, board: &Arc<Board>) -> Sequences;
}

/// Shared between the search and its caller.
pub(super) struct Board {
    started: Instant,
    deadline: Instant,
    pub(super) budget: Budget,
    stopped: AtomicBool,
    routes: AtomicUsize,
    served: AtomicUsize,
    best: Mutex<Option<Sequences>>,
    outcome: Mutex<Option<Outcome>>,
    finished: Condvar,
}

enum Outcome {
    Planned(Box<Plan>),
    Panicked,
}

impl Board {
    fn new(budget: Budget) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: started + budget.time,
            budget,
            stopped: AtomicBool::new(false),
            routes: AtomicUsize::new(0),
            served: AtomicUsize::new(0),
            best: Mutex::new(None),
            outcome: Mutex::new(None),
            finished: Condvar::new(),
        }
    }

    /// Whether the search should end.
    pub(super) fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// Part of the time used, 0 to 1.
    pub(super) fn fraction(&self) -> f64 {
        let budget = self.budget.time.as_secs_f64();
        if budget <= 0.0 { 1.0 } else { (self.started.elapsed().as_secs_f64() / budget).min(1.0) }
    }

    /// Posts the best sequences so far.
    pub(super) fn post(&self, sequences: &Sequences) {
        self.routes.store(sequences.iter().filter(|stops| !stops.is_empty()).count(), Ordering::Relaxed);
        self.served.store(sequences.iter().map(Vec::len).sum(), Ordering::Relaxed);
        *lock(&self.best) = Some(sequences.clone());
    }

    fn finish(&self, outcome: Outcome) {
        *lock(&self.outcome) = Some(outcome);
        self.finished.notify_all();
    }

    fn progress(&self) -> Progress {
        Progress {
            elapsed: self.started.elapsed(),
            fraction: self.fraction(),
            routes: self.routes.load(Ordering::Relaxed),
            served: self.served.load(Ordering::Relaxed),
        }
    }

    /// Waits for the search; `None` when it has to be left behind.
    fn wait(&self, progress: &mut dyn FnMut(Progress), cancel: &Cancel) -> Option<Outcome> {
        let mut leave_at = self.deadline + OVERTIME;
        let mut reported = self.started;
        loop {
            let outcome = lock(&self.outcome);
            let (mut outcome, _) = self
                .finished
                .wait_timeout(outcome, Duration::from_millis(10))
                .unwrap_or_else(PoisonError::into_inner);
            let taken = outcome.take();
            drop(outcome);
            if taken.is_some() {
                return taken;
            }
            if cancel.is_cancelled() && !self.stopped.swap(true, Ordering::Relaxed) {
                leave_at = leave_at.min(Instant::now() + GRACE);
            }
            if Instant::now() >= leave_at {
                self.stopped.store(true, Ordering::Relaxed);
                return None;
            }
            if reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                progress(self.progress());
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Solves a problem with a search under guard.
pub(super) fn solve(
    search: impl Search,
    problem: &Problem,
    budget: Budget,
    progress: &mut dyn FnMut(Progress),
    cancel: &Cancel,
) -> Result<Plan, SolveError> {
    let board = Arc::new(Board::new(budget));
    let model = Arc::new(Model::new(problem)?);
    spawn(search, &model, &board);
    let outcome = board.wait(progress, cancel);
    let cancelled = cancel.is_cancelled();
    let mut plan = match outcome {
        Some(Outcome::Planned(plan)) => *plan,
        left_behind => {
            let panicked = left_behind.is_some();
            let known = lock(&board.best).clone().unwrap_or_else(|| problem.current.clone());
            let until = Instant::now() + GRACE;
            let sequences = repaired(&model, known, &|| cancelled && Instant::now() >= until);
            evaluate::plan(&model, &sequences, if panicked { Ended::Recovered } else { Ended::Finished })
        }
    };
    if cancelled && plan.ended == Ended::Finished {
        plan.ended = Ended::Cancelled;
    }
    progress(Progress { fraction: 1.0, ..board.progress() });
    Ok(plan)
}

fn spawn(search: impl Search, model: &Arc<Model>, board: &Arc<Board>) {
    let (model, board) = (Arc::clone(model), Arc::clone(board));
    let failed = Arc::clone(&board);
    let work = move || {
        let planned = catch_unwind(AssertUnwindSafe(|| work(&search, &model, &board)));
        board.finish(planned.map_or(Outcome::Panicked, |plan| Outcome::Planned(Box::new(plan))));
    };
    if std::thread::Builder::new().name("solver".to_owned()).spawn(work).is_err() {
        failed.finish(Outcome::Panicked);
    }
}

/// First plan, search, repair, evaluation; the better of the first plan and what was found.
fn work(search: &impl Search, model: &Arc<Model>, board: &Arc<Board>) -> Plan {
    let start = repaired(model, model.problem.current.clone(), &|| board.is_over());
    board.post(&start);
    let mut best = evaluate::plan(model, &start, Ended::Finished);
    if model.vehicles.is_empty() || model.stops.is_empty() || board.is_over() {
        return best;
    }
    let found = search.search(model, start.clone(), board);
    if found != start {
        let overtime = board.deadline + OVERTIME / 2;
        let stop = || board.stopped.load(Ordering::Relaxed) || Instant::now() >= overtime;
        let repaired = repaired(model, found, &stop);
        let plan = evaluate::plan(model, &repaired, Ended::Finished);
        if score(model, &plan) < score(model, &best) {
            board.post(&repaired);
            best = plan;
        }
    }
    best
}
