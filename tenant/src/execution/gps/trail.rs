//! The newest point of each run, or the whole trail.

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_core::http::{Path, Query};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::planning::scenarios::Scenario;

/// A position of a run.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct GpsPoint {
    /// Id; later ones arrived later.
    pub(crate) id: i64,
    /// The run.
    pub(crate) run_id: i64,
    /// Its driver.
    pub(crate) driver_id: Option<i64>,
    /// Device.
    pub(crate) device_id: Option<String>,
    /// Degrees.
    pub(crate) lat: f64,
    /// Degrees.
    pub(crate) lon: f64,
    /// Metres.
    pub(crate) accuracy: Option<f64>,
    /// Metres per second.
    pub(crate) speed: Option<f64>,
    /// Degrees from north.
    pub(crate) heading: Option<f64>,
    /// When.
    pub(crate) recorded_at: DateTime<Utc>,
}

/// How much of the trail.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TrailOptions")]
pub(super) struct Options {
    /// Only the newest point of each run.
    #[serde(default)]
    latest_only: bool,
    /// Only points that arrived after the one with this id.
    #[serde(default)]
    since: Option<i64>,
}

/// `GET /scenario/{id}/gps_points`: the whole trail has one point per 15 seconds, at most 5,000 per run;
/// with `since` only what has arrived meanwhile.
pub(super) async fn of_scenario(
    mut db: Db,
    Path(id): Path<i64>,
    Query(options): Query<Options>,
) -> Result<Json<Vec<GpsPoint>>> {
    let caller = db.caller().clone();
    resource::find::<Scenario>(&mut db, &caller, id).await?;
    let points = if options.latest_only {
        sqlx::query_as(
            "select distinct on (g.run_id) g.id, g.run_id, g.driver_id, g.device_id, g.lat, g.lon, g.accuracy, g.speed, g.heading,
                 g.recorded_at
             from gps_points g join runs r on r.id = g.run_id left join drivers d on d.id = r.driver_id
                 left join vehicles v on v.id = r.vehicle_id
             where r.scenario_id = $1 and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
                 and ($3::bigint is null or g.id > $3)
             order by g.run_id, g.recorded_at desc",
        )
        .bind(id)
        .bind(caller.haulier_id())
        .bind(options.since)
        .fetch_all(&mut *db)
        .await?
    } else {
        sqlx::query_as(
            "select thin.id, thin.run_id, thin.driver_id, thin.device_id, thin.lat, thin.lon, thin.accuracy, thin.speed, thin.heading,
                 thin.recorded_at
             from (
                 select p.id, p.run_id, p.driver_id, p.device_id, p.lat, p.lon, p.accuracy, p.speed, p.heading, p.recorded_at,
                     row_number() over (partition by p.run_id order by p.recorded_at desc) as place from (
                     select distinct on (g.run_id, floor(extract(epoch from g.recorded_at) / 15)) g.id, g.run_id, g.driver_id,
                         g.device_id, g.lat, g.lon, g.accuracy, g.speed, g.heading, g.recorded_at
                     from gps_points g join runs r on r.id = g.run_id left join drivers d on d.id = r.driver_id
                         left join vehicles v on v.id = r.vehicle_id
                     where r.scenario_id = $1 and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
                         and ($3::bigint is null or g.id > $3)
                     order by g.run_id, floor(extract(epoch from g.recorded_at) / 15), g.recorded_at
                 ) p
             ) thin
             where thin.place <= 5000 order by thin.run_id, thin.recorded_at",
        )
        .bind(id)
        .bind(caller.haulier_id())
        .bind(options.since)
        .fetch_all(&mut *db)
        .await?
    };
    Ok(Json(points))
}

/// The newest point of a run.
///
/// # Errors
/// Database faults.
pub(crate) async fn latest_of_run(connection: &mut PgConnection, run: i64) -> Result<Option<GpsPoint>> {
    Ok(sqlx::query_as(
        "select g.id, g.run_id, g.driver_id, g.device_id, g.lat, g.lon, g.accuracy, g.speed, g.heading, g.recorded_at
         from gps_points g where g.run_id = $1 order by g.recorded_at desc limit 1",
    )
    .bind(run)
    .fetch_optional(connection)
    .await?)
}
