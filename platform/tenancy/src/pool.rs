//! Connections of all organisations under one budget. A connection logs in as one organisation's role and belongs to
//! it for its whole life. Waiting is fair: organisations take turns, each may hold and wait for a few connections only and begins
//! one piece of work after the other while others are there, so that a loud one queues behind itself; idle connections of cold
//! organisations make room for others.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::transaction::Open;
use routewright_core::{Error, OrganisationId, Result, transaction};
use routewright_governor::{Share, Sizes, Turn, Turns, priority};
use routewright_identity::Policy;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::placement::Placements;
use crate::role;

/// Longest wait for a connection.
const WAIT: Duration = Duration::from_secs(15);
/// Requests that may wait for a connection, of one organisation and of all.
const WAITING: (usize, usize) = (128, 2048);
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
    /// An organisation that keeps more transactions at work than the machine has processors for makes everybody wait and
    /// gets no more done itself: a quiet one beside thirty callers waits three times as long with 12 as with 4 on two.
    fn default() -> Self {
        let processors = priority::processors();
        Self { connections: 60, each: (2 * processors).clamp(4, 12) }
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
    turns: Turns,
    open: AtomicUsize,
    pools: DashMap<i64, Arc<Pool>>,
}

#[derive(Default)]
struct Pool {
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
            turns: turns(budget),
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
    pub(crate) async fn lease(&self, policy: &Arc<Policy>) -> Result<Lease> {
        let turn = turn(&self.inner.turns, policy.requests()).await?;
        let pool = Arc::clone(&self.inner.pools.entry(policy.organisation.get()).or_default());
        let reused = self.inner.reuse(&pool, policy).await;
        let idled = reused.is_some();
        let connection = match reused {
            Some(connection) => connection,
            None => self.inner.connect(policy).await?,
        };
        Ok(Lease {
            connection: Some(connection),
            idled,
            policy: Arc::clone(policy),
            pool,
            inner: Arc::clone(&self.inner),
            clean: false,
            _open: Open::begin(),
            _turn: turn,
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

/// Turns at so many connections. Half of the processors are kept free for the others by whoever is not alone.
pub(crate) fn turns(budget: Budget) -> Turns {
    let processors = priority::processors();
    let (waiting_each, waiting) = WAITING;
    Turns::new(Sizes {
        at_once: budget.connections,
        each: budget.each.min(budget.connections),
        beside_others: (processors / 2).clamp(1, budget.each),
        memory: 0,
        memory_each: 0,
        waiting_each,
        waiting,
        patience: WAIT,
    })
}

/// The organisation's turn at a connection.
///
/// # Errors
/// 503 with `Retry-After` when too many wait or it does not come in time.
pub(crate) async fn turn(turns: &Turns, share: impl Into<Share>) -> Result<Turn> {
    // Requests that hold one connection and wait for a second would wait for each other.
    transaction::slow("a connection");
    let busy =
        |_| Error::new(Kind::Unavailable, "Too many requests at once. Please try again.").retry_after(1);
    let began = Instant::now();
    let turn = turns.take(share, "request", 0).await.map_err(busy)?;
    metrics::histogram!("tenant_connection_wait_seconds").record(began.elapsed().as_secs_f64());
    Ok(turn)
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
    /// Whether it was there before, so that it may have been cut off meanwhile.
    idled: bool,
    policy: Arc<Policy>,
    pool: Arc<Pool>,
    inner: Arc<Inner>,
    clean: bool,
    _open: Open,
    _turn: Turn,
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

    /// Begins a transaction. A connection that idled and was cut off meanwhile is replaced: nothing was done with it yet.
    pub(crate) async fn begin(&mut self, statement: String) -> Result<()> {
        let begun = tokio::time::timeout(ANSWER, self.run(statement.clone())).await.map_err(|_| silent())?;
        if !begun.as_ref().is_err_and(|error| error.kind() == Kind::Unavailable) {
            return begun;
        }
        // The connections that idled beside it were cut off with it.
        let idle = std::mem::take(&mut *lock(&self.pool.idle));
        idle.into_iter().for_each(|idle| self.inner.close(idle.connection));
        if !self.idled {
            return begun;
        }
        self.idled = false;
        if let Some(connection) = self.connection.take() {
            self.inner.close(connection);
        }
        self.connection = Some(self.inner.connect(&self.policy).await?);
        tokio::time::timeout(ANSWER, self.run(statement)).await.map_err(|_| silent())?
    }

    async fn run(&mut self, statement: String) -> Result<()> {
        self.clean = false;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(self.peek_mut()).await?;
        Ok(())
    }

    /// Ends the transaction; only then may the connection be used again. A last statement goes with a commit in one message.
    pub(crate) async fn end(mut self, commit: bool, last: Option<String>) -> Result<()> {
        let statement =
            if commit { format!("{} commit", last.unwrap_or_default()) } else { "rollback".to_owned() };
        self.run(statement).await?;
        self.clean = true;
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if self.clean {
            let (placement, reading) = (self.policy.placement.clone(), self.policy.reading);
            let idle = Idle { connection, placement, reading, since: Instant::now() };
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
