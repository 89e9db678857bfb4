//! Trading a run's token for a run sheet token, and how long both are good.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use http::{HeaderMap, header};
use routewright_core::{Body, Error, Link, Result};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::plan::Day;
use crate::setup::information::{self, Dispatch};

/// How long the office may act on a driver's behalf, whatever the day of the run.
const OFFICE: Duration = Duration::hours(1);

/// How long a phone may still hand in what it recorded on a sheet whose run was deleted.
const AFTER_ITS_END: Duration = Duration::days(7);

/// A run's token.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Exchange {
    token_uid: String,
}

/// A run sheet token.
#[derive(Serialize, JsonSchema)]
pub(super) struct Exchanged {
    runsheet_token: String,
    /// Until when it is good.
    expires_at: DateTime<Utc>,
}

/// `POST /auth/runsheet_token`.
pub(super) async fn exchange(
    State(app): State<App>,
    headers: HeaderMap,
    Body(body): Body<Exchange>,
) -> Result<Json<Exchanged>> {
    let caller = app.gate.link(Link::Run, &body.token_uid).await?;
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let (run, mut until) = match ended(&mut work, &body.token_uid).await? {
        Some((run, deleted)) => (run, deleted + AFTER_ITS_END),
        None => {
            let run = by_token(&mut work, &body.token_uid).await?;
            (run.id, valid_until(&mut work, &caller, &run).await?)
        }
    };
    work.rollback().await?;
    if is_office(&app, &caller, &headers).await {
        until = until.max(app.clock.now() + OFFICE);
    }
    if until <= app.clock.now() {
        return Err(Error::bad_token());
    }
    let issued = app.gate.tokens.runsheet(run, caller.organisation()?, until)?;
    Ok(Json(Exchanged { runsheet_token: issued.token, expires_at: issued.expires_at }))
}

/// Whether a user of the run's organisation asks, who starts a route on the driver's behalf.
async fn is_office(app: &App, run: &Caller, headers: &HeaderMap) -> bool {
    let Some(token) = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
    else {
        return false;
    };
    let user = app.gate.by_access_token(token.1.trim()).await;
    user.is_ok_and(|user| user.holds("runs_write") && user.organisation().ok() == run.organisation().ok())
}

/// A run as its token names it.
#[derive(FromRow)]
pub(super) struct TokenRun {
    pub(super) id: i64,
    scheduled_date: NaiveDate,
    dispatched_at: Option<DateTime<Utc>>,
}

/// The run of a sheet that ended with it, and when.
async fn ended(connection: &mut PgConnection, token: &str) -> Result<Option<(i64, DateTime<Utc>)>> {
    Ok(sqlx::query_as("select run_id, deleted_at from ended_runsheets where token = $1")
        .bind(token)
        .fetch_optional(connection)
        .await?)
}

/// The run of a token.
///
/// # Errors
/// 401 for a token that no run has.
pub(super) async fn by_token(connection: &mut PgConnection, token: &str) -> Result<TokenRun> {
    sqlx::query_as(
        "select r.id, s.scheduled_date, r.dispatched_at from runs r join scenarios s on s.id = r.scenario_id
         where r.token = $1",
    )
    .bind(token)
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::bad_token)
}

/// Until when a run's link is good.
///
/// # Errors
/// Database faults.
pub(super) async fn valid_until(
    connection: &mut PgConnection,
    caller: &Caller,
    run: &TokenRun,
) -> Result<DateTime<Utc>> {
    let settings: Dispatch = information::of(connection).await?;
    let policy = caller.policy()?;
    let until = end_of_link(run, policy.timezone, Duration::hours(settings.link_valid_hours));
    // The day of a rehearsal may be driven on another day, for as long as there is the rehearsal.
    Ok(policy.rehearsal.map_or(until, |rehearsal| until.max(rehearsal.remove_at)))
}

/// So long from the beginning of the scheduled day, 48 hours make the end of the day after it; or from the dispatch
/// when that is later.
fn end_of_link(run: &TokenRun, zone: Tz, valid: Duration) -> DateTime<Utc> {
    let of_day = Day::new(run.scheduled_date, zone).moment(0) + valid;
    run.dispatched_at.map_or(of_day, |at| of_day.max(at + valid))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contract §1.2: good until the end of the day after the scheduled one.
    #[test]
    fn a_link_ends_the_day_after() {
        let mut run = TokenRun {
            id: 1,
            scheduled_date: NaiveDate::from_ymd_opt(2026, 7, 1).expect("a date"),
            dispatched_at: None,
        };
        let end =
            |run: &TokenRun| end_of_link(run, chrono_tz::Europe::Lisbon, Duration::hours(48)).to_rfc3339();
        assert_eq!(end(&run), "2026-07-02T23:00:00+00:00");
        run.dispatched_at = "2026-06-20T10:00:00Z".parse().ok();
        assert_eq!(end(&run), "2026-07-02T23:00:00+00:00");
        run.dispatched_at = "2026-08-01T10:00:00Z".parse().ok();
        assert_eq!(end(&run), "2026-08-03T10:00:00+00:00");
    }
}
