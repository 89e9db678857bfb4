//! Points arriving from a driver's phone, or from another device.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::rule::{belongs, is_kept, is_next_span};
use crate::app::App;
use crate::planning::eta;
use crate::realtime::{self, Event};

/// Points in one request.
const MOST: usize = 1000;
/// Seconds between positions that sockets are told.
const TELL_EVERY: i64 = 5;
/// Seconds between new estimates of arrival.
const ESTIMATE_EVERY: i64 = 60;

/// A position.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct NewPoint {
    /// Degrees.
    pub(crate) lat: f64,
    /// Degrees.
    pub(crate) lon: f64,
    /// Metres.
    #[serde(default)]
    pub(crate) accuracy: Option<f64>,
    /// Metres per second.
    #[serde(default)]
    pub(crate) speed: Option<f64>,
    /// Degrees from north.
    #[serde(default)]
    pub(crate) heading: Option<f64>,
    /// When.
    pub(crate) recorded_at: DateTime<Utc>,
    /// Device.
    #[serde(default)]
    pub(crate) device_id: Option<String>,
}

#[derive(FromRow)]
struct RunRow {
    scenario_id: i64,
    driver_id: i64,
    device_id: Option<String>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    /// When the newest point of the run arrived.
    last_arrived: Option<DateTime<Utc>>,
}

/// Stores the points of a run's driver; answers how many are kept. A point that arrives twice is stored once.
///
/// # Errors
/// 400 for more points than fit or for places that are none.
pub(crate) async fn receive(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: i64,
    points: &[NewPoint],
) -> Result<usize> {
    check(points)?;
    let row: RunRow = sqlx::query_as(
        "select r.scenario_id, r.driver_id, r.device_id, r.actual_start_time, r.actual_end_time,
             (select max(g.created) from gps_points g where g.run_id = r.id) as last_arrived
         from runs r where r.id = $1",
    )
    .bind(run)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(|| Error::not_found("Run"))?;
    let now = caller.now(&app.clock);
    let kept: Vec<&NewPoint> =
        points.iter().filter(|point| is_kept(point.accuracy, point.recorded_at, now)).collect();
    store(connection, run, &row, &kept, now).await?;
    let newest = kept
        .iter()
        .filter(|point| belongs(point.recorded_at, row.actual_start_time, row.actual_end_time))
        .max_by_key(|point| point.recorded_at);
    if let Some(newest) = newest {
        if is_next_span(row.last_arrived, now, TELL_EVERY) {
            let payload = json!({
                "scenario_id": row.scenario_id, "run_id": run, "driver_id": row.driver_id,
                "device_id": device(newest, &row), "lat": newest.lat, "lon": newest.lon, "speed": newest.speed,
                "heading": newest.heading, "recorded_at": newest.recorded_at,
            });
            realtime::record(connection, caller, row.scenario_id, Event::GpsLocation, &payload).await?;
        }
        if is_next_span(row.last_arrived, now, ESTIMATE_EVERY) {
            eta::refresh(connection, app, caller, run).await?;
        }
    }
    Ok(kept.len())
}

/// Removes points that are older than they are kept.
///
/// # Errors
/// Database faults.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<u64> {
    let removed = sqlx::query("delete from gps_points where recorded_at < now() - interval '90 days'")
        .execute(connection)
        .await?;
    Ok(removed.rows_affected())
}

fn device(point: &NewPoint, run: &RunRow) -> Option<String> {
    point.device_id.clone().or_else(|| run.device_id.clone())
}

/// Refuses more points than fit.
///
/// # Errors
/// 400.
pub(crate) fn few_enough(points: usize) -> Result<()> {
    if points <= MOST {
        return Ok(());
    }
    Err(Error::bad_request(format!("At most {MOST} points at once")))
}

fn check(points: &[NewPoint]) -> Result<()> {
    few_enough(points.len())?;
    let mut problems = Problems::default();
    for (at, point) in points.iter().enumerate() {
        let inside = (-90.0..=90.0).contains(&point.lat);
        problems.require(inside, &format!("{at}.lat"), "Latitude must be between -90 and 90");
        let inside = (-180.0..=180.0).contains(&point.lon);
        problems.require(inside, &format!("{at}.lon"), "Longitude must be between -180 and 180");
        let positive = point.accuracy.is_none_or(|metres| metres >= 0.0);
        problems.require(positive, &format!("{at}.accuracy"), "Value cannot be negative");
        let short = point.device_id.as_ref().is_none_or(|id| id.chars().count() <= 255);
        problems.require(short, &format!("{at}.device_id"), routewright_core::check::TOO_LONG);
    }
    problems.finish()
}

async fn store(
    connection: &mut PgConnection,
    run: i64,
    row: &RunRow,
    points: &[&NewPoint],
    now: DateTime<Utc>,
) -> Result<()> {
    let runs: Vec<Option<i64>> = points
        .iter()
        .map(|point| belongs(point.recorded_at, row.actual_start_time, row.actual_end_time).then_some(run))
        .collect();
    sqlx::query(
        "insert into gps_points (run_id, driver_id, device_id, lat, lon, accuracy, speed, heading, recorded_at, created)
         select given.run_id, $2, given.device_id, given.lat, given.lon, given.accuracy, given.speed, given.heading,
             given.recorded_at, $10
         from unnest($1::bigint[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[],
             $9::timestamptz[]) as given (run_id, device_id, lat, lon, accuracy, speed, heading, recorded_at)
         on conflict on constraint gps_points_recorded_at_key do nothing",
    )
    .bind(runs)
    .bind(row.driver_id)
    .bind(points.iter().map(|point| device(point, row)).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.lat).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.lon).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.accuracy).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.speed).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.heading).collect::<Vec<_>>())
    .bind(points.iter().map(|point| point.recorded_at).collect::<Vec<_>>())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}
