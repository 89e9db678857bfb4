//! Where the jobs of a file are: coordinates of rows that only have an address.

use std::collections::{BTreeSet, HashMap, HashSet};

use routewright_core::Result;
use routewright_tenancy::Db;

use super::OnDuplicate;
use super::file::File;
use super::look_up::{Answers, Spot};
use super::read::RowError;
use super::{look_up as search, store};
use crate::app::App;

/// Text where the address search knows no such place.
const NOT_FOUND: &str = "No results were found.";
/// Text where it may know the place but did not answer.
const FAILED: &str = "The address could not be looked up. Please try again.";

/// Finds coordinates: known places first, then the address search, unless it has answered before. A job that already has the
/// address of its row keeps its place, which somebody may have put right on the map.
pub(super) async fn locate(
    db: &mut Db,
    app: &App,
    (scenario, on_duplicate): (Option<i64>, OnDuplicate),
    file: &mut File,
    answers: Option<Answers>,
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
    let wanted = file.addresses_to_find();
    let confirmed = store::confirmed(db, &wanted).await?;
    let (mut found, unknown) = known(db, wanted).await?;
    let answers = match answers {
        Some(answers) => answers,
        None => ask(db, app, unknown).await?,
    };
    found.extend(answers.found);
    for row in &mut file.rows {
        let Some(address) = row.address_to_find().map(str::to_owned) else { continue };
        let name = address.to_lowercase();
        let of_client = row.fields.client_id.and_then(|client| confirmed.get(&(client, name.clone())));
        match of_client.or_else(|| found.get(&name)) {
            Some(spot) => {
                row.set_place(spot.lat, spot.lon);
                if !spot.sure {
                    file.doubtful.insert(row.number);
                }
            }
            None => {
                let reason = if answers.nowhere.contains(&name) { NOT_FOUND } else { FAILED };
                file.errors.push(RowError::new(row.number, "address", reason));
            }
        }
    }
    Ok(())
}

/// Asks the address search for what nobody knows, before anything is written.
pub(super) async fn look_up(db: &mut Db, app: &App, file: &File) -> Result<Answers> {
    let (_, unknown) = known(db, file.addresses_to_find()).await?;
    ask(db, app, unknown).await
}

/// Where addresses are, by address in lower case, and which of them are not known.
pub(super) async fn known(
    db: &mut Db,
    wanted: BTreeSet<String>,
) -> Result<(HashMap<String, Spot>, Vec<String>)> {
    let found = store::known_places(db, &wanted).await?;
    let unknown = wanted.into_iter().filter(|address| !found.contains_key(&address.to_lowercase())).collect();
    Ok((found, unknown))
}

/// Asks the address search for them, unless there are none.
pub(super) async fn ask(db: &mut Db, app: &App, unknown: Vec<String>) -> Result<Answers> {
    if unknown.is_empty() {
        return Ok(Answers::default());
    }
    let caller = db.caller().clone();
    db.outside(search::all(app, &caller, unknown)).await?
}
