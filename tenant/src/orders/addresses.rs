//! Addresses to confirm: jobs stand where the address search took their address to be, but it was not sure. Whoever looks at
//! the map confirms the place or puts the pin right. That moves the jobs, and the place is kept for the client and the address:
//! later imports use it.

use axum::Json;
use axum::extract::State;
use routewright_core::error::Problems;
use routewright_core::http::Body;
use routewright_core::place::Location;
use routewright_core::{Error, Result, Routes};
use routewright_identity::Caller;
use routewright_roads::SURE;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::app::App;
use crate::orders::jobs;

/// Most addresses of one answer; those that are least sure come first.
const MOST: i64 = 500;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/addresses_to_confirm", jobs::READ, list).post(
        "/addresses_to_confirm/confirm",
        jobs::WRITE,
        confirm,
    )
}

/// An address that somebody should look at.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
struct AddressToConfirm {
    /// As the jobs have it.
    address: String,
    /// Whose jobs they are; null for jobs without a client.
    client_id: Option<i64>,
    client_name: Option<String>,
    /// Where the jobs stand for now, degrees.
    lat: f64,
    /// Where the jobs stand for now, degrees.
    lon: f64,
    /// What the address search took the address to be.
    found: Option<String>,
    /// How sure it was: 0 to 1.
    confidence: f64,
    /// What of the address it found: `street`, `place` and the like.
    kind: String,
    /// Who knew it: `map` or `server`.
    source: String,
    /// The jobs there.
    job_ids: Vec<i64>,
    /// Their numbers.
    job_uids: Vec<String>,
}

/// SQL of jobs at doubtful places: not in validated runs, and of a haulier only its own. $1 is the confidence from which on nobody has to look, $2 the haulier.
macro_rules! doubtful {
    () => {
        "from jobs j
         join looked_up_addresses l on l.address = lower(j.address) and l.confidence < $1
             and abs(l.lat - j.lat) < 1e-6 and abs(l.lon - j.lon) < 1e-6
         left join runs r on r.id = j.run_id
         left join drivers d on d.id = r.driver_id
         left join vehicles v on v.id = r.vehicle_id
         left join clients c on c.id = j.client_id
         where r.validated_at is null
             and ($2::bigint is null or $2 in (d.haulier_id, v.haulier_id))
             and not exists (
                 select from confirmed_addresses k
                 where k.address = l.address and k.client_id is not distinct from j.client_id)"
    };
}

/// `GET /addresses_to_confirm`.
async fn list(mut db: Db) -> Result<Json<Vec<AddressToConfirm>>> {
    let caller = db.caller().clone();
    let rows = sqlx::query_as(concat!(
        "select min(j.address) as address, j.client_id, min(c.name) as client_name, l.lat, l.lon, l.label as found,
             l.confidence, l.kind, l.source, array_agg(j.id order by j.id) as job_ids,
             array_agg(j.uid order by j.id) as job_uids ",
        doubtful!(),
        " group by l.address, j.client_id order by l.confidence, l.address, j.client_id limit $3"
    ))
    .bind(SURE)
    .bind(caller.haulier_id())
    .bind(MOST)
    .fetch_all(&mut *db)
    .await?;
    Ok(Json(rows))
}

/// Where an address is.
#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    /// As `GET /addresses_to_confirm` answered it.
    address: String,
    /// Likewise.
    client_id: Option<i64>,
    /// Where it is, degrees.
    lat: f64,
    /// Where it is, degrees.
    lon: f64,
}

/// What a confirmation did.
#[derive(Serialize, JsonSchema)]
struct Confirmed {
    /// The jobs that stand there now.
    job_ids: Vec<i64>,
}

/// `POST /addresses_to_confirm/confirm`.
async fn confirm(
    mut db: Db,
    State(app): State<App>,
    Body(given): Body<Confirmation>,
) -> Result<Json<Confirmed>> {
    let Confirmation { address, client_id, lat, lon } = given;
    let place = Location { id: None, address, lat, lon };
    let mut problems = Problems::default();
    place.check("address", &mut problems);
    problems.finish()?;
    let caller = db.caller().clone();
    let job_ids = waiting(&mut db, &caller, &place.address, client_id).await?;
    if job_ids.is_empty() {
        return Err(Error::not_found("Address"));
    }
    jobs::relocate(&mut db, &app, &job_ids, (lat, lon)).await?;
    sqlx::query(
        "insert into confirmed_addresses (client_id, address, lat, lon) values ($1, lower($2), $3, $4)
         on conflict on constraint confirmed_addresses_key
             do update set lat = excluded.lat, lon = excluded.lon, confirmed = now()",
    )
    .bind(client_id)
    .bind(&place.address)
    .bind(lat)
    .bind(lon)
    .execute(&mut *db)
    .await?;
    Ok(Json(Confirmed { job_ids }))
}

/// The jobs that wait for the confirmation of an address.
async fn waiting(
    connection: &mut PgConnection,
    caller: &Caller,
    address: &str,
    client: Option<i64>,
) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar(concat!(
        "select j.id ",
        doubtful!(),
        " and l.address = lower($3) and j.client_id is not distinct from $4 order by j.id"
    ))
    .bind(SURE)
    .bind(caller.haulier_id())
    .bind(address)
    .bind(client)
    .fetch_all(connection)
    .await?)
}
