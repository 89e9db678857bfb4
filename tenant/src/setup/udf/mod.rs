//! Events and actions: what the organisation wants done when something happens (S-16). No code of users is ever run: an
//! action is one of five things with its fields filled in.

mod conditions;
mod events;
mod model;
mod raise;
mod webhook;

pub(crate) use raise::{Effect, raise, wanted};
pub(crate) use webhook::{Webhook, send};

use axum::Json;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Access, Module, Result, Routes};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;

use crate::app::App;
use crate::setup::information::{self, Udf};
use events::{EVENTS, UdfEvent};
use model::{ACTIONS, UdfAction};

const READ: Access = Access::levels(&["organisation_settings_read"]).module(Module::Udf);
const WRITE: Access = Access::levels(&["organisation_settings_write"]).module(Module::Udf);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<UdfAction, App>(Crud { read: READ, write: WRITE, delete: WRITE })
        .get("/udf/config", READ, config)
        .get("/udf/events", READ, events)
        .list("/udf/runs", READ, RUNS.filters, runs)
}

/// What may be built.
#[derive(Serialize, JsonSchema)]
struct Config {
    enabled: bool,
    max_actions: i64,
    allowed_actions: Vec<&'static str>,
}

/// `GET /udf/config`.
async fn config(mut db: Db) -> Result<Json<Config>> {
    let set: Udf = information::of(&mut db).await?;
    Ok(Json(Config { enabled: set.enabled, max_actions: set.max_actions, allowed_actions: ACTIONS.into() }))
}

/// `GET /udf/events`.
async fn events(_db: Db) -> Result<Json<Vec<UdfEvent>>> {
    Ok(Json(EVENTS.into()))
}

/// One time that an action was carried out.
#[derive(Serialize, JsonSchema, FromRow)]
struct UdfRun {
    id: i64,
    action_id: i64,
    /// Name of the action.
    action: String,
    event: String,
    /// `pending`, `done` or `failed`.
    status: String,
    attempts: i32,
    response_status: Option<i32>,
    error: Option<String>,
    payload: Value,
    created: chrono::DateTime<chrono::Utc>,
    finished: Option<chrono::DateTime<chrono::Utc>>,
}

const RUNS: Shape = Shape {
    filters: &[
        Filter::id("action_id", "r.action_id"),
        Filter::choice("status", "r.status"),
        Filter::choice("event", "r.event"),
    ],
    search: &["a.name"],
    sort: &[("id", "r.id"), ("created", "r.created")],
    order: "r.id desc",
};

/// `GET /udf/runs`: the newest first.
async fn runs(mut db: Db, query: ListQuery) -> Result<Listed<UdfRun>> {
    let select = "r.id, r.action_id, a.name as action, r.event, r.status, r.attempts, r.response_status, r.error, r.payload,
        r.created, r.finished";
    list::page(&mut db, select, "udf_runs r join udf_actions a on a.id = r.action_id", query, &RUNS, |_| ())
        .await
}
