//! Room for what arrives. A body waits in memory until its request is answered, as slowly as it may come: every organisation has
//! room for some bytes of it, strangers together for as much, and all of them for more. Who comes when it is full waits for it, so
//! that the sender is slowed down, and is refused when that takes too long.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use routewright_core::error::Kind;
use routewright_core::{Error, OrganisationId, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::turns::count_refusal;

/// That of the process.
static PROCESS: LazyLock<Intake> = LazyLock::new(|| Intake::new(EACH, ALL, PATIENCE));

/// Bytes of one organisation: five of the largest files.
const EACH: u64 = 128 << 20;
/// Bytes of all of them.
const ALL: u64 = 1 << 30;
/// A body of at most so many bytes needs no room.
const SMALL: u64 = 64 << 10;
/// Bytes that are counted as one.
const GRAIN: u64 = 1 << 10;
/// Longest wait for room.
const PATIENCE: Duration = Duration::from_secs(20);
/// Seconds after which it is worth another try.
const TRY_AGAIN: u32 = 5;
/// Organisations that are remembered before those that send nothing are forgotten.
const REMEMBERED: usize = 1024;

/// Who has how much room for bodies. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Intake {
    each: u64,
    patience: Duration,
    all: Arc<Semaphore>,
    of: Arc<Mutex<HashMap<Option<OrganisationId>, Arc<Semaphore>>>>,
}

/// Room for a body, free again when this is dropped.
#[derive(Debug)]
#[must_use = "the room is free again when this is dropped"]
pub struct Room {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Intake {
    /// So many bytes for each organisation, and for all together; whoever waits longer than that is refused.
    #[must_use]
    pub fn new(each: u64, all: u64, patience: Duration) -> Self {
        Self { each, patience, all: Arc::new(Semaphore::new(grains(all) as usize)), of: Arc::default() }
    }

    /// That of this process.
    #[must_use]
    pub fn of_process() -> Self {
        PROCESS.clone()
    }

    /// Waits for room for a body of at most so many bytes; none is needed for a small one. More than there is for an organisation is
    /// taken as all of it.
    ///
    /// # Errors
    /// 503 when it does not come in time.
    pub async fn room(&self, organisation: Option<OrganisationId>, bytes: u64) -> Result<Option<Room>> {
        if bytes <= SMALL {
            return Ok(None);
        }
        let grains = grains(bytes.min(self.each));
        let own = self.of(organisation);
        let taken = async {
            // First the own, so that nobody waits in the common line with more than that.
            let own = own.acquire_many_owned(grains).await.map_err(Error::internal)?;
            let all = Arc::clone(&self.all).acquire_many_owned(grains).await.map_err(Error::internal)?;
            Ok(Some(Room { _own: own, _all: all }))
        };
        match tokio::time::timeout(self.patience, taken).await {
            Ok(taken) => taken,
            Err(_) => {
                count_refusal("intake", "patience");
                let text = "Too much is being sent at the same time. Please try again in a moment.";
                Err(Error::new(Kind::Unavailable, text).retry_after(TRY_AGAIN))
            }
        }
    }

    fn of(&self, organisation: Option<OrganisationId>) -> Arc<Semaphore> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if of.len() > REMEMBERED {
            of.retain(|_, room| Arc::strong_count(room) > 1);
        }
        let new = || Arc::new(Semaphore::new(grains(self.each) as usize));
        Arc::clone(of.entry(organisation).or_insert_with(new))
    }
}

/// Begun grains count as whole ones.
fn grains(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(GRAIN)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    fn intake() -> Intake {
        Intake::new(10 * MB, 25 * MB, Duration::from_millis(100))
    }

    fn organisation(id: i64) -> Option<OrganisationId> {
        Some(OrganisationId::new(id))
    }

    /// V-10: who sends much waits for his own bodies, and others do not.
    #[tokio::test]
    async fn one_organisation_fills_its_own_room_only() {
        let intake = intake();
        let held = intake.room(organisation(1), 8 * MB).await.expect("room").expect("is needed");
        let refused = intake.room(organisation(1), 3 * MB).await.expect_err("none is left");
        assert_eq!((refused.kind(), refused.retry_after_seconds()), (Kind::Unavailable, Some(TRY_AGAIN)));
        assert!(intake.room(organisation(1), SMALL).await.expect("small").is_none());
        let other = intake.room(organisation(2), 8 * MB).await.expect("room");
        let stranger = intake.room(None, 9 * MB).await.expect("room");
        let _ = intake.room(organisation(3), MB).await.expect_err("all is taken");
        drop((other, stranger));
        let third = intake.room(organisation(3), MB).await.expect("room");

        let waiting = intake.room(organisation(1), 3 * MB);
        let freed = async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            drop(held);
        };
        let (room, ()) = tokio::join!(waiting, freed);
        assert!(room.expect("room").is_some());
        drop(third);
        assert_eq!(intake.all.available_permits(), grains(25 * MB) as usize);
    }

    #[tokio::test]
    async fn what_is_larger_than_the_room_takes_all_of_it() {
        let intake = intake();
        let _all = intake.room(organisation(1), u64::MAX).await.expect("room");
        let _ = intake.room(organisation(1), MB).await.expect_err("none is left");
    }

    #[tokio::test]
    async fn who_sends_nothing_is_forgotten() {
        let intake = intake();
        let _held = intake.room(organisation(0), MB).await.expect("room");
        for id in 1..2 * REMEMBERED as i64 {
            drop(intake.room(organisation(id), MB).await.expect("room"));
        }
        let of = intake.of.lock().expect("the rooms");
        assert!(of.len() <= REMEMBERED + 1 && of.contains_key(&organisation(0)), "{}", of.len());
    }
}
