//! Starting and ending the route.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Body, Error, Given, Result, check};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::postgres::PgConnection;

use super::sheet::{SheetRun, run_of_sheet};
use crate::app::App;
use crate::orders::customers::{self, Occasion};
use crate::plan;
use crate::planning::runs::{self, Run, RunFields};
use crate::planning::{eta, scenarios};
use crate::setup::information;

/// How the route starts.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Start {
    /// Kilometres.
    odometer: Option<f64>,
    /// When; now unless told otherwise.
    actual_start_time: Option<DateTime<Utc>>,
}

/// `PUT /v2/runsheet/start_route`.
pub(super) async fn start(
    mut db: Db,
    State(app): State<App>,
    Body(start): Body<Start>,
) -> Result<Json<SheetRun>> {
    let (caller, run) = locked(&mut db).await?;
    if run.actual_start_time.is_some() {
        return Err(Error::bad_request("Run already started"));
    }
    let settings: information::App = information::of(&mut db).await?;
    if settings.require_start_odometer && start.odometer.is_none() && run.start_odometer.is_none() {
        return Err(Error::field("odometer", check::REQUIRED));
    }
    begin(&mut db, &app, &caller, &run, start.odometer, start.actual_start_time).await?;
    run_of_sheet(&mut db, run.id).await.map(Json)
}

/// Starts a locked run that was not started yet; now unless told otherwise.
///
/// # Errors
/// 400 naming the field.
pub(crate) async fn begin(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: &Run,
    odometer: Option<f64>,
    at: Option<DateTime<Utc>>,
) -> Result<()> {
    let now = caller.now(&app.clock);
    let at = at.unwrap_or(now);
    let given = Given::of(RunFields {
        start_odometer: odometer,
        actual_start_time: Some(at),
        billing_start_time: run.billing_start_time.is_none().then_some(at),
        ..RunFields::default()
    })?;
    runs::change(connection, caller, run.id, given, now).await?;
    scenarios::begin_tracking(connection, run.scenario_id).await?;
    eta::refresh(connection, app, caller, run.id).await?;
    tell_customers(connection, app, caller, run.id).await
}

/// Tells the customers of a run that the driver has set out.
async fn tell_customers(connection: &mut PgConnection, app: &App, caller: &Caller, run: i64) -> Result<()> {
    let settings: information::Notification = information::of(connection).await?;
    if !settings.on_start {
        return Ok(());
    }
    for (job, expected) in eta::expected_on(connection, run, caller.now(&app.clock)).await? {
        let of = (job, Some(expected.range()));
        customers::tell_all(connection, app, caller, of, Occasion::Out, "run").await?;
    }
    Ok(())
}

/// How the route ends.
#[derive(Deserialize, JsonSchema)]
pub(super) struct End {
    /// Kilometres.
    odometer: Option<f64>,
    /// When; now unless told otherwise.
    actual_end_time: Option<DateTime<Utc>>,
}

/// `PUT /v2/runsheet/end_route`.
pub(super) async fn end(mut db: Db, State(app): State<App>, Body(end): Body<End>) -> Result<Json<SheetRun>> {
    let (caller, run) = locked(&mut db).await?;
    if run.actual_start_time.is_none() {
        return Err(Error::bad_request("Run has not been started"));
    }
    if run.actual_end_time.is_some() {
        return Err(Error::bad_request("Run already finished"));
    }
    let settings: information::App = information::of(&mut db).await?;
    if settings.require_end_odometer && end.odometer.is_none() && run.end_odometer.is_none() {
        return Err(Error::field("odometer", check::REQUIRED));
    }
    finish(&mut db, &app, &caller, &run, end.odometer, end.actual_end_time).await?;
    run_of_sheet(&mut db, run.id).await.map(Json)
}

/// Ends a locked run that was started and not ended yet; now unless told otherwise.
///
/// # Errors
/// 400 naming the field.
pub(crate) async fn finish(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: &Run,
    odometer: Option<f64>,
    at: Option<DateTime<Utc>>,
) -> Result<()> {
    let now = caller.now(&app.clock);
    let given = Given::of(RunFields {
        end_odometer: odometer,
        actual_end_time: Some(at.unwrap_or(now)),
        ..RunFields::default()
    })?;
    runs::change(connection, caller, run.id, given, now).await.map(drop)
}

async fn locked(db: &mut Db) -> Result<(Caller, Run)> {
    let caller = db.caller().clone();
    let run = lock_own(db, &caller).await?;
    Ok((caller, run))
}

/// The driver's run, its scenario locked before anything of it changes: as every change of a plan does.
///
/// # Errors
/// 404 when it was deleted.
pub(crate) async fn lock_own(connection: &mut PgConnection, caller: &Caller) -> Result<Run> {
    let id = caller.run_id().ok_or_else(Error::bad_token)?;
    let scenario = runs::find(connection, caller, id).await?.scenario_id;
    plan::lock(connection, scenario).await?;
    runs::find(connection, caller, id).await
}
