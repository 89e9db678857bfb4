//! Connections to the control schema: shared by all organisations and by whoever signs in, who take turns at them.

use routewright_core::Result;
use routewright_governor::{Share, Turn, Turns};
use routewright_identity::Caller;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPoolOptions};
use sqlx::{Executor as _, PgPool, Postgres, Row as _};

use crate::pool::{self, Budget};

/// Options of a pool whose connections several organisations share: one that comes back in the midst of a transaction is
/// closed. Whoever is cancelled between `begin` and its end leaves it so, and what he did would be committed, or its locks
/// held, by the next one. sqlx rolls back what it has counted alone, and counts a `begin` after its answer.
#[must_use]
pub fn shared(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
}

/// A statement on its own begins its transaction at the very moment at which it begins itself.
async fn is_outside_transactions(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let times = sqlx::raw_sql("select transaction_timestamp() = statement_timestamp()");
    connection.fetch_one(times).await?.try_get(0)
}

/// The pool of the control schema with its turns. Cheap to clone.
#[derive(Clone)]
pub struct Control {
    pool: PgPool,
    turns: Turns,
}

impl Control {
    /// Nobody holds more than half of the pool's connections.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        let connections = usize::try_from(pool.options().get_max_connections()).unwrap_or(usize::MAX);
        let turns = pool::turns(Budget { connections, each: (connections / 2).max(1) });
        Self { pool, turns }
    }

    /// A connection when it is the caller's organisation's turn; callers of none share one.
    ///
    /// # Errors
    /// 503 when too many wait, it does not come in time or the database is away.
    pub(crate) async fn acquire(&self, caller: &Caller) -> Result<(PoolConnection<Postgres>, Turn)> {
        let share = caller.policy().map_or_else(|_| Share::from(None), |policy| policy.requests());
        let turn = pool::turn(&self.turns, share).await?;
        Ok((self.pool.acquire().await?, turn))
    }

    /// Whether the database answers.
    pub(crate) async fn answers(&self) -> bool {
        pool::answers(&self.pool.connect_options()).await
    }
}
