//! The grouped settings of an organisation (contract §7.2): how customers, drivers and proofs are dealt with. What was
//! never set has its default.

mod change;
mod groups;
mod proof_of_delivery;
mod shape;

pub(crate) use groups::{App, DeliveryTracking, Dispatch, EtaAlert, Group, Notification, Reschedule, Udf};
pub(crate) use proof_of_delivery::{Demands, Parts, ProofOfDelivery};

use routewright_core::{Access, Result, Routes};
use serde_json::Value;
use sqlx::postgres::PgConnection;

const READ: Access = Access::SIGNED_IN;
const WRITE: Access = Access::levels(&["organisation_settings_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<crate::app::App> {
    Routes::new().get("/organisations/{id}/information/{group}", READ, change::get).put(
        "/organisations/{id}/information/{group}",
        WRITE,
        change::put,
    )
}

/// A group as it is set.
///
/// # Errors
/// Database faults.
pub(crate) async fn of<G: Group>(connection: &mut PgConnection) -> Result<G> {
    let stored: Option<Value> = sqlx::query_scalar("select value from information_groups where name = $1")
        .bind(G::NAME)
        .fetch_optional(connection)
        .await?;
    Ok(stored.map_or_else(G::default, |value| {
        serde_json::from_value(value).unwrap_or_else(|error| {
            tracing::warn!(group = G::NAME, %error, "a group of settings cannot be read");
            G::default()
        })
    }))
}
