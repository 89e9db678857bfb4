//! The answers of a tracking page.

use axum::Json;
use axum::extract::State;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::carried::{self, CarriedReturn, CarriedUnit, ShownReason};
use super::delivery::{Delivery, shown, tracked};
use super::masked::masked;
use crate::app::App;
use crate::execution::documents;
use crate::execution::proofs::{self, Collections};
use crate::setup::information::{self, ProofOfDelivery};

/// The delivery with everything recorded about it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedDelivery")]
pub(super) struct Everything {
    /// The delivery.
    #[serde(flatten)]
    delivery: Delivery,
    /// Its units.
    units: Vec<CarriedUnit>,
    /// Its returns.
    returns: Vec<CarriedReturn>,
    /// What was recorded about it and what hangs on it.
    proofs: Collections,
}

/// `GET /jobs/tracking/{token}`.
pub(super) async fn delivery(mut db: Db, State(app): State<App>) -> Result<Json<Delivery>> {
    Ok(Json(shown(&mut db, &app).await?.1))
}

/// `GET /jobs/tracking/{token}/all`.
pub(super) async fn all(mut db: Db, State(app): State<App>) -> Result<Json<Everything>> {
    let (job, delivery) = shown(&mut db, &app).await?;
    let proofs = recorded(&mut db, job).await?;
    let units = carried::units(&mut db, job, &proofs).await?;
    let returns = carried::returns(&mut db, job, &proofs).await?;
    Ok(Json(Everything { delivery, units, returns, proofs }))
}

/// `GET /jobs/tracking/{token}/proofs`.
pub(super) async fn proofs(mut db: Db, State(app): State<App>) -> Result<Json<Collections>> {
    let job = tracked(&mut db, &app).await?.0.id;
    recorded(&mut db, job).await.map(Json)
}

/// `GET /jobs/tracking/{token}/units`.
pub(super) async fn units(mut db: Db, State(app): State<App>) -> Result<Json<Vec<CarriedUnit>>> {
    let job = tracked(&mut db, &app).await?.0.id;
    let proofs = recorded(&mut db, job).await?;
    carried::units(&mut db, job, &proofs).await.map(Json)
}

/// `GET /jobs/tracking/{token}/returns`.
pub(super) async fn returns(mut db: Db, State(app): State<App>) -> Result<Json<Vec<CarriedReturn>>> {
    let job = tracked(&mut db, &app).await?.0.id;
    let proofs = recorded(&mut db, job).await?;
    carried::returns(&mut db, job, &proofs).await.map(Json)
}

/// `GET /jobs_tracking/{token}/reasons`.
pub(super) async fn reasons(mut db: Db, State(app): State<App>) -> Result<Json<Vec<ShownReason>>> {
    tracked(&mut db, &app).await?;
    carried::reasons(&mut db).await.map(Json)
}

/// `GET /jobs/tracking/{token}/proof_of_delivery_pdf`, if customers may have it.
pub(super) async fn pdf(mut db: Db, State(app): State<App>) -> Result<Download> {
    let job = tracked(&mut db, &app).await?.0.id;
    let settings: ProofOfDelivery = information::of(&mut db).await?;
    if !settings.customer_download {
        return Err(Error::denied());
    }
    let caller = db.caller().clone();
    db.let_go().await?;
    documents::one(&caller, &app, job).await
}

async fn recorded(db: &mut Db, job: i64) -> Result<Collections> {
    let caller = db.caller().clone();
    recorded_of(db, &caller, job).await
}

/// What was recorded about a delivery, as its customer reads it.
pub(super) async fn recorded_of(
    connection: &mut PgConnection,
    caller: &Caller,
    job: i64,
) -> Result<Collections> {
    let mut found = proofs::of_jobs(connection, caller, &[job]).await?;
    let of_jobs = found.job_proofs.iter_mut().map(|of| &mut of.proof);
    let of_units = found.unit_proofs.iter_mut().map(|of| &mut of.proof);
    let of_returns = found.return_proofs.iter_mut().map(|of| &mut of.proof);
    for proof in of_jobs.chain(of_units).chain(of_returns) {
        proof.comments = proof.comments.as_deref().map(masked);
    }
    Ok(found)
}
