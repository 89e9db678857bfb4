//! Import of a file of deliveries whose rows the browser has read (S-12): headers are mapped to fields, every row is
//! checked, all or nothing is stored, and a refusal names every faulty row and field.

mod mapping;
mod read;
mod store;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use axum::extract::{Request, State};
use axum::{Extension, Json};
use routewright_core::http::body::{self, BodyLimit};
use routewright_core::{Error, Result, Routes, check};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::jobs;
use crate::jobs::links::{self, LinkFault, Linked};
use mapping::{Header, Mapping};
use read::{Row, RowError};

/// Largest import, bytes.
const LARGEST: usize = 25 * 1024 * 1024;
/// Most rows of an import.
const MOST_ROWS: usize = 10_000;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/jobs/template_upload", jobs::WRITE, upload).layer(Extension(BodyLimit(LARGEST)))
}

/// The rows of a file and what to do with them.
#[derive(Deserialize, JsonSchema)]
struct Upload {
    /// Rows, each a map from header to cell.
    rows: Vec<Map<String, Value>>,
    /// Scenario that the jobs go to; the pool without.
    scenario_id: Option<i64>,
    /// Targets of headers where the planner chose them.
    #[serde(default)]
    mapping: BTreeMap<String, String>,
    /// What happens with a uid that the scenario has already.
    #[serde(default)]
    on_duplicate: OnDuplicate,
}

/// What happens with a uid that the scenario has already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OnDuplicate {
    /// The job takes the row's values.
    #[default]
    Update,
    /// A further job with the same uid.
    Create,
    /// The row is left out.
    Skip,
}

/// What an import did.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Imported {
    /// All rows were taken.
    success: bool,
    /// New jobs.
    created: usize,
    /// Jobs that took a row's values.
    updated: usize,
    /// Rows that were left out.
    skipped: usize,
    /// The jobs.
    job_ids: Vec<i64>,
    /// Headers that no field takes.
    ignored_headers: Vec<String>,
}

async fn upload(mut db: Db, State(app): State<App>, request: Request) -> Result<Json<Imported>> {
    let bytes = body::read(request, LARGEST).await?;
    // Not the usual body: a NUL in a cell is the fault of its row, to be told with all the others.
    let upload: Upload = serde_json::from_slice(&bytes)
        .map_err(|error| Error::bad_request(format!("Malformed import: {error}")).caused_by(error))?;
    take(&mut db, &app, upload).await.map(Json)
}

/// Imports rows into a scenario; a uid that it has already takes the row's values.
///
/// # Errors
/// 400 with every faulty row and field.
pub(crate) async fn import(
    db: &mut Db,
    app: &App,
    rows: Vec<Map<String, Value>>,
    scenario: i64,
) -> Result<Imported> {
    let upload = Upload {
        rows,
        scenario_id: Some(scenario),
        mapping: BTreeMap::new(),
        on_duplicate: OnDuplicate::default(),
    };
    take(db, app, upload).await
}

async fn take(db: &mut Db, app: &App, upload: Upload) -> Result<Imported> {
    if upload.rows.len() > MOST_ROWS {
        return Err(Error::field("rows", format!("An import can have at most {MOST_ROWS} rows")));
    }
    if upload.rows.is_empty() {
        return Err(Error::field("rows", "The file has no rows"));
    }
    if let Some(scenario) = upload.scenario_id {
        jobs::store::scenario_exists(db, scenario).await?;
    }
    let mapping = Mapping::of(&upload.rows, &upload.mapping);
    let mut file = File { rows: Vec::with_capacity(upload.rows.len()), errors: Vec::new(), skipped: 0 };
    for (index, cells) in upload.rows.iter().enumerate() {
        match read::row(index + 1, cells, &mapping, &mut file.errors) {
            Some(row) => file.rows.push(row),
            None => file.skipped += 1,
        }
    }
    let clients = store::clients(db, &file.rows).await?;
    let missing = missing_clients(&file.rows, &clients);
    for row in &mut file.rows {
        if let Some(client) = row.client_uid.as_ref().and_then(|uid| clients.get(uid)) {
            row.take_from(client);
        }
    }
    locate(db, app, &mut file).await?;
    let units = file.fold_repeated(upload.on_duplicate);
    let existing = store::existing(db, upload.scenario_id, &file.rows).await?;
    file.check_links(&existing, upload.on_duplicate);
    file.complete(&existing, upload.on_duplicate);
    if !file.errors.is_empty() || !missing.is_empty() {
        return Err(refusal(mapping.headers(), &mut file.errors, missing));
    }
    let mut imported =
        store::write(db, app, upload.scenario_id, upload.on_duplicate, &file.rows, units, &existing).await?;
    imported.skipped += file.skipped;
    imported.ignored_headers = mapping.ignored();
    Ok(imported)
}

/// The file as far as it was read.
struct File {
    rows: Vec<Row>,
    errors: Vec<RowError>,
    skipped: usize,
}

/// A further unit or return of a job that an earlier row made.
struct Attached {
    row: usize,
    unit: Option<BTreeMap<String, String>>,
    returned: Option<BTreeMap<String, String>>,
}

impl File {
    /// A repeated uid with unit or return columns adds those to the first row's job; any other repeated uid is a fault,
    /// unless duplicates shall be created. Answers the attachments by index of the row that keeps them.
    fn fold_repeated(&mut self, on_duplicate: OnDuplicate) -> HashMap<usize, Vec<Attached>> {
        let mut first: HashMap<String, usize> = HashMap::new();
        let mut attached: HashMap<usize, Vec<Attached>> = HashMap::new();
        let mut kept: Vec<Row> = Vec::with_capacity(self.rows.len());
        for mut row in std::mem::take(&mut self.rows) {
            let uid = row.fields.uid.clone().unwrap_or_default();
            let mine = Attached { row: row.number, unit: row.unit.take(), returned: row.returned.take() };
            let has = mine.unit.is_some() || mine.returned.is_some();
            match first.get(&uid) {
                Some(index) if !uid.is_empty() && has => attached.entry(*index).or_default().push(mine),
                Some(_) if !uid.is_empty() && on_duplicate != OnDuplicate::Create => {
                    // Without a number: who sends the rows counts the header or not.
                    let text = format!("Job UID {uid} already exists in an earlier row");
                    self.errors.push(RowError::new(row.number, "uid", text));
                    kept.push(row);
                }
                _ => {
                    first.insert(uid, kept.len());
                    if has {
                        attached.entry(kept.len()).or_default().push(mine);
                    }
                    kept.push(row);
                }
            }
        }
        self.rows = kept;
        attached
    }

    /// Links must name jobs of the file or the scenario and must not form cycles; every one that does is told. What a row
    /// does not say of a job that is there already stays as it is.
    fn check_links(&mut self, existing: &[store::Existing], on_duplicate: OnDuplicate) {
        let mut jobs: Vec<Linked> = existing
            .iter()
            .map(|job| Linked {
                id: job.id,
                uid: job.uid.clone(),
                pickup_from: links::uids(job.pickup_from.as_deref()),
                deliver_to: links::uids(job.deliver_to.as_deref()),
            })
            .collect();
        // Rows stand in with negative ids: they are younger than what exists, and known again afterwards.
        let mut changed = BTreeSet::new();
        for row in &self.rows {
            let Some(uid) = &row.fields.uid else { continue };
            let id = -i64::try_from(row.number).unwrap_or_default();
            let known = existing.iter().find(|job| on_duplicate == OnDuplicate::Update && job.uid == *uid);
            let stays = |given: &Option<String>, stored: Option<&Option<String>>| {
                links::uids(given.as_deref().or_else(|| stored?.as_deref()))
            };
            let pickup_from = stays(&row.fields.pickup_from, known.map(|job| &job.pickup_from));
            let deliver_to = stays(&row.fields.deliver_to, known.map(|job| &job.deliver_to));
            jobs.retain(|job| job.id < 0 || job.uid != *uid);
            changed.insert(id);
            jobs.push(Linked { id, uid: uid.clone(), pickup_from, deliver_to });
        }
        loop {
            let mut attempt = jobs.clone();
            match links::synchronise(&mut attempt, &changed) {
                Ok(_) => return,
                Err(fault) => {
                    let text = fault.text();
                    self.blame(&mut jobs, &fault, &text);
                }
            }
        }
    }

    /// Notes a link fault at its rows and takes the faulty links out, so that the next fault is found.
    fn blame(&mut self, jobs: &mut [Linked], fault: &LinkFault, text: &str) {
        match fault {
            LinkFault::Unknown { job, field, uid } => {
                let number = usize::try_from(-job).unwrap_or_default();
                self.errors.push(RowError::new(number, field, text));
                for linked in jobs.iter_mut().filter(|linked| linked.id == *job) {
                    linked.pickup_from.remove(uid);
                    linked.deliver_to.remove(uid);
                }
            }
            LinkFault::Cycle(chain) => {
                for linked in jobs.iter_mut().filter(|linked| chain.contains(&linked.uid)) {
                    if let Ok(number @ 1..) = usize::try_from(-linked.id) {
                        let field = if linked.pickup_from.is_empty() { "deliver_to" } else { "pickup_from" };
                        self.errors.push(RowError::new(number, field, text));
                    }
                    linked.pickup_from.clear();
                    linked.deliver_to.clear();
                }
            }
        }
    }

    /// What every job needs, wherever it came from. A job that is there already has its place.
    fn complete(&mut self, existing: &[store::Existing], on_duplicate: OnDuplicate) {
        let mut missing = Vec::new();
        for row in &self.rows {
            let told = |fields: &[&str]| {
                let of_row = self.errors.iter().filter(|error| error.row == row.number);
                of_row.into_iter().any(|error| fields.contains(&error.field.as_str()))
            };
            if row.fields.uid.is_none() && !told(&["uid"]) {
                missing.push(RowError::new(row.number, "uid", "UID is required"));
            }
            let known = on_duplicate != OnDuplicate::Create
                && existing.iter().any(|job| row.fields.uid.as_ref() == Some(&job.uid));
            if row.fields.location.is_none() && !known && !told(&["address", "lat", "lon"]) {
                missing.push(RowError::new(row.number, "address", check::REQUIRED));
            }
        }
        self.errors.append(&mut missing);
        self.errors.sort_by(|a, b| (a.row, &a.field).cmp(&(b.row, &b.field)));
        self.errors.dedup();
    }
}

/// Finds coordinates of rows that only have an address: known places first, then the address search.
async fn locate(db: &mut Db, app: &App, file: &mut File) -> Result<()> {
    let wanted: BTreeSet<String> =
        file.rows.iter().filter_map(Row::address_to_find).map(str::to_owned).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut found = store::known_places(db, &wanted).await?;
    for address in wanted
        .iter()
        .filter(|address| !found.contains_key(&address.to_lowercase()))
        .cloned()
        .collect::<Vec<_>>()
    {
        match app.geocoder.search(&address, 1, None).await {
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

/// A client that rows name and the organisation does not have.
#[derive(Debug, Serialize, PartialEq)]
struct MissingClient {
    uid: String,
    rows: Vec<usize>,
    suggested: Map<String, Value>,
}

fn missing_clients(rows: &[Row], known: &HashMap<String, store::Client>) -> Vec<MissingClient> {
    let mut missing: BTreeMap<String, MissingClient> = BTreeMap::new();
    for row in rows {
        let Some(uid) = row.client_uid.as_ref().filter(|uid| !known.contains_key(*uid)) else { continue };
        let client = missing.entry(uid.clone()).or_insert_with(|| MissingClient {
            uid: uid.clone(),
            rows: Vec::new(),
            suggested: row.suggested_client(),
        });
        client.rows.push(row.number);
    }
    missing.into_values().collect()
}

fn refusal(headers: Vec<Header>, errors: &mut Vec<RowError>, missing: Vec<MissingClient>) -> Error {
    let errors = std::mem::take(errors);
    Error::bad_request("Your file could not be automatically imported")
        .code("IMPORT_FAILED")
        .with("headers", json!(headers))
        .with("row_errors", json!(errors))
        .with("missing_clients", json!(missing))
}
