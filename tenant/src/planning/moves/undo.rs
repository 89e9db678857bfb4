//! One step back, and forth again: what somebody did to the runs of a plan is taken back as long as they stand as it left
//! them. A step back is a change like others, with an inverse of its own: that is the step forth.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Body, Error, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::Moved;
use crate::app::App;
use crate::orders::jobs;
use crate::plan::{self, Departure, Draft, Expected, Planner, Request};
use crate::planning::runs;

/// What can be taken back. The others only follow from changes of something else: of a job, of a driver.
const KINDS: [&str; 7] = ["move", "bulk_move", "reverse", "delay", "remedy", "optimise", "optimise_run"];
/// For who comes too late.
const CHANGED_SINCE: &str = "These runs were changed since; this step cannot be taken back any more.";

/// The steps that the caller could take now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Steps {
    /// His last change of this plan that he has not taken back.
    undo: Option<Step>,
    /// What he has taken back last, until he changes something else.
    redo: Option<Step>,
}

/// A change of a plan.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
#[schemars(rename = "PlanStep")]
struct Step {
    /// Id.
    id: i64,
    /// What was done: `move`, `bulk_move`, `reverse`, `delay`, `remedy`, `optimise` or `optimise_run`.
    kind: String,
    /// When.
    at: DateTime<Utc>,
    #[serde(skip)]
    step: String,
    #[serde(skip)]
    change: Jsonb<Change>,
    #[serde(skip)]
    inverse: Jsonb<Inverse>,
}

/// How a change left the plan.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Change {
    runs: BTreeMap<i64, Vec<i64>>,
    unserved: Vec<i64>,
}

/// How the plan was before.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Inverse {
    runs: BTreeMap<i64, Vec<i64>>,
    unserved: Vec<i64>,
    starts: BTreeMap<i64, Option<DateTime<Utc>>>,
    to_pool: Vec<i64>,
    /// Whole rows.
    removed_runs: Vec<Value>,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forth,
}

impl Way {
    /// The step that goes this way, of the caller in a scenario.
    async fn next(
        self,
        connection: &mut PgConnection,
        caller: &Caller,
        scenario: i64,
    ) -> Result<Option<Step>> {
        // What was done again is behind whoever goes forth, and what was taken back behind whoever goes back.
        let passed = match self {
            Self::Back => "undone",
            Self::Forth => "redone",
        };
        let found: Option<Step> = sqlx::query_as(
            "select id, kind, at, step, change, inverse from plan_changes
             where scenario_id = $1 and user_id = $2 and kind = any($3) and change ? 'runs' and step <> $4 and not taken_back
             order by id desc limit 1",
        )
        .bind(scenario)
        .bind(caller.user_id())
        .bind(KINDS)
        .bind(passed)
        .fetch_optional(connection)
        .await?;
        Ok(found.filter(|found| self == Self::Back || found.step == "undone"))
    }

    fn step(self) -> &'static str {
        match self {
            Self::Back => "undone",
            Self::Forth => "redone",
        }
    }
}

/// `GET /scenarios/{id}/steps`.
pub(super) async fn steps(mut db: Db, Path(id): Path<i64>) -> Result<Json<Steps>> {
    let caller = db.caller().clone();
    jobs::store::scenario_exists(&mut db, id).await?;
    let undo = Way::Back.next(&mut db, &caller, id).await?;
    let redo = Way::Forth.next(&mut db, &caller, id).await?;
    Ok(Json(Steps { undo, redo }))
}

/// Which step is meant.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// Its id, as `steps` told it; when it is another by now, nothing is done.
    step_id: i64,
}

/// `PUT /scenarios/{id}/undo`.
pub(super) async fn undo(
    db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Moved>> {
    go(db, &app, id, Way::Back, wanted.step_id).await.map(Json)
}

/// `PUT /scenarios/{id}/redo`.
pub(super) async fn redo(
    db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Moved>> {
    go(db, &app, id, Way::Forth, wanted.step_id).await.map(Json)
}

async fn go(mut db: Db, app: &App, scenario: i64, way: Way, wanted: i64) -> Result<Moved> {
    let caller = db.caller().clone();
    jobs::store::scenario_exists(&mut db, scenario).await?;
    let Some(step) = way.next(&mut db, &caller, scenario).await?.filter(|step| step.id == wanted) else {
        return Err(Error::conflict(CHANGED_SINCE));
    };
    let (change, inverse) = (&step.change.0, &step.inverse.0);
    if caller.haulier_id().is_some() {
        for run in inverse.runs.keys() {
            runs::find(&mut db, &caller, *run).await?;
        }
    }
    let named: BTreeSet<i64> = change.runs.values().chain(inverse.runs.values()).flatten().copied().collect();
    let named: Vec<i64> = named.into_iter().chain(change.unserved.iter().copied()).collect();
    let pool_jobs: Vec<i64> =
        sqlx::query_scalar("select id from jobs where id = any($1) and scenario_id is null")
            .bind(&named)
            .fetch_all(&mut *db)
            .await?;
    // Runs that it removed come back, and those that it made go.
    sqlx::query(
        "select bin_restore(jsonb_build_object('runs', $1::jsonb), '[]') where jsonb_array_length($1) > 0",
    )
    .bind(sqlx::types::Json(&inverse.removed_runs))
    .execute(&mut *db)
    .await?;
    let made: Vec<i64> = sqlx::query_scalar("select id from runs where id = any($1) and created = $2")
        .bind(inverse.runs.keys().copied().collect::<Vec<_>>())
        .bind(step.at)
        .fetch_all(&mut *db)
        .await?;
    let planner = Planner::new(app, &caller)?;
    let expected = Expected::default();
    let kind = way.step();
    let request = Request { scenario, kind, expected, jobs: &named, pool_jobs: &pool_jobs, reason: None };
    let is_delay = step.kind == "delay";
    let changed = plan::change(&mut db, &planner, request, |draft| {
        apply(draft, change, inverse, is_delay)?;
        made.iter().for_each(|run| draft.remove(*run));
        Ok(())
    })
    .await?;
    sqlx::query("update jobs set scenario_id = null where id = any($1)")
        .bind(&inverse.to_pool)
        .execute(&mut *db)
        .await?;
    sqlx::query("update plan_changes set taken_back = true where id = $1")
        .bind(step.id)
        .execute(&mut *db)
        .await?;
    // What the door has just noted is this kind of change again, with its way.
    sqlx::query(
        "update plan_changes set kind = $3, step = $4
         where id = (select max(id) from plan_changes where scenario_id = $1 and user_id = $2 and kind = $4)",
    )
    .bind(scenario)
    .bind(caller.user_id())
    .bind(&step.kind)
    .bind(way.step())
    .execute(&mut *db)
    .await?;
    jobs::store::tell_of(&mut db, &caller, "job_moved", &named).await?;
    let version = plan::version_after(&mut db, scenario).await?;
    Ok(Moved {
        updated_runs: runs::several(&mut db, &caller, &changed.runs).await?,
        jobs_to_unserved: runs::jobs_by_ids(&mut db, &changed.unserved).await?,
        version,
    })
}

/// Brings the runs back to what they were, if they are what the change made of them.
fn apply(draft: &mut Draft, change: &Change, inverse: &Inverse, is_delay: bool) -> Result<()> {
    let stands =
        change.runs.iter().all(|(run, jobs)| draft.run(*run).is_ok() && draft.sequence(*run) == jobs)
            && change.unserved.iter().all(|job| draft.job(*job).is_ok() && draft.place(*job).is_none())
            && inverse.runs.keys().all(|run| draft.run(*run).is_ok())
            && inverse.runs.values().flatten().chain(&inverse.unserved).all(|job| draft.job(*job).is_ok());
    if !stands {
        return Err(Error::conflict(CHANGED_SINCE));
    }
    for (run, before) in &inverse.runs {
        draft.require_open(*run)?;
        let now = draft.sequence(*run).to_vec();
        if now != *before {
            now.iter().chain(before).try_for_each(|job| draft.require_movable(*job))?;
        }
    }
    for (run, before) in &inverse.runs {
        draft.replace(*run, before);
    }
    for job in &inverse.unserved {
        draft.unserve(*job, None);
    }
    if is_delay {
        for (run, before) in &inverse.starts {
            if let (Some(before), Some(now)) = (before, draft.run(*run)?.planned_start_time) {
                draft.depart(*run, Departure::Shifted((*before - now).num_seconds()));
            }
        }
    }
    Ok(())
}
