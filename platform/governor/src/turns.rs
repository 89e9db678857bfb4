//! Turns at heavy work: who has one, who waits for one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use routewright_core::apart::on_own_thread;
use routewright_core::{OrganisationId, Result};
use tokio::sync::oneshot;

use crate::line::{Entrant, Line, Owner, SHORT, Sizes};
use crate::seats::{Seat, Seats};
use crate::share::Share;

/// Turns at one kind of room: so many pieces of work at the same time, so much memory. Whoever waits comes in turn with other
/// organisations. Cheap to clone.
#[derive(Clone)]
pub struct Turns {
    line: Arc<Mutex<Line>>,
    /// Where those who have a turn sit while they calculate.
    seats: Option<Seats>,
}

/// There is no turn: too many wait, or it did not come in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

impl std::fmt::Debug for Turns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Turns").field(&self.line().sizes).finish()
    }
}

impl Turns {
    /// Nobody has one yet.
    #[must_use]
    pub fn new(sizes: Sizes) -> Self {
        Self { line: Arc::new(Mutex::new(Line::new(sizes))), seats: None }
    }

    /// Work that is done in a turn takes a seat for it.
    #[must_use]
    pub fn seated(self, seats: Seats) -> Self {
        Self { seats: Some(seats), ..self }
    }

    pub(crate) fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn. `work` names what it is for in the metrics, `memory` is what that takes, bytes. A background job waits
    /// however long it takes, anybody else as long as the sizes say. Whoever no longer polls the future has left the line.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn take(&self, share: impl Into<Share>, work: &'static str, memory: u64) -> Result<Turn, Busy> {
        let share = share.into();
        let began = Instant::now();
        let owner = share.organisation.map(OrganisationId::get);
        let Share { at_once, in_background, .. } = share;
        let entrant = Entrant { owner, at_once, memory, in_background };
        let (entered, patience) = {
            let mut line = self.line();
            (line.enter(entrant, began), line.sizes.patience)
        };
        let Some((ticket, called)) = entered else { return Err(refused(work, "full")) };
        let waiting = Counted::new("heavy_work_waiting", work);
        let entering = Entering { line: self.clone(), ticket, owner, called };
        let place = if in_background {
            entering.wait().await
        } else {
            tokio::time::timeout(patience, entering.wait()).await.map_err(|_| refused(work, "patience"))?
        };
        drop(waiting);
        metrics::histogram!("heavy_work_wait_seconds", "kind" => work).record(began.elapsed().as_secs_f64());
        let running = Counted::new("heavy_work_running", work);
        let seat = self.seats.as_ref().map(|seats| seats.seat(share.organisation));
        Ok(Turn(Arc::new(Held { seat, _place: place, _running: running, work, since: Instant::now() })))
    }
}

/// A turn; the next one is called when it is dropped and what was begun in it has ended.
#[derive(Debug)]
pub struct Turn(Arc<Held>);

impl Turn {
    /// Works in this turn, on a thread of its own with a nice value (see [`crate::priority`]), which threads that it starts
    /// inherit. Work whose caller has left goes on to its end, and the turn lasts as long.
    ///
    /// # Errors
    /// 500 when the work panics.
    pub async fn work<T: Send + 'static>(
        &self,
        nice: i32,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.oversee(nice, move |seat| {
            let _leave = seat.map(|seat| {
                seat.sit(&|| false);
                LeaveOnDrop(seat)
            });
            work()
        })
        .await
    }

    /// The same for work that takes the seat by itself, where it calculates.
    ///
    /// # Errors
    /// 500 when the work panics.
    pub async fn oversee<T: Send + 'static>(
        &self,
        nice: i32,
        work: impl FnOnce(Option<&Seat>) -> T + Send + 'static,
    ) -> Result<T> {
        let held = Arc::clone(&self.0);
        on_own_thread(self.0.work, nice, move || work(held.seat.as_ref())).await
    }
}

struct Held {
    seat: Option<Seat>,
    _place: Place,
    _running: Counted,
    work: &'static str,
    since: Instant,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Held").field(&self.work).finish()
    }
}

struct LeaveOnDrop<'s>(&'s Seat);

impl Drop for LeaveOnDrop<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let seconds = self.since.elapsed().as_secs_f64();
        metrics::histogram!("heavy_work_seconds", "kind" => self.work).record(seconds);
    }
}

/// A place among those at work.
struct Place {
    line: Turns,
    owner: Owner,
    ticket: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.line.line().leave(self.owner, self.ticket, Instant::now());
    }
}

/// Somebody in the line. When he is called and gone at the same moment, the place is given back.
struct Entering {
    line: Turns,
    ticket: u64,
    owner: Owner,
    called: oneshot::Receiver<()>,
}

impl Entering {
    async fn wait(mut self) -> Place {
        // The sender is dropped only together with the line. What is at work may have become long meanwhile.
        while tokio::time::timeout(SHORT, &mut self.called).await.is_err() {
            self.line.line().call_next(Instant::now());
        }
        self.called.close();
        self.place()
    }

    fn place(&self) -> Place {
        Place { line: self.line.clone(), owner: self.owner, ticket: self.ticket }
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        self.called.close();
        if self.called.try_recv().is_ok() {
            drop(self.place());
        } else {
            self.line.line().withdraw(self.ticket, Instant::now());
        }
    }
}

/// Counts in a gauge for as long as it lives.
struct Counted(metrics::Gauge);

impl Counted {
    fn new(gauge: &'static str, work: &'static str) -> Self {
        let gauge = metrics::gauge!(gauge, "kind" => work);
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// Counts a refusal.
pub(crate) fn count_refusal(work: &'static str, reason: &'static str) {
    metrics::counter!("heavy_work_refused_total", "kind" => work, "reason" => reason).increment(1);
}

fn refused(work: &'static str, reason: &'static str) -> Busy {
    count_refusal(work, reason);
    Busy
}

#[cfg(test)]
mod tests;
