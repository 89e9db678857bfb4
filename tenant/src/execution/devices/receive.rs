//! Points of a device, whatever protocol they came by.

use std::collections::BTreeMap;

use routewright_core::error::Kind;
use routewright_core::{Error, Link, Result};
use routewright_identity::Caller;
use routewright_tenancy::LateDb;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::key::fingerprint;
use super::rule::{Begun, run_at};
use crate::app::App;
use crate::execution::gps::{self, NewPoint};

/// Requests of one device in a minute: apps that were without a connection hand in what they hold one point at a time.
const MOST_A_MINUTE: i32 = 300;

/// What a device told.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) points: Vec<NewPoint>,
    /// Percent.
    pub(super) battery: Option<i16>,
}

/// What became of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TakenPositions")]
pub(super) struct Taken {
    /// Points that are kept; the others were too inexact, of another time, or of no run.
    accepted: usize,
}

#[derive(FromRow)]
struct Device {
    id: i64,
    uid: String,
    driver_id: Option<i64>,
    vehicle_id: Option<i64>,
}

/// Takes what the device of the caller's key told. What was told is read only when the key is good: wrong, revoked and
/// foreign ones are answered alike, whatever comes with them.
///
/// # Errors
/// 401 for a key that no device has, 400 for what cannot be read, 429 for too many requests.
pub(super) async fn take(
    db: LateDb,
    app: &App,
    caller: &Caller,
    read: impl FnOnce() -> Result<Told> + Send,
) -> Result<Taken> {
    let mut db = db.open().await?;
    let device: Device =
        sqlx::query_as("select id, uid, driver_id, vehicle_id from tracking_devices where key_hash = $1")
            .bind(fingerprint(caller.link(Link::Device)?))
            .fetch_optional(&mut *db)
            .await?
            .ok_or_else(Error::bad_token)?;
    let told = read()?;
    gps::few_enough(told.points.len())?;
    heard(&mut db, app, device.id, told.battery).await?;
    let mut accepted = 0;
    for (run, points) in by_run(&mut db, &device, told.points).await? {
        accepted += gps::receive(&mut db, app, caller, run, &points).await?;
    }
    Ok(Taken { accepted })
}

/// Notes that a device was heard of, and refuses one that tells too often.
async fn heard(connection: &mut PgConnection, app: &App, device: i64, battery: Option<i16>) -> Result<()> {
    let now = app.clock.now();
    let second = now.timestamp().rem_euclid(60);
    let requests: i32 = sqlx::query_scalar(
        "insert into tracking_device_contacts as c (device_id, last_at, battery, minute, requests)
         values ($1, $2, $3, date_trunc('minute', $2::timestamptz), 1)
         on conflict (device_id) do update set last_at = excluded.last_at, battery = coalesce(excluded.battery, c.battery),
             minute = excluded.minute, requests = case when c.minute = excluded.minute then c.requests + 1 else 1 end
         returning requests",
    )
    .bind(device)
    .bind(now)
    .bind(battery)
    .fetch_one(connection)
    .await?;
    if requests <= MOST_A_MINUTE {
        return Ok(());
    }
    let seconds = u32::try_from(60 - second).unwrap_or(60);
    Err(Error::new(Kind::TooManyRequests, "Too many requests").retry_after(seconds))
}

/// The points of each run of the device's driver or vehicle, or of whoever says its name. Others belong to nobody's work.
async fn by_run(
    connection: &mut PgConnection,
    device: &Device,
    points: Vec<NewPoint>,
) -> Result<BTreeMap<i64, Vec<NewPoint>>> {
    let mut of_runs: BTreeMap<i64, Vec<NewPoint>> = BTreeMap::new();
    let times = || points.iter().map(|point| point.recorded_at);
    let (Some(first), Some(last)) = (times().min(), times().max()) else { return Ok(of_runs) };
    let begun: Vec<Begun> = sqlx::query_as(
        "select r.id, r.actual_start_time as start, r.actual_end_time as \"end\" from (
             select id from runs where driver_id = $1 or vehicle_id = $2 or device_id = $3
             union select o.id from drivers d join runs o on o.driver_id = d.id where d.device_id = $3
             union select o.id from vehicles v join runs o on o.vehicle_id = v.id where v.device_id = $3
         ) own join runs r on r.id = own.id
         where r.actual_start_time <= $5::timestamptz + interval '30 minutes'
             and coalesce(r.actual_end_time, r.actual_start_time + interval '24 hours') >= $4",
    )
    .bind(device.driver_id)
    .bind(device.vehicle_id)
    .bind(&device.uid)
    .bind(first)
    .bind(last)
    .fetch_all(connection)
    .await?;
    for point in points {
        if let Some(run) = run_at(&begun, point.recorded_at) {
            of_runs.entry(run).or_default().push(NewPoint { device_id: Some(device.uid.clone()), ..point });
        }
    }
    Ok(of_runs)
}
