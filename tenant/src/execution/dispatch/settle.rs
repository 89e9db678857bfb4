//! What becomes of a dispatched run once the mail server and the SMS gateway have answered: the dispatch is told as an event,
//! or, when nobody could be reached, taken back. The request that dispatched does it itself when the answers come in time;
//! a job that was queued together with the messages does it when they come later or that process is lost.

use std::time::Duration;

use chrono::{DateTime, Utc};
use routewright_bus::Job;
use routewright_bus::queue::{self, JobId};
use routewright_core::{Kind, Result};
use routewright_identity::Caller;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::assignment::Assignment;
use crate::audit;
use crate::plan;
use crate::planning::runs;
use crate::realtime::{self, Event};
use crate::setup::post;

/// How long an answer waits for the gateways. What takes longer is sent later and counts as accepted.
const PATIENCE: Duration = Duration::from_secs(8);
/// Pause before messages that are still on their way are looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// One run's dispatch that is not settled yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SettleDispatch {
    run: i64,
    dispatched_at: DateTime<Utc>,
    /// Rows in the outbox; none when nothing was sent, as with a QR code.
    messages: Vec<i64>,
    /// When to look.
    at: DateTime<Utc>,
}

impl Job for SettleDispatch {
    const KIND: &'static str = "settle_dispatch";

    fn run_at(&self) -> Option<DateTime<Utc>> {
        Some(self.at)
    }
}

/// What the gateways said to the messages of a run.
enum Outcome {
    /// One recipient at least was reached, or none had to be.
    Reached,
    /// Nobody was reached, for this reason.
    Failed(String),
    /// The process that handed it over was lost: somebody may have been reached.
    Unknown,
    /// No answer yet.
    Pending,
}

/// Why a run is no longer dispatched although its sheet may have arrived; the history keeps it.
const UNKNOWN: &str = "The service stopped while the run sheet was sent: it may have arrived. Dispatch the run again \
                       to be sure; then it may arrive twice.";

impl SettleDispatch {
    /// Of a run that was dispatched at this moment with these messages.
    pub(super) fn new(run: i64, dispatched_at: DateTime<Utc>, messages: Vec<i64>) -> Self {
        Self { run, dispatched_at, messages, at: dispatched_at + LOOK_AGAIN }
    }

    /// The same, looked at when that is due by the machine's clock: the dispatch of a rehearsal has another time.
    pub(super) fn looked_at(self, now: DateTime<Utc>) -> Self {
        Self { at: now + LOOK_AGAIN, ..self }
    }

    /// Queues the job that settles it when nobody else does.
    pub(super) async fn queue(&self, connection: &mut PgConnection) -> Result<JobId> {
        Ok(queue::enqueue(connection, self).await?.id())
    }

    /// Settles it if the gateways have answered, unless the queued job is already at it. Answers why nobody was reached.
    pub(super) async fn now(
        &self,
        connection: &mut PgConnection,
        caller: &Caller,
        job: JobId,
    ) -> Result<Option<String>> {
        let outcome = self.outcome(connection).await?;
        if !matches!(outcome, Outcome::Pending) && queue::withdraw(connection, job).await? {
            self.settle(connection, caller, &outcome).await?;
        }
        Ok(match outcome {
            Outcome::Failed(reason) => Some(reason),
            Outcome::Unknown => Some(UNKNOWN.to_owned()),
            Outcome::Reached | Outcome::Pending => None,
        })
    }

    async fn outcome(&self, connection: &mut PgConnection) -> Result<Outcome> {
        let states: Vec<(String, Option<String>)> =
            sqlx::query_as("select state, error from messages where id = any($1) order by id")
                .bind(&self.messages)
                .fetch_all(connection)
                .await?;
        if states.is_empty() || states.iter().any(|(state, _)| matches!(state.as_str(), "sent" | "rehearsal"))
        {
            return Ok(Outcome::Reached);
        }
        if states.iter().any(|(state, _)| !matches!(state.as_str(), "failed" | "unknown")) {
            return Ok(Outcome::Pending);
        }
        if states.iter().any(|(state, _)| state == "unknown") {
            return Ok(Outcome::Unknown);
        }
        let reason = states.into_iter().find_map(|(_, error)| error);
        Ok(Outcome::Failed(reason.unwrap_or_else(|| "The message was not accepted".to_owned())))
    }

    async fn settle(&self, connection: &mut PgConnection, caller: &Caller, outcome: &Outcome) -> Result<()> {
        match outcome {
            Outcome::Reached => self.tell(connection, caller).await,
            Outcome::Failed(_) => self.take_back(connection, caller, None).await,
            // Whoever is on the road has the sheet.
            Outcome::Unknown if self.has_started(connection).await? => self.tell(connection, caller).await,
            Outcome::Unknown => self.take_back(connection, caller, Some(UNKNOWN)).await,
            Outcome::Pending => Ok(()),
        }
    }

    async fn tell(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        match runs::find(connection, caller, self.run).await {
            Ok(run) => runs::tell(connection, caller, "run_dispatched", &run).await,
            // It was deleted meanwhile.
            Err(error) if error.kind() == Kind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn has_started(&self, connection: &mut PgConnection) -> Result<bool> {
        let started = sqlx::query_scalar("select actual_start_time is not null from runs where id = $1")
            .bind(self.run)
            .fetch_optional(connection)
            .await?;
        Ok(started.unwrap_or(false))
    }

    /// A run that nobody was told of is not dispatched, unless somebody dispatched it again meanwhile.
    async fn take_back(
        &self,
        connection: &mut PgConnection,
        caller: &Caller,
        reason: Option<&str>,
    ) -> Result<()> {
        let scenario: Option<i64> = sqlx::query_scalar(
            "update runs set dispatched = false, dispatched_at = null where id = $1 and dispatched_at = $2
             returning scenario_id",
        )
        .bind(self.run)
        .bind(self.dispatched_at)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(scenario) = scenario else { return Ok(()) };
        if reason.is_some() {
            let change = audit::Change {
                id: self.run,
                field: "dispatch".to_owned(),
                old: json!(self.dispatched_at),
                new: Value::Null,
            };
            audit::record(connection, "run", [change], reason).await?;
        }
        announce(connection, caller, scenario, self.run, None).await
    }
}

/// Tells who has the scenario open since when the run is dispatched, or that it is not.
async fn announce(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    run: i64,
    dispatched_at: Option<DateTime<Utc>>,
) -> Result<()> {
    let run = json!({ "id": run, "dispatched": dispatched_at.is_some(), "dispatched_at": dispatched_at });
    let payload = json!({ "scenario_id": scenario, "run": run, "jobs": [] });
    realtime::record(connection, caller, scenario, Event::RunUpdate, &payload).await
}

/// What a message said to whom, where it is a run sheet: the run, and when it was dispatched.
pub(super) fn intent(run: i64, at: DateTime<Utc>, recipient: &str) -> String {
    format!("run_sheet:{run}:{}:{recipient}", at.timestamp_micros())
}

fn sheet_of(intent: &str) -> Option<(i64, DateTime<Utc>)> {
    let mut parts = intent.strip_prefix("run_sheet:")?.splitn(3, ':');
    let run = parts.next()?.parse().ok()?;
    let at = DateTime::from_timestamp_micros(parts.next()?.parse().ok()?)?;
    Some((run, at))
}

/// A message that was not taken is on its way again, or is known to have arrived: a run whose sheet it holds is dispatched as it
/// was, unless somebody dispatched it anew meanwhile or its work is validated. Should the message be refused again, that is taken
/// back again.
pub(crate) async fn stands_again(
    connection: &mut PgConnection,
    caller: &Caller,
    intent: &str,
    message: i64,
) -> Result<()> {
    let Some((run, at)) = sheet_of(intent) else { return Ok(()) };
    let scenario: Option<i64> = sqlx::query_scalar(
        "select scenario_id from runs where id = $1 and not dispatched and validated_at is null",
    )
    .bind(run)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(scenario) = scenario else { return Ok(()) };
    plan::lock(connection, scenario).await?;
    let marked = sqlx::query(
        "update runs set dispatched = true, dispatched_at = $2
         where id = $1 and not dispatched and validated_at is null",
    )
    .bind(run)
    .bind(at)
    .execute(&mut *connection)
    .await?;
    if marked.rows_affected() == 0 {
        return Ok(());
    }
    SettleDispatch::new(run, at, vec![message]).queue(connection).await?;
    announce(connection, caller, scenario, run, Some(at)).await
}

/// Sends what is queued now rather than at the worker's next turn.
pub(super) async fn hurry(app: &App, caller: &Caller) {
    let Ok(organisation) = caller.organisation() else { return };
    match tokio::time::timeout(PATIENCE, post::send_all(app, organisation)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::info!(%organisation, %error, "messages of a dispatch are sent later"),
        Err(_) => {
            tracing::info!(%organisation, "the mail server is slow; messages of a dispatch are sent later")
        }
    }
}

/// Settles a dispatch later, or looks again after a while.
///
/// # Errors
/// Database faults.
pub(crate) async fn carry_out(assignment: Assignment) -> Result<()> {
    let Assignment { app, caller, tenant, claimed } = assignment;
    let dispatch: SettleDispatch = claimed.job()?;
    let mut work = tenant.begin().await?;
    let outcome = dispatch.outcome(&mut work).await?;
    if matches!(outcome, Outcome::Pending) {
        let again = SettleDispatch { at: app.clock.now() + LOOK_AGAIN, ..dispatch };
        again.queue(&mut work).await?;
    } else {
        dispatch.settle(&mut work, &caller, &outcome).await?;
    }
    queue::complete(&mut work, &claimed).await?;
    work.commit().await
}
