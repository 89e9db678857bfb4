//! Turns at the processors while searching: there are as many seats as processors, a search gives its seat up after a slice of
//! work when others wait, and the next one is of the organisation that sits on the fewest, then of the one that waited longest.
//! So two organisations share the processors evenly however many searches each has, and small ones end while large ones go on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use routewright_core::OrganisationId;
use routewright_solver::Gate;

/// Processor time after which a seat is given up.
const SLICE: Duration = Duration::from_millis(100);
/// Between two looks whether a search that waits was stopped.
const LOOK: Duration = Duration::from_millis(20);
/// Marks a search without a seat.
const STANDING: u64 = u64::MAX;

/// The seats of this process.
#[derive(Debug, Clone)]
pub(super) struct Seats(Arc<Shared>);

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
    /// Searches so far: their names.
    searches: u64,
}

#[derive(Debug)]
struct Waiting {
    search: u64,
    organisation: Option<i64>,
    /// When it was called last; 0 for never.
    last: u64,
    /// Which call it was called by.
    call: Option<u64>,
}

/// A search of an organisation.
#[derive(Debug)]
pub(super) struct Seat {
    shared: Arc<Shared>,
    search: u64,
    organisation: Option<i64>,
    /// Processor time when the seat was taken, microseconds; [`STANDING`] without one.
    since: AtomicU64,
    last: AtomicU64,
}

impl Seats {
    pub(super) fn new(seats: usize) -> Self {
        Self(Arc::new(Shared { seats, room: Mutex::default(), called: Condvar::new() }))
    }

    /// A search that will want a seat.
    pub(super) fn search(&self, organisation: Option<OrganisationId>) -> Arc<Seat> {
        let mut room = self.0.room();
        room.searches += 1;
        Arc::new(Seat {
            shared: Arc::clone(&self.0),
            search: room.searches,
            organisation: organisation.map(OrganisationId::get),
            since: AtomicU64::new(STANDING),
            last: AtomicU64::new(0),
        })
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
                (seated, last.get(&of).copied().unwrap_or(0), waiting.last, waiting.search)
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

    /// Takes a search out of those that wait; the call that it got, if any.
    fn take(&mut self, search: u64) -> Option<u64> {
        let at = self.waiting.iter().position(|waiting| waiting.search == search)?;
        self.waiting.swap_remove(at).call
    }
}

impl Gate for Seat {
    fn pass(&self, worked: Duration, stopped: &dyn Fn() -> bool) {
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
        room.waiting.push(Waiting { search: self.search, organisation: self.organisation, last, call: None });
        self.shared.call(&mut room);
        while !stopped() {
            let called = room.waiting.iter().any(|one| one.search == self.search && one.call.is_some());
            if called {
                self.last.store(room.take(self.search).unwrap_or(last), Ordering::Relaxed);
                self.since.store(now, Ordering::Relaxed);
                return;
            }
            (room, _) = self.shared.called.wait_timeout(room, LOOK).unwrap_or_else(PoisonError::into_inner);
        }
        if room.take(self.search).is_some() {
            room.stand_up(self.organisation);
            self.shared.call(&mut room);
        }
    }

    fn leave(&self) {
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
