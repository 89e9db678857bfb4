//! Transactions of background jobs and streams, which make several.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use routewright_core::{OrganisationId, Result};
use routewright_identity::{Caller, Policy};
use sqlx::postgres::PgConnection;

use crate::db::By;
use crate::pool::{Lease, Tenants};

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
        Ok(Tenant { by: By::of(caller), ..self.organisation(caller.policy()?) })
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

    /// Begins a transaction.
    ///
    /// # Errors
    /// 503 when no connection comes free in time.
    pub async fn begin(&self) -> Result<Work> {
        let mut lease = self.tenants.lease(&self.policy).await?;
        lease.begin(self.by.begin()).await?;
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
        self.lease.end(true, None).await
    }

    /// Rolls back and keeps the connection for the next one; dropping also rolls back but closes it.
    ///
    /// # Errors
    /// Database faults.
    pub async fn rollback(self) -> Result<()> {
        self.lease.end(false, None).await
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
