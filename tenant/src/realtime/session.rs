//! Joining with one's own session: who somebody is and may see is decided anew, and again for as long as he listens.

use std::time::Duration;

use http::{Request, header};
use routewright_core::{Access, Error, OrganisationId, Result};
use routewright_identity::{Caller, Gate};
use routewright_tenancy::Tenants;
use serde::Deserialize;
use socketioxide::extract::SocketRef;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::feed::Place;

/// How often it is looked at again whether somebody may still listen, when nothing has changed.
const AGAIN: Duration = Duration::from_secs(15);
/// The sockets of a process look within this time after a change, one after the other: the first one reads it for all.
const SPREAD: u64 = 200;

/// What a screen sends when it joins.
#[derive(Deserialize)]
pub(super) struct Handshake {
    token: String,
    scenario_id: i64,
}

/// Somebody who listens, and where.
#[derive(Clone)]
pub(super) struct Listener {
    pub(super) place: Place,
    pub(super) user: i64,
    home: Option<OrganisationId>,
}

impl Listener {
    /// A user of the scenario's organisation who has this access.
    pub(super) async fn admit(
        gate: &Gate,
        tenants: &Tenants,
        access: &Access,
        handshake: &Handshake,
    ) -> Result<(Self, Caller)> {
        let request = Request::builder()
            .header(header::AUTHORIZATION, format!("Bearer {}", handshake.token))
            .body(())
            .map_err(|_| Error::bad_token())?;
        let caller = gate.admit(access, &mut request.into_parts().0).await?;
        let signed = caller.user()?.clone();
        let mut work = tenants.of(&caller)?.begin().await?;
        let found: bool = sqlx::query_scalar("select exists (select from scenarios where id = $1)")
            .bind(handshake.scenario_id)
            .fetch_one(&mut *work)
            .await?;
        work.commit().await?;
        if !found {
            return Err(Error::not_found("Scenario"));
        }
        let place = Place { organisation: caller.organisation()?, scenario: handshake.scenario_id };
        Ok((Self { place, user: signed.user_id, home: signed.home }, caller))
    }

    /// Whether the listener still has this access. Operators look after a suspended organisation.
    pub(super) async fn may_stay(&self, gate: &Gate, access: &Access) -> bool {
        if self.home.is_none() && is_suspended(gate, self.place.organisation).await {
            return false;
        }
        match gate.on_behalf(self.place.organisation, self.user, self.home).await {
            Ok(caller) => access.levels.iter().all(|level| caller.holds(level)),
            // A database that is away for a moment takes nobody's rights.
            Err(error) => error.kind().status().is_server_error(),
        }
    }
}

/// Ends the socket once its listener has lost this access, or, for one that was opened by a link, once the organisation is
/// suspended. A change is looked at at once.
pub(super) fn watch(
    listener: Option<Listener>,
    organisation: OrganisationId,
    gate: Gate,
    access: Access,
    socket: SocketRef,
) -> AbortHandle {
    let watching = tokio::spawn(async move {
        let mut changes = gate.policies.changes();
        loop {
            let stays = match &listener {
                Some(listener) => listener.may_stay(&gate, &access).await,
                None => !is_suspended(&gate, organisation).await,
            };
            if !stays {
                drop(socket.disconnect());
                return;
            }
            if let Ok(Ok(())) = timeout(AGAIN, changes.changed()).await {
                tokio::time::sleep(Duration::from_millis(rand::random_range(0..SPREAD))).await;
            }
        }
    });
    watching.abort_handle()
}

/// False too while a database is away for a moment: that ends nothing.
async fn is_suspended(gate: &Gate, organisation: OrganisationId) -> bool {
    gate.policies.of(organisation).await.is_ok_and(|policy| policy.is_suspended())
}
