//! Proofs of a run's start and end: odometer, photos, signature.

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Body, Error, Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::model::narrow;
use super::values::RecordTime;
use crate::app::App;
use crate::planning::runs::{self, RunFields};
use crate::planning::scenarios;
use crate::realtime::{self, Event};
use crate::setup::files::{self, FILE, FileLink, PHOTOS};

/// Photos of a start or an end.
const MOST_PHOTOS: usize = 5;

/// The start or the end of a run.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct RunProof {
    /// Id.
    pub(crate) id: i64,
    /// The run.
    pub(crate) run_id: i64,
    /// `start` or `end`.
    pub(crate) mode: String,
    /// When it happened, `YYYY-MM-DD HH:mm:ss` in UTC.
    pub(crate) record_time: String,
    /// Kilometres.
    pub(crate) odometer: Option<f64>,
    /// Files with the photos.
    pub(crate) photo_ids: Vec<i64>,
    /// File with the signature.
    pub(crate) signature_id: Option<i64>,
    /// Photos.
    pub(crate) photos: Jsonb<Vec<FileLink>>,
    /// Signature.
    pub(crate) signature: Option<Jsonb<FileLink>>,
    /// Where the device was, degrees.
    pub(crate) lat: Option<f64>,
    /// Where the device was, degrees.
    pub(crate) lon: Option<f64>,
    /// When it was stored.
    pub(crate) created: DateTime<Utc>,
}

/// A start or end to be recorded.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct NewRunProof {
    /// The run; a driver's own unless told otherwise.
    pub(crate) run_id: Option<i64>,
    /// `start` or `end`; the end once there is a start, unless told otherwise.
    pub(crate) mode: Option<String>,
    /// When it happened; now unless told otherwise.
    pub(crate) record_time: Option<RecordTime>,
    /// Kilometres.
    pub(crate) odometer: Option<f64>,
    /// Files with the photos, at most five.
    pub(crate) photo_ids: Option<Vec<i64>>,
    /// File with the signature.
    pub(crate) signature_id: Option<i64>,
    /// Where the device was.
    pub(crate) lat: Option<f64>,
    /// Where the device was.
    pub(crate) lon: Option<f64>,
}

impl Resource for RunProof {
    const NAME: &'static str = "Run proof";
    const PATH: &'static str = "/run_proofs";
    const TABLE: &'static str = "run_proofs";
    const FROM: &'static str = "run_proofs p join runs r on r.id = p.run_id";
    const ID: &'static str = "p.id";
    const COLUMNS: &'static str = concat!(
        "p.id, p.run_id, p.mode, to_char(p.record_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as record_time,
        p.odometer::float8 as odometer, p.photo_ids, p.signature_id, ",
        PHOTOS!("p.photo_ids"),
        " as photos, ",
        FILE!("p.signature_id"),
        " as signature, p.lat, p.lon, p.created"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("run_id", "p.run_id"),
            Filter::id("scenario_id", "r.scenario_id"),
            Filter::choice("mode", "p.mode"),
        ],
        search: &[],
        sort: &[("id", "p.id"), ("record_time", "p.record_time"), ("created", "p.created")],
        order: "p.record_time desc, p.id desc",
    };
    type Fields = NewRunProof;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        narrow(caller, conditions, "p.run_id");
    }
}

/// `POST /run_proofs`.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    Body(proof): Body<NewRunProof>,
) -> Result<Created<RunProof>> {
    let caller = db.caller().clone();
    let run = proof.run_id.ok_or_else(|| Error::field("run_id", routewright_core::check::REQUIRED))?;
    let before = runs::find(&mut db, &caller, run).await?;
    let stored = record_run_proof(&mut db, &app, &caller, (run, false), &proof).await?;
    if stored.mode == "start" && before.actual_start_time.is_none() {
        try_start(&mut db, &app, &caller, run, &proof).await?;
    }
    Ok(Created(stored))
}

/// Refuses what the run could not be started with afterwards, so that no proof is left of a start that was none.
async fn try_start(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: i64,
    proof: &NewRunProof,
) -> Result<()> {
    let now = caller.now(&app.clock);
    let given = Given::of(RunFields {
        start_odometer: proof.odometer,
        actual_start_time: Some(proof.record_time.map_or(now, |time| time.0)),
        ..RunFields::default()
    })?;
    sqlx::query("savepoint start").execute(&mut *connection).await?;
    runs::change(connection, caller, run, given, now).await?;
    sqlx::query("rollback to savepoint start").execute(&mut *connection).await?;
    Ok(())
}

/// Records the start or end of a run, once. `of` is the run, and whether its driver records it.
///
/// # Errors
/// 400 naming the field.
pub(crate) async fn record_run_proof(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    (run, by_driver): (i64, bool),
    proof: &NewRunProof,
) -> Result<RunProof> {
    let at = proof.record_time.map_or_else(|| caller.now(&app.clock), |time| time.0);
    check(proof, at, caller.now(&app.clock))?;
    let photos = proof.photo_ids.as_deref().unwrap_or_default();
    let driver = by_driver.then_some(run);
    files::require(connection, caller, driver, "photo_ids", photos).await?;
    let signature: Vec<i64> = proof.signature_id.into_iter().collect();
    files::require(connection, caller, driver, "signature_id", &signature).await?;
    let mode = match proof.mode.as_deref() {
        Some(mode) => mode.to_owned(),
        None => next_mode(connection, run, at).await?,
    };
    let made: Option<i64> = sqlx::query_scalar(
        "insert into run_proofs (run_id, mode, record_time, odometer, photo_ids, signature_id, lat, lon)
         values ($1, $2, $3, $4::float8::numeric, $5, $6, $7, $8)
         on conflict on constraint run_proofs_subject_key do nothing returning id",
    )
    .bind(run)
    .bind(&mode)
    .bind(at)
    .bind(proof.odometer)
    .bind(photos)
    .bind(proof.signature_id)
    .bind(proof.lat)
    .bind(proof.lon)
    .fetch_optional(&mut *connection)
    .await?;
    let id = match made {
        Some(id) => id,
        None => {
            sqlx::query_scalar(
                "select id from run_proofs where run_id = $1 and mode = $2 and record_time = $3",
            )
            .bind(run)
            .bind(&mode)
            .bind(at)
            .fetch_one(&mut *connection)
            .await?
        }
    };
    let stored: RunProof = resource::find(connection, caller, id).await?;
    if made.is_some() {
        let scenario: i64 = sqlx::query_scalar("select scenario_id from runs where id = $1")
            .bind(run)
            .fetch_one(&mut *connection)
            .await?;
        let payload = json!({ "scenario_id": scenario, "kind": "run", "proof": stored });
        realtime::record(connection, caller, scenario, Event::Proof, &payload).await?;
        scenarios::begin_tracking(connection, scenario).await?;
    }
    Ok(stored)
}

fn check(proof: &NewRunProof, at: DateTime<Utc>, now: DateTime<Utc>) -> Result<()> {
    let mut problems = Problems::default();
    let photos = proof.photo_ids.as_ref().map_or(0, Vec::len);
    problems.require(photos <= MOST_PHOTOS, "photo_ids", "At most 5 photos");
    problems.require(at <= now + Duration::days(1), "record_time", "Value lies in the future");
    let known = proof.mode.as_deref().is_none_or(|mode| matches!(mode, "start" | "end"));
    problems.require(known, "mode", "Value is not one of start, end");
    let odometer = proof.odometer.is_none_or(|km| (0.0..=1e9).contains(&km));
    problems.require(odometer, "odometer", "Value must be between 0 and 1000000000");
    let both = proof.lat.is_some() == proof.lon.is_some();
    problems.require(both, "lat", "Latitude and longitude belong together");
    problems.finish()
}

/// The start comes first; the same moment again is the same proof again.
async fn next_mode(connection: &mut PgConnection, run: i64, at: DateTime<Utc>) -> Result<String> {
    let started: bool = sqlx::query_scalar(
        "select exists (select from run_proofs where run_id = $1 and mode = 'start' and record_time <> $2)",
    )
    .bind(run)
    .bind(at)
    .fetch_one(connection)
    .await?;
    Ok(if started { "end" } else { "start" }.to_owned())
}
