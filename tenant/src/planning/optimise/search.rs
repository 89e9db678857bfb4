//! Carries a task out: poses the problem, searches, writes back. The same for both ways of asking.

use std::time::Duration;

use routewright_bus::queue::{self, Claimed};
use routewright_core::{Error, Module, Result};
use routewright_identity::Caller;
use routewright_solver::{Cancel, Progress};
use routewright_tenancy::{Tenant, resource};
use serde_json::json;
use sqlx::postgres::PgConnection;
use tokio::sync::{Notify, watch};

use super::meanwhile::Meanwhile;
use super::prepare::{self, Prepared};
use super::summary::{self, CompactRuns, Figures, Summary, UnservedJob};
use super::task::{self, Done, Task};
use super::write_back::{self, Found, Stored};
use crate::app::App;
use crate::plan::Planner;
use crate::planning::scenarios::{self, Scenario};
use crate::realtime::{self, Event};
use crate::solvers::CancelOnDrop;

/// How often a task tells that it is alive.
const BEAT: Duration = Duration::from_secs(1);
/// Why a task ended that was cancelled.
pub(super) const CANCELLED: &str = "Cancelled";

/// A task with everything that it needs.
pub(super) struct Search {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) tenant: Tenant,
    pub(super) task: i64,
    pub(super) prepared: Prepared,
    pub(super) cancel: Cancel,
    /// Longest search unless something else is said, seconds.
    pub(super) usual_seconds: u32,
    /// Longest by the clock unless it follows from that.
    pub(super) cap: Option<Duration>,
    /// The queued job behind a task in the background.
    pub(super) claimed: Option<Claimed>,
}

/// What a task has made of the plan.
pub(super) struct Made {
    /// Jobs on no run, and why.
    pub(super) left: Vec<UnservedJob>,
    /// The plan before and after.
    pub(super) summary: Summary,
    /// Runs that were timed anew.
    pub(super) runs: Vec<i64>,
    /// Whether the plan became better; the one that stood was kept otherwise.
    pub(super) improved: bool,
    /// What was changed while it was on its way.
    pub(super) meanwhile: Meanwhile,
}

impl Search {
    /// Searches and stores; whatever happens, the task is ended.
    ///
    /// # Errors
    /// Why there is no new plan.
    pub(super) async fn carry_out(self) -> Result<Made> {
        let organisation = self.caller.organisation()?;
        let made = self.search_and_store().await;
        self.app.solvers.forget(organisation, self.task);
        if let Err(error) = &made {
            let reason = if self.cancel.is_cancelled() { CANCELLED.to_owned() } else { error.description() };
            if let Err(error) = self.fail(&reason).await {
                // The sweep ends it later.
                tracing::warn!(task = self.task, %error, "a failed optimisation cannot be noted");
            }
        }
        made
    }

    async fn search_and_store(&self) -> Result<Made> {
        let _gone = CancelOnDrop(self.cancel.clone());
        let organisation = self.caller.organisation()?;
        let planner = Planner::new(&self.app, &self.caller)?;
        let look = self.app.solvers.register(organisation, self.task, self.cancel.clone());
        let (tell, progress) = watch::channel(Progress::default());
        // Ten thousand places take a while to be asked about.
        let (mut posed, travel) = self.alive(self.prepared.pose(&planner), &look, &progress).await?;
        if self.cancel.is_cancelled() {
            return Err(Error::conflict(CANCELLED));
        }
        let seed = u64::try_from(self.task).unwrap_or(1);
        let budget = self.prepared.budget(&planner, self.usual_seconds, self.cap, seed);
        let problem = prepare::part(&mut posed);
        let solve = self.app.solvers.solve(self.caller.share()?, problem, budget, &self.cancel, tell);
        let solved = self.alive(solve, &look, &progress).await?;
        if self.cancel.is_cancelled() {
            return Err(Error::conflict(CANCELLED));
        }
        let improved = solved.standing.beaten;
        let plan = if improved { &solved.plan } else { &solved.standing.plan };
        let solution = prepare::read_back(&self.prepared, &posed, plan);
        let mut work = self.tenant.begin().await?;
        if !task::hold(&mut work, self.task).await? {
            return Err(Error::conflict(CANCELLED));
        }
        task::sign(&mut work, self.task).await?;
        let id = self.prepared.snapshot.scenario.id;
        let before = Figures::read(&mut work, &planner, id).await?;
        let found = Found {
            prepared: &self.prepared,
            solution: &solution,
            improved,
            travel: &travel,
            turn: &solved.turn,
        };
        let Stored { changed, meanwhile } = write_back::store(&mut work, &self.app, &planner, &found).await?;
        let summary = Summary::since(before, &mut work, &planner, id).await?;
        let summary = summary.with_compact(CompactRuns::of(plan));
        let left = summary::named(&mut work, &changed.outcome).await?;
        task::done(
            &mut work,
            self.task,
            &Done { unserved: &left, summary: &summary, improved, meanwhile: &meanwhile },
        )
        .await?;
        if self.caller.has(Module::Udf) {
            let scenario: Scenario = resource::find(&mut work, &self.caller, id).await?;
            scenarios::tell(&mut work, &self.caller, "scenario_optimised", &scenario).await?;
        }
        if let Some(claimed) = &self.claimed {
            let scenario = self.prepared.snapshot.scenario.id;
            tell_end(&mut work, &self.caller, scenario, self.task, None, Some(changed.outcome.len())).await?;
            queue::complete(&mut work, claimed).await?;
        }
        work.commit().await?;
        Ok(Made { left, summary, runs: changed.runs, improved, meanwhile })
    }

    /// Waits for work, and tells meanwhile that the task is alive.
    async fn alive<T>(
        &self,
        work: impl Future<Output = T>,
        look: &Notify,
        progress: &watch::Receiver<Progress>,
    ) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = look.notified() => self.beat(progress).await,
                () = tokio::time::sleep(BEAT) => self.beat(progress).await,
            }
        }
    }

    /// Notes the progress. A task that was ended elsewhere ends its search.
    async fn beat(&self, progress: &watch::Receiver<Progress>) {
        #[expect(clippy::cast_possible_truncation, reason = "a fraction of 100")]
        let percent = (progress.borrow().fraction.clamp(0.0, 1.0) * 100.0) as i32;
        let alive = async {
            let mut work = self.tenant.begin().await?;
            let alive = task::beat(&mut work, self.task, percent).await?;
            work.commit().await?;
            Ok::<bool, Error>(alive)
        };
        match alive.await {
            Ok(true) => {}
            Ok(false) => self.cancel.cancel(),
            Err(error) => tracing::debug!(task = self.task, %error, "progress cannot be noted"),
        }
    }

    async fn fail(&self, reason: &str) -> Result<()> {
        let mut work = self.tenant.begin().await?;
        end_badly(&mut work, &self.caller, &[self.task], reason, self.claimed.is_some()).await?;
        if let Some(claimed) = &self.claimed {
            queue::complete(&mut work, claimed).await?;
        }
        work.commit().await
    }
}

/// Marks tasks as failed and tells the sockets about those in the background.
pub(super) async fn end_badly(
    connection: &mut PgConnection,
    caller: &Caller,
    tasks: &[i64],
    reason: &str,
    tell: bool,
) -> Result<Vec<Task>> {
    let ended = task::fail(connection, tasks, reason).await?;
    if tell {
        for task in &ended {
            tell_end(connection, caller, task.scenario_id, task.task_id, Some(reason), None).await?;
        }
    }
    Ok(ended)
}

async fn tell_end(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    task: i64,
    error: Option<&str>,
    unserved: Option<usize>,
) -> Result<()> {
    let payload = json!({
        "scenario_id": scenario,
        "task_id": task,
        "success": error.is_none(),
        "error": error,
        "unserved_count": unserved,
    });
    realtime::record(connection, caller, scenario, Event::BackgroundOptComplete, &payload).await
}
