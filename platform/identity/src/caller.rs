//! The verified caller of a request or background job. Only this crate makes one; everything that reaches an
//! organisation's data starts from it.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use chrono::{DateTime, Utc};
use http::request::Parts;
use routewright_core::access::Link;
use routewright_core::{Clock, Error, Module, OrganisationId, Result};
use routewright_governor::Share;

use crate::policy::Policy;

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct Signed {
    /// User id in the control schema.
    pub user_id: i64,
    /// The haulier that the user works for; such users see only its drivers, vehicles and runs.
    pub haulier_id: Option<i64>,
    /// The own organisation, while the user works inside another one.
    pub home: Option<OrganisationId>,
    /// Name, for the audit trail.
    pub name: String,
    pub(crate) role_id: i64,
    pub(crate) abroad: Option<Abroad>,
}

/// By what right a user works inside an organisation that is not the own one.
#[derive(Clone)]
pub(crate) enum Abroad {
    /// Master's users look after all.
    Operator,
    /// It is a rehearsal of the user's own organisation, whose policy this is: the role counts for as much as there.
    Rehearsal(Arc<Policy>),
}

impl std::fmt::Debug for Abroad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Operator => "Operator",
            Self::Rehearsal(_) => "Rehearsal",
        })
    }
}

impl Signed {
    /// Whether it is a user of Master inside another organisation.
    #[must_use]
    pub fn is_operator_abroad(&self) -> bool {
        matches!(self.abroad, Some(Abroad::Operator))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Identity {
    Public,
    User(Signed),
    Runsheet { run: i64 },
    Link { link: Link, token: String },
    Worker,
}

/// Who is calling, and for which organisation.
#[derive(Clone, Debug)]
pub struct Caller {
    pub(crate) identity: Identity,
    pub(crate) policy: Option<Arc<Policy>>,
    came_by: Option<Arc<CameBy>>,
}

/// The request with which a caller came, for the audit trail.
#[derive(Clone, Debug)]
pub struct CameBy {
    /// Method and path of the route.
    pub action: String,
    /// Id of the request.
    pub request: String,
}

impl Caller {
    pub(crate) fn new(identity: Identity, policy: Option<Arc<Policy>>) -> Self {
        Self { identity, policy, came_by: None }
    }

    /// The same, who came with this request.
    #[must_use]
    pub fn who_came_by(self, request: CameBy) -> Self {
        Self { came_by: Some(Arc::new(request)), ..self }
    }

    /// The request with which he came; none for background jobs.
    #[must_use]
    pub fn came_by(&self) -> Option<&CameBy> {
        self.came_by.as_deref()
    }

    /// The organisation of the request. Every request touches exactly one.
    ///
    /// # Errors
    /// 401 for public calls, which belong to none.
    pub fn organisation(&self) -> Result<OrganisationId> {
        self.policy.as_ref().map(|policy| policy.organisation).ok_or_else(Error::bad_token)
    }

    /// Name, time zone, settings and modules of the organisation.
    ///
    /// # Errors
    /// 401 for public calls, which belong to none.
    pub fn policy(&self) -> Result<&Arc<Policy>> {
        self.policy.as_ref().ok_or_else(Error::bad_token)
    }

    /// The present moment of the caller's organisation, by which everything that happens in it is judged; see [`Policy::now`].
    #[must_use]
    pub fn now(&self, clock: &Clock) -> DateTime<Utc> {
        self.policy.as_ref().map_or_else(|| clock.now(), |policy| policy.now(clock))
    }

    /// Whether the caller works in a rehearsal, from which nothing leaves.
    #[must_use]
    pub fn rehearses(&self) -> bool {
        self.policy.as_ref().is_some_and(|policy| policy.rehearsal.is_some())
    }

    /// The organisation's share of the heavy work, as large as operators allow. Background jobs wait behind what somebody waits
    /// for.
    ///
    /// # Errors
    /// 401 for public calls, which belong to none.
    pub fn share(&self) -> Result<Share> {
        let policy = self.policy()?;
        let share = Share::from(policy.organisation).at_once(policy.heavy_work_at_once);
        Ok(if matches!(self.identity, Identity::Worker) { share.in_background() } else { share })
    }

    /// The signed-in user.
    ///
    /// # Errors
    /// 401 when the caller is not a user.
    pub fn user(&self) -> Result<&Signed> {
        match &self.identity {
            Identity::User(signed) => Ok(signed),
            _ => Err(Error::bad_token()),
        }
    }

    /// Id of the signed-in user, if there is one; for audit rows.
    #[must_use]
    pub fn user_id(&self) -> Option<i64> {
        match &self.identity {
            Identity::User(signed) => Some(signed.user_id),
            _ => None,
        }
    }

    /// What kind of actor the audit trail names: `user`, `operator` (a Master user inside an organisation), `driver`, `link`,
    /// `worker` or `system`.
    #[must_use]
    pub fn actor(&self) -> &'static str {
        match &self.identity {
            Identity::User(signed) if signed.is_operator_abroad() => "operator",
            Identity::User(_) => "user",
            Identity::Runsheet { .. } => "driver",
            Identity::Link { .. } => "link",
            Identity::Worker => "worker",
            Identity::Public => "system",
        }
    }

    /// The haulier to which the caller's view is narrowed.
    #[must_use]
    pub fn haulier_id(&self) -> Option<i64> {
        match &self.identity {
            Identity::User(signed) => signed.haulier_id,
            _ => None,
        }
    }

    /// The run of a run sheet token.
    #[must_use]
    pub fn run_id(&self) -> Option<i64> {
        match &self.identity {
            Identity::Runsheet { run } => Some(*run),
            _ => None,
        }
    }

    /// The token of a capability link of this kind.
    ///
    /// # Errors
    /// 401 when the caller did not come by such a link.
    pub fn link(&self, wanted: Link) -> Result<&str> {
        match &self.identity {
            Identity::Link { link, token } if *link == wanted => Ok(token),
            _ => Err(Error::bad_token()),
        }
    }

    /// Whether the caller's role holds an access level. Workers hold all, drivers and links none.
    #[must_use]
    pub fn holds(&self, level: &str) -> bool {
        match (&self.identity, &self.policy) {
            (Identity::User(signed), Some(policy)) => match &signed.abroad {
                Some(Abroad::Operator) => true,
                Some(Abroad::Rehearsal(home)) => home.holds(signed.role_id, level),
                None => policy.holds(signed.role_id, level),
            },
            (Identity::Worker, _) => true,
            _ => false,
        }
    }

    /// Requires an access level inside a handler, where the route's own requirement is not enough.
    ///
    /// # Errors
    /// 403.
    pub fn require(&self, level: &str) -> Result<()> {
        if self.holds(level) { Ok(()) } else { Err(Error::denied()) }
    }

    /// Whether the organisation has a module. A customer's tracking page counts as having all.
    #[must_use]
    pub fn has(&self, module: Module) -> bool {
        matches!(&self.identity, Identity::Link { link: Link::Tracking, .. })
            || self.policy.as_ref().is_some_and(|policy| policy.has(module))
    }

    /// Whether the caller is a user of the Master organisation, at home or working elsewhere.
    #[must_use]
    pub fn is_master(&self) -> bool {
        match (&self.identity, &self.policy) {
            (Identity::User(signed), Some(policy)) => {
                signed.is_operator_abroad() || (signed.home.is_none() && policy.is_master)
            }
            _ => false,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Error::internal("route without a guard"))
    }
}

impl aide::OperationInput for Caller {}
