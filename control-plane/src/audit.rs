//! Who changed what on the platform (S-45). Passwords and tokens never come here.

use routewright_core::{OrganisationId, Result};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;

use crate::actor::Actor;

/// One row of the record.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    action: &'static str,
    subject: String,
    organisation: Option<OrganisationId>,
    old: Option<Value>,
    new: Option<Value>,
}

impl Entry {
    /// `action` is a verb and noun such as `user_changed`, `subject` names what was acted on, such as `user:7`.
    pub(crate) fn new(action: &'static str, subject: impl Into<String>) -> Self {
        Self { action, subject: subject.into(), ..Self::default() }
    }

    /// The organisation that it concerns; the actor's own unless given.
    pub(crate) fn of(mut self, organisation: OrganisationId) -> Self {
        self.organisation = Some(organisation);
        self
    }

    /// What it was.
    pub(crate) fn before(mut self, value: &impl Serialize) -> Self {
        self.old = serde_json::to_value(value).ok();
        self
    }

    /// What it became.
    pub(crate) fn after(mut self, value: &impl Serialize) -> Self {
        self.new = serde_json::to_value(value).ok();
        self
    }

    /// Writes the row, in the transaction of the change.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn write(self, connection: &mut PgConnection, actor: &Actor) -> Result<()> {
        let organisation = self.organisation.or_else(|| actor.organisation().ok());
        self.insert(connection, actor.caller.user_id(), organisation, actor.request_id.as_deref()).await
    }

    /// Writes the row for a user who was not signed in when the request began.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn write_for(
        self,
        connection: &mut PgConnection,
        actor: &Actor,
        user: i64,
        organisation: OrganisationId,
    ) -> Result<()> {
        self.insert(connection, Some(user), Some(organisation), actor.request_id.as_deref()).await
    }

    async fn insert(
        self,
        connection: &mut PgConnection,
        user: Option<i64>,
        organisation: Option<OrganisationId>,
        request: Option<&str>,
    ) -> Result<()> {
        sqlx::query(
            "insert into platform_audit (user_id, organisation_id, action, subject, old, new, request_id)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(user)
        .bind(organisation)
        .bind(self.action)
        .bind(self.subject)
        .bind(self.old)
        .bind(self.new)
        .bind(request)
        .execute(connection)
        .await?;
        Ok(())
    }
}
