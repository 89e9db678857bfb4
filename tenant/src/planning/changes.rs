//! What changed in a plan since a version: the rows as the lists show them, for screens that have the plan open.

use std::collections::BTreeSet;

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::http::{Path, Query};
use routewright_core::list::{self, ListQuery, MAX_PER_PAGE};
use routewright_core::{Access, Error, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::orders::jobs::Job;
use crate::plan;
use crate::planning::runs::{self, Run};

/// Reads a plan.
const READ: Access = Access::levels(&["scenarios_read", "jobs_read"]);
/// Rows from which on the plan is better read anew, page by page.
const MANY: usize = 2000;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/scenarios/{id}/changes", READ, changes)
}

/// From when on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Since {
    /// The version that the caller has.
    since: i64,
}

/// What changed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PlanChanges")]
struct Changes {
    /// The version after it.
    version: i64,
    /// Too much changed, or too long ago: the plan is to be read anew.
    reload: bool,
    /// The steps, oldest first.
    changes: Vec<Change>,
    /// Jobs as they are now, as `GET /jobs` shows them.
    jobs: Vec<Job>,
    /// Runs as they are now, as `GET /runs?route=true&jobs=false` shows them; for those who may read runs.
    runs: Vec<Run>,
    /// Jobs that are no longer in the plan.
    removed_job_ids: Vec<i64>,
    /// Runs that are no longer in the plan.
    removed_run_ids: Vec<i64>,
    /// Units or returns changed.
    items: bool,
    /// The scenario's own fields changed.
    scenario: bool,
}

/// One step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PlanChange")]
struct Change {
    /// The version that it made.
    version: i64,
    /// When.
    at: DateTime<Utc>,
    /// The user who did it; null for drivers and work in the background.
    user_id: Option<i64>,
    /// Who did it, in words.
    actor: String,
    /// Route, or work in the background.
    action: Option<String>,
}

/// `GET /scenarios/{id}/changes`.
async fn changes(mut db: Db, Path(id): Path<i64>, Query(asked): Query<Since>) -> Result<Json<Changes>> {
    let caller = db.caller().clone();
    let found: bool = sqlx::query_scalar("select exists (select from scenarios where id = $1)")
        .bind(id)
        .fetch_one(&mut *db)
        .await?;
    if !found {
        return Err(Error::not_found("Scenario"));
    }
    // Before the rows: what changes in between is told again by the next answer.
    let version = plan::version(&mut db, id).await?;
    let entries = plan::entries(&mut db, id, asked.since).await?;
    let touched = |ids: fn(&plan::Entry) -> &Vec<i64>| -> BTreeSet<i64> {
        entries.iter().flatten().flat_map(|entry| ids(entry).iter().copied()).collect()
    };
    let jobs = touched(|entry| &entry.jobs);
    let runs = touched(|entry| &entry.runs);
    let Some(entries) = entries.as_ref().filter(|_| jobs.len() + runs.len() <= MANY) else {
        return Ok(Json(Changes::reload(version)));
    };
    let mut answer = Changes::reload(entries.last().map_or(asked.since, |entry| entry.version));
    answer.reload = false;
    answer.items = entries.iter().any(|entry| entry.items);
    answer.scenario = entries.iter().any(|entry| entry.scenario);
    for entry in entries {
        let actor =
            plan::actor(&mut db, &caller, entry.user_id, entry.run_id, entry.action.as_deref()).await?;
        let plan::Entry { version, at, user_id, ref action, .. } = *entry;
        answer.changes.push(Change { version, at, user_id, actor, action: action.clone() });
    }
    answer.jobs = rows::<Job>(&mut db, &caller, &jobs, "j.scenario_id = ", id).await?;
    if caller.holds("runs_read") {
        answer.runs = rows::<Run>(&mut db, &caller, &runs, "r.scenario_id = ", id).await?;
        runs::complete(&mut db, &caller, &mut answer.runs, true).await?;
    }
    answer.removed_job_ids = missing(jobs, answer.jobs.iter().map(|job| job.id));
    answer.removed_run_ids = missing(runs, answer.runs.iter().map(|run| run.id));
    Ok(Json(answer))
}

impl Changes {
    fn reload(version: i64) -> Self {
        Self {
            version,
            reload: true,
            changes: Vec::new(),
            jobs: Vec::new(),
            runs: Vec::new(),
            removed_job_ids: Vec::new(),
            removed_run_ids: Vec::new(),
            items: false,
            scenario: false,
        }
    }
}

/// The rows of a scenario with these ids that the caller may see, as their list shows them.
async fn rows<R: Resource>(
    connection: &mut PgConnection,
    caller: &Caller,
    ids: &BTreeSet<i64>,
    in_scenario: &str,
    scenario: i64,
) -> Result<Vec<R>> {
    let ids: Vec<i64> = ids.iter().copied().collect();
    let pages = usize::try_from(MAX_PER_PAGE).map_err(Error::internal)?;
    let mut found = Vec::with_capacity(ids.len());
    for part in ids.chunks(pages) {
        let query = ListQuery::parse(&format!("per_page={MAX_PER_PAGE}"))?;
        let page = list::page::<R>(connection, R::COLUMNS, R::FROM, query, &R::SHAPE, |conditions| {
            conditions.any(R::ID, part.to_vec());
            conditions.push(in_scenario, scenario);
            R::narrow(caller, conditions);
        });
        found.append(&mut page.await?.page.data);
    }
    Ok(found)
}

fn missing(mut ids: BTreeSet<i64>, found: impl Iterator<Item = i64>) -> Vec<i64> {
    for id in found {
        ids.remove(&id);
    }
    ids.into_iter().collect()
}
