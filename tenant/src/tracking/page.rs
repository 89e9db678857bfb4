//! The answers of a tracking page.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use routewright_core::http::respond::Download;
use routewright_core::place::Location;
use routewright_core::{Error, Jsonb, Kind, Link, Result};
use routewright_identity::authorise::NO_JOB;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::customers::{self, Range};
use crate::documents;
use crate::gps;
use crate::information::{self, DeliveryTracking, ProofOfDelivery, Reschedule};
use crate::proofs::{self, Collections};

/// The job of a token with what its page needs; never anything of other jobs.
#[derive(sqlx::FromRow)]
struct Tracked {
    id: i64,
    uid: String,
    customer_name: Option<String>,
    location: Jsonb<Location>,
    timezone: String,
    scheduled_date: Option<NaiveDate>,
    comments: Option<String>,
    dock_location: Option<String>,
    idm: bool,
    eta: Option<DateTime<Utc>>,
    updated_eta: Option<DateTime<Utc>>,
    run_id: Option<i64>,
    run_started: bool,
    stops_before: i64,
    driver_name: Option<String>,
    units_count: i64,
    returns_count: i64,
    proof: Option<Jsonb<Value>>,
}

/// What the customer sees.
#[derive(Serialize, JsonSchema)]
pub(super) struct Delivery {
    uid: String,
    customer_name: Option<String>,
    location: Location,
    timezone: String,
    scheduled_date: Option<NaiveDate>,
    /// `planned`, `on_the_way`, `delivered` or `failed`.
    status: &'static str,
    eta_range: Option<Range>,
    updated_eta: Option<DateTime<Utc>>,
    stops_before: Option<i64>,
    comments: Option<String>,
    dock_location: Option<String>,
    units_count: i64,
    returns_count: i64,
    driver: Option<Value>,
    vehicle_position: Option<Value>,
    proof: Option<Value>,
    organisation: Value,
    idm: bool,
    reschedule: Value,
}

/// The delivery with everything recorded about it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedDelivery")]
pub(super) struct Everything {
    #[serde(flatten)]
    delivery: Delivery,
    units: Value,
    returns: Value,
    proofs: Collections,
}

async fn tracked(db: &mut Db, app: &App) -> Result<(Tracked, DeliveryTracking)> {
    let unknown = || Error::new(Kind::Unauthorized, NO_JOB);
    let caller = db.caller().clone();
    let settings: DeliveryTracking = information::of(db).await?;
    let row: Option<Tracked> = sqlx::query_as(
        "select j.id, j.uid, j.customer_name,
             jsonb_build_object('address', j.address, 'lat', j.lat, 'lon', j.lon) as location, j.timezone, s.scheduled_date,
             j.comments, j.dock_location, j.idm, j.eta, j.updated_eta, j.run_id,
             r.actual_start_time is not null as run_started,
             (select count(*) from jobs o where o.run_id = j.run_id and o.seq < j.seq
                 and not exists (select from job_proofs p where p.job_id = o.id)) as stops_before,
             d.uid as driver_name,
             (select count(*) from units u where u.job_id = j.id) as units_count,
             (select count(*) from returns t where t.job_id = j.id) as returns_count,
             (select jsonb_build_object('success', p.success, 'record_time', p.record_time, 'reason', n.name,
                 'signature_name', p.signature_name)
              from job_proofs p left join reasons n on n.id = p.reason_id
              where p.job_id = j.id order by p.record_time desc, p.id desc limit 1) as proof
         from jobs j
         left join scenarios s on s.id = j.scenario_id
         left join runs r on r.id = j.run_id
         left join drivers d on d.id = r.driver_id
         where j.tracking_token = $1",
    )
    .bind(caller.link(Link::Tracking)?)
    .fetch_optional(&mut **db)
    .await?;
    let row = row.filter(|_| settings.enabled).ok_or_else(unknown)?;
    let today = app.clock.today(caller.policy()?.timezone);
    let valid_days = Duration::days(settings.link_valid_days);
    if row.scheduled_date.is_some_and(|date| today > date + valid_days) {
        return Err(unknown());
    }
    Ok((row, settings))
}

async fn shown(db: &mut Db, app: &App) -> Result<(i64, Delivery)> {
    let (row, settings) = tracked(db, app).await?;
    let caller = db.caller().clone();
    let policy = caller.policy()?;
    let status = match row.proof.as_ref().map(|proof| proof["success"] == true) {
        Some(true) => "delivered",
        Some(false) => "failed",
        None if row.run_started => "on_the_way",
        None => "planned",
    };
    let expected = row.updated_eta.or(row.eta).filter(|_| row.proof.is_none());
    let near = expected
        .is_some_and(|eta| eta - app.clock.now() <= Duration::minutes(settings.position_visible_minutes));
    let position =
        match row.run_id.filter(|_| settings.show_vehicle_position && near && status == "on_the_way") {
            Some(run) => gps::latest_of_run(db, run).await?,
            None => None,
        };
    let reschedule: Reschedule = information::of(db).await?;
    let delivery = Delivery {
        uid: row.uid,
        customer_name: row.customer_name,
        location: row.location.0,
        timezone: row.timezone,
        scheduled_date: row.scheduled_date,
        status,
        eta_range: expected.filter(|_| settings.show_eta_range).map(customers::eta_range),
        updated_eta: row.updated_eta.filter(|_| settings.show_eta_range && row.proof.is_none()),
        stops_before: (settings.show_stops_before && status == "on_the_way").then_some(row.stops_before),
        comments: row.comments,
        dock_location: row.dock_location,
        units_count: row.units_count,
        returns_count: row.returns_count,
        driver: row
            .driver_name
            .filter(|_| settings.show_driver_name)
            .map(|name| json!({ "first_name": name })),
        vehicle_position: position
            .map(|point| json!({ "lat": point.lat, "lon": point.lon, "recorded_at": point.recorded_at })),
        proof: row.proof.map(|proof| proof.0),
        organisation: json!({
            "name": policy.name,
            "logo": policy.logo_file_uid.as_ref().map(|uid| format!("/files/uid/{uid}")),
            "colour": settings.primary_colour,
            "contact_phone": settings.contact_phone,
            "contact_email": settings.contact_email,
            "modules": policy.modules().iter().map(|module| module.key()).collect::<Vec<_>>(),
        }),
        idm: row.idm,
        reschedule: serde_json::to_value(&reschedule)?,
    };
    Ok((row.id, delivery))
}

/// `GET /jobs/tracking/{token}`.
pub(super) async fn delivery(mut db: Db, State(app): State<App>) -> Result<Json<Delivery>> {
    Ok(Json(shown(&mut db, &app).await?.1))
}

/// `GET /jobs/tracking/{token}/all`.
pub(super) async fn all(mut db: Db, State(app): State<App>) -> Result<Json<Everything>> {
    let (job, delivery) = shown(&mut db, &app).await?;
    let proofs = recorded(&mut db, job).await?;
    let units = carried_units(&mut db, job, &proofs).await?;
    let returns = carried_returns(&mut db, job, &proofs).await?;
    Ok(Json(Everything { delivery, units, returns, proofs }))
}

/// `GET /jobs/tracking/{token}/proofs`.
pub(super) async fn proofs(mut db: Db, State(app): State<App>) -> Result<Json<Collections>> {
    let job = tracked(&mut db, &app).await?.0.id;
    recorded(&mut db, job).await.map(Json)
}

/// `GET /jobs/tracking/{token}/units`.
pub(super) async fn units(mut db: Db, State(app): State<App>) -> Result<Json<Value>> {
    let job = tracked(&mut db, &app).await?.0.id;
    let proofs = recorded(&mut db, job).await?;
    carried_units(&mut db, job, &proofs).await.map(Json)
}

/// `GET /jobs/tracking/{token}/returns`.
pub(super) async fn returns(mut db: Db, State(app): State<App>) -> Result<Json<Value>> {
    let job = tracked(&mut db, &app).await?.0.id;
    let proofs = recorded(&mut db, job).await?;
    carried_returns(&mut db, job, &proofs).await.map(Json)
}

/// `GET /jobs_tracking/{token}/reasons`.
pub(super) async fn reasons(mut db: Db, State(app): State<App>) -> Result<Json<Value>> {
    tracked(&mut db, &app).await?;
    let reasons: Value = sqlx::query_scalar(
        "select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'ok', ok) order by id), '[]') from reasons",
    )
    .fetch_one(&mut *db)
    .await?;
    Ok(Json(reasons))
}

/// `GET /jobs/tracking/{token}/proof_of_delivery_pdf`, if customers may have it.
pub(super) async fn pdf(mut db: Db, State(app): State<App>) -> Result<Download> {
    let job = tracked(&mut db, &app).await?.0.id;
    let settings: ProofOfDelivery = information::of(&mut db).await?;
    if !settings.customer_download {
        return Err(Error::denied());
    }
    let caller = db.caller().clone();
    drop(db);
    documents::one(&caller, &app, job).await
}

async fn recorded(db: &mut Db, job: i64) -> Result<Collections> {
    let caller = db.caller().clone();
    proofs::of_jobs(db, &caller, &[job]).await
}

async fn carried_units(db: &mut Db, job: i64, proofs: &Collections) -> Result<Value> {
    let rows: Vec<(i64, String, Option<String>, Option<String>)> =
        sqlx::query_as("select id, uid, name, reference from units where job_id = $1 order by id")
            .bind(job)
            .fetch_all(&mut **db)
            .await?;
    let all = serde_json::to_value(&proofs.unit_proofs)?;
    let units: Vec<Value> = rows
        .into_iter()
        .map(|(id, uid, name, reference)| {
            let proofs = of(&all, "unit_id", id);
            json!({ "id": id, "uid": uid, "name": name, "reference": reference, "unit_proofs": proofs })
        })
        .collect();
    Ok(units.into())
}

async fn carried_returns(db: &mut Db, job: i64, proofs: &Collections) -> Result<Value> {
    let rows: Vec<(i64, String)> =
        sqlx::query_as("select id, uid from returns where job_id = $1 order by id")
            .bind(job)
            .fetch_all(&mut **db)
            .await?;
    let all = serde_json::to_value(&proofs.return_proofs)?;
    let returns: Vec<Value> = rows
        .into_iter()
        .map(|(id, uid)| json!({ "id": id, "uid": uid, "return_proofs": of(&all, "return_id", id) }))
        .collect();
    Ok(returns.into())
}

fn of(proofs: &Value, field: &str, id: i64) -> Vec<Value> {
    proofs.as_array().into_iter().flatten().filter(|proof| proof[field] == id).cloned().collect()
}
