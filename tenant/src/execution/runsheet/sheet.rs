//! `GET /v2/runsheet` (S-10): everything a driver needs, nothing the office keeps to itself.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::place::Location;
use routewright_core::{Error, Jsonb, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::sheet_jobs::{SheetJob, jobs_of_sheet};
use crate::app::App;
use crate::execution::proofs::{self, RunProof};
use crate::fleet::place_columns::place;
use crate::plan::{RunRoute, Status};
use crate::setup::checklists::{self, ChecklistDefinition};
use crate::setup::information::{self, ProofOfDelivery};
use crate::setup::map::{self, MapConfig};
use crate::setup::reasons::Reason;
use crate::setup::settings::Settings;

/// A run sheet.
#[derive(Serialize, JsonSchema)]
pub(super) struct Sheet {
    /// The server's time, against which a phone may check its clock.
    server_time: DateTime<Utc>,
    organisation: Organisation,
    /// `app_settings` and `pod_settings`.
    settings: Value,
    scenario: SheetScenario,
    run: SheetRun,
    /// Jobs in their order.
    jobs: Vec<SheetJob>,
    /// Reasons to choose from.
    reasons: Vec<Reason>,
    checklists: Checklists,
    run_proofs: Vec<RunProof>,
    /// What the map of the run is drawn with.
    map: MapConfig,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunsheetOrganisation")]
struct Organisation {
    name: String,
    logo: Option<String>,
    timezone: String,
    distance_unit: String,
    /// Whether it is a rehearsal: nothing on the sheet is real, and nothing leaves.
    rehearsal: bool,
}

#[derive(Serialize, JsonSchema, FromRow)]
struct SheetScenario {
    id: i64,
    name: String,
    scheduled_date: NaiveDate,
}

#[derive(Serialize, JsonSchema)]
struct Checklists {
    start_route: Option<ChecklistDefinition>,
    end_route: Option<ChecklistDefinition>,
}

/// A run as its driver sees it.
#[derive(Serialize, JsonSchema, FromRow)]
pub(super) struct SheetRun {
    id: i64,
    uid: String,
    #[sqlx(skip)]
    status: Option<Status>,
    driver: Jsonb<Value>,
    vehicle: Option<Jsonb<Value>>,
    start_location: Option<Jsonb<Location>>,
    end_location: Option<Jsonb<Location>>,
    route_end: String,
    shift_start: String,
    shift_end: String,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    /// Kilometres.
    start_odometer: Option<f64>,
    /// Kilometres.
    end_odometer: Option<f64>,
    /// Metres.
    distance: i32,
    /// Whether the run sheet was sent.
    dispatched: bool,
    route: Option<Jsonb<RunRoute>>,
}

/// `GET /v2/runsheet`.
pub(super) async fn get(mut db: Db, State(app): State<App>) -> Result<Json<Sheet>> {
    let caller = db.caller().clone();
    let id = caller.run_id().ok_or_else(Error::bad_token)?;
    let policy = caller.policy()?;
    // A run that is no longer there takes its sheet with it.
    let run = run_of_sheet(&mut db, id).await.map_err(|_| Error::bad_token())?;
    let scenario: SheetScenario = sqlx::query_as(
        "select s.id, s.name, s.scheduled_date from scenarios s join runs r on r.scenario_id = s.id where r.id = $1",
    )
    .bind(id)
    .fetch_one(&mut *db)
    .await?;
    let app_settings: information::App = information::of(&mut db).await?;
    let pod_settings: ProofOfDelivery = information::of(&mut db).await?;
    let jobs = jobs_of_sheet(&mut db, &caller, id, (app_settings.show_customer_phone, &pod_settings)).await?;
    let shown: Vec<i64> = jobs.iter().map(SheetJob::id).collect();
    proofs::note_shown(&mut db, id, &shown).await?;
    let reasons =
        sqlx::query_as("select id, name, ok, applies_to, created, modified from reasons order by id")
            .fetch_all(&mut *db)
            .await?;
    let checklists = Checklists {
        start_route: checklists::active(&mut db, "start_route").await?,
        end_route: checklists::active(&mut db, "end_route").await?,
    };
    Ok(Json(Sheet {
        server_time: caller.now(&app.clock),
        organisation: Organisation {
            name: policy.name.clone(),
            logo: policy.logo_file_uid.as_ref().map(|uid| format!("/files/uid/{uid}")),
            timezone: policy.timezone.name().to_owned(),
            distance_unit: Settings::of(policy).distance_unit,
            rehearsal: policy.rehearsal.is_some(),
        },
        settings: json!({ "app_settings": app_settings, "pod_settings": pod_settings }),
        scenario,
        run,
        jobs,
        reasons,
        checklists,
        run_proofs: proofs::of_run(&mut db, id).await?,
        map: map::for_guests(&app),
    }))
}

/// A run as its driver sees it.
///
/// # Errors
/// 404.
pub(super) async fn run_of_sheet(connection: &mut PgConnection, id: i64) -> Result<SheetRun> {
    let mut run: SheetRun = sqlx::query_as(concat!(
        "select r.id, r.uid, jsonb_build_object('id', d.id, 'uid', d.uid) as driver,
             case when v.id is null then null
                 else jsonb_build_object('id', v.id, 'uid', v.uid, 'registration', v.registration) end as vehicle, ",
        place!("r.start_", "start_location"),
        ", ",
        place!("r.end_", "end_location"),
        ", r.route_end, to_char(r.shift_start, 'HH24:MI') as shift_start, to_char(r.shift_end, 'HH24:MI') as shift_end,
             r.planned_start_time, r.planned_end_time, r.actual_start_time, r.actual_end_time,
             r.start_odometer::float8 as start_odometer, r.end_odometer::float8 as end_odometer, r.distance, r.dispatched,
             r.route
         from runs r join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id where r.id = $1"
    ))
    .bind(id)
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::not_found("Run"))?;
    run.status = Some(Status::of(
        (run.start_odometer.is_some(), run.end_odometer.is_some()),
        (run.actual_start_time.is_some(), run.actual_end_time.is_some()),
    ));
    Ok(run)
}
