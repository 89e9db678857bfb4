//! What the mail server and the SMS gateway said to the messages of a dispatch.

use std::time::Duration;

use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use serde_json::json;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::realtime::{self, Event};
use crate::work;

/// How long an answer waits for the gateways. What takes longer is sent later and counts as accepted.
const PATIENCE: Duration = Duration::from_secs(8);

/// Sends what is queued now rather than at the worker's next turn.
pub(super) async fn hurry(app: &App, caller: &Caller) {
    let Ok(organisation) = caller.organisation() else { return };
    match tokio::time::timeout(PATIENCE, work::send_messages(app, organisation)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::info!(%organisation, %error, "messages of a dispatch are sent later"),
        Err(_) => {
            tracing::info!(%organisation, "the mail server is slow; messages of a dispatch are sent later")
        }
    }
}

/// Why no recipient of a run could be reached; none when one was or may still be. A run that nobody was told of is not
/// dispatched, unless somebody dispatched it again meanwhile.
pub(super) async fn refusal(
    connection: &mut PgConnection,
    caller: &Caller,
    run: i64,
    dispatched_at: DateTime<Utc>,
    messages: &[i64],
) -> Result<Option<String>> {
    let states: Vec<(String, Option<String>)> =
        sqlx::query_as("select state, error from messages where id = any($1) order by id")
            .bind(messages)
            .fetch_all(&mut *connection)
            .await?;
    if states.is_empty() || states.iter().any(|(state, _)| state != "failed") {
        return Ok(None);
    }
    let reason = states.into_iter().find_map(|(_, error)| error);
    let scenario: Option<i64> = sqlx::query_scalar(
        "update runs set dispatched = false, dispatched_at = null where id = $1 and dispatched_at = $2
         returning scenario_id",
    )
    .bind(run)
    .bind(dispatched_at)
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(scenario) = scenario {
        let run = json!({ "id": run, "dispatched": false, "dispatched_at": null });
        let payload = json!({ "scenario_id": scenario, "run": run, "jobs": [] });
        realtime::record(connection, caller, scenario, Event::RunUpdate, &payload).await?;
    }
    Ok(Some(reason.unwrap_or_else(|| "The message was not accepted".to_owned())))
}
