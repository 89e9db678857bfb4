//! Where the jobs of a file are: coordinates of rows that only have an address.

use std::collections::{BTreeSet, HashSet};

use futures_util::StreamExt as _;
use routewright_core::Result;
use routewright_tenancy::Db;

use super::OnDuplicate;
use super::file::File;
use super::read::{Row, RowError};
use super::store;
use crate::app::App;

/// Addresses that are looked up at the same time.
const AT_ONCE: usize = 8;

/// Finds coordinates: known places first, then the address search. A job that already has the address of its row keeps its
/// place, which somebody may have put right on the map.
pub(super) async fn locate(
    db: &mut Db,
    app: &App,
    scenario: Option<i64>,
    on_duplicate: OnDuplicate,
    file: &mut File,
) -> Result<()> {
    if file.rows.iter().all(|row| row.address_to_find().is_none()) {
        return Ok(());
    }
    if on_duplicate == OnDuplicate::Update {
        let placed: HashSet<(String, String)> = store::addresses(db, scenario, &file.rows).await?;
        for row in &mut file.rows {
            let (Some(uid), Some(address)) = (&row.fields.uid, row.address_to_find()) else { continue };
            if placed.contains(&(uid.clone(), address.to_lowercase())) {
                row.keep_place();
            }
        }
    }
    let wanted: BTreeSet<String> =
        file.rows.iter().filter_map(Row::address_to_find).map(str::to_owned).collect();
    let mut found = store::known_places(db, &wanted).await?;
    let unknown: Vec<String> =
        wanted.into_iter().filter(|address| !found.contains_key(&address.to_lowercase())).collect();
    let mut searches = futures_util::stream::iter(unknown)
        .map(|address| async move {
            let places = app.geocoder.search(&address, 1, None).await;
            (address, places)
        })
        .buffer_unordered(AT_ONCE);
    while let Some((address, places)) = searches.next().await {
        match places {
            Ok(places) => {
                if let Some(place) = places.first() {
                    found.insert(address.to_lowercase(), (place.point.lat(), place.point.lon()));
                }
            }
            Err(error) => tracing::warn!(%error, "an address could not be looked up"),
        }
    }
    for row in &mut file.rows {
        let Some(address) = row.address_to_find().map(str::to_owned) else { continue };
        match found.get(&address.to_lowercase()) {
            Some((lat, lon)) => row.set_place(*lat, *lon),
            None => file.errors.push(RowError::new(row.number, "address", "No results were found.")),
        }
    }
    Ok(())
}
