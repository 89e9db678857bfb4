//! Asking the address search for many addresses. No connection is held meanwhile; what is found is kept at once, so that an
//! import that is refused or broken off does not ask again.

use std::collections::{HashMap, HashSet};

use futures_util::StreamExt as _;
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_roads::{Place, SURE};
use sqlx::postgres::PgConnection;

use crate::app::App;

/// Addresses that are looked up at the same time.
const AT_ONCE: usize = 8;
/// Addresses that are kept together.
const BATCH: usize = 32;
/// After as many failures in a row the address search is taken to be away.
const FAILURES: usize = 2 * AT_ONCE;
/// Longest address that is kept, characters.
const LONGEST: usize = 500;

/// Where an address is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// Latitude, degrees.
    pub lat: f64,
    /// Longitude, degrees.
    pub lon: f64,
    /// Whether nobody has to look: somebody knows it, or the address search was sure.
    pub sure: bool,
}

impl Spot {
    fn of(place: &Place) -> Self {
        Self { lat: place.point.lat(), lon: place.point.lon(), sure: place.confidence >= SURE }
    }
}

/// What the address search said, by address in lower case. What is in neither could not be asked.
#[derive(Default)]
pub(crate) struct Answers {
    /// Where they are.
    pub(super) found: HashMap<String, Spot>,
    /// No such place.
    pub(super) nowhere: HashSet<String>,
}

/// Looks these addresses up.
///
/// # Errors
/// Database faults.
pub(super) async fn all(app: &App, caller: &Caller, addresses: Vec<String>) -> Result<Answers> {
    let tenant = app.tenants.of(caller)?;
    let mut answers = Answers::default();
    let mut failures = 0;
    let mut batches = futures_util::stream::iter(addresses)
        .map(|address| async move {
            let places = app.geocoder.search(&address, 1, None).await;
            (address.to_lowercase(), places)
        })
        .buffer_unordered(AT_ONCE)
        .ready_chunks(BATCH);
    while let Some(batch) = batches.next().await {
        let mut fresh: Vec<(String, Place)> = Vec::new();
        for (address, places) in batch {
            match places {
                Ok(places) => {
                    failures = 0;
                    match places.into_iter().next() {
                        Some(place) => fresh.push((address, place)),
                        None => drop(answers.nowhere.insert(address)),
                    }
                }
                Err(error) => {
                    failures += 1;
                    tracing::warn!(%error, "an address could not be looked up");
                }
            }
        }
        if !fresh.is_empty() {
            let mut work = tenant.begin().await?;
            keep(&mut work, &fresh).await?;
            work.commit().await?;
        }
        answers.found.extend(fresh.into_iter().map(|(address, place)| (address, Spot::of(&place))));
        if failures >= FAILURES {
            break;
        }
    }
    Ok(answers)
}

async fn keep(connection: &mut PgConnection, found: &[(String, Place)]) -> Result<()> {
    let short = || found.iter().filter(|(address, _)| address.chars().count() <= LONGEST);
    let addresses: Vec<&str> = short().map(|(address, _)| address.as_str()).collect();
    let numbers = |of: fn(&Place) -> f64| short().map(|(_, place)| of(place)).collect::<Vec<_>>();
    let texts = |of: fn(&Place) -> &str| short().map(|(_, place)| of(place)).collect::<Vec<_>>();
    sqlx::query(
        "insert into looked_up_addresses (address, lat, lon, confidence, label, kind, source)
         select distinct on (address) address, lat, lon, confidence, label, kind, source
         from unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::text[])
             as given (address, lat, lon, confidence, label, kind, source)
         order by address
         on conflict (address) do update set lat = excluded.lat, lon = excluded.lon, confidence = excluded.confidence,
             label = excluded.label, kind = excluded.kind, source = excluded.source, looked_up = now()",
    )
    .bind(addresses)
    .bind(numbers(|place| place.point.lat()))
    .bind(numbers(|place| place.point.lon()))
    .bind(numbers(|place| place.confidence.clamp(0.0, 1.0)))
    .bind(texts(|place| &place.address))
    .bind(texts(|place| place.kind.name()))
    .bind(texts(|place| place.source.name()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Where these addresses, in lower case, were found before.
///
/// # Errors
/// Database faults.
pub(super) async fn before(
    connection: &mut PgConnection,
    addresses: &[String],
) -> Result<Vec<(String, Spot)>> {
    let rows: Vec<(String, f64, f64, f64)> = sqlx::query_as(
        "select address, lat, lon, confidence from looked_up_addresses where address = any($1)",
    )
    .bind(addresses)
    .fetch_all(connection)
    .await?;
    let spot = |(address, lat, lon, confidence)| (address, Spot { lat, lon, sure: confidence >= SURE });
    Ok(rows.into_iter().map(spot).collect())
}

/// Forgets what was looked up three months ago: streets change. What somebody still has to confirm waits for as long as its jobs
/// stand there. Called by the sweep.
///
/// # Errors
/// Database faults.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "delete from looked_up_addresses l
         where l.looked_up < now() - interval '90 days'
             and (l.confidence >= $1 or not exists (
                 select from jobs j
                 where lower(j.address) = l.address and abs(l.lat - j.lat) < 1e-6 and abs(l.lon - j.lon) < 1e-6))",
    )
    .bind(SURE)
    .execute(connection)
    .await?;
    Ok(())
}
