//! Connections to the control schema: shared by all organisations and by whoever signs in, who take turns at them.

use routewright_core::Result;
use routewright_governor::{Share, Turn, Turns};
use routewright_identity::Caller;
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};

use crate::pool::{self, Budget};

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
