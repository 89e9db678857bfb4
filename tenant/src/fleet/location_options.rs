//! Address search while typing (S-41): places that the organisation knows come first, then the map data and the address server.
//! Known are its locations, its clients' addresses, and where its jobs were.

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use geo::{Distance as _, Haversine};
use routewright_core::http::{Path, Query};
use routewright_core::place::Location;
use routewright_core::{Access, Error, Kind, Result, Routes};
use routewright_identity::Caller;
use routewright_roads::{PlaceKind, PlaceSource, Point};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::app::App;

/// Most options of one answer.
const MOST: usize = 20;
/// Longest text, characters.
const LONGEST: usize = 500;
/// A known place farther away than this, in metres, is another one.
const NEAR: u32 = 200;
/// Of latitude.
const METRES_PER_DEGREE: f64 = 111_195.0;
/// Text for a search that could not be done.
const FAILED: &str = "Oops! Something went wrong. Please, try again.";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/location_options", Access::SIGNED_IN, options)
        .get("/location_options/at", Access::SIGNED_IN, at)
        .get("/location_options/{id}", Access::SIGNED_IN, resolve)
}

/// What is looked for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// At least 2 characters.
    text: String,
    /// Most options, at most 20.
    #[serde(default = "five")]
    limit: usize,
    /// Places close to this latitude are preferred.
    lat: Option<f64>,
    /// Places close to this longitude are preferred.
    lon: Option<f64>,
}

fn five() -> usize {
    5
}

/// A place that the text may mean.
#[derive(Serialize, JsonSchema)]
struct LocationOption {
    /// Asks for the place at `GET /location_options/{id}`.
    id: String,
    /// What the user reads.
    label: String,
    /// How sure it is that the text means it: 0 to 1; 1 for what the organisation knows.
    confidence: f64,
    /// What of the text was found.
    kind: PlaceKind,
    /// Who knows it.
    source: PlaceSource,
}

/// Which option.
#[derive(Deserialize, JsonSchema)]
struct Which {
    /// As `GET /location_options` answered it.
    id: String,
}

/// A place.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Resolved {
    address: String,
    lat: f64,
    lon: f64,
}

/// `GET /location_options`.
async fn options(
    caller: Caller,
    State(app): State<App>,
    Query(search): Query<Search>,
) -> Result<Json<Vec<LocationOption>>> {
    let text = search.text.trim();
    if text.chars().count() < 2 {
        return Err(Error::filters("text must have at least 2 characters"));
    }
    if text.chars().count() > LONGEST {
        return Err(Error::filters(format!("text must have at most {LONGEST} characters")));
    }
    if !(1..=MOST).contains(&search.limit) {
        return Err(Error::filters(format!("limit must be between 1 and {MOST}")));
    }
    let near = match (search.lat, search.lon) {
        (Some(lat), Some(lon)) => {
            Some(Point::new(lat, lon).map_err(|error| Error::filters(error.to_string()))?)
        }
        (None, None) => None,
        _ => return Err(Error::filters("lat and lon belong together")),
    };
    // The address server may be slow: the connection is given back before it is asked.
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let mut options = known(&mut work, &caller, text, search.limit).await?;
    work.rollback().await?;
    if options.len() < search.limit {
        match app.geocoder.search(text, search.limit - options.len(), near).await {
            Ok(places) => {
                for place in places {
                    let label = place.address.clone();
                    if !options.iter().any(|option| option.label == label) {
                        let (confidence, kind, source) = (place.confidence, place.kind, place.source);
                        let found = Resolved {
                            address: place.address,
                            lat: place.point.lat(),
                            lon: place.point.lon(),
                        };
                        options.push(LocationOption {
                            id: written(&found)?,
                            label,
                            confidence,
                            kind,
                            source,
                        });
                    }
                }
            }
            Err(error) if options.is_empty() => {
                return Err(Error::new(Kind::BadGateway, FAILED).caused_by(error));
            }
            Err(error) => tracing::warn!(%error, "an address could not be looked up"),
        }
    }
    Ok(Json(options))
}

/// What the caller may know of: locations, clients, jobs, and of the jobs those of which haulier.
fn levels(caller: &Caller) -> (bool, bool, bool, Option<i64>) {
    let [locations, clients, jobs] =
        ["locations_read", "clients_read", "jobs_read"].map(|level| caller.holds(level));
    (locations, clients, jobs, caller.haulier_id())
}

/// SQL of the jobs that a caller may know of; the arguments are bound to whether any, and to whose runs.
macro_rules! visible_jobs {
    ($any:literal, $haulier:literal) => {
        concat!(
            $any,
            " and (",
            $haulier,
            "::bigint is null or exists (
                 select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                 where r.id = j.run_id and ",
            $haulier,
            " in (d.haulier_id, v.haulier_id)))"
        )
    };
}

/// Locations, clients and jobs' places in this order, those that begin with the text first. Of jobs at one address the
/// latest counts, and an address that a location or client has is told once.
async fn known(
    connection: &mut PgConnection,
    caller: &Caller,
    text: &str,
    limit: usize,
) -> Result<Vec<LocationOption>> {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let (locations, clients, jobs, haulier) = levels(caller);
    let rows: Vec<(String, String)> = sqlx::query_as(concat!(
        "with places as (
             select 'l' || id as option, coalesce(name || ', ', '') || address as label, address, 1 as rank, id
             from locations
             where $1 and (address ilike '%' || $5 || '%' or name ilike '%' || $5 || '%' or uid ilike '%' || $5 || '%')
             union all
             select 'c' || id, name || ', ' || address, address, 2, id
             from clients
             where $2 and lat is not null
                 and (address ilike '%' || $5 || '%' or name ilike '%' || $5 || '%' or uid ilike '%' || $5 || '%')
         ), visited as (
             select max(j.id) as id, max(j.address) as address
             from jobs j
             where j.address ilike '%' || $5 || '%' and ",
        visible_jobs!("$3", "$4"),
        " group by lower(j.address)
         )
         select option, label from (
             select option, label, rank, id from places
             union all
             select 'j' || id, address, 3, id from visited
             where not exists (select from places p where lower(p.address) = lower(visited.address))
         ) known
         order by rank, (label ilike $5 || '%') desc, lower(label), id limit $6"
    ))
    .bind(locations)
    .bind(clients)
    .bind(jobs)
    .bind(haulier)
    .bind(escaped)
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    let option = |(id, label)| LocationOption {
        id,
        label,
        confidence: 1.0,
        kind: PlaceKind::Unknown,
        source: PlaceSource::Organisation,
    };
    Ok(rows.into_iter().map(option).collect())
}

/// A point on the map.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct At {
    /// Latitude, degrees.
    lat: f64,
    /// Longitude, degrees.
    lon: f64,
}

/// What is known to be at a point.
#[derive(Serialize, JsonSchema)]
struct Nearby {
    /// What the user reads.
    label: String,
    /// Address of it.
    address: String,
    /// Latitude of it, degrees.
    lat: f64,
    /// Longitude of it, degrees.
    lon: f64,
    /// How far it is from the point, metres.
    metres: u32,
    /// Who knows it.
    source: PlaceSource,
}

/// `GET /location_options/at`: the nearest place that the organisation knows within [`NEAR`] metres, else what the map data
/// or the address server knows there; 404 when it is nothing.
async fn at(
    caller: Caller,
    State(app): State<App>,
    Query(At { lat, lon }): Query<At>,
) -> Result<Json<Nearby>> {
    let point = Point::new(lat, lon).map_err(|error| Error::filters(error.to_string()))?;
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let nearest = nearest(&mut work, &caller, point).await?;
    work.rollback().await?;
    if let Some(nearby) = nearest {
        return Ok(Json(nearby));
    }
    let found = app.geocoder.reverse(point).await;
    let place = found.map_err(|error| Error::new(Kind::BadGateway, FAILED).caused_by(error))?;
    let place = place.ok_or_else(|| Error::not_found("Location"))?;
    let metres = metres(point, place.point.lat(), place.point.lon());
    Ok(Json(Nearby {
        label: place.address.clone(),
        address: place.address,
        lat: place.point.lat(),
        lon: place.point.lon(),
        metres,
        source: place.source,
    }))
}

async fn nearest(connection: &mut PgConnection, caller: &Caller, point: Point) -> Result<Option<Nearby>> {
    let (locations, clients, jobs, haulier) = levels(caller);
    // A box first, a little larger than the circle: degrees of longitude shrink towards the poles.
    let tall = f64::from(NEAR) / METRES_PER_DEGREE;
    let wide = (tall / point.lat().to_radians().cos().max(0.01)).min(180.0);
    let rows: Vec<(String, String, f64, f64)> = sqlx::query_as(concat!(
        "select label, address, lat, lon from (
             select coalesce(name || ', ', '') || address as label, address, lat, lon, 1 as rank from locations where $1
             union all
             select name || ', ' || address, address, lat, lon, 2 from clients where $2 and lat is not null
             union all
             select distinct on (j.lat, j.lon) j.address, j.address, j.lat, j.lon, 3 from jobs j
             where j.lat between $5 - $7 and $5 + $7 and j.lon between $6 - $8 and $6 + $8 and ",
        visible_jobs!("$3", "$4"),
        ") known
         where lat between $5 - $7 and $5 + $7 and lon between $6 - $8 and $6 + $8
         order by (lat - $5) ^ 2 + ((lon - $6) * cos(radians($5))) ^ 2, rank, label limit 1"
    ))
    .bind(locations)
    .bind(clients)
    .bind(jobs)
    .bind(haulier)
    .bind(point.lat())
    .bind(point.lon())
    .bind(tall)
    .bind(wide)
    .fetch_all(connection)
    .await?;
    let near = |(label, address, lat, lon): (String, String, f64, f64)| {
        let metres = metres(point, lat, lon);
        let source = PlaceSource::Organisation;
        (metres <= NEAR).then_some(Nearby { label, address, lat, lon, metres, source })
    };
    Ok(rows.into_iter().next().and_then(near))
}

/// Metres along the great circle.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "half the globe fits")]
fn metres(from: Point, lat: f64, lon: f64) -> u32 {
    Haversine.distance(geo::Point::new(from.lon(), from.lat()), geo::Point::new(lon, lat)).round() as u32
}

/// `GET /location_options/{id}`.
async fn resolve(mut db: Db, Path(Which { id }): Path<Which>) -> Result<Json<Resolved>> {
    let unknown = || Error::not_found("Location");
    let number = id.get(1..).and_then(|rest| rest.parse::<i64>().ok());
    let row: Option<(String, f64, f64)> = match (id.chars().next(), number) {
        (Some('l'), Some(number)) if db.caller().holds("locations_read") => {
            sqlx::query_as("select address, lat, lon from locations where id = $1")
                .bind(number)
                .fetch_optional(&mut *db)
                .await?
        }
        (Some('c'), Some(number)) if db.caller().holds("clients_read") => {
            sqlx::query_as("select address, lat, lon from clients where id = $1 and lat is not null")
                .bind(number)
                .fetch_optional(&mut *db)
                .await?
        }
        (Some('j'), Some(number)) => {
            let (_, _, jobs, haulier) = levels(db.caller());
            sqlx::query_as(concat!(
                "select j.address, j.lat, j.lon from jobs j where j.id = $3 and ",
                visible_jobs!("$1", "$2")
            ))
            .bind(jobs)
            .bind(haulier)
            .bind(number)
            .fetch_optional(&mut *db)
            .await?
        }
        (Some('p'), _) => return read(&id).map(Json).ok_or_else(unknown),
        _ => None,
    };
    let (address, lat, lon) = row.ok_or_else(unknown)?;
    Ok(Json(Resolved { address, lat, lon }))
}

/// A place of the address server travels in its id: the server is asked once.
fn written(place: &Resolved) -> Result<String> {
    Ok(format!("p{}", URL_SAFE_NO_PAD.encode(serde_json::to_vec(place)?)))
}

fn read(id: &str) -> Option<Resolved> {
    let bytes = URL_SAFE_NO_PAD.decode(id.strip_prefix('p')?).ok()?;
    let place: Resolved = serde_json::from_slice(&bytes).ok()?;
    let mut problems = routewright_core::error::Problems::default();
    Location { id: None, address: place.address.clone(), lat: place.lat, lon: place.lon }
        .check("location", &mut problems);
    problems.is_empty().then_some(place)
}
