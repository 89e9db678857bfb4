//! Policies held in memory per organisation.
//!
//! A change is in force with its answer, at every replica, without any of them being asked. Every change leaves a row in
//! `policy_changes`. A replica decides nothing by what it holds unless it has looked for changes within [`LEASE`]; else it
//! looks first. The control plane gives the answer to a change only when [`LEASE`] has passed since its commit
//! ([`Policies::settled`]): by then whatever a replica still held from before may not be used any more. Only durations
//! are compared, never the clocks of two machines, and a replica that died or lost its connection is waited for no
//! longer than one that lives. Announcements and the watch only make the next request quicker.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use routewright_core::{Clock, OrganisationId, Result};
use sqlx::PgPool;
use tokio::sync::{Notify, watch};

use crate::policy::Policy;

/// How long what is held may be used after `policy_changes` was last read, and how long the answer to a change waits.
pub const LEASE: Duration = Duration::from_millis(100);
/// How often `policy_changes` is read when nobody asks.
const POLL: Duration = Duration::from_millis(400);
/// Shortest time between two readings, however often they are asked for: every login of the database can announce.
const PAUSE: Duration = Duration::from_millis(20);

/// The policies of all organisations that this process has met.
#[derive(Clone)]
pub struct Policies {
    directory: PgPool,
    clock: Clock,
    known: Arc<DashMap<i64, Arc<Policy>>>,
    /// Counts what was forgotten, so that a policy read before a change is not kept after it.
    forgotten: Arc<AtomicU64>,
    handled: Arc<Mutex<BTreeSet<i64>>>,
    looked: Arc<Mutex<Looked>>,
    /// One reading of the changes at a time, whoever waits for it.
    turn: Arc<tokio::sync::Mutex<()>>,
    hinted: Arc<Notify>,
    changed: Arc<watch::Sender<()>>,
}

/// When changes were looked for.
#[derive(Debug, Default, Clone, Copy)]
struct Looked {
    /// When the last reading that succeeded began: what was committed before is known.
    last: Option<Instant>,
    /// When a change was found last.
    found: Option<Instant>,
}

/// How many of the newest changes are read again at every poll: a transaction that commits late may have a smaller
/// number than one that was seen already.
const OVERLAP: i64 = 500;

impl Policies {
    /// Reads from `directory`, a pool whose search path is the control schema.
    #[must_use]
    pub fn new(directory: PgPool, clock: Clock) -> Self {
        Self {
            directory,
            clock,
            known: Arc::default(),
            forgotten: Arc::default(),
            handled: Arc::default(),
            looked: Arc::default(),
            turn: Arc::default(),
            hinted: Arc::default(),
            changed: Arc::default(),
        }
    }

    /// The policy of an organisation, with every change that was answered before.
    ///
    /// # Errors
    /// 401 when there is no such organisation; database faults.
    pub async fn of(&self, organisation: OrganisationId) -> Result<Arc<Policy>> {
        self.look().await?;
        if let Some(policy) = self.known.get(&organisation.get()) {
            return Ok(Arc::clone(&policy));
        }
        let before = self.forgotten.load(Ordering::SeqCst);
        let policy = Arc::new(Policy::read(&self.directory, self.clock.now(), organisation, before).await?);
        if self.forgotten.load(Ordering::SeqCst) == before {
            self.known.insert(organisation.get(), Arc::clone(&policy));
        }
        Ok(policy)
    }

    /// The policy read anew, unless somebody else has just done so.
    pub(crate) async fn again(&self, old: &Arc<Policy>) -> Result<Arc<Policy>> {
        let organisation = old.organisation;
        if self.known.get(&organisation.get()).is_some_and(|held| Arc::ptr_eq(&held, old)) {
            self.forget(organisation);
        }
        self.of(organisation).await
    }

    /// Forgets an organisation, so that the next request reads it anew.
    pub fn forget(&self, organisation: OrganisationId) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.known.remove(&organisation.get());
        self.changed.send_replace(());
    }

    /// Forgets everything, after announcements may have been missed.
    pub fn forget_all(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.known.clear();
        self.changed.send_replace(());
    }

    /// Tells when something has changed: for whoever was admitted once and goes on, such as a socket.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Organisations that are in use, for work that looks at all of them.
    ///
    /// # Errors
    /// Database faults.
    pub async fn organisations(&self) -> Result<Vec<OrganisationId>> {
        Ok(sqlx::query_scalar(
            "select id from organisations
             where state = 'ready' and deleted_at is null and suspended_at is null and parent_organisation_id is null
             order by id",
        )
        .fetch_all(&self.directory)
        .await?)
    }

    /// Rehearsals, and whether each is on its way out.
    ///
    /// # Errors
    /// Database faults.
    pub async fn rehearsals(&self) -> Result<Vec<(OrganisationId, bool)>> {
        Ok(sqlx::query_as(
            "select r.organisation_id, r.removing from rehearsals r join organisations o on o.id = r.organisation_id
             where r.removing or (o.state = 'ready' and o.deleted_at is null and o.suspended_at is null
                 and r.failure is null)
             order by r.organisation_id",
        )
        .fetch_all(&self.directory)
        .await?)
    }

    /// Says that something may have changed: [`Policies::watch`] looks at once. What has changed is read from the
    /// control schema, so that a false hint costs one reading and no more.
    pub fn hint(&self) {
        self.hinted.notify_one();
    }

    /// Watches `policy_changes` for the life of the process.
    pub async fn watch(self) {
        loop {
            if let Err(error) = self.poll().await {
                tracing::warn!(%error, "policy changes cannot be read");
                // What is held may be stale for as long as changes cannot be read.
                self.forget_all();
            }
            tokio::time::sleep(PAUSE).await;
            // Either way it is time to look.
            drop(tokio::time::timeout(POLL, self.hinted.notified()).await);
        }
    }

    /// Looks for changes unless that was done within the lease.
    async fn look(&self) -> Result<()> {
        if self.has_looked() {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        // Somebody else may have looked meanwhile.
        if self.has_looked() { Ok(()) } else { self.poll().await }
    }

    fn has_looked(&self) -> bool {
        self.looked().last.is_some_and(|last| last.elapsed() < LEASE)
    }

    fn looked(&self) -> Looked {
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a change that was committed since `began` is in force at every replica; at once when there was none.
    ///
    /// # Errors
    /// Database faults: then the wait is over, but this replica may not know the change yet.
    pub async fn settled(&self, began: Instant) -> Result<()> {
        let committed = Instant::now();
        let polled = self.poll().await;
        if polled.is_err() || self.looked().found.is_some_and(|found| found >= began) {
            tokio::time::sleep(LEASE.saturating_sub(committed.elapsed())).await;
        }
        polled
    }

    /// Reads the newest changes and forgets the organisations they concern.
    ///
    /// # Errors
    /// Database faults.
    pub async fn poll(&self) -> Result<()> {
        let began = Instant::now();
        let newest = self.handled.lock().unwrap_or_else(PoisonError::into_inner).last().copied().unwrap_or(0);
        let changes: Vec<(i64, i64)> =
            sqlx::query_as("select seq, organisation_id from policy_changes where seq > $1 order by seq")
                .bind(newest - OVERLAP)
                .fetch_all(&self.directory)
                .await?;
        let mut found = None;
        for (seq, organisation) in changes {
            let new = self.handled.lock().unwrap_or_else(PoisonError::into_inner).insert(seq);
            if new {
                self.forget(OrganisationId::new(organisation));
                found = Some(Instant::now());
            }
        }
        {
            let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
            looked.last = looked.last.max(Some(began));
            looked.found = looked.found.max(found);
        }
        let mut handled = self.handled.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = handled.last().copied().unwrap_or(0);
        *handled = handled.split_off(&(newest - 2 * OVERLAP));
        Ok(())
    }

    /// The e-mail address of a user who is not deleted.
    ///
    /// # Errors
    /// Database faults.
    pub async fn email_of(&self, user: i64) -> Result<Option<String>> {
        Ok(sqlx::query_scalar("select email from users where id = $1 and deleted_at is null")
            .bind(user)
            .fetch_optional(&self.directory)
            .await?)
    }

    /// The name of an organisation or haulier that is not deleted.
    ///
    /// # Errors
    /// Database faults.
    pub async fn name_of(&self, organisation: i64) -> Result<Option<String>> {
        Ok(sqlx::query_scalar("select name from organisations where id = $1 and deleted_at is null")
            .bind(organisation)
            .fetch_optional(&self.directory)
            .await?)
    }
}
