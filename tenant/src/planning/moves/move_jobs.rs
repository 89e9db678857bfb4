//! Jobs onto a run, or off it.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::postgres::PgConnection;

use super::Moved;
use super::rule::{self, Move};
use crate::app::App;
use crate::orders::jobs;
use crate::plan::{self, Expected, Planner, Request};
use crate::planning::runs;
use crate::setup::scenario_reasons;

/// Word in the place of a run's id for "no run".
const UNSERVED: &str = "unserved";

/// Jobs to be moved to the run of the path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveJobs {
    /// What, in the order wanted.
    job_ids: Vec<i64>,
    /// Position of the first of them, from 1; at the end when null.
    #[serde(default)]
    seq: Option<i64>,
    /// The jobs are in the pool.
    #[serde(default)]
    pool: bool,
    /// Why, by id of a scenario reason; kept in the record.
    #[serde(default)]
    scenario_reason_id: Option<i64>,
    /// Only says what would become of the plan; nothing is changed.
    #[serde(default)]
    dry_run: bool,
    /// What the planner takes the plan to be.
    #[serde(flatten)]
    expected: Expected,
}

/// `PUT /runs/move_job_to_new/{run_id}`; `unserved` in the place of an id takes the jobs off their runs.
pub(super) async fn move_job_to_new(
    mut db: Db,
    State(app): State<App>,
    Path(run): Path<String>,
    Body(body): Body<MoveJobs>,
) -> Result<Json<Moved>> {
    let run_id = match run.as_str() {
        UNSERVED => None,
        id => Some(id.parse().map_err(|_| Error::not_found("Run"))?),
    };
    let wanted = Move { run_id, job_ids: body.job_ids, seq: body.seq, pool: body.pool };
    let reason = scenario_reasons::chosen(&mut db, body.scenario_reason_id).await?;
    let moved = carry_out(&mut db, &app, "move", vec![wanted], body.expected, reason).await?;
    if body.dry_run {
        db.undo().await?;
    }
    Ok(Json(moved))
}

/// Several moves.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BulkMove {
    /// Made in this order, all or none.
    moves: Vec<Move>,
    /// Why, by id of a scenario reason; kept in the record.
    #[serde(default)]
    scenario_reason_id: Option<i64>,
    /// Only says what would become of the plan; nothing is changed.
    #[serde(default)]
    dry_run: bool,
    /// What the planner takes the plan to be.
    #[serde(flatten)]
    expected: Expected,
}

/// `PUT /runs/bulk_move_jobs`.
pub(super) async fn bulk_move_jobs(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<BulkMove>,
) -> Result<Json<Moved>> {
    let reason = scenario_reasons::chosen(&mut db, body.scenario_reason_id).await?;
    let moved = carry_out(&mut db, &app, "bulk_move", body.moves, body.expected, reason).await?;
    if body.dry_run {
        db.undo().await?;
    }
    Ok(Json(moved))
}

async fn carry_out(
    db: &mut Db,
    app: &App,
    kind: &'static str,
    moves: Vec<Move>,
    expected: Expected,
    reason: Option<String>,
) -> Result<Moved> {
    let caller = db.caller().clone();
    if moves.is_empty() {
        return Err(Error::field("moves", "You must add at least one job."));
    }
    moves.iter().try_for_each(Move::check)?;
    let scenario = scenario_of(db, &moves).await?;
    require_visible(db, &caller, &moves).await?;
    let named: Vec<i64> = moves.iter().flat_map(|wanted| wanted.job_ids.iter().copied()).collect();
    let from_pool: Vec<i64> =
        moves.iter().filter(|wanted| wanted.pool).flat_map(|wanted| wanted.job_ids.iter().copied()).collect();
    let planner = Planner::new(app, &caller)?;
    let request = Request { scenario, kind, expected, jobs: &named, pool_jobs: &from_pool, reason };
    let changed = plan::change(db, &planner, request, |draft| {
        let terms = planner.terms(&draft.before);
        moves.iter().try_for_each(|wanted| rule::apply(draft, &terms, wanted))
    })
    .await?;
    // Those too that had to leave a run because of it.
    let moved: BTreeSet<i64> = named.iter().chain(&changed.unserved).copied().collect();
    let moved: Vec<i64> = moved.into_iter().collect();
    jobs::store::tell_of(db, &caller, "job_moved", &moved).await?;
    let version = plan::version_after(db, scenario).await?;
    Ok(Moved {
        updated_runs: runs::several(db, &caller, &changed.runs).await?,
        jobs_to_unserved: runs::jobs_by_ids(db, &changed.unserved).await?,
        version,
    })
}

/// The one scenario that all runs and jobs of the moves belong to.
async fn scenario_of(connection: &mut PgConnection, moves: &[Move]) -> Result<i64> {
    let runs: Vec<i64> = moves.iter().filter_map(|wanted| wanted.run_id).collect();
    let jobs: Vec<i64> = moves.iter().flat_map(|wanted| wanted.job_ids.iter().copied()).collect();
    let known_runs: Vec<(i64, i64)> = sqlx::query_as("select id, scenario_id from runs where id = any($1)")
        .bind(&runs)
        .fetch_all(&mut *connection)
        .await?;
    if runs.iter().any(|run| !known_runs.iter().any(|(id, _)| id == run)) {
        return Err(Error::not_found("Run"));
    }
    let known_jobs: Vec<(i64, Option<i64>)> =
        sqlx::query_as("select id, scenario_id from jobs where id = any($1)")
            .bind(&jobs)
            .fetch_all(connection)
            .await?;
    if jobs.iter().any(|job| !known_jobs.iter().any(|(id, _)| id == job)) {
        return Err(Error::not_found("Job"));
    }
    let mut scenarios: Vec<i64> = known_runs
        .iter()
        .map(|(_, scenario)| *scenario)
        .chain(known_jobs.iter().filter_map(|(_, scenario)| *scenario))
        .collect();
    scenarios.sort_unstable();
    scenarios.dedup();
    match scenarios.as_slice() {
        [one] => Ok(*one),
        [] => Err(Error::field("job_ids", "Jobs in the pool can only be moved to a run")),
        _ => Err(Error::field("job_ids", "All jobs and runs must be in the same scenario")),
    }
}

/// A haulier's people move jobs between runs of their own only.
async fn require_visible(connection: &mut PgConnection, caller: &Caller, moves: &[Move]) -> Result<()> {
    if caller.haulier_id().is_none() {
        return Ok(());
    }
    let jobs: Vec<i64> = moves.iter().flat_map(|wanted| wanted.job_ids.iter().copied()).collect();
    let mut touched: Vec<i64> =
        sqlx::query_scalar("select distinct run_id from jobs where id = any($1) and run_id is not null")
            .bind(&jobs)
            .fetch_all(&mut *connection)
            .await?;
    touched.extend(moves.iter().filter_map(|wanted| wanted.run_id));
    for run in touched {
        runs::find(connection, caller, run).await?;
    }
    Ok(())
}
