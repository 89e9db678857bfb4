//! Runs a search on its own thread: the caller gets progress and an answer in time whatever the search does,
//! and what it returns is repaired, completed and evaluated.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::models::{Models, compiled};
use super::{Budget, Cancel, Clock, Gate, Progress, SolveError};
use crate::compact::compactness;
use crate::evaluate;
use crate::model::Model;
use crate::objective::score;
use crate::plan::{Ended, Plan};
use crate::problem::{Problem, Sequences};
use crate::repair::repaired;

/// Between two progress reports.
pub(super) const REPORT_EVERY: Duration = Duration::from_millis(100);
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
    pub(super) budget: Budget,
    gate: Option<Arc<dyn Gate>>,
    stopped: AtomicBool,
    routes: AtomicUsize,
    served: AtomicUsize,
    cost: AtomicI64,
    lower_bound: AtomicI64,
    /// Reading of the clock when the search began, since then, and then when a better plan was found last, microseconds.
    began: AtomicU64,
    worked: AtomicU64,
    improved: AtomicU64,
    /// The part of the budget in use: begin and end by the clock, microseconds, and its size, thousandths.
    since: AtomicU64,
    until: AtomicU64,
    share: AtomicU64,
    /// What is posted is measured otherwise than the plans before.
    otherwise: AtomicBool,
    aside: Mutex<Option<Sequences>>,
    best: Mutex<Option<Sequences>>,
    outcome: Mutex<Option<Outcome>>,
    finished: Condvar,
}

enum Outcome {
    Planned(Box<Plan>),
    Panicked,
}

impl Board {
    fn new(budget: Budget, gate: Option<Arc<dyn Gate>>) -> Self {
        Self {
            started: Instant::now(),
            budget,
            gate,
            stopped: AtomicBool::new(false),
            routes: AtomicUsize::new(0),
            served: AtomicUsize::new(0),
            cost: AtomicI64::new(UNKNOWN),
            lower_bound: AtomicI64::new(UNKNOWN),
            began: AtomicU64::new(0),
            worked: AtomicU64::new(0),
            improved: AtomicU64::new(0),
            since: AtomicU64::new(0),
            until: AtomicU64::new(micros(budget.time)),
            share: AtomicU64::new(WHOLE),
            otherwise: AtomicBool::new(false),
            aside: Mutex::new(None),
            best: Mutex::new(None),
            outcome: Mutex::new(None),
            finished: Condvar::new(),
        }
    }

    /// Since the search began, by the budget's clock; read on the thread that searches.
    fn elapsed(&self) -> Duration {
        if let Some(gate) = &self.gate {
            gate.pass(thread_time(), &|| self.is_cancelled());
        }
        match self.budget.clock {
            Clock::Wall => self.started.elapsed(),
            Clock::Processor => {
                let worked = thread_time().saturating_sub(self.time(&self.began));
                self.worked.store(micros(worked), Ordering::Relaxed);
                worked
            }
        }
    }

    /// The same as the search looked at it last, for whoever else asks.
    fn worked(&self) -> Duration {
        match self.budget.clock {
            Clock::Wall => self.started.elapsed(),
            Clock::Processor => self.time(&self.worked),
        }
    }

    fn time(&self, of: &AtomicU64) -> Duration {
        Duration::from_micros(of.load(Ordering::Relaxed))
    }

    /// Sets the clock to zero.
    fn begin(&self) {
        if let Some(gate) = &self.gate {
            gate.pass(thread_time(), &|| self.is_cancelled());
        }
        if self.budget.clock == Clock::Processor {
            self.began.store(micros(thread_time()), Ordering::Relaxed);
        }
    }

    /// Whether the search should end: time is up, or nothing has become better for long.
    pub(super) fn is_over(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let elapsed = self.elapsed();
        elapsed >= self.time(&self.until)
            || self.budget.patience.is_some_and(|patience| elapsed >= self.time(&self.improved) + patience)
    }

    /// Whether the search should end now, whatever may still become better.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.elapsed() >= self.time(&self.until)
    }

    /// Whether the caller wants no more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Part of the time in use that is over, 0 to 1.
    pub(super) fn fraction(&self) -> f64 {
        let since = self.time(&self.since);
        let length = self.time(&self.until).saturating_sub(since).as_secs_f64();
        let over = self.elapsed().saturating_sub(since).as_secs_f64();
        if length <= 0.0 { 1.0 } else { (over / length).min(1.0) }
    }

    /// From now on only so much of the budget is used.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part between 0 and 1"
    )]
    pub(super) fn act(&self, part: f64) {
        let now = self.elapsed();
        let end = (now + self.budget.time.mul_f64(part.clamp(0.0, 1.0))).min(self.budget.time);
        self.since.store(micros(now), Ordering::Relaxed);
        self.until.store(micros(end), Ordering::Relaxed);
        self.share.store((part * WHOLE as f64) as u64, Ordering::Relaxed);
        self.still_improving();
    }

    /// Iterations of the part of the budget in use.
    pub(super) fn iterations(&self) -> Option<u64> {
        let share = self.share.load(Ordering::Relaxed);
        self.budget
            .iterations
            .map(|limit| if share == WHOLE { limit } else { limit.saturating_mul(share) / WHOLE })
    }

    /// Lays the best plan so far aside; those posted from now on are measured otherwise, and no longer kept as they come.
    pub(super) fn lay_aside(&self, sequences: &Sequences) {
        self.otherwise.store(true, Ordering::Relaxed);
        *lock(&self.aside) = Some(sequences.clone());
    }

    /// Puts a plan in the place of the best one, which was measured otherwise.
    pub(super) fn replace(&self, sequences: &Sequences) {
        *lock(&self.best) = Some(sequences.clone());
    }

    /// Starts waiting for something better anew.
    pub(super) fn still_improving(&self) {
        self.improved.store(micros(self.elapsed()), Ordering::Relaxed);
    }

    /// Posts the best sequences so far and what they cost in points.
    pub(super) fn post(&self, sequences: &Sequences, cost: i64) {
        if self.otherwise.load(Ordering::Relaxed) {
            self.still_improving();
            return;
        }
        self.routes.store(sequences.iter().filter(|stops| !stops.is_empty()).count(), Ordering::Relaxed);
        self.served.store(sequences.iter().map(Vec::len).sum(), Ordering::Relaxed);
        self.cost.store(cost, Ordering::Relaxed);
        self.still_improving();
        *lock(&self.best) = Some(sequences.clone());
    }

    /// Tells that no plan that serves as much costs less.
    pub(super) fn bound(&self, cost: i64) {
        self.lower_bound.store(cost, Ordering::Relaxed);
    }

    fn finish(&self, outcome: Outcome) {
        *lock(&self.outcome) = Some(outcome);
        self.finished.notify_all();
    }

    fn progress(&self) -> Progress {
        let known = |value: &AtomicI64| Some(value.load(Ordering::Relaxed)).filter(|value| *value != UNKNOWN);
        let worked = self.worked();
        Progress {
            elapsed: self.started.elapsed(),
            worked,
            fraction: (worked.as_secs_f64() / self.budget.time.as_secs_f64().max(1e-9)).min(1.0),
            cost: known(&self.cost),
            lower_bound: known(&self.lower_bound),
            routes: self.routes.load(Ordering::Relaxed),
            served: self.served.load(Ordering::Relaxed),
        }
    }

    /// Waits for the search; `None` when it has to be left behind.
    fn wait(&self, progress: &mut dyn FnMut(Progress), cancel: &Cancel) -> Option<Outcome> {
        // By another clock than the wall's only the search knows when it is over.
        let usual = if self.budget.clock == Clock::Wall { self.budget.time } else { self.budget.time * 100 };
        let end_at = self.started + self.budget.cap.map_or(usual, |cap| cap.min(usual));
        let mut leave_at = end_at + OVERTIME;
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
            if self.budget.cap.is_some() && Instant::now() >= end_at {
                self.stopped.store(true, Ordering::Relaxed);
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

/// Processor time of the thread that asks.
fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

const UNKNOWN: i64 = i64::MIN;
/// All of the budget.
const WHOLE: u64 = 1000;

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
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
    let board = Arc::new(Board::new(budget, cancel.gate.clone()));
    let models = compiled(problem, &mut || progress(board.progress()))?;
    spawn(search, &models, &board);
    let outcome = board.wait(progress, cancel);
    let cancelled = cancel.is_cancelled();
    let mut plan = match outcome {
        Some(Outcome::Planned(plan)) => *plan,
        left_behind => {
            let panicked = left_behind.is_some();
            let known = lock(&board.best).clone().unwrap_or_else(|| problem.current.clone());
            let until = Instant::now() + GRACE;
            let sequences = repaired(&models.searched, known, &|| cancelled && Instant::now() >= until);
            evaluate::plan(
                &models.judged,
                &sequences,
                if panicked { Ended::Recovered } else { Ended::Finished },
            )
        }
    };
    if cancelled && plan.ended == Ended::Finished {
        plan.ended = Ended::Cancelled;
    }
    progress(Progress { fraction: 1.0, ..board.progress() });
    Ok(plan)
}

fn spawn(search: impl Search, models: &Models, board: &Arc<Board>) {
    let (models, board) = (models.clone(), Arc::clone(board));
    let failed = Arc::clone(&board);
    let work = move || {
        let planned = catch_unwind(AssertUnwindSafe(|| work(&search, &models, &board)));
        if let Some(gate) = &board.gate {
            gate.leave();
        }
        board.finish(planned.map_or(Outcome::Panicked, |plan| Outcome::Planned(Box::new(plan))));
    };
    if std::thread::Builder::new().name("solver".to_owned()).spawn(work).is_err() {
        failed.finish(Outcome::Panicked);
    }
}

/// The plan of a search, judged by the rules as they are.
fn work(search: &impl Search, models: &Models, board: &Arc<Board>) -> Plan {
    board.begin();
    let (sequences, plan) = searched(search, &models.searched, board);
    if Arc::ptr_eq(&models.searched, &models.judged) {
        return plan;
    }
    Plan { compact: plan.compact, ..evaluate::plan(&models.judged, &sequences, Ended::Finished) }
}

/// First plan, search, repair, evaluation; the better of the first plan and what was found.
fn searched(search: &impl Search, model: &Arc<Model>, board: &Arc<Board>) -> (Sequences, Plan) {
    let start = repaired(model, model.problem.current.clone(), &|| board.is_stopped());
    let first = evaluate::plan(model, &start, Ended::Finished);
    board.post(&start, score(model, &first).3);
    if model.vehicles.is_empty() || model.stops.is_empty() || board.is_stopped() {
        return (start, first);
    }
    let found = search.search(model, start.clone(), board);
    let until = board.elapsed().max(board.budget.time) + OVERTIME / 2;
    let stop = || board.is_cancelled() || board.elapsed() >= until;
    let aside = lock(&board.aside).take();
    let (mut best, mut plan) = (start, first);
    if found != best {
        let found = repaired(model, found, &stop);
        let found = (evaluate::plan(model, &found, Ended::Finished), found);
        let reached = score(model, &found.0);
        if reached < score(model, &plan) {
            board.otherwise.store(false, Ordering::Relaxed);
            board.post(&found.1, reached.3);
            (plan, best) = found;
        }
    }
    if let Some(aside) = aside {
        let without = evaluate::plan(model, &repaired(model, aside, &stop), Ended::Finished);
        plan.compact = Some(compactness(model, &plan, &without));
    }
    (best, plan)
}
