//! Jobs to try the product with (S-27).

use std::collections::BTreeSet;

use axum::extract::State;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::place::Location;
use routewright_core::{Access, Body, Given, Result, Routes, TimeOfDay};
use routewright_roads::Point;
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::app::App;
use crate::orders::jobs::{self, Job, JobFields};

const WRITE: Access = Access::levels(&["jobs_write"]);
/// Jobs of a tutorial.
const COUNT: usize = 15;
/// The same jobs for everybody.
const SEED: u64 = 15;
/// Metres from the centre.
const NEAREST: f64 = 1_000.0;
const FARTHEST: f64 = 8_000.0;
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_195.0;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/tutorial/create_jobs", WRITE, create)
}

/// Where the jobs are made.
#[derive(Deserialize, JsonSchema)]
struct Around {
    lat: f64,
    lon: f64,
    scenario_id: i64,
}

/// The new jobs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TutorialScenario")]
struct Made {
    jobs: Vec<Job>,
}

/// `POST /tutorial/create_jobs`: calling it again replaces the unserved jobs of the last call.
async fn create(mut db: Db, State(app): State<App>, Body(around): Body<Around>) -> Result<Created<Made>> {
    let mut problems = Problems::default();
    problems.require((-90.0..=90.0).contains(&around.lat), "lat", "Latitude must be between -90 and 90");
    problems.require((-180.0..=180.0).contains(&around.lon), "lon", "Longitude must be between -180 and 180");
    problems.finish()?;
    let caller = db.caller().clone();
    jobs::store::scenario_exists(&mut db, around.scenario_id).await?;
    // Roads and addresses are asked before anything is locked.
    let places = db.outside(places(&app, around.lat, around.lon)).await?;
    let email = app.gate.policies.email_of(caller.user()?.user_id).await?;
    forget(&mut db, around.scenario_id).await?;
    let mut made = Vec::with_capacity(COUNT);
    for (index, location) in places.into_iter().enumerate() {
        let fields = job(index, location, around.scenario_id, email.clone());
        made.push(jobs::store::insert_for(&mut db, &caller, &app, Given::of(fields)?).await?.id);
    }
    tag(&mut db, &made).await?;
    let mut jobs = Vec::with_capacity(COUNT);
    for id in made {
        jobs.push(resource::find::<Job>(&mut db, &caller, id).await?);
    }
    Ok(Created(Made { jobs }))
}

/// Evenly around the centre and at mixed distances, on roads where they are known.
async fn places(app: &App, lat: f64, lon: f64) -> Vec<Location> {
    let mut random = StdRng::seed_from_u64(SEED);
    let mut places = Vec::with_capacity(COUNT);
    for index in 0..COUNT {
        let angle = index as f64 / COUNT as f64 * std::f64::consts::TAU;
        let metres = random.random_range(NEAREST..FARTHEST);
        let (north, east) = (metres * angle.cos() / DEGREE, metres * angle.sin() / DEGREE);
        let lat = (lat + north).clamp(-90.0, 90.0);
        // Degrees of longitude shrink towards the poles.
        let lon = lon + east / lat.to_radians().cos().max(0.01);
        let Ok(point) = Point::new(lat, (lon + 540.0).rem_euclid(360.0) - 180.0) else { continue };
        let point = app.roads.nearest(point).await.unwrap_or(point);
        let address = match app.geocoder.reverse(point).await {
            Ok(Some(place)) => place.address,
            Ok(None) => format!("Tutorial stop {}", index + 1),
            Err(error) => {
                tracing::info!(%error, "an address could not be looked up");
                format!("Tutorial stop {}", index + 1)
            }
        };
        let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6;
        places.push(Location { id: None, address, lat: rounded(point.lat()), lon: rounded(point.lon()) });
    }
    places
}

/// Every third job has a window, in the morning and in the afternoon in turn.
fn job(index: usize, location: Location, scenario: i64, email: Option<String>) -> JobFields {
    let window = match index % 6 {
        0 => Some(("09:00", "12:00")),
        3 => Some(("13:00", "16:00")),
        _ => None,
    };
    let time = |text: &str| TimeOfDay::parse(text);
    JobFields {
        uid: Some(format!("Job {}", index + 1)),
        scenario_id: Some(scenario),
        location: Some(location),
        duration: Some(5.0),
        size: Some("1".to_owned()),
        arrive_after: window.and_then(|(from, _)| time(from)),
        leave_by: window.and_then(|(_, to)| time(to)),
        customer_name: Some(format!("Customer {}", index + 1)),
        customer_email: email,
        ..JobFields::default()
    }
}

/// Deletes the unserved jobs of an earlier call.
async fn forget(connection: &mut PgConnection, scenario: i64) -> Result<()> {
    let gone: Vec<i64> = sqlx::query_scalar(
        "select j.id from jobs j join job_tags jt on jt.job_id = j.id join tags t on t.id = jt.tag_id
         where j.scenario_id = $1 and j.run_id is null and lower(t.name) = 'tutorial'
             and not exists (select from job_proofs p where p.job_id = j.id)
         order by j.id for update of j",
    )
    .bind(scenario)
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query("update jobs set pickup_from = null, deliver_to = null where id = any($1)")
        .bind(&gone)
        .execute(&mut *connection)
        .await?;
    let gone_set: BTreeSet<i64> = gone.iter().copied().collect();
    jobs::store::follow_links(connection, Some(scenario), &gone_set).await?;
    sqlx::query("delete from jobs where id = any($1)").bind(&gone).execute(connection).await?;
    Ok(())
}

async fn tag(connection: &mut PgConnection, jobs: &[i64]) -> Result<()> {
    sqlx::query("insert into tags (name) values ('Tutorial') on conflict (lower(name)) do nothing")
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into job_tags (job_id, tag_id) select job, t.id from unnest($1::bigint[]) job
             join tags t on lower(t.name) = 'tutorial'
         on conflict do nothing",
    )
    .bind(jobs)
    .execute(connection)
    .await?;
    Ok(())
}
