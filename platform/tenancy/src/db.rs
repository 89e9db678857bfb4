//! The unit of work. A handler takes [`Db`] and writes SQL through it; the guard commits when the handler answered
//! with success and rolls back otherwise, so that no handler can forget either. A [`Db`] exists only behind a verified
//! caller.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::FromRequestParts;
use http::request::Parts;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::{Caller, Policy};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::{AssertSqlSafe, PgPool};

use crate::pool::{Lease, Tenants};

/// Where a service's units of work get their connections.
#[derive(Clone)]
pub enum Source {
    /// The caller's organisation.
    Tenants(Tenants),
    /// The control schema.
    Control(PgPool),
}

/// Who does what in a transaction. The triggers that keep the log of the plan read it, and the plan's door reads the version
/// of the plan that the caller has before him.
#[derive(Debug, Clone, Default)]
pub struct By {
    /// A user.
    pub user: Option<i64>,
    /// The driver of this run.
    pub run: Option<i64>,
    /// The route, or the work in the background.
    pub action: String,
    /// The version of the plan that was looked at.
    pub plan_version: Option<i64>,
}

impl By {
    /// Begins a transaction that knows it, in one message.
    fn begin(&self) -> String {
        let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        let action = self.action.replace(['\'', '|', '\\'], " ");
        format!(
            "begin; select set_config('routewright.by', '{}|{}|{action}', true),
                 set_config('routewright.plan_version', '{}', true)",
            number(self.user),
            number(self.run),
            number(self.plan_version),
        )
    }
}

enum Held {
    Tenant(Lease),
    Control(PoolConnection<Postgres>),
}

impl Held {
    async fn begin(source: &Source, caller: &Caller, by: &By) -> Result<Self> {
        let mut held = match source {
            Source::Tenants(tenants) => Self::Tenant(tenants.lease(caller.policy()?).await?),
            Source::Control(pool) => Self::Control(pool.acquire().await?),
        };
        match &mut held {
            Self::Tenant(lease) => lease.run(by.begin()).await?,
            Self::Control(connection) => {
                sqlx::query("begin").execute(&mut **connection).await?;
            }
        }
        Ok(held)
    }

    async fn end(self, commit: bool) -> Result<()> {
        match self {
            Self::Tenant(lease) => lease.end(commit).await,
            Self::Control(mut connection) => {
                let statement = if commit { "commit" } else { "rollback" };
                match sqlx::query(statement).execute(&mut *connection).await {
                    Ok(_) => Ok(()),
                    Err(error) => {
                        connection.close_on_drop();
                        Err(error.into())
                    }
                }
            }
        }
    }
}

#[derive(Default)]
struct Slot {
    held: Option<Held>,
    keep: bool,
}

/// The unit of work of one request; lives in the request's extensions.
#[derive(Clone)]
pub(crate) struct Unit {
    source: Source,
    caller: Caller,
    by: By,
    slot: Arc<Mutex<Slot>>,
}

impl Unit {
    pub(crate) fn new(source: Source, caller: Caller, by: By) -> Self {
        Self { source, caller, by, slot: Arc::default() }
    }

    pub(crate) async fn open(&self) -> Result<Db> {
        let waiting = self.slot().held.take();
        let held = match waiting {
            Some(held) => held,
            None => Held::begin(&self.source, &self.caller, &self.by).await?,
        };
        Ok(Db { held: Some(held), unit: self.clone() })
    }

    /// Commits or rolls back what the handler did, if it did anything.
    pub(crate) async fn finish(&self, success: bool) -> Result<()> {
        let (held, keep) = {
            let mut slot = self.slot();
            (slot.held.take(), slot.keep)
        };
        match held {
            Some(held) => held.end(success || keep).await,
            None => Ok(()),
        }
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection inside the request's transaction; dereferences to the connection: `fetch_one(&mut *db)`.
pub struct Db {
    held: Option<Held>,
    unit: Unit,
}

impl Db {
    /// Who is calling.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.unit.caller
    }

    /// The organisation of the request.
    ///
    /// # Errors
    /// 401 for public calls.
    pub fn organisation(&self) -> Result<OrganisationId> {
        self.unit.caller.organisation()
    }

    /// The version of the plan that the caller had before him, if he said so.
    #[must_use]
    pub fn plan_version(&self) -> Option<i64> {
        self.unit.by.plan_version
    }

    /// Commits even when the answer is an error: for what must be remembered about a refusal, such as a failed
    /// sign-in.
    pub fn keep(&mut self) {
        self.unit.slot().keep = true;
    }

    /// Commits what was done so far and begins anew, for answers that must only be given after the commit (sending
    /// to the outside, streams in batches).
    ///
    /// # Errors
    /// Database faults; then the connection is gone.
    pub async fn commit_and_begin(&mut self) -> Result<()> {
        sqlx::query("commit").execute(&mut **self).await?;
        let begin = self.unit.by.begin();
        sqlx::raw_sql(AssertSqlSafe(begin)).execute(&mut **self).await?;
        Ok(())
    }
}

impl Deref for Db {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.held {
            Some(Held::Tenant(lease)) => lease.peek(),
            Some(Held::Control(connection)) => connection,
            None => unreachable!("a Db holds its connection until it is dropped"),
        }
    }
}

impl DerefMut for Db {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match self.held.as_mut() {
            Some(Held::Tenant(lease)) => lease.peek_mut(),
            Some(Held::Control(connection)) => connection,
            None => unreachable!("a Db holds its connection until it is dropped"),
        }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // A Db that outlives its request, in a stream, finds the slot without a reader: its connection is closed.
        self.unit.slot().held = self.held.take();
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Db {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let unit = parts
            .extensions
            .get::<Unit>()
            .cloned()
            .ok_or_else(|| Error::internal("route without a guard"))?;
        unit.open().await
    }
}

impl aide::OperationInput for Db {}

/// The version of the plan that the caller had before him, if he said so, for handlers that open transactions of their own:
/// see [`Tenant::on`].
#[derive(Debug, Clone, Copy)]
pub struct PlanVersion(pub Option<i64>);

impl<S: Send + Sync> FromRequestParts<S> for PlanVersion {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Ok(Self(parts.extensions.get::<Unit>().and_then(|unit| unit.by.plan_version)))
    }
}

impl aide::OperationInput for PlanVersion {}

/// The data of one organisation, for background jobs and streams that make several transactions.
#[derive(Clone)]
pub struct Tenant {
    tenants: Tenants,
    policy: Arc<Policy>,
    by: By,
}

impl Tenants {
    /// The data of the caller's organisation.
    ///
    /// # Errors
    /// 401 for callers without an organisation.
    pub fn of(&self, caller: &Caller) -> Result<Tenant> {
        let by = By { user: caller.user_id(), run: caller.run_id(), ..By::default() };
        Ok(Tenant { by, ..self.organisation(caller.policy()?) })
    }

    /// The data of an organisation, for a service that has found out by itself whose it is.
    #[must_use]
    pub fn organisation(&self, policy: &Arc<Policy>) -> Tenant {
        Tenant { tenants: self.clone(), policy: Arc::clone(policy), by: By::default() }
    }
}

impl Tenant {
    /// The organisation.
    #[must_use]
    pub fn organisation(&self) -> OrganisationId {
        self.policy.organisation
    }

    /// Name, time zone, settings and modules of the organisation.
    #[must_use]
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// The same, for transactions in which this is done.
    #[must_use]
    pub fn named(&self, action: &str) -> Self {
        Self { by: By { action: action.to_owned(), ..self.by.clone() }, ..self.clone() }
    }

    /// The same, for transactions of a caller who looks at this version of a plan.
    #[must_use]
    pub fn on(&self, version: PlanVersion) -> Self {
        Self { by: By { plan_version: version.0, ..self.by.clone() }, ..self.clone() }
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// 503 when no connection comes free in time.
    pub async fn begin(&self) -> Result<Work> {
        let mut lease = self.tenants.lease(&self.policy).await?;
        lease.run(self.by.begin()).await?;
        Ok(Work { lease })
    }
}

/// A transaction of a background job; rolled back unless committed.
pub struct Work {
    lease: Lease,
}

impl Work {
    /// Commits.
    ///
    /// # Errors
    /// Database faults.
    pub async fn commit(self) -> Result<()> {
        self.lease.end(true).await
    }

    /// Rolls back and keeps the connection for the next one; dropping also rolls back but closes it.
    ///
    /// # Errors
    /// Database faults.
    pub async fn rollback(self) -> Result<()> {
        self.lease.end(false).await
    }
}

impl Deref for Work {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.lease.peek()
    }
}

impl DerefMut for Work {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.lease.peek_mut()
    }
}
