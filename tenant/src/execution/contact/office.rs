//! What the office sees of the phones of a scenario's runs.

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Error, Jsonb, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::difference::{Stop, StopChange};
use super::stops;
use crate::plan;
use crate::planning::scenarios::Scenario;

/// The contact with a run's phone.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunContact {
    run_id: i64,
    /// When the phone was heard of last.
    last_at: DateTime<Utc>,
    /// Records that waited on it then.
    waiting: i32,
    /// What the office changed and the driver has not confirmed; empty when he knows everything.
    unconfirmed: Vec<StopChange>,
    /// When the first of these changes was made; null when the driver knows everything.
    changed_at: Option<DateTime<Utc>>,
    /// When the driver last confirmed a change.
    confirmed_at: Option<DateTime<Utc>>,
}

#[derive(FromRow)]
struct Row {
    run_id: i64,
    last_at: DateTime<Utc>,
    waiting: i32,
    seen: Option<Jsonb<Vec<Stop>>>,
    seen_version: Option<i64>,
    ended: bool,
    confirmed_at: Option<DateTime<Utc>>,
}

/// `GET /scenarios/{id}/contacts`: of the runs whose phones were heard of.
pub(super) async fn of_scenario(mut db: Db, Path(id): Path<i64>) -> Result<Json<Vec<RunContact>>> {
    let caller = db.caller().clone();
    resource::find::<Scenario>(&mut db, &caller, id).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select c.run_id, c.last_at, c.waiting, c.seen, c.seen_version, r.actual_end_time is not null as ended, c.confirmed_at
         from run_contacts c join runs r on r.id = c.run_id left join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
         where r.scenario_id = $1 and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by c.run_id",
    )
    .bind(id)
    .bind(caller.haulier_id())
    .fetch_all(&mut *db)
    .await?;
    let runs: Vec<i64> = rows.iter().map(|row| row.run_id).collect();
    let mut current = stops::of_runs(&mut db, &runs).await?;
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let now = current.remove(&row.run_id).unwrap_or_default();
        let unconfirmed = match row.seen {
            Some(seen) if !row.ended => stops::changes(&mut db, &seen.0, &now).await?,
            _ => Vec::new(),
        };
        let changed_at = match row.seen_version {
            Some(version) if !unconfirmed.is_empty() => {
                let real = changed_at(&mut db, id, version, &unconfirmed).await?;
                real.map(|real| Ok::<_, Error>(caller.policy()?.moment(real))).transpose()?
            }
            _ => None,
        };
        contacts.push(RunContact {
            run_id: row.run_id,
            last_at: row.last_at,
            waiting: row.waiting,
            unconfirmed,
            changed_at,
            confirmed_at: row.confirmed_at,
        });
    }
    Ok(Json(contacts))
}

/// When the office first changed one of these stops since the driver saw the plan.
async fn changed_at(
    connection: &mut PgConnection,
    scenario: i64,
    seen_version: i64,
    changes: &[StopChange],
) -> Result<Option<DateTime<Utc>>> {
    let jobs: Vec<i64> = changes.iter().map(|change| change.job_id).collect();
    plan::changed_since(connection, scenario, seen_version, &jobs).await
}
