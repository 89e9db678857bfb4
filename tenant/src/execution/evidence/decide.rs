//! A planner decides on evidence that could not be stored as it came.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result, check};
use routewright_identity::Caller;
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::postgres::PgConnection;

use super::file::{Filed, Filing};
use super::model::{Evidence, Record};
use crate::app::App;
use crate::audit;
use crate::orders::jobs::Job;

/// Where evidence belongs.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "AssignEvidence")]
pub(super) struct Assign {
    /// The job.
    job_id: i64,
}

/// Why evidence is put aside.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DismissEvidence")]
pub(super) struct Dismiss {
    /// Kept with it.
    reason: String,
}

/// `POST /evidence/{id}/assign`: stores what a driver recorded at a stop with a job of the planner's choice.
pub(super) async fn assign(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Assign>,
) -> Result<Json<Evidence>> {
    let caller = db.caller().clone();
    let evidence = undecided(&mut db, &caller, id).await?;
    if evidence.kind != "stop" {
        return Err(Error::bad_request("Only what was recorded at a stop can be assigned to a job"));
    }
    resource::find::<Job>(&mut db, &caller, body.job_id).await?;
    let mut record: Record = serde_json::from_value(evidence.content.0.clone())?;
    record = record.timed(evidence.clock_skew);
    record.job_id = Some(body.job_id);
    if let Some(proof) = &mut record.job_proof {
        // Files that never came, or were not the driver's, are not evidence.
        proof.photo_ids = Some(evidence.photos.iter().map(|file| file.id).collect());
        proof.signature_id = evidence.signature.as_ref().map(|file| file.id);
    }
    let mut filing =
        Filing { connection: &mut db, app: &app, caller: &caller, run: None, filed: Filed::default() };
    filing.stop(&record).await?;
    let problems = filing.filed.problems;
    if let Some(problem) = problems.iter().find(|problem| problem.starts_with("Job proof")) {
        return Err(Error::bad_request(problem.clone()));
    }
    sqlx::query("update evidence set job_id = $2 where id = $1")
        .bind(id)
        .bind(body.job_id)
        .execute(&mut *db)
        .await?;
    decide(&mut db, &caller, &app, &evidence, "assigned", None).await.map(Json)
}

/// `POST /evidence/{id}/dismiss`: puts it aside with a reason. It stays readable.
pub(super) async fn dismiss(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Dismiss>,
) -> Result<Json<Evidence>> {
    let caller = db.caller().clone();
    let reason = body.reason.trim();
    if reason.is_empty() {
        return Err(Error::field("reason", check::REQUIRED));
    }
    if reason.chars().count() > check::SHORT_TEXT {
        return Err(Error::field("reason", check::TOO_LONG));
    }
    let evidence = undecided(&mut db, &caller, id).await?;
    decide(&mut db, &caller, &app, &evidence, "dismissed", Some(reason)).await.map(Json)
}

/// Evidence on which nobody has decided, held against a colleague who just does.
async fn undecided(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<Evidence> {
    sqlx::query("select id from evidence where id = $1 for no key update")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    let evidence: Evidence = resource::find(connection, caller, id).await?;
    if !matches!(evidence.state.as_str(), "open" | "moved") {
        return Err(Error::conflict("This evidence has been decided on"));
    }
    Ok(evidence)
}

async fn decide(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
    evidence: &Evidence,
    state: &str,
    decision: Option<&str>,
) -> Result<Evidence> {
    sqlx::query(
        "update evidence set state = $2, decided_by = $3, decided_at = $4, decision = $5 where id = $1",
    )
    .bind(evidence.id)
    .bind(state)
    .bind(caller.user_id())
    .bind(caller.now(&app.clock))
    .bind(decision)
    .execute(&mut *connection)
    .await?;
    audit::explain(connection, "evidence", evidence.id, decision).await?;
    resource::find(connection, caller, evidence.id).await
}
