//! Connections of all organisations under one budget. A connection logs in as one organisation's role and belongs to
//! it for its whole life. Waiting is fair: each organisation may hold and wait for a few connections only, so that a
//! loud one queues behind itself; idle connections of cold organisations make room for others.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::transaction::Open;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::Policy;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::placement::Placements;
use crate::role;

/// Longest wait for a connection.
const WAIT: Duration = Duration::from_secs(15);
/// Longest wait for a transaction to begin, and for a connection to say that it is there.
const ANSWER: Duration = Duration::from_secs(10);
/// SQLSTATE of a refused password.
const WRONG_PASSWORD: &str = "28P01";
/// Idle time after which a connection is tested before use.
const TEST_AFTER: Duration = Duration::from_secs(20);
/// Idle time after which a connection is closed.
const CLOSE_AFTER: Duration = Duration::from_secs(300);

/// How to log in as an organisation in a placement.
pub type LogIn = Arc<dyn Fn(OrganisationId, &str) -> Result<PgConnectOptions> + Send + Sync>;

/// Sizes of the budget.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Open connections of this process to organisations' schemas, idle ones included (`TENANT_CONNECTIONS`).
    pub connections: usize,
    /// Of these at most so many for one organisation (`TENANT_CONNECTIONS_EACH`).
    pub each: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { connections: 60, each: 12 }
    }
}

/// The pools of all organisations.
#[derive(Clone)]
pub struct Tenants {
    inner: Arc<Inner>,
}

struct Inner {
    log_in: LogIn,
    healer: Option<Placements>,
    budget: Budget,
    room: Arc<Semaphore>,
    open: AtomicUsize,
    pools: DashMap<i64, Arc<Pool>>,
}

struct Pool {
    turn: Arc<Semaphore>,
    idle: Mutex<VecDeque<Idle>>,
}

struct Idle {
    connection: PgConnection,
    placement: String,
    reading: u64,
    since: Instant,
}

impl Tenants {
    /// Pools that connect with `log_in`.
    #[must_use]
    pub fn new(budget: Budget, log_in: LogIn) -> Self {
        Self::with(budget, log_in, None)
    }

    /// Pools that connect as `placements` says, and bring a login whose password was changed back to its own.
    #[must_use]
    pub fn healing(budget: Budget, placements: Placements) -> Self {
        Self::with(budget, placements.log_in(), Some(placements))
    }

    fn with(budget: Budget, log_in: LogIn, healer: Option<Placements>) -> Self {
        let inner = Inner {
            log_in,
            healer,
            budget,
            room: Arc::new(Semaphore::new(budget.connections)),
            open: AtomicUsize::new(0),
            pools: DashMap::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Closes connections that have been idle for long, for the life of the process.
    pub async fn tidy(self) {
        loop {
            tokio::time::sleep(CLOSE_AFTER / 5).await;
            let stale: Vec<Idle> = self
                .inner
                .pools
                .iter()
                .flat_map(|pool| {
                    let mut idle = lock(&pool.idle);
                    let keep =
                        idle.iter().position(|idle| idle.since.elapsed() < CLOSE_AFTER).unwrap_or(idle.len());
                    idle.drain(..keep).collect::<Vec<_>>()
                })
                .collect();
            for idle in stale {
                self.inner.close(idle.connection);
            }
            metrics::gauge!("tenant_connections_open").set(count(self.inner.open.load(Ordering::Relaxed)));
        }
    }

    /// A connection for an organisation, after waiting for its turn.
    ///
    /// # Errors
    /// 503 when none comes free in time or the database is away.
    pub(crate) async fn lease(&self, policy: &Policy) -> Result<Lease> {
        let started = Instant::now();
        let busy =
            || Error::new(Kind::Unavailable, "Too many requests at once. Please try again.").retry_after(1);
        let pool = Arc::clone(&self.inner.pools.entry(policy.organisation.get()).or_insert_with(|| {
            Arc::new(Pool { turn: Arc::new(Semaphore::new(self.inner.budget.each)), idle: Mutex::default() })
        }));
        let waiting = async {
            let turn = Arc::clone(&pool.turn).acquire_owned().await?;
            let room = Arc::clone(&self.inner.room).acquire_owned().await?;
            Ok::<_, tokio::sync::AcquireError>((turn, room))
        };
        let permits =
            tokio::time::timeout(WAIT, waiting).await.map_err(|_| busy())?.map_err(Error::internal)?;
        metrics::histogram!("tenant_connection_wait_seconds").record(started.elapsed().as_secs_f64());
        let connection = match self.inner.reuse(&pool, policy).await {
            Some(connection) => connection,
            None => self.inner.connect(policy).await?,
        };
        Ok(Lease {
            connection: Some(connection),
            placement: policy.placement.clone(),
            reading: policy.reading,
            pool,
            inner: Arc::clone(&self.inner),
            clean: false,
            _open: Open::begin(),
            _permits: permits,
        })
    }

    /// Whether the organisation's database answers: a new connection is made, or refused, in time. One that has stopped
    /// answers nothing at all.
    pub(crate) async fn answers(&self, policy: &Policy) -> bool {
        let Ok(options) = (self.inner.log_in)(policy.organisation, &policy.placement) else { return true };
        answers(&options).await
    }

    /// Open connections, idle ones included.
    #[must_use]
    pub fn open(&self) -> usize {
        self.inner.open.load(Ordering::Relaxed)
    }
}

impl Inner {
    /// An idle connection that was opened since the policy was read: a move or a restore announces itself by it, and leaves
    /// connections behind that lead to what was there before.
    async fn reuse(&self, pool: &Pool, policy: &Policy) -> Option<PgConnection> {
        loop {
            let idle = lock(&pool.idle).pop_back()?;
            if idle.placement != policy.placement || idle.reading != policy.reading {
                self.close(idle.connection);
                continue;
            }
            let mut connection = idle.connection;
            let fresh = idle.since.elapsed() < TEST_AFTER;
            if fresh || matches!(tokio::time::timeout(ANSWER, connection.ping()).await, Ok(Ok(()))) {
                return Some(connection);
            }
            self.open.fetch_sub(1, Ordering::Relaxed);
        }
    }

    async fn connect(&self, policy: &Policy) -> Result<PgConnection> {
        while self.open.load(Ordering::Relaxed) >= self.budget.connections {
            match self.coldest() {
                Some(connection) => self.close(connection),
                // Another request is just giving one back or closing one.
                None => tokio::task::yield_now().await,
            }
        }
        self.open.fetch_add(1, Ordering::Relaxed);
        let options = (self.log_in)(policy.organisation, &policy.placement);
        let connected = match options {
            Ok(options) => tokio::time::timeout(WAIT, self.log_in(&options, policy)).await,
            Err(error) => {
                self.open.fetch_sub(1, Ordering::Relaxed);
                return Err(error);
            }
        };
        let away = |error: Box<dyn std::error::Error + Send + Sync>| {
            self.open.fetch_sub(1, Ordering::Relaxed);
            Error::new(Kind::Unavailable, "The database is not available. Please try again.")
                .retry_after(1)
                .caused_by(error)
        };
        connected.map_err(|error| away(error.into()))?.map_err(|error| away(error.into()))
    }

    /// Logs in; with a password that is refused, once more after it was brought back.
    async fn log_in(&self, options: &PgConnectOptions, policy: &Policy) -> sqlx::Result<PgConnection> {
        let error = match options.connect().await {
            Err(error) if role::has_code(&error, &[WRONG_PASSWORD]) => error,
            other => return other,
        };
        let Some(healer) = &self.healer else { return Err(error) };
        tracing::warn!(organisation = %policy.organisation, "the password of an organisation's login was changed");
        if let Err(fault) = healer.heal(&policy.placement, policy.organisation).await {
            tracing::error!(organisation = %policy.organisation, ?fault, "it cannot be brought back");
            return Err(error);
        }
        options.connect().await
    }

    /// The connection that has been idle the longest, of whichever organisation.
    fn coldest(&self) -> Option<PgConnection> {
        let coldest = self
            .pools
            .iter()
            .filter_map(|pool| lock(&pool.idle).front().map(|idle| (idle.since, Arc::clone(pool.value()))))
            .min_by_key(|(since, _)| *since)?;
        lock(&coldest.1.idle).pop_front().map(|idle| idle.connection)
    }

    fn close(&self, connection: PgConnection) {
        self.open.fetch_sub(1, Ordering::Relaxed);
        tokio::spawn(async move {
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "connection did not close cleanly");
            }
        });
    }
}

/// A connection on loan. It goes back to its organisation's pool when its transaction was ended, and is closed
/// otherwise.
pub(crate) struct Lease {
    connection: Option<PgConnection>,
    placement: String,
    reading: u64,
    pool: Arc<Pool>,
    inner: Arc<Inner>,
    clean: bool,
    _open: Open,
    _permits: (OwnedSemaphorePermit, OwnedSemaphorePermit),
}

impl Lease {
    /// The connection; it is there until the lease is dropped.
    pub(crate) fn peek(&self) -> &PgConnection {
        match &self.connection {
            Some(connection) => connection,
            None => unreachable!("a lease holds its connection until it is dropped"),
        }
    }

    /// The connection; it is there until the lease is dropped.
    pub(crate) fn peek_mut(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("a lease holds its connection until it is dropped"),
        }
    }

    /// Begins a transaction.
    pub(crate) async fn begin(&mut self, statement: String) -> Result<()> {
        tokio::time::timeout(ANSWER, self.run(statement)).await.map_err(|_| silent())?
    }

    async fn run(&mut self, statement: String) -> Result<()> {
        self.clean = false;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(self.peek_mut()).await?;
        Ok(())
    }

    /// Ends the transaction; only then may the connection be used again.
    pub(crate) async fn end(mut self, commit: bool) -> Result<()> {
        self.run(if commit { "commit" } else { "rollback" }.to_owned()).await?;
        self.clean = true;
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if self.clean {
            let placement = std::mem::take(&mut self.placement);
            let idle = Idle { connection, placement, reading: self.reading, since: Instant::now() };
            lock(&self.pool.idle).push_back(idle);
        } else {
            self.inner.close(connection);
        }
    }
}

/// Whether a database answers a new connection in time, be it with a refusal.
pub(crate) async fn answers(options: &PgConnectOptions) -> bool {
    match tokio::time::timeout(ANSWER, options.connect()).await {
        Ok(Ok(connection)) => {
            connection.close_hard().await.unwrap_or_default();
            true
        }
        Ok(Err(error)) => matches!(error, sqlx::Error::Database(_)),
        Err(_) => false,
    }
}

/// 503 for a database that does not answer.
pub(crate) fn silent() -> Error {
    Error::new(Kind::Unavailable, "The database does not answer. Please try again.").retry_after(5)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn count(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::MAX, f64::from)
}
