//! Events as rows.

use routewright_bus::{Notice, announce};
use routewright_core::Result;
use routewright_identity::Caller;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;
use sqlx::types::Json;

/// Namespace of proofs, runs and positions.
pub(crate) const TRACKING: &str = "/tracking";
/// Namespace of optimisations.
pub(crate) const OPTIMISATION: &str = "/optimisation";
/// Namespace of the plan: its changes, and who looks at it.
pub(crate) const PLAN: &str = "/plan";

/// What can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// A proof was recorded.
    Proof,
    /// A proof was corrected, or a photo or signature arrived late.
    ProofUpdate,
    /// A run started, finished, was delayed, dispatched, re-sequenced or timed anew.
    RunUpdate,
    /// A position arrived.
    GpsLocation,
    /// A background optimisation ended.
    BackgroundOptComplete,
}

impl Event {
    /// Name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Proof => "broadcast_proof",
            Self::ProofUpdate => "broadcast_proof_update",
            Self::RunUpdate => "broadcast_run_update",
            Self::GpsLocation => "broadcast_gps_location",
            Self::BackgroundOptComplete => "broadcast_background_opt_complete",
        }
    }

    /// Namespace in which it is told.
    pub(crate) const fn namespace(self) -> &'static str {
        match self {
            Self::BackgroundOptComplete => OPTIMISATION,
            _ => TRACKING,
        }
    }
}

/// Records an event, to be told to the scenario's sockets when the transaction commits.
///
/// # Errors
/// Database faults.
pub(crate) async fn record(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    event: Event,
    payload: &(impl Serialize + Sync),
) -> Result<()> {
    let event_id = sqlx::query_scalar(
        "insert into events (scenario_id, namespace, name, payload) values ($1, $2, $3, $4) returning id",
    )
    .bind(scenario)
    .bind(event.namespace())
    .bind(event.name())
    .bind(Json(payload))
    .fetch_one(&mut *connection)
    .await?;
    announce(connection, Notice::Event { organisation: caller.organisation()?, event_id }).await
}

/// An event as it is told.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Told {
    pub(super) id: i64,
    pub(super) scenario_id: i64,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) payload: Value,
}

/// One event.
pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Option<Told>> {
    Ok(sqlx::query_as("select id, scenario_id, namespace, name, payload from events where id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?)
}

/// Events of these scenarios after an id, oldest first.
pub(super) async fn since(connection: &mut PgConnection, after: i64, scenarios: &[i64]) -> Result<Vec<Told>> {
    Ok(sqlx::query_as(
        "select id, scenario_id, namespace, name, payload from events
         where id > $1 and scenario_id = any($2) order by id limit 1000",
    )
    .bind(after)
    .bind(scenarios)
    .fetch_all(connection)
    .await?)
}

/// The newest event's id.
pub(super) async fn newest(connection: &mut PgConnection) -> Result<i64> {
    Ok(sqlx::query_scalar("select coalesce(max(id), 0) from events").fetch_one(connection).await?)
}

/// Removes events that nobody will ask for any more.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<u64> {
    let removed = sqlx::query("delete from events where created < now() - interval '2 days'")
        .execute(connection)
        .await?;
    Ok(removed.rows_affected())
}
