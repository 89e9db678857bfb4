//! The pool behind the line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use routewright_core::error::Kind as ErrorKind;
use routewright_core::{Error, Result, transaction};
use tokio::sync::oneshot;

use crate::budget::{Budget, too_much};
use crate::kind::{Kind, Task};
use crate::line::{Entrant, Line, Owner, Sizes};
use crate::priority;
use crate::share::Share;

/// Longest that somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Seconds after which whoever was refused may try again.
const RETRY_AFTER: u32 = 5;
/// Memory of all pieces of work at the same time, bytes.
const MEMORY: u64 = 768 << 20;

/// The heavy work of this process. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Governor(Arc<Inner>);

struct Inner {
    line: Mutex<Line>,
    pool: ThreadPool,
}

impl std::fmt::Debug for Governor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Governor").field(&self.line().sizes).finish()
    }
}

impl Governor {
    /// As much as the machine can share: twice its processors at once, and at least four pieces of work, half of them of one
    /// organisation.
    ///
    /// # Errors
    /// 500 when the threads cannot be started.
    pub fn for_machine() -> Result<Self> {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let at_once = (2 * processors).max(4);
        let sizes = Sizes {
            at_once,
            each: at_once / 2,
            memory: MEMORY,
            waiting_each: 16 * at_once,
            waiting: 128 * at_once,
        };
        Self::new(sizes)
    }

    pub(crate) fn new(sizes: Sizes) -> Result<Self> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(sizes.at_once)
            .thread_name(|number| format!("heavy work {number}"))
            .start_handler(|_| priority::lower(priority::WORK))
            .build()
            .map_err(Error::internal)?;
        Ok(Self(Arc::new(Inner { line: Mutex::new(Line::new(sizes)), pool })))
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does a piece of work when it is the organisation's turn; no transaction may be open meanwhile. When the returned future is dropped, waiting work is taken out of
    /// the line and running work is told so by its [`Budget`]; its turn ends when the work does.
    ///
    /// # Errors
    /// 503 with `Retry-After` when the line is full or the turn does not come in time; 413 when the work needs more memory than
    /// its kind may take; 500 when it panics; what the work answers.
    pub async fn run<T: Send + 'static>(
        &self,
        share: impl Into<Share>,
        task: impl Into<Task>,
        work: impl FnOnce(&Budget) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        transaction::slow("heavy work");
        let (share, task) = (share.into(), task.into());
        if task.memory > task.kind.memory() {
            return Err(refused(task.kind, "memory", too_much(task.kind)));
        }
        let began = Instant::now();
        let turn = self.turn(share, task).await?;
        metrics::histogram!("heavy_work_wait_seconds", "kind" => task.kind.name())
            .record(began.elapsed().as_secs_f64());
        let left = SetOnDrop(Arc::new(AtomicBool::new(false)));
        let budget = Budget::new(task, Arc::clone(&left.0));
        let (tell, told) = oneshot::channel();
        self.0.pool.spawn(move || {
            let began = Instant::now();
            let running = Counted::new("heavy_work_running", task.kind);
            // The caller may have left between the call and this moment.
            let done = budget.check().and_then(|()| {
                catch_unwind(AssertUnwindSafe(|| work(&budget)))
                    .unwrap_or_else(|panic| Err(panicked(&*panic)))
            });
            metrics::histogram!("heavy_work_seconds", "kind" => task.kind.name())
                .record(began.elapsed().as_secs_f64());
            drop(running);
            // Whoever hears the answer may count on its turn being over.
            drop(turn);
            drop(tell.send(done));
        });
        told.await.map_err(Error::internal)?
    }

    async fn turn(&self, share: Share, task: Task) -> Result<Turn> {
        let owner = share.organisation.map(routewright_core::OrganisationId::get);
        let entrant = Entrant {
            owner,
            at_once: share.at_once,
            memory: task.memory,
            in_background: share.in_background,
        };
        let Some((ticket, called)) = self.line().enter(entrant) else {
            return Err(refused(task.kind, "full", busy()));
        };
        let _waiting = Counted::new("heavy_work_waiting", task.kind);
        let entering = Entering { governor: self.clone(), ticket, owner, memory: task.memory, called };
        if share.in_background {
            return Ok(entering.wait().await);
        }
        tokio::time::timeout(PATIENCE, entering.wait())
            .await
            .map_err(|_| refused(task.kind, "patience", busy()))
    }
}

/// A turn; the next one is called when it is dropped.
struct Turn {
    governor: Governor,
    owner: Owner,
    memory: u64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.governor.line().leave(self.owner, self.memory);
    }
}

/// Somebody in the line. When he is called and gone at the same moment, the turn is given back.
struct Entering {
    governor: Governor,
    ticket: u64,
    owner: Owner,
    memory: u64,
    called: oneshot::Receiver<()>,
}

impl Entering {
    async fn wait(mut self) -> Turn {
        // The sender is dropped only together with the line.
        drop((&mut self.called).await);
        self.called.close();
        Turn { governor: self.governor.clone(), owner: self.owner, memory: self.memory }
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        self.called.close();
        if self.called.try_recv().is_ok() {
            drop(Turn { governor: self.governor.clone(), owner: self.owner, memory: self.memory });
        } else {
            self.governor.line().withdraw(self.ticket);
        }
    }
}

/// Tells running work that its caller has left.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts in a gauge for as long as it lives.
struct Counted(metrics::Gauge);

impl Counted {
    fn new(gauge: &'static str, kind: Kind) -> Self {
        let gauge = metrics::gauge!(gauge, "kind" => kind.name());
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

fn busy() -> Error {
    Error::new(ErrorKind::Unavailable, "Too much work at once. Please try again in a moment.")
        .retry_after(RETRY_AFTER)
}

fn refused(kind: Kind, reason: &'static str, error: Error) -> Error {
    metrics::counter!("heavy_work_refused_total", "kind" => kind.name(), "reason" => reason).increment(1);
    error
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    Error::internal(format!("heavy work panicked: {text}"))
}

#[cfg(test)]
mod tests;
