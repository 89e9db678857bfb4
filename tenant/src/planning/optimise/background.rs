//! Optimising in the background (S-05): a task that is asked about, cancelled, and whose end is told to the sockets.

use axum::Json;
use axum::extract::State;
use routewright_bus::{Job, Notice, announce, queue as bus_queue};
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result};
use routewright_identity::Caller;
use routewright_solver::Cancel;
use routewright_tenancy::{Db, Tenant};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use super::answer::Accepted;
use super::search::{self, CANCELLED, Search};
use super::task::{self, Task};
use super::{Wanted, prepare};
use crate::app::App;
use crate::assignment::Assignment;
use crate::plan::Planner;

/// Usual longest search, seconds.
const USUAL: u32 = 120;
/// Silence after which a running task counts as abandoned, seconds; it beats every second.
const SILENT: i32 = 30;
/// Why a task failed whose process was lost.
const RESTARTED: &str = "The server was restarted during the optimisation";

/// The queued job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OptimiseScenario {
    task_id: i64,
}

impl Job for OptimiseScenario {
    const KIND: &'static str = "optimise_scenario";
    /// A restart fails the task; the planner decides whether to ask again.
    const MAX_ATTEMPTS: u16 = 1;

    fn unique_key(&self) -> Option<String> {
        Some(format!("optimise/{}", self.task_id))
    }
}

/// `POST /optimise/background/scenarios/{id}`.
pub(super) async fn start(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(wanted): Body<Wanted>,
) -> Result<Accepted> {
    let caller = db.caller().clone();
    if !wanted.options.improve {
        prepare::require_any_driver(&wanted)?;
    }
    let planner = Planner::new(&app, &caller)?;
    // What is wrong with the request is told now, not by the task.
    prepare::read(&mut db, &planner, id, &wanted).await?;
    queue(&mut db, &caller, id, &wanted).await.map(Accepted)
}

/// Opens a task and queues its job.
pub(super) async fn queue(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    wanted: &Wanted,
) -> Result<Task> {
    let task = task::open(connection, caller, scenario, wanted, false).await?;
    bus_queue::enqueue(connection, &OptimiseScenario { task_id: task.task_id }).await?;
    Ok(task)
}

/// `GET /optimise/background/scenarios/{id}`: the newest task.
pub(super) async fn status(mut db: Db, Path(id): Path<i64>) -> Result<Json<Task>> {
    let caller = db.caller().clone();
    Ok(Json(task::newest(&mut db, id).await?.seen_by(&caller)))
}

/// `DELETE /optimise/background/scenarios/{id}`: ends the task; the plan stays as it is.
pub(super) async fn cancel(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Task>> {
    let caller = db.caller().clone();
    let newest = task::newest(&mut db, id).await?;
    let ended = search::end_badly(&mut db, &caller, &[newest.task_id], CANCELLED, true).await?;
    let task = ended.into_iter().next().ok_or_else(|| Error::conflict("No optimisation is running"))?;
    let organisation = caller.organisation()?;
    app.solvers.cancel(organisation, task.task_id);
    // Another replica may be at it: its search looks when it hears of this.
    announce(&mut db, Notice::Job { organisation: Some(organisation) }).await?;
    Ok(Json(task))
}

/// Carries a queued task out.
///
/// # Errors
/// Database faults; what goes wrong with the optimisation is noted at the task.
pub(crate) async fn run(assignment: Assignment) -> Result<()> {
    let Assignment { app, caller, tenant, claimed } = assignment;
    let job: OptimiseScenario = claimed.job()?;
    let mut work = tenant.begin().await?;
    let Some((scenario, wanted)) = task::begin(&mut work, job.task_id).await? else {
        bus_queue::complete(&mut work, &claimed).await?;
        return work.commit().await;
    };
    let planner = Planner::new(&app, &caller)?;
    let prepared = match prepare::read(&mut work, &planner, scenario, &wanted).await {
        Ok(prepared) => prepared,
        Err(error) => {
            work.rollback().await?;
            let mut work = tenant.begin().await?;
            search::end_badly(&mut work, &caller, &[job.task_id], &error.description(), true).await?;
            bus_queue::complete(&mut work, &claimed).await?;
            return work.commit().await;
        }
    };
    // A task that shows as running has read the plan: what is changed from now on counts as changed meanwhile.
    work.commit().await?;
    let search = Search {
        app: app.clone(),
        caller: caller.clone(),
        tenant,
        task: job.task_id,
        prepared,
        cancel: Cancel::default(),
        usual_seconds: USUAL,
        cap: None,
        claimed: Some(claimed),
    };
    match search.carry_out().await {
        Ok(_) => {}
        Err(error) => tracing::info!(task = job.task_id, %error, "optimisation failed"),
    }
    Ok(())
}

/// Fails tasks whose process was lost. Called by the sweep of every replica.
///
/// # Errors
/// Database faults.
pub(crate) async fn fail_abandoned(tenant: &Tenant, caller: &Caller) -> Result<()> {
    let mut work = tenant.begin().await?;
    let abandoned = task::abandoned(&mut work, SILENT).await?;
    if !abandoned.is_empty() {
        search::end_badly(&mut work, caller, &abandoned, RESTARTED, true).await?;
    }
    work.commit().await
}
