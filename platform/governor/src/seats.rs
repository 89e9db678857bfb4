//! Turns at the processors while calculating: there are as many seats as processors but one, which answers requests meanwhile. A
//! piece of work gives its seat up after a slice of it when others wait, and the next one is of the organisation that sits on
//! the fewest, then of the one that waited longest. So two organisations share the processors evenly however much each has
//! begun, and what is small ends while what is large goes on. What a library does without a look at anything has no seat: it is
//! bounded by its turns and its priority.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpu_time::ThreadTime;
use routewright_core::{OrganisationId, apart};

/// Those of the machine.
static MACHINE: LazyLock<Seats> = LazyLock::new(|| Seats::new(apart::processors().saturating_sub(1).max(1)));

/// Processor time after which a seat is given up.
const SLICE: Duration = Duration::from_millis(100);
/// Between two looks whether work that waits was stopped.
const LOOK: Duration = Duration::from_millis(20);
/// Marks work without a seat.
const STANDING: u64 = u64::MAX;

/// Seats at processors. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Seats(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    seats: usize,
    room: Mutex<Room>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct Room {
    /// Seats taken, by organisation.
    seated: HashMap<Option<i64>, usize>,
    /// When each organisation was called last, counted in calls.
    last: HashMap<Option<i64>, u64>,
    waiting: Vec<Waiting>,
    calls: u64,
    /// Pieces of work so far: their names.
    works: u64,
}

#[derive(Debug)]
struct Waiting {
    work: u64,
    organisation: Option<i64>,
    /// When it was called last; 0 for never.
    last: u64,
    /// Which call it was called by.
    call: Option<u64>,
}

/// The seat of a piece of work; given back when it is dropped.
#[derive(Debug)]
pub struct Seat {
    shared: Arc<Shared>,
    work: u64,
    organisation: Option<i64>,
    /// Processor time when the seat was taken, microseconds; [`STANDING`] without one.
    since: AtomicU64,
    last: AtomicU64,
}

impl Seats {
    /// So many.
    #[must_use]
    pub fn new(seats: usize) -> Self {
        Self(Arc::new(Shared { seats, room: Mutex::default(), called: Condvar::new() }))
    }

    /// Those of this process: one less than the machine has processors, so that requests and the database always find one free.
    #[must_use]
    pub fn of_machine() -> Self {
        MACHINE.clone()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.seats
    }

    /// For a piece of work of an organisation, or of none; it has no seat yet.
    #[must_use]
    pub fn seat(&self, organisation: Option<OrganisationId>) -> Seat {
        let mut room = self.0.room();
        room.works += 1;
        Seat {
            shared: Arc::clone(&self.0),
            work: room.works,
            organisation: organisation.map(OrganisationId::get),
            since: AtomicU64::new(STANDING),
            last: AtomicU64::new(0),
        }
    }
}

impl Shared {
    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls as many as there are seats for.
    fn call(&self, room: &mut Room) {
        while room.seated.values().sum::<usize>() < self.seats {
            let Room { seated, last, waiting, calls, .. } = room;
            let rank = |waiting: &&mut Waiting| {
                let of = waiting.organisation;
                let seated = seated.get(&of).copied().unwrap_or(0);
                (seated, last.get(&of).copied().unwrap_or(0), waiting.last, waiting.work)
            };
            let Some(next) = waiting.iter_mut().filter(|one| one.call.is_none()).min_by_key(rank) else {
                break;
            };
            *calls += 1;
            next.call = Some(*calls);
            *seated.entry(next.organisation).or_default() += 1;
            last.insert(next.organisation, *calls);
        }
        self.called.notify_all();
    }
}

impl Room {
    fn stand_up(&mut self, organisation: Option<i64>) {
        if let Some(seated) = self.seated.get_mut(&organisation) {
            *seated -= 1;
            if *seated == 0 {
                self.seated.remove(&organisation);
            }
        }
    }

    /// Takes a piece of work out of those that wait; the call that it got, if any.
    fn take(&mut self, work: u64) -> Option<u64> {
        let at = self.waiting.iter().position(|waiting| waiting.work == work)?;
        self.waiting.swap_remove(at).call
    }
}

impl Seat {
    /// Takes the seat, or gives it up for a while when its slice is over and others wait; called at first and then every few
    /// milliseconds by the thread that works. Returns when the work may go on, and soon after `stopped` became true.
    pub fn sit(&self, stopped: &dyn Fn() -> bool) {
        self.pass(ThreadTime::now().as_duration(), stopped);
    }

    /// The same with the processor time that the work has had so far.
    pub fn pass(&self, worked: Duration, stopped: &dyn Fn() -> bool) {
        let now = u64::try_from(worked.as_micros()).unwrap_or(STANDING - 1);
        let since = self.since.load(Ordering::Relaxed);
        let slice = u64::try_from(SLICE.as_micros()).unwrap_or(STANDING);
        if stopped() || (since != STANDING && now.saturating_sub(since) < slice) {
            return;
        }
        let mut room = self.shared.room();
        if since != STANDING {
            if room.waiting.iter().all(|waiting| waiting.call.is_some()) {
                self.since.store(now, Ordering::Relaxed);
                return;
            }
            room.stand_up(self.organisation);
            self.since.store(STANDING, Ordering::Relaxed);
        }
        let last = self.last.load(Ordering::Relaxed);
        room.waiting.push(Waiting { work: self.work, organisation: self.organisation, last, call: None });
        self.shared.call(&mut room);
        while !stopped() {
            let called = room.waiting.iter().any(|one| one.work == self.work && one.call.is_some());
            if called {
                self.last.store(room.take(self.work).unwrap_or(last), Ordering::Relaxed);
                self.since.store(now, Ordering::Relaxed);
                return;
            }
            (room, _) = self.shared.called.wait_timeout(room, LOOK).unwrap_or_else(PoisonError::into_inner);
        }
        if room.take(self.work).is_some() {
            room.stand_up(self.organisation);
            self.shared.call(&mut room);
        }
    }

    /// Gives the seat up.
    pub fn leave(&self) {
        let mut room = self.shared.room();
        if self.since.swap(STANDING, Ordering::Relaxed) != STANDING {
            room.stand_up(self.organisation);
        }
        if !room.seated.contains_key(&self.organisation)
            && room.waiting.iter().all(|waiting| waiting.organisation != self.organisation)
        {
            room.last.remove(&self.organisation);
        }
        self.shared.call(&mut room);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
    }
}
