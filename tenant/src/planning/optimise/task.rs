//! Optimisation tasks: at most one per scenario is queued or running, whether somebody waits for its answer or not.

use chrono::{DateTime, Utc};
use routewright_core::{Error, Jsonb, OnConstraint, Result};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;
use sqlx::types::Json;

use super::meanwhile::Meanwhile;
use super::summary::{Summary, UnservedJob};
use super::{RUNNING, Wanted};

/// A task as it is asked about.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct Task {
    /// Id.
    pub(super) task_id: i64,
    /// The scenario.
    pub(super) scenario_id: i64,
    /// `queued`, `running`, `done` or `failed`.
    pub(super) status: String,
    /// 0 to 100.
    pub(super) progress: i32,
    /// Why it failed.
    pub(super) error: Option<String>,
    /// Jobs left unserved by it.
    pub(super) unserved_count: Option<i32>,
    /// These jobs, and why, as it was told when it ended.
    #[serde(rename = "unservedJobs")]
    #[schemars(with = "Vec<UnservedJob>")]
    pub(super) unserved_jobs: Json<Vec<UnservedJob>>,
    /// The plan before and after; null until it is done.
    #[schemars(with = "Option<Summary>")]
    pub(super) summary: Option<Json<Summary>>,
    /// Whether the plan became better; false when the one that stood was kept. Null until it is done.
    pub(super) improved: Option<bool>,
    /// Jobs that were changed while it was under way. Null until it is done.
    pub(super) meanwhile: Option<Jsonb<Meanwhile>>,
    /// When it was asked for.
    pub(super) created: DateTime<Utc>,
    /// When the search began.
    pub(super) started: Option<DateTime<Utc>>,
    /// When it ended.
    pub(super) finished: Option<DateTime<Utc>>,
}

/// Opens a task.
///
/// # Errors
/// 409 while another one of the scenario is queued or running.
pub(super) async fn open(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    wanted: &Wanted,
    running: bool,
) -> Result<Task> {
    sqlx::query_as(
        "insert into optimisation_tasks (scenario_id, status, started, options, driver_ids, requested_by)
         values ($1, case when $2 then 'running' else 'queued' end, case when $2 then clock_timestamp() end, $3, $4, $5)
         returning id as task_id, scenario_id, status, progress, error, unserved_count, unserved_jobs, summary,
             improved, meanwhile, created, started, finished",
    )
    .bind(scenario)
    .bind(running)
    .bind(Json(&wanted.options))
    .bind(&wanted.driver_ids)
    .bind(caller.user_id())
    .fetch_one(connection)
    .await
    .on_constraint("optimisation_tasks_scenario_key", || Error::conflict(RUNNING))
}

/// The newest task of a scenario.
///
/// # Errors
/// 404 when it never had one.
pub(super) async fn newest(connection: &mut PgConnection, scenario: i64) -> Result<Task> {
    sqlx::query_as(
        "select id as task_id, scenario_id, status, progress, error, unserved_count, unserved_jobs, summary,
             improved, meanwhile, created, started, finished
         from optimisation_tasks where scenario_id = $1 order by id desc limit 1",
    )
    .bind(scenario)
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::not_found("Optimisation"))
}

impl Task {
    /// Without what the caller may not see.
    pub(super) fn seen_by(mut self, caller: &Caller) -> Self {
        self.summary = self.summary.map(|summary| Json(summary.0.seen_by(caller)));
        self
    }
}

/// Takes up a queued task; none when it is not queued any more.
pub(super) async fn begin(connection: &mut PgConnection, task: i64) -> Result<Option<(i64, Wanted)>> {
    let row: Option<(i64, Json<super::Options>, Vec<i64>)> = sqlx::query_as(
        "update optimisation_tasks set status = 'running', started = clock_timestamp()
         where id = $1 and status = 'queued' returning scenario_id, options, driver_ids",
    )
    .bind(task)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(scenario, options, driver_ids)| (scenario, Wanted { driver_ids, options: options.0 })))
}

/// Notes how far a task is, and that it is alive; false when it was ended meanwhile.
pub(super) async fn beat(connection: &mut PgConnection, task: i64, progress: i32) -> Result<bool> {
    let beaten = sqlx::query(
        "update optimisation_tasks set progress = greatest(progress, $2) where id = $1 and status = 'running'",
    )
    .bind(task)
    .bind(progress.clamp(0, 99))
    .execute(connection)
    .await?;
    Ok(beaten.rows_affected() == 1)
}

/// Locks a running task for its end; false when it was ended meanwhile.
pub(super) async fn hold(connection: &mut PgConnection, task: i64) -> Result<bool> {
    let held: Option<i64> = sqlx::query_scalar(
        "select id from optimisation_tasks where id = $1 and status = 'running' for update",
    )
    .bind(task)
    .fetch_optional(connection)
    .await?;
    Ok(held.is_some())
}

/// What a task has come to.
pub(super) struct Done<'a> {
    pub(super) unserved: &'a [UnservedJob],
    pub(super) summary: &'a Summary,
    /// Whether the plan became better.
    pub(super) improved: bool,
    /// Jobs that were changed while it was under way.
    pub(super) meanwhile: &'a Meanwhile,
}

/// Ends a task well.
pub(super) async fn done(connection: &mut PgConnection, task: i64, ended: &Done<'_>) -> Result<()> {
    sqlx::query(
        "update optimisation_tasks set status = 'done', progress = 100, finished = clock_timestamp(), unserved_count = $2,
             unserved_jobs = $3, summary = $4, improved = $5, meanwhile = $6
         where id = $1",
    )
    .bind(task)
    .bind(i32::try_from(ended.unserved.len()).unwrap_or(i32::MAX))
    .bind(Json(ended.unserved))
    .bind(Json(ended.summary))
    .bind(ended.improved)
    .bind(Json(ended.meanwhile))
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends tasks that are queued or running, badly; answers those that were.
pub(super) async fn fail(connection: &mut PgConnection, tasks: &[i64], reason: &str) -> Result<Vec<Task>> {
    let reason: String = reason.chars().filter(|c| *c != '\0').take(1000).collect();
    Ok(sqlx::query_as(
        "update optimisation_tasks set status = 'failed', finished = clock_timestamp(), error = $2,
             cancel_requested = true
         where id = any($1) and status in ('queued', 'running')
         returning id as task_id, scenario_id, status, progress, error, unserved_count, unserved_jobs, summary,
             improved, meanwhile, created, started, finished",
    )
    .bind(tasks)
    .bind(reason)
    .fetch_all(connection)
    .await?)
}

/// Tasks that nobody works on any more: running without a sign of life, or queued without a queued job.
pub(super) async fn abandoned(connection: &mut PgConnection, silent_seconds: i32) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar(
        "select t.id from optimisation_tasks t
         where t.status = 'running' and t.modified < clock_timestamp() - make_interval(secs => $1)
             or t.status = 'queued' and not exists (
                 select from background_jobs b
                 where b.state in ('queued', 'running') and b.kind = $2 and (b.payload ->> 'task_id')::bigint = t.id
             )
         for update skip locked",
    )
    .bind(silent_seconds)
    .bind(<super::OptimiseScenario as routewright_bus::Job>::KIND)
    .fetch_all(connection)
    .await?)
}

/// Notes for the log of the plan who wanted what the transaction does.
pub(super) async fn sign(connection: &mut PgConnection, id: i64) -> Result<()> {
    sqlx::query(
        "select set_config('routewright.by', concat(requested_by, '||optimise'), true)
         from optimisation_tasks where id = $1",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(())
}
