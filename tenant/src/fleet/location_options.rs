//! Address search while typing (S-41): places that the organisation knows come first, then the address server.

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use routewright_core::http::{Path, Query};
use routewright_core::place::Location;
use routewright_core::{Access, Error, Kind, Result, Routes};
use routewright_identity::Caller;
use routewright_roads::Point;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::app::App;

/// Most options of one answer.
const MOST: usize = 20;
/// Text for a search that could not be done.
const FAILED: &str = "Oops! Something went wrong. Please, try again.";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/location_options", Access::SIGNED_IN, options).get(
        "/location_options/{id}",
        Access::SIGNED_IN,
        resolve,
    )
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
                        let found = Resolved {
                            address: place.address,
                            lat: place.point.lat(),
                            lon: place.point.lon(),
                        };
                        options.push(LocationOption { id: written(&found)?, label });
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

/// Locations and clients, those that begin with the text first.
async fn known(
    connection: &mut PgConnection,
    caller: &Caller,
    text: &str,
    limit: usize,
) -> Result<Vec<LocationOption>> {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select option, label from (
             select 'l' || id as option, coalesce(name || ', ', '') || address as label, 1 as rank, id
             from locations where $3 and (address ilike '%' || $1 || '%' or name ilike '%' || $1 || '%' or uid ilike '%' || $1 || '%')
             union all
             select 'c' || id, name || ', ' || address, 2, id
             from clients where $4 and lat is not null and (address ilike '%' || $1 || '%' or name ilike '%' || $1 || '%' or uid ilike '%' || $1 || '%')
         ) known
         order by rank, (label ilike $1 || '%') desc, lower(label), id limit $2",
    )
    .bind(escaped)
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .bind(caller.holds("locations_read"))
    .bind(caller.holds("clients_read"))
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, label)| LocationOption { id, label }).collect())
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
