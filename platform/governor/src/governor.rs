//! The pool behind the line.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use rayon::{ThreadPool, ThreadPoolBuilder};
use routewright_core::apart::{self, guarded};
use routewright_core::error::Kind as ErrorKind;
use routewright_core::{Error, Result, transaction};
use tokio::sync::oneshot;

use crate::budget::{Budget, too_much};
use crate::kind::Task;
use crate::line::Sizes;
use crate::pace::Pace;
use crate::piece::{Piece, have_done};
use crate::seats::Seats;
use crate::share::Share;
use crate::turns::{Busy, Turn, Turns, count_refusal};

/// Seconds after which whoever was refused may try again.
const RETRY_AFTER: u32 = 5;
/// Longest that somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Memory of all pieces of work at the same time, bytes.
const MEMORY: u64 = 768 << 20;

/// The heavy work of this process. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Governor(Arc<Inner>);

struct Inner {
    turns: Turns,
    pool: ThreadPool,
    seats: Seats,
    /// What does pieces of work; called with their names.
    program: PathBuf,
}

impl std::fmt::Debug for Governor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Governor").field(&self.0.turns).finish()
    }
}

impl Governor {
    /// As much as the machine can share: twice its processors at once, and at least four pieces of work, half of them of one
    /// organisation. The program answers each [`Piece`] (see [`crate::Call`]).
    ///
    /// # Errors
    /// 500 when the threads cannot be started.
    pub fn for_machine(program: PathBuf) -> Result<Self> {
        let at_once = (2 * apart::processors()).max(4);
        let sizes = Sizes {
            at_once,
            each: at_once / 2,
            beside_others: at_once / 2,
            memory: MEMORY,
            memory_each: MEMORY / 2,
            waiting_each: 16 * at_once,
            waiting: 128 * at_once,
            patience: PATIENCE,
        };
        // What libraries share out among threads of their own comes after requests, too, and leaves them a processor. Whoever has
        // set it up already keeps it.
        let shared = ThreadPoolBuilder::new()
            .num_threads(Seats::of_machine().count())
            .start_handler(|_| apart::lower(apart::WORK));
        drop(shared.build_global());
        Self::new(sizes, Seats::of_machine(), program)
    }

    pub(crate) fn new(sizes: Sizes, seats: Seats, program: PathBuf) -> Result<Self> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(sizes.at_once)
            .thread_name(|number| format!("heavy work {number}"))
            .start_handler(|_| apart::lower(apart::WORK))
            .build()
            .map_err(Error::internal)?;
        Ok(Self(Arc::new(Inner { turns: Turns::new(sizes), pool, seats, program })))
    }

    /// Waits for the organisation's turn, for work that waits for others in between, such as for files; no transaction may be
    /// open meanwhile. Whoever has it takes no other one before it ends: that might never come.
    ///
    /// # Errors
    /// 503 with `Retry-After` when the line is full or the turn does not come in time; 413 when the work needs more memory than
    /// its kind may take.
    pub async fn turn(&self, share: impl Into<Share>, task: impl Into<Task>) -> Result<Turn> {
        transaction::slow("heavy work");
        let Task { kind, memory } = task.into();
        if memory > kind.memory() {
            count_refusal(kind.name(), "memory");
            return Err(too_much(kind));
        }
        self.0.turns.take(share, kind.name(), memory).await.map_err(busy)
    }

    /// Does a piece of work when it is the organisation's turn; no transaction may be open meanwhile. When the returned future is
    /// dropped, waiting work is taken out of the line and running work is told so by its [`Budget`]; its turn ends when the work
    /// does.
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
        let (share, task) = (share.into(), task.into());
        let turn = self.turn(share, task).await?;
        let left = SetOnDrop(Arc::new(AtomicBool::new(false)));
        let (has_left, seat) = (Arc::clone(&left.0), self.0.seats.seat(share.organisation));
        let (tell, told) = oneshot::channel();
        self.0.pool.spawn(move || {
            let budget = Budget::new(task, has_left, seat);
            // The caller may have left between the call and this moment.
            let (done, took) = apart::timed(|| budget.stands().and_then(|()| guarded(|| work(&budget))?));
            if let Some(organisation) = share.organisation {
                Pace::of_process().note(organisation, took + budget.elsewhere());
            }
            // Whoever hears the answer may count on its turn being over.
            drop((budget, turn));
            drop(tell.send(done));
        });
        told.await.map_err(Error::internal)?
    }

    /// The same by a process of its own, for which so much memory is kept free, and which may take as much as its kind: what a
    /// library breaks off, or never ends, is that piece of work alone. What it answers comes with bytes.
    ///
    /// # Errors
    /// As [`Governor::run`]; 413 when it takes more memory, 415 when it ends in another way.
    pub async fn apart<P: Piece>(
        &self,
        share: impl Into<Share>,
        needs: u64,
        piece: P,
        bytes: Bytes,
    ) -> Result<(P::Answer, Bytes)> {
        let program = self.0.program.clone();
        let work = move |budget: &Budget| have_done(&program, &piece, &bytes, budget);
        self.run(share, P::KIND.needing(needs), work).await
    }
}

/// Tells running work that its caller has left.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn busy(_: Busy) -> Error {
    Error::new(ErrorKind::Unavailable, "Too much work at once. Please try again in a moment.")
        .retry_after(RETRY_AFTER)
}

#[cfg(test)]
mod tests;
