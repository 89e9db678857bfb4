//! How fast the requests of an organisation, or of a stranger, follow one another while others ask for something, too. What they
//! took lately is counted: the steps of their answers, heavy work, bytes to and fro. When that is more than a share of the
//! processors, averaged over [`LATELY`], the next request begins when it has become less. So a flood, however cheap each request of
//! it is, leaves the processors to others, and whoever is alone has all of them. Short work, such as the opening of a large day, is
//! not held.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use routewright_core::OrganisationId;

use crate::lately::Lately;

/// That of the process.
static PROCESS: LazyLock<Pace> = LazyLock::new(Pace::default);

tokio::task_local! {
    static WORKS_FOR: Payer;
}

/// Time over which the average is taken.
const LATELY: Duration = Duration::from_secs(10);
/// Others ask when they did so within this time.
const BESIDE: Duration = Duration::from_secs(1);
/// Longest time for which a request is held.
const LONGEST: Duration = Duration::from_secs(10);
/// Processor time for a request beside its answer: it is read, admitted, logged.
const REQUEST: Duration = Duration::from_micros(300);
/// Processor time for a million bytes that come or go: they are read, copied and looked through.
const MILLION_BYTES: Duration = Duration::from_millis(4);

/// Who is asked to leave others their share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payer(i64);

impl From<OrganisationId> for Payer {
    fn from(organisation: OrganisationId) -> Self {
        Self(organisation.get())
    }
}

impl Payer {
    /// Whoever asks from an address. Numbers of organisations are above zero; two addresses that fall together share what is theirs.
    #[must_use]
    pub fn stranger(address: &str) -> Self {
        let mut hash = DefaultHasher::new();
        address.hash(&mut hash);
        Self(-1 - (hash.finish() >> 1).cast_signed())
    }
}

/// What was taken lately in this process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Pace(Arc<Mutex<Room>>);

#[derive(Debug)]
struct Room {
    taken: Lately,
    /// Who took something last, and when.
    last: Option<(i64, Instant)>,
    /// When another one did so.
    other: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Room { taken: Lately::new(LATELY), last: None, other: None })))
    }
}

impl Pace {
    /// That of this process.
    #[must_use]
    pub fn of_process() -> Self {
        PROCESS.clone()
    }

    /// Counts processor time.
    pub fn note(&self, payer: impl Into<Payer>, took: Duration) {
        self.room().note(payer.into().0, took, Instant::now());
    }

    /// Does work for somebody: [`Pace::charge`] within it counts for that one.
    pub async fn work_for<F: Future>(payer: Payer, work: F) -> F::Output {
        WORKS_FOR.scope(payer, work).await
    }

    /// Counts processor time of other threads for whoever the work around this is for; for nobody outside of such.
    pub fn charge(took: Duration) {
        if let Ok(payer) = WORKS_FOR.try_with(|payer| *payer) {
            PROCESS.note(payer, took);
        }
    }

    /// Counts bytes that came or went.
    pub fn carried(&self, payer: Payer, bytes: u64) {
        self.note(payer, MILLION_BYTES.mul_f64(bytes as f64 / 1e6));
    }

    /// Counts a request, and waits until somebody has lately taken at most so many processors, or is alone; never for long.
    pub async fn keep(&self, payer: Payer, processors: f64) {
        self.note(payer, REQUEST);
        let held = self.room().held(payer.0, processors, Instant::now());
        if !held.is_zero() {
            metrics::counter!("requests_held_total").increment(1);
            tokio::time::sleep(held).await;
        }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn note(&mut self, payer: i64, took: Duration, now: Instant) {
        self.taken.note(Some(payer), took, now);
        if let Some((_, at)) = self.last.filter(|(last, _)| *last != payer) {
            self.other = Some(at);
        }
        self.last = Some((payer, now));
    }

    fn is_alone(&self, payer: i64, now: Instant) -> bool {
        let others = match self.last {
            Some((last, at)) if last != payer => Some(at),
            _ => self.other,
        };
        others.is_none_or(|at| now.saturating_duration_since(at) > BESIDE)
    }

    /// How long it takes until no more than so many processors are left of what was taken.
    fn held(&self, payer: i64, processors: f64, now: Instant) -> Duration {
        let taken = self.taken.processors(Some(payer), now);
        if taken <= processors || self.is_alone(payer, now) {
            return Duration::ZERO;
        }
        LATELY.mul_f64((taken / processors).ln()).min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// V-10: whoever takes more than a share of the processors is held until that is forgotten; others, and who is alone, are not.
    #[test]
    fn v_10_who_takes_much_is_held_while_others_ask() {
        let Pace(room) = Pace::default();
        let (mut room, now) = (room.lock().expect("a room"), Instant::now());
        room.note(1, 5 * SECOND, now);
        assert_eq!(room.held(1, 0.25, now), Duration::ZERO, "nobody else is there");
        room.note(2, SECOND, now);
        assert_eq!(room.held(2, 0.25, now), Duration::ZERO, "a tenth of a processor");
        let held = room.held(1, 0.25, now);
        assert!((6.93 - held.as_secs_f64()).abs() < 0.01, "{held:?}");
        let later = now + held;
        room.note(2, SECOND, later);
        assert!(room.held(1, 0.25, later) < SECOND / 1000);
        assert_eq!(room.held(1, 0.1, later + 2 * SECOND), Duration::ZERO, "the other one has left");
        room.note(1, 1000 * SECOND, later);
        room.note(2, SECOND, later);
        assert_eq!(room.held(1, 0.25, later), LONGEST);
    }

    #[test]
    fn strangers_are_no_organisations() {
        let one = Payer::stranger("192.0.2.1");
        assert!(one.0 < 0 && one == Payer::stranger("192.0.2.1") && one != Payer::stranger("192.0.2.2"));
    }

    /// Between two steps of its own the steps of others are not lost.
    #[test]
    fn others_are_seen_behind_own_steps() {
        let Pace(room) = Pace::default();
        let (mut room, now) = (room.lock().expect("a room"), Instant::now());
        for organisation in [2, 1, 1, 1] {
            room.note(organisation, 5 * SECOND, now);
        }
        assert!(!room.is_alone(1, now) && !room.is_alone(2, now) && !room.is_alone(3, now));
        assert!(room.is_alone(1, now + 2 * SECOND));
    }
}
