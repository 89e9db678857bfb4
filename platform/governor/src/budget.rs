//! What a piece of work may still take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use routewright_core::{Error, Result};

use crate::kind::{Kind, Task};
use crate::seats::Seat;

/// What a running piece of work may still take. Long work looks at it every few milliseconds, and gives its processor up for
/// others then.
#[derive(Debug)]
pub struct Budget {
    kind: Kind,
    memory: u64,
    taken: AtomicU64,
    until: Instant,
    left: Arc<AtomicBool>,
    seat: Seat,
    /// Time that another process has had, microseconds.
    elsewhere: AtomicU64,
}

impl Budget {
    /// Begins now; `left` is set when the caller leaves. The seat is taken at the first look, so that work that never looks, such as
    /// decoding a picture, keeps it from nobody.
    pub(crate) fn new(task: Task, left: Arc<AtomicBool>, seat: Seat) -> Self {
        let until = Instant::now() + task.kind.time();
        let (taken, elsewhere) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { kind: task.kind, memory: task.memory, taken, until, left, seat, elsewhere }
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// 413 when its time is up; 503 when the caller has left, which nobody reads.
    pub fn check(&self) -> Result<()> {
        self.seat.sit(&|| self.left.load(Ordering::Relaxed) || self.time_left().is_zero());
        self.stands()
    }

    /// The same for work of another process, with the time that it has had.
    ///
    /// # Errors
    /// As [`Budget::check`].
    pub(crate) fn pass(&self, worked: Duration) -> Result<()> {
        self.seat.pass(worked, &|| self.left.load(Ordering::Relaxed) || self.time_left().is_zero());
        self.stands()
    }

    /// Notes the time that another process has had.
    pub(crate) fn worked(&self, worked: Duration) {
        self.elsewhere.store(u64::try_from(worked.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The time that another process has had.
    pub(crate) fn elsewhere(&self) -> Duration {
        Duration::from_micros(self.elsewhere.load(Ordering::Relaxed))
    }

    /// The same without a seat, for work that is about to begin.
    pub(crate) fn stands(&self) -> Result<()> {
        if self.left.load(Ordering::Relaxed) {
            return Err(Error::new(routewright_core::Kind::Unavailable, "The caller has left"));
        }
        if self.time_left().is_zero() { Err(too_long(self.kind)) } else { Ok(()) }
    }

    /// Time until the work has to end.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Bytes of memory that the work may take in all.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Counts memory before it is taken, bytes.
    ///
    /// # Errors
    /// 413 when that is more than the work may take; as [`Budget::check`] otherwise.
    pub fn take(&self, bytes: u64) -> Result<()> {
        self.check()?;
        let taken = self.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if taken > self.memory { Err(too_much(self.kind)) } else { Ok(()) }
    }

    /// Gives memory back, bytes.
    pub fn give_back(&self, bytes: u64) {
        self.taken.fetch_sub(bytes.min(self.taken.load(Ordering::Relaxed)), Ordering::Relaxed);
    }
}

/// 413 for work that ran too long.
pub(crate) fn too_long(kind: Kind) -> Error {
    let seconds = kind.time().as_secs();
    let text = format!("{} takes longer than {seconds} seconds. {}", what(kind), remedy(kind));
    Error::new(routewright_core::Kind::TooLarge, text)
}

/// 413 for work that takes too much memory.
pub(crate) fn too_much(kind: Kind) -> Error {
    let text = format!("{} takes too much memory. {}", what(kind), remedy(kind));
    Error::new(routewright_core::Kind::TooLarge, text)
}

fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "Reading this file",
        Kind::Decode => "Opening this picture",
        Kind::Render => "Drawing this document",
        Kind::Export => "Writing this file",
        Kind::Hash => "Checking the password",
    }
}

fn remedy(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "Please split it into smaller files.",
        Kind::Decode => "Please make it smaller.",
        Kind::Render | Kind::Export => "Please choose fewer entries.",
        Kind::Hash => "Please try again.",
    }
}
