//! The freight forwarder (S-28, L-01): runs and what became of them, as documents. Each is kept in the outbox first; where
//! the organisation has stored an endpoint it is posted there, else the outbox is where the forwarder's side fetches it.

mod documents;
mod message;
mod send;

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Access, Body, Error, Module, Result, Routes};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::planning::runs;
use documents::{About, Kind};
use message::ForwarderMessage;

const READ: Access = Access::levels(&["runs_read"]).module(Module::Gefco);
const WRITE: Access = Access::levels(&["runs_write"]).module(Module::Gefco);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/gefco/run_load", WRITE, run_load)
        .post("/gefco/model_update", WRITE, model_update)
        .post("/gefco/delivery_out/{run_id}", WRITE, delivery_out)
        .post("/gefco/delivery_execution", WRITE, delivery_execution)
        .list(
            "/gefco/messages",
            READ,
            resource::filters::<ForwarderMessage>(),
            resource::list::<ForwarderMessage>,
        )
        .get("/gefco/messages/{id}", READ, resource::get::<ForwarderMessage>)
        .post("/gefco/messages/{id}/retry", WRITE, retry)
}

/// A run by id.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ForwarderRun")]
struct OfRun {
    /// The run.
    run_id: i64,
}

/// A job by id.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ForwarderJob")]
struct OfJob {
    /// The job.
    job_id: i64,
}

/// What the forwarder's side said.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ForwarderAnswer")]
struct Answer {
    /// Whether it was taken.
    success: bool,
    /// What planners read.
    description: String,
}

/// `POST /gefco/run_load`: the run with its code and stops.
async fn run_load(mut db: Db, State(app): State<App>, Body(body): Body<OfRun>) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, body.run_id).await?;
    let document = documents::run_load(&mut db, &run).await?;
    let about = About { kind: Kind::RunLoad, scenario: Some(run.scenario_id), run: Some(run.id), job: None };
    send::send(db, &app, about, document).await.map(Json)
}

/// `POST /gefco/model_update`: jobs and units that changed since the forwarder was last told of the run.
async fn model_update(mut db: Db, State(app): State<App>, Body(body): Body<OfRun>) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, body.run_id).await?;
    let Some(document) = documents::model_update(&mut db, &run).await? else {
        let description = "Nothing has changed since the last update".to_owned();
        return Ok(Json(Answer { success: true, description }));
    };
    let about =
        About { kind: Kind::ModelUpdate, scenario: Some(run.scenario_id), run: Some(run.id), job: None };
    send::send(db, &app, about, document).await.map(Json)
}

/// `POST /gefco/delivery_out/{run_id}`: the validated totals, once all runs of the day are validated.
async fn delivery_out(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, id).await?;
    let open: bool = sqlx::query_scalar(
        "select exists (select from runs where scenario_id = $1 and validated_at is null)",
    )
    .bind(run.scenario_id)
    .fetch_one(&mut *db)
    .await?;
    if open {
        return Err(Error::bad_request("All runs of the scenario must be validated"));
    }
    let document = documents::delivery_out(&mut db, &run).await?;
    let about =
        About { kind: Kind::DeliveryOut, scenario: Some(run.scenario_id), run: Some(run.id), job: None };
    send::send(db, &app, about, document).await.map(Json)
}

/// `POST /gefco/delivery_execution`: what was recorded about a job.
async fn delivery_execution(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<OfJob>,
) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let job: crate::orders::jobs::Job = resource::find(&mut db, &caller, body.job_id).await?;
    let document = documents::delivery_execution(&mut db, &caller, &job).await?;
    let about = About {
        kind: Kind::DeliveryExecution,
        scenario: job.scenario_id,
        run: job.run_id,
        job: Some(job.id),
    };
    send::send(db, &app, about, document).await.map(Json)
}

/// `POST /gefco/messages/{id}/retry`: sends a document that was not taken, or that waited for an endpoint.
async fn retry(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let message: ForwarderMessage = resource::find(&mut db, &caller, id).await?;
    if !["failed", "pending"].contains(&message.state.as_str()) {
        return Err(Error::conflict("Only a message that failed or waits can be sent again"));
    }
    send::again(db, &app, id).await.map(Json)
}
