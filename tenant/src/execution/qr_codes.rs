//! The QR codes of a scenario's run sheets (S-09). The scenario's `ws_token` opens them, and with them the sheets: it is a
//! secret of the office.

use axum::Json;
use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::{Access, Error, Link, Result, Routes};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::app::App;
use crate::execution::documents;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/scenarios/token/{token}/qr_codes", Access::link(Link::Scenario), get)
}

/// The cards to print.
#[derive(Serialize, JsonSchema)]
struct QrCodes {
    scenario: Scenario,
    organisation: Organisation,
    runs: Vec<Card>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "QrScenario")]
struct Scenario {
    name: String,
    scheduled_date: NaiveDate,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "QrOrganisation")]
struct Organisation {
    name: String,
    logo: Option<String>,
}

/// One run.
#[derive(Serialize, JsonSchema)]
struct Card {
    run_id: i64,
    uid: String,
    driver_uid: String,
    /// `HH:mm`.
    shift_start: String,
    /// `HH:mm`.
    shift_end: String,
    vehicle: Option<String>,
    jobs_count: i64,
    /// What the code opens.
    url: String,
}

#[derive(FromRow)]
struct Row {
    run_id: i64,
    uid: String,
    token: String,
    driver_uid: String,
    shift_start: String,
    shift_end: String,
    vehicle: Option<String>,
    jobs_count: i64,
}

/// `GET /scenarios/token/{ws_token}/qr_codes`.
async fn get(mut db: Db, State(app): State<App>) -> Result<Json<QrCodes>> {
    let caller = db.caller().clone();
    let scenario: Option<(i64, String, NaiveDate)> =
        sqlx::query_as("select id, name, scheduled_date from scenarios where ws_token = $1")
            .bind(caller.link(Link::Scenario)?)
            .fetch_optional(&mut *db)
            .await?;
    let (id, name, scheduled_date) = scenario.ok_or_else(Error::bad_token)?;
    let rows: Vec<Row> = sqlx::query_as(
        "select r.id as run_id, r.uid, r.token, d.uid as driver_uid, to_char(r.shift_start, 'HH24:MI') as shift_start,
             to_char(r.shift_end, 'HH24:MI') as shift_end, v.uid as vehicle,
             (select count(*) from jobs j where j.run_id = r.id) as jobs_count
         from runs r join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where r.scenario_id = $1 order by r.id",
    )
    .bind(id)
    .fetch_all(&mut *db)
    .await?;
    let policy = caller.policy()?;
    let organisation = Organisation {
        name: policy.name.clone(),
        logo: policy.logo_file_uid.as_ref().map(|uid| format!("/files/uid/{uid}")),
    };
    let runs = rows
        .into_iter()
        .map(|row| Card {
            url: documents::link(&app, &row.token),
            run_id: row.run_id,
            uid: row.uid,
            driver_uid: row.driver_uid,
            shift_start: row.shift_start,
            shift_end: row.shift_end,
            vehicle: row.vehicle,
            jobs_count: row.jobs_count,
        })
        .collect();
    Ok(Json(QrCodes { scenario: Scenario { name, scheduled_date }, organisation, runs }))
}
