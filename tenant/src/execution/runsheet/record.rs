//! What a driver records.

use axum::Json;
use axum::extract::State;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Link, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use super::token::{by_token, valid_until};
use crate::app::App;
use crate::execution::contact;
use crate::execution::gps::{self, NewPoint};
use crate::execution::proofs::{
    self, ContainerProof, JobProof, NewRunProof, ProofFields, ReturnProof, RunProof, UnitProof,
};
use crate::setup::checklists::{self, ChecklistSubmission, Submission};

/// The run of the token.
fn run(caller: &Caller) -> Result<i64> {
    caller.run_id().ok_or_else(Error::bad_token)
}

/// `POST /runsheet/{token}/job_proofs`.
pub(super) async fn job_proof(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<ProofFields>,
) -> Result<Created<JobProof>> {
    let caller = db.caller().clone();
    let run = by_token(&mut db, caller.link(Link::Run)?).await?;
    if valid_until(&mut db, &caller, &run).await? <= app.clock.now() {
        return Err(Error::bad_token());
    }
    let recorded = proofs::record(&mut db, &app, &caller, Some(run.id), &fields).await?;
    Ok(Created(recorded.proof))
}

/// `POST /v2/runsheet/unit_proofs`.
pub(super) async fn unit_proof(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<ProofFields>,
) -> Result<Created<UnitProof>> {
    let caller = db.caller().clone();
    let recorded = proofs::record(&mut db, &app, &caller, Some(run(&caller)?), &fields).await?;
    Ok(Created(recorded.proof))
}

/// `POST /v2/runsheet/return_proofs`.
pub(super) async fn return_proof(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<ProofFields>,
) -> Result<Created<ReturnProof>> {
    let caller = db.caller().clone();
    let recorded = proofs::record(&mut db, &app, &caller, Some(run(&caller)?), &fields).await?;
    Ok(Created(recorded.proof))
}

/// `POST /v2/runsheet/container_proofs`.
pub(super) async fn container_proof(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<ProofFields>,
) -> Result<Created<ContainerProof>> {
    let caller = db.caller().clone();
    let recorded = proofs::record(&mut db, &app, &caller, Some(run(&caller)?), &fields).await?;
    Ok(Created(recorded.proof))
}

/// `POST /v2/runsheet/run_proofs`.
pub(super) async fn run_proof(
    mut db: Db,
    State(app): State<App>,
    Body(proof): Body<NewRunProof>,
) -> Result<Created<RunProof>> {
    let caller = db.caller().clone();
    let of = (run(&caller)?, true);
    proofs::record_run_proof(&mut db, &app, &caller, of, &proof).await.map(Created)
}

/// `POST /v2/runsheet/checklist_submissions`.
pub(super) async fn checklist(
    mut db: Db,
    Body(submission): Body<Submission>,
) -> Result<Created<ChecklistSubmission>> {
    let caller = db.caller().clone();
    checklists::submit(&mut db, &caller, run(&caller)?, &submission).await.map(Created)
}

/// How many points were good enough.
#[derive(Serialize, JsonSchema)]
pub(super) struct Accepted {
    accepted: usize,
}

/// `POST /v2/runsheet/gps_points`.
pub(super) async fn gps_points(
    mut db: Db,
    State(app): State<App>,
    Body(points): Body<Vec<NewPoint>>,
) -> Result<Json<Accepted>> {
    let caller = db.caller().clone();
    let run = run(&caller)?;
    let accepted = gps::receive(&mut db, &app, &caller, run, &points).await?;
    contact::heard(&mut db, run, caller.now(&app.clock)).await?;
    Ok(Json(Accepted { accepted }))
}
