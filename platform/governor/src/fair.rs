//! Fairness between organisations on the threads that answer requests. An answer runs in short steps, one each time it is polled;
//! an organisation whose answers have lately taken more than a quarter of a processor takes its steps in turns with others like
//! it, on all processors but one. So the steps of whoever asks for little never stand behind those of whoever asks for much,
//! however many callers that one has.

use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use pin_project_lite::pin_project;
use routewright_core::OrganisationId;

use crate::lately::Lately;
use crate::pace::{Pace, Payer};
use crate::seats::Seats;

/// Those of the machine.
static MACHINE: LazyLock<Steps> =
    LazyLock::new(|| Steps::new(Seats::of_machine().count(), Pace::of_process()));

/// Time in which what was taken is forgotten but for a 2.7th (1/e).
const LATELY: Duration = Duration::from_secs(1);
/// What a step takes of the processors with what it has the database and the system do: in the mean they have as much to do.
const BESIDE: u32 = 2;
/// Share of a processor above which an organisation takes turns.
const MUCH: f64 = 0.25;
/// Turns of the answers that take much. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Steps(Arc<Mutex<Room>>);

#[derive(Debug)]
struct Room {
    /// Steps that may begin.
    free: usize,
    taken: Lately,
    pace: Pace,
    waiting: Vec<Waiting>,
    /// Answers so far: their names.
    answers: u64,
}

#[derive(Debug)]
struct Waiting {
    answer: u64,
    organisation: Option<i64>,
    waker: Waker,
}

impl Steps {
    /// So many at the same time, which count for the organisations' pace.
    #[must_use]
    pub fn new(at_once: usize, pace: Pace) -> Self {
        let (taken, waiting) = (Lately::new(LATELY), Vec::new());
        Self(Arc::new(Mutex::new(Room { free: at_once, taken, pace, waiting, answers: 0 })))
    }

    /// Those of this process: as many as there are [`Seats`], one less than the machine has processors.
    #[must_use]
    pub fn of_machine() -> Self {
        MACHINE.clone()
    }

    /// An answer to an organisation, or to strangers, that takes its steps in turn when that one has lately taken much; what they take
    /// is counted for `payer`.
    pub fn fair<F: Future>(&self, organisation: Option<OrganisationId>, payer: Payer, answer: F) -> Fair<F> {
        let mut room = self.room();
        room.answers += 1;
        let organisation = organisation.map(OrganisationId::get);
        let place = Place { steps: self.clone(), name: room.answers, organisation, payer, waits: false };
        Fair { answer, place }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn takes_much(&self, organisation: Option<i64>, now: Instant) -> bool {
        self.taken.processors(organisation, now) > MUCH
    }

    /// The waiting answer of the organisation that has taken the least; of several the first.
    fn next(&mut self, now: Instant) -> Option<Waker> {
        let lately = |waiting: &Waiting| self.taken.processors(waiting.organisation, now);
        let (at, _) = self.waiting.iter().enumerate().min_by(|(_, one), (_, other)| {
            lately(one).total_cmp(&lately(other)).then(one.answer.cmp(&other.answer))
        })?;
        Some(self.waiting.remove(at).waker)
    }
}

/// Calls the answer whose turn it is, if a step may begin.
fn call(mut room: MutexGuard<'_, Room>, now: Instant) {
    let next = if room.free > 0 { room.next(now) } else { None };
    drop(room);
    next.into_iter().for_each(Waker::wake);
}

pin_project! {
    /// An answer that takes its steps in turn when it must.
    #[must_use = "an answer does nothing unless it is awaited"]
    pub struct Fair<F> {
        #[pin]
        answer: F,
        place: Place,
    }
}

/// The place of an answer among those that wait.
struct Place {
    steps: Steps,
    name: u64,
    organisation: Option<i64>,
    payer: Payer,
    waits: bool,
}

impl Place {
    /// Whether a step may begin, and whether it is one that others wait for; else the waker is called when it may.
    fn begin(&mut self, waker: &Waker) -> Option<bool> {
        let (mut room, now) = (self.steps.room(), Instant::now());
        let waited = std::mem::take(&mut self.waits);
        if waited {
            room.waiting.retain(|waiting| waiting.answer != self.name);
        }
        if !room.takes_much(self.organisation, now) {
            if waited {
                // Its turn, if it was called, is another's.
                call(room, now);
            }
            return Some(false);
        }
        if room.free == 0 {
            let (answer, organisation) = (self.name, self.organisation);
            room.waiting.push(Waiting { answer, organisation, waker: waker.clone() });
            drop(room);
            self.waits = true;
            return None;
        }
        room.free -= 1;
        Some(true)
    }

    fn end(&self, took: Duration, in_turn: bool) {
        let now = Instant::now();
        let mut room = self.steps.room();
        room.taken.note(self.organisation, took, now);
        room.pace.note(self.payer, BESIDE * took);
        if in_turn {
            room.free += 1;
            call(room, now);
        }
    }
}

impl Drop for Place {
    /// Who leaves while he waits may have been called: then the next one is.
    fn drop(&mut self) {
        if self.waits {
            let mut room = self.steps.room();
            room.waiting.retain(|waiting| waiting.answer != self.name);
            call(room, Instant::now());
        }
    }
}

impl<F: Future> Future for Fair<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let Some(in_turn) = this.place.begin(context.waker()) else { return Poll::Pending };
        let step = Step { place: this.place, in_turn, began: ThreadTime::now() };
        let polled = this.answer.poll(context);
        drop(step);
        polled
    }
}

/// A step under way; it ends when it panics, too.
struct Step<'p> {
    place: &'p Place,
    in_turn: bool,
    began: ThreadTime,
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.place.end(self.began.elapsed(), self.in_turn);
    }
}

#[cfg(test)]
mod tests;
