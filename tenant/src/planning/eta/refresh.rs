//! Timing the remaining stops of one run anew.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_roads::Point;
use serde_json::json;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::alert;
use super::expect::{Ahead, arrivals};
use crate::app::App;
use crate::fleet::vehicles::OnRoad;
use crate::plan::{self, Day, Status};
use crate::realtime::{self, Event};

#[derive(FromRow)]
struct Driving {
    scenario_id: i64,
    scheduled_date: NaiveDate,
    speed_multiplier: f64,
    #[sqlx(flatten)]
    on_road: OnRoad,
    start_odometer: bool,
    end_odometer: bool,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
}

/// A job that is still to be visited.
#[derive(FromRow)]
pub(super) struct Remaining {
    pub(super) id: i64,
    seq: i32,
    lat: f64,
    lon: f64,
    duration: f64,
    arrive_after: Option<NaiveTime>,
    pub(super) eta: Option<DateTime<Utc>>,
    etd: Option<DateTime<Utc>>,
}

#[derive(FromRow)]
struct LastKnown {
    at: DateTime<Utc>,
    lat: f64,
    lon: f64,
}

/// Times what remains of a run anew, stores and tells it. Does nothing for a run that is not on the road.
///
/// # Errors
/// Database faults.
pub(crate) async fn refresh(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: i64,
) -> Result<()> {
    let driving: Option<Driving> = sqlx::query_as(
        "select r.scenario_id, s.scheduled_date, r.speed_multiplier,
             v.road_profile, v.height, v.width, v.length, v.weight, v.hazardous_goods, v.tolls,
             r.start_odometer is not null as start_odometer,
             r.end_odometer is not null as end_odometer, r.actual_start_time, r.actual_end_time
         from runs r join scenarios s on s.id = r.scenario_id left join vehicles v on v.id = r.vehicle_id
         where r.id = $1",
    )
    .bind(run)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(driving) =
        driving.filter(|run| run.actual_start_time.is_some() && run.actual_end_time.is_none())
    else {
        return Ok(());
    };
    let Some(last) = last_known(connection, run).await? else { return Ok(()) };
    let jobs: Vec<Remaining> = sqlx::query_as(
        "select j.id, j.seq, j.lat, j.lon, j.duration, j.arrive_after, j.eta, j.etd from jobs j
         where j.run_id = $1 and not exists (select from job_proofs p where p.job_id = j.id) order by j.seq",
    )
    .bind(run)
    .fetch_all(&mut *connection)
    .await?;
    if jobs.is_empty() {
        return Ok(());
    }
    let day = Day::new(driving.scheduled_date, caller.policy()?.timezone);
    let times = expected(app, &driving, &last, &jobs, day).await?;

    // The roads were asked before the lock; a job that left the run meanwhile keeps what it has there.
    plan::lock(connection, driving.scenario_id).await?;
    let ids: Vec<i64> = jobs.iter().map(|job| job.id).collect();
    sqlx::query(
        "update jobs set updated_eta = given.time from unnest($1::bigint[], $2::timestamptz[]) as given (id, time)
         where jobs.id = given.id and jobs.run_id = $3",
    )
    .bind(&ids)
    .bind(&times)
    .bind(run)
    .execute(&mut *connection)
    .await?;
    let status = Status::of((driving.start_odometer, driving.end_odometer), (true, false));
    let told: Vec<_> = jobs
        .iter()
        .zip(&times)
        .map(|(job, time)| {
            json!({ "id": job.id, "run_id": run, "seq": job.seq, "eta": job.eta, "etd": job.etd, "updated_eta": time })
        })
        .collect();
    let payload = json!({
        "scenario_id": driving.scenario_id, "run": { "id": run, "status": status }, "jobs": told,
    });
    realtime::record(connection, caller, driving.scenario_id, Event::RunUpdate, &payload).await?;
    alert::late(connection, app, caller, &jobs, &times).await
}

/// The latest of start, proofs and positions.
async fn last_known(connection: &mut PgConnection, run: i64) -> Result<Option<LastKnown>> {
    Ok(sqlx::query_as(
        "select at, lat, lon from (
             select r.actual_start_time as at, r.start_lat as lat, r.start_lon as lon from runs r where r.id = $1
             union all
             select p.record_time, coalesce(p.lat, j.lat), coalesce(p.lon, j.lon)
             from job_proofs p join jobs j on j.id = p.job_id where j.run_id = $1
             union all
             (select g.recorded_at, g.lat, g.lon from gps_points g where g.run_id = $1
              order by g.recorded_at desc limit 1)
         ) known
         where at is not null and lat is not null order by at desc limit 1",
    )
    .bind(run)
    .fetch_optional(connection)
    .await?)
}

async fn expected(
    app: &App,
    run: &Driving,
    last: &LastKnown,
    jobs: &[Remaining],
    day: Day,
) -> Result<Vec<DateTime<Utc>>> {
    let points = std::iter::once((last.lat, last.lon))
        .chain(jobs.iter().map(|job| (job.lat, job.lon)))
        .map(|(lat, lon)| Point::new(lat, lon).map_err(Error::internal))
        .collect::<Result<Vec<Point>>>()?;
    let vehicle = run.on_road.vehicle();
    let route = app.roads.route_of(vehicle, &points).await;
    let stops: Vec<Ahead> = jobs
        .iter()
        .zip(&route.legs)
        .map(|(job, leg)| Ahead {
            driving: leg.duration,
            opens: job.arrive_after.map(|time| day.moment(day.at(time))),
            minutes: job.duration,
        })
        .collect();
    let known = vehicle.profile.in_traffic() && route.source.name() != "great_circle";
    let paces = app.roads.paces().filter(|_| known);
    let pace = |at| paces.as_ref().map_or(1.0, |paces| paces[day.hour_of_week(day.of(at))]);
    Ok(arrivals(last.at, |at| run.speed_multiplier.max(0.1) * pace(at), &stops))
}
