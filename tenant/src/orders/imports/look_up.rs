//! Asking the address search for many addresses. No connection is held meanwhile; what is found is kept at once, so that an
//! import that is refused or broken off does not ask again.

use std::collections::{HashMap, HashSet};

use futures_util::StreamExt as _;
use routewright_core::Result;
use routewright_identity::Caller;
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

/// What the address search said, by address in lower case. What is in neither could not be asked.
#[derive(Default)]
pub(crate) struct Answers {
    /// Latitude and longitude.
    pub(super) found: HashMap<String, (f64, f64)>,
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
        let mut fresh: Vec<(String, f64, f64)> = Vec::new();
        for (address, places) in batch {
            match places {
                Ok(places) => {
                    failures = 0;
                    match places.first() {
                        Some(place) => fresh.push((address, place.point.lat(), place.point.lon())),
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
        answers.found.extend(fresh.into_iter().map(|(address, lat, lon)| (address, (lat, lon))));
        if failures >= FAILURES {
            break;
        }
    }
    Ok(answers)
}

async fn keep(connection: &mut PgConnection, found: &[(String, f64, f64)]) -> Result<()> {
    let short = found.iter().filter(|(address, _, _)| address.chars().count() <= LONGEST);
    let (mut addresses, mut lats, mut lons) = (Vec::new(), Vec::new(), Vec::new());
    for (address, lat, lon) in short {
        addresses.push(address.as_str());
        lats.push(*lat);
        lons.push(*lon);
    }
    sqlx::query(
        "insert into looked_up_addresses (address, lat, lon)
         select distinct on (address) address, lat, lon
         from unnest($1::text[], $2::float8[], $3::float8[]) as given (address, lat, lon) order by address
         on conflict (address) do update set lat = excluded.lat, lon = excluded.lon, looked_up = now()",
    )
    .bind(addresses)
    .bind(lats)
    .bind(lons)
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
) -> Result<Vec<(String, f64, f64)>> {
    Ok(sqlx::query_as("select address, lat, lon from looked_up_addresses where address = any($1)")
        .bind(addresses)
        .fetch_all(connection)
        .await?)
}

/// Forgets what was looked up three months ago: streets change. Called by the sweep.
///
/// # Errors
/// Database faults.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("delete from looked_up_addresses where looked_up < now() - interval '90 days'")
        .execute(connection)
        .await?;
    Ok(())
}
