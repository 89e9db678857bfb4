//! A phone reports itself.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::{Body, Error, Jsonb, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::difference::{Stop, StopChange};
use super::stops;
use crate::app::App;

/// Records that a phone may say to hold.
const MOST_WAITING: i32 = 100_000;

/// What a phone says of itself.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PhoneContact")]
pub(super) struct Contact {
    /// Records that wait on the phone.
    waiting: i32,
    /// Number of the changes that the driver confirms.
    #[serde(default)]
    confirmed: Option<i32>,
}

/// What the office changed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UnconfirmedChanges")]
pub(super) struct Changes {
    /// With which they are confirmed.
    number: i32,
    /// The stops that differ.
    stops: Vec<StopChange>,
}

/// What a phone is answered.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ContactAnswer")]
pub(super) struct Answer {
    /// What the driver has not confirmed; null when he knows everything.
    changes: Option<Changes>,
}

#[derive(FromRow)]
struct Known {
    seen: Option<Jsonb<Vec<Stop>>>,
    told: Option<Jsonb<Vec<Stop>>>,
    told_number: i32,
}

/// `POST /v2/runsheet/contact`.
pub(super) async fn contact(
    mut db: Db,
    State(app): State<App>,
    Body(contact): Body<Contact>,
) -> Result<Json<Answer>> {
    let mut problems = Problems::default();
    let fits = (0..=MOST_WAITING).contains(&contact.waiting);
    problems.require(fits, "waiting", "Not a number of records");
    problems.finish()?;
    let run = db.caller().run_id().ok_or_else(Error::bad_token)?;
    let now = db.caller().now(&app.clock);
    heard(&mut db, run, now).await?;
    let known: Option<Known> = sqlx::query_as(
        "update run_contacts set waiting = $2 where run_id = $1 returning seen, told, told_number",
    )
    .bind(run)
    .bind(contact.waiting)
    .fetch_optional(&mut *db)
    .await?;
    // The run was deleted meanwhile; its phone may still bring what it holds.
    let Some(mut known) = known else { return Ok(Json(Answer { changes: None })) };
    if contact.confirmed == Some(known.told_number) && known.told.is_some() {
        confirm(&mut db, run, now).await?;
        known.seen = known.told.clone();
    }
    let current = stops::of_runs(&mut db, &[run]).await?.remove(&run).unwrap_or_default();
    let Some(seen) = known.seen else {
        // The driver sees the run for the first time.
        tell(&mut db, run, &current, true).await?;
        return Ok(Json(Answer { changes: None }));
    };
    let changed = stops::changes(&mut db, &seen.0, &current).await?;
    if changed.is_empty() {
        return Ok(Json(Answer { changes: None }));
    }
    let mut number = known.told_number;
    if known.told.is_none_or(|told| told.0 != current) {
        number = tell(&mut db, run, &current, false).await?;
    }
    Ok(Json(Answer { changes: Some(Changes { number, stops: changed }) }))
}

/// Notes that a run's phone was heard of; nothing when the run was deleted.
///
/// # Errors
/// Database faults.
pub(crate) async fn heard(connection: &mut PgConnection, run: i64, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into run_contacts (run_id, last_at) select id, $2 from runs where id = $1
         on conflict (run_id) do update set last_at = excluded.last_at",
    )
    .bind(run)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Keeps what the phone is told, and answers its number. What a driver sees at first needs no confirmation.
async fn tell(connection: &mut PgConnection, run: i64, stops: &[Stop], first: bool) -> Result<i32> {
    Ok(sqlx::query_scalar(
        "update run_contacts c set told = $2, told_number = told_number + 1, told_version = v.version,
             seen = case when $3 then $2 else seen end, seen_version = case when $3 then v.version else seen_version end
         from runs r left join plan_versions v on v.scenario_id = r.scenario_id
         where c.run_id = $1 and r.id = c.run_id returning told_number",
    )
    .bind(run)
    .bind(serde_json::to_value(stops)?)
    .bind(first)
    .fetch_one(connection)
    .await?)
}

async fn confirm(connection: &mut PgConnection, run: i64, now: DateTime<Utc>) -> Result<()> {
    sqlx::query("update run_contacts set seen = told, seen_version = told_version, confirmed_at = $2 where run_id = $1")
        .bind(run)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
