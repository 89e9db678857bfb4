//! The unit of work. A handler takes [`Db`] and writes SQL through it; the guard commits when the handler answered
//! with success and rolls back otherwise, so that no handler can forget either. A [`Db`] exists only behind a verified
//! caller.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use routewright_core::transaction::Open;
use routewright_core::{Error, OrganisationId, Result};
use routewright_governor::Turn;
use routewright_identity::Caller;
use serde::Serialize;
use serde_json::Value;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, Postgres};

pub use crate::control::Control;
use crate::pool::{Lease, Tenants};
use crate::submit::{self, Submit};
use crate::trail::{self, About, Told};
pub use crate::work::{Tenant, Work};

/// Where a service's units of work get their connections.
#[derive(Clone)]
pub enum Source {
    /// The caller's organisation.
    Tenants(Tenants),
    /// The control schema.
    Control(Control),
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
    /// What kind of actor it is.
    pub actor: &'static str,
    /// Name of the user.
    pub name: String,
    /// The request.
    pub request: String,
    /// What the audit trail is told beside what the tables show.
    pub(crate) told: Told,
    /// What the request is about.
    pub(crate) about: About,
}

impl By {
    /// The caller, with the request by which he came.
    pub(crate) fn of(caller: &Caller) -> Self {
        let came_by = caller.came_by().cloned();
        let (action, request) = came_by.map(|by| (by.action, by.request)).unwrap_or_default();
        let name = caller.user().map(|signed| signed.name.clone()).unwrap_or_default();
        Self {
            user: caller.user_id(),
            run: caller.run_id(),
            action,
            actor: caller.actor(),
            name,
            request,
            ..Self::default()
        }
    }

    /// Begins a transaction that knows it, in one message.
    pub(crate) fn begin(&self) -> String {
        let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        let plain = |text: &str| text.replace(['\'', '|', '\\', '\0'], " ");
        let (action, name, request) = (plain(&self.action), plain(&self.name), plain(&self.request));
        let actor = self.actor;
        format!(
            "begin; select set_config('routewright.by', '{}|{}|{action}', true),
                 set_config('routewright.plan_version', '{}', true),
                 set_config('routewright.actor', '{actor}|{request}|{name}', true)",
            number(self.user),
            number(self.run),
            number(self.plan_version),
        )
    }
}

enum Held {
    Tenant(Lease),
    Control { connection: PoolConnection<Postgres>, _open: Open, _turn: Turn },
}

impl Held {
    async fn begin(source: &Source, caller: &Caller, by: &By) -> Result<Self> {
        let mut held = match source {
            Source::Tenants(tenants) => Self::Tenant(tenants.lease(caller.policy()?).await?),
            Source::Control(control) => {
                let (connection, turn) = control.acquire(caller).await?;
                Self::Control { connection, _open: Open::begin(), _turn: turn }
            }
        };
        match &mut held {
            Self::Tenant(lease) => lease.begin(by.begin()).await?,
            Self::Control { connection, .. } => {
                sqlx::query("begin").execute(&mut **connection).await?;
            }
        }
        Ok(held)
    }

    fn connection(&mut self) -> &mut PgConnection {
        match self {
            Self::Tenant(lease) => lease.peek_mut(),
            Self::Control { connection, .. } => connection,
        }
    }

    async fn end(self, commit: bool, told: Option<String>) -> Result<()> {
        match self {
            Self::Tenant(lease) => lease.end(commit, told).await,
            Self::Control { mut connection, .. } => {
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
    /// The claim of a marked submit's key.
    claim: Option<i64>,
    /// Another submit of the key was faster.
    late: bool,
    /// Something was committed before.
    again: bool,
    /// What was done was taken back; there is nothing to keep an answer of.
    undone: bool,
}

/// The unit of work of one request; lives in the request's extensions.
#[derive(Clone)]
pub(crate) struct Unit {
    source: Source,
    caller: Caller,
    by: By,
    submit: Option<Arc<Submit>>,
    slot: Arc<Mutex<Slot>>,
}

impl Unit {
    pub(crate) fn new(source: Source, caller: Caller, by: By, submit: Option<Submit>) -> Self {
        Self { source, caller, by, submit: submit.map(Arc::new), slot: Arc::default() }
    }

    fn of(parts: &Parts) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Error::internal("route without a guard"))
    }

    pub(crate) async fn open(&self) -> Result<Db> {
        let waiting = self.slot().held.take();
        let held = match waiting {
            Some(held) => held,
            None => self.begin().await?.ok_or_else(submit::done_before)?,
        };
        Ok(Db { held: Some(held), unit: self.clone() })
    }

    /// Begins a transaction in which the submit's key is claimed; none when somebody else has claimed it.
    async fn begin(&self) -> Result<Option<Held>> {
        let mut held = Held::begin(&self.source, &self.caller, &self.by).await?;
        if let Some(submit) = &self.submit
            && self.slot().claim.is_none()
        {
            let claim = submit.claim(held.connection()).await?;
            if claim.is_none() {
                held.end(false, None).await?;
                self.slot().late = true;
                return Ok(None);
            }
            self.slot().claim = claim;
        }
        Ok(Some(held))
    }

    /// What the client marked.
    pub(crate) fn submit(&self) -> Option<Arc<Submit>> {
        self.submit.clone()
    }

    /// Claims the key of a marked submit; false when that was done before.
    pub(crate) async fn claim(&self) -> Result<bool> {
        let held = self.begin().await?;
        let claimed = held.is_some();
        self.slot().held = held;
        Ok(claimed)
    }

    /// Whether the database is there for what is being done with it.
    pub(crate) async fn database_answers(&self) -> bool {
        match &self.source {
            Source::Tenants(tenants) => match self.caller.policy() {
                Ok(policy) => tenants.answers(policy).await,
                Err(_) => true,
            },
            Source::Control(control) => control.answers().await,
        }
    }

    /// Drops what is held, without asking a database that does not answer.
    pub(crate) fn abandon(&self) {
        drop(self.slot().held.take());
    }

    /// Whether another submit of the key was faster than this one.
    pub(crate) fn is_late(&self) -> bool {
        self.slot().late
    }

    /// What the first submit of the key was answered; none when there was none.
    pub(crate) async fn repeated(&self, submit: &Submit) -> Result<Option<Response>> {
        let mut held = Held::begin(&self.source, &self.caller, &self.by).await?;
        let response = submit.repeated(held.connection()).await;
        held.end(false, None).await?;
        response
    }

    /// Keeps what the submit was answered.
    pub(crate) async fn answered(&self, status: StatusCode, response: Option<Value>) -> Result<()> {
        if self.slot().undone {
            return Ok(());
        }
        let mut db = self.open().await?;
        let claim = self.slot().claim;
        match claim {
            Some(claim) => Submit::answered(&mut db, claim, status, response).await,
            None => Ok(()),
        }
    }

    /// Commits or rolls back what the handler did, if it did anything.
    pub(crate) async fn finish(&self, success: bool) -> Result<()> {
        let (held, keep, again) = {
            let mut slot = self.slot();
            (slot.held.take(), slot.keep, slot.again)
        };
        let told = if success { self.by.told } else { Told::Nothing };
        let is_tenants = matches!(self.source, Source::Tenants(_)) && self.caller.policy().is_ok();
        let held = match held {
            // Whatever was done before is committed; the door is told in a transaction of its own.
            None if is_tenants && (told == Told::Always || again && told == Told::Silent) => {
                Some(Held::begin(&self.source, &self.caller, &self.by).await?)
            }
            held => held,
        };
        let Some(mut held) = held else { return Ok(()) };
        if let Held::Control { connection, .. } = &mut held
            && told == Told::Silent
        {
            let organisation = self.caller.organisation().ok().map(OrganisationId::get);
            let By { user, action, about, request, .. } = &self.by;
            trail::tell_platform(connection, *user, organisation, action, about, request, again).await?;
        }
        held.end(success || keep, trail::statement(told, &self.by.about, again)).await
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

    /// Commits what was done and gives the connection back, for handlers that go on without it.
    ///
    /// # Errors
    /// Database faults.
    pub async fn let_go(mut self) -> Result<()> {
        self.give_back(false).await
    }

    /// Takes back what was done and gives the connection back, for answers that only say what would be. A marked submit is
    /// carried out anew when it comes again.
    ///
    /// # Errors
    /// Database faults.
    pub async fn undo(mut self) -> Result<()> {
        let Some(held) = self.held.take() else { return Ok(()) };
        {
            let mut slot = self.unit.slot();
            slot.claim = None;
            slot.undone = true;
        }
        held.end(false, None).await
    }

    /// Gives the connection back while something slow is waited for: the network, the storage, decoding, rendering. What
    /// was read before may be another by then, and locks are gone. What was written is committed, but a marked submit
    /// counts as carried out only when what comes after is committed too.
    ///
    /// # Errors
    /// Database faults; 503 when no connection comes free in time. Then there is none any more.
    pub async fn outside<T>(&mut self, slow: impl Future<Output = T>) -> Result<T> {
        self.give_back(false).await?;
        self.resume(slow.await).await
    }

    /// Commits what was done for good, then waits for what must only happen after it, such as sending to the outside,
    /// without a connection.
    ///
    /// # Errors
    /// Database faults; 503 when no connection comes free in time. Then there is none any more.
    pub async fn commit_then<T>(&mut self, slow: impl Future<Output = T>) -> Result<T> {
        self.give_back(true).await?;
        self.resume(slow.await).await
    }

    /// Keeps what a marked submit is answered should the process be lost after [`Self::commit_then`]; the answer that is given
    /// in the end takes its place.
    ///
    /// # Errors
    /// Database faults.
    pub async fn would_answer(&mut self, status: StatusCode, answer: &impl Serialize) -> Result<()> {
        let claim = self.unit.slot().claim;
        let Some(claim) = claim else { return Ok(()) };
        let answer = serde_json::to_value(answer).map_err(Error::internal)?;
        Submit::answered(self, claim, status, Some(answer)).await
    }

    async fn give_back(&mut self, done: bool) -> Result<()> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        if !done {
            let claim = self.unit.slot().claim.take();
            if let Some(claim) = claim {
                Submit::give_up(held.connection(), claim).await?;
            }
        }
        self.unit.slot().again = true;
        held.end(true, None).await
    }

    async fn resume<T>(&mut self, answer: T) -> Result<T> {
        self.held = Some(self.unit.begin().await?.ok_or_else(submit::done_before)?);
        Ok(answer)
    }
}

impl Deref for Db {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.held {
            Some(Held::Tenant(lease)) => lease.peek(),
            Some(Held::Control { connection, .. }) => connection,
            None => unreachable!("a Db holds its connection until it is dropped"),
        }
    }
}

impl DerefMut for Db {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match self.held.as_mut() {
            Some(Held::Tenant(lease)) => lease.peek_mut(),
            Some(Held::Control { connection, .. }) => connection,
            None => unreachable!("a Db holds its connection until it is dropped"),
        }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // A Db that outlives its request, in a stream, finds the slot without a reader: its connection is closed.
        if let Some(held) = self.held.take() {
            self.unit.slot().held = Some(held);
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Db {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Unit::of(parts)?.open().await
    }
}

impl aide::OperationInput for Db {}

/// The request's unit of work, opened when it is needed: no connection is held while a form arrives.
pub struct LateDb(Unit);

impl LateDb {
    /// Opens it.
    ///
    /// # Errors
    /// 503 when no connection comes free in time.
    pub async fn open(self) -> Result<Db> {
        self.0.open().await
    }
}

impl<S: Send + Sync> FromRequestParts<S> for LateDb {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Unit::of(parts).map(Self)
    }
}

impl aide::OperationInput for LateDb {}
