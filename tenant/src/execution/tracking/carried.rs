//! Units and returns of a delivery, with what was recorded about each.

use routewright_core::Result;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::execution::proofs::{Collections, ReturnProof, UnitProof};

/// A unit as its customer sees it.
#[derive(Serialize, JsonSchema)]
pub(super) struct CarriedUnit {
    /// Id.
    id: i64,
    /// Name on the label.
    pub(super) uid: String,
    /// Name.
    pub(super) name: Option<String>,
    /// Reference.
    reference: Option<String>,
    /// What was recorded about it, the newest first.
    pub(super) unit_proofs: Vec<UnitProof>,
}

/// A return as its customer sees it.
#[derive(Serialize, JsonSchema)]
pub(super) struct CarriedReturn {
    /// Id.
    id: i64,
    /// Name on the label.
    pub(super) uid: String,
    /// What was recorded about it, the newest first.
    pub(super) return_proofs: Vec<ReturnProof>,
}

/// A reason as its customer reads it.
#[derive(Serialize, JsonSchema, FromRow)]
pub(super) struct ShownReason {
    /// Id.
    id: i64,
    /// Text.
    name: String,
    /// Whether the stop counts as done well.
    ok: bool,
}

/// Units of a job.
pub(super) async fn units(
    connection: &mut PgConnection,
    job: i64,
    proofs: &Collections,
) -> Result<Vec<CarriedUnit>> {
    let rows: Vec<(i64, String, Option<String>, Option<String>)> =
        sqlx::query_as("select id, uid, name, reference from units where job_id = $1 order by id")
            .bind(job)
            .fetch_all(connection)
            .await?;
    let of = |id: i64| {
        let own = proofs.unit_proofs.iter().filter(|of| of.proof.unit_id == Some(id));
        own.cloned().collect()
    };
    Ok(rows
        .into_iter()
        .map(|(id, uid, name, reference)| CarriedUnit { id, uid, name, reference, unit_proofs: of(id) })
        .collect())
}

/// Returns of a job.
pub(super) async fn returns(
    connection: &mut PgConnection,
    job: i64,
    proofs: &Collections,
) -> Result<Vec<CarriedReturn>> {
    let rows: Vec<(i64, String)> =
        sqlx::query_as("select id, uid from returns where job_id = $1 order by id")
            .bind(job)
            .fetch_all(connection)
            .await?;
    let of = |id: i64| {
        let own = proofs.return_proofs.iter().filter(|of| of.proof.return_id == Some(id));
        own.cloned().collect()
    };
    Ok(rows.into_iter().map(|(id, uid)| CarriedReturn { id, uid, return_proofs: of(id) }).collect())
}

/// The organisation's reasons.
pub(super) async fn reasons(connection: &mut PgConnection) -> Result<Vec<ShownReason>> {
    Ok(sqlx::query_as("select id, name, ok from reasons order by id").fetch_all(connection).await?)
}
