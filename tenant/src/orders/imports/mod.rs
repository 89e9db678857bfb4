//! Import of a file of deliveries (S-12): headers are mapped to fields, every row is checked, and a refusal names every
//! faulty row and field. All or nothing is stored, unless the planner wants the faultless rows and keeps the others for
//! repair. The same file again changes nothing.

mod ahead;
mod cells;
mod file;
mod linking;
mod look_up;
mod mapping;
mod opened;
mod places;
mod read;
mod saved;
mod store;
mod template;
mod write;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Request, State};
use routewright_core::http::body;
use routewright_core::{Access, Error, Result, Routes};
use routewright_tenancy::{Db, LateDb};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::orders::jobs;
use crate::plan;
use file::{File, MissingClient, SkippedRow};
pub(crate) use look_up::{Answers, purge};
use mapping::Mapping;
pub(crate) use opened::{ReadTable, Rows, rows};
use read::RowError;

/// Largest import, bytes.
const LARGEST: usize = 25 * 1024 * 1024;
/// Most rows of an import.
const MOST_ROWS: usize = 10_000;

const DRIVERS: Access = Access::levels(&["drivers_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/jobs/template_upload", jobs::WRITE, upload)
        .post("/jobs/read_file", jobs::WRITE, opened::of_jobs)
        .post("/jobs/look_up_addresses", jobs::WRITE, ahead::look_up)
        .post("/drivers/read_file", DRIVERS, opened::of_drivers)
        .largest_body(LARGEST)
        .merge(Routes::new().get("/jobs/import_template", jobs::WRITE, template::download))
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
    /// Whether the faultless rows are imported although others are faulty; those are told and nothing of them is stored.
    #[serde(default)]
    partial: bool,
    /// What the reading of the file could not tell for sure: such rows are not imported as they are.
    #[serde(default)]
    faults: Vec<ReadFault>,
}

/// What could not be read for sure.
#[derive(Deserialize, JsonSchema)]
struct ReadFault {
    /// Row of the upload, from 1.
    row: usize,
    /// Header of the cell; the whole row without.
    header: Option<String>,
    /// What is wrong.
    message: String,
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

/// What an import did. `rows` is the sum of `created`, `updated`, `unchanged`, `joined`, `skipped` and `refused`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Imported {
    /// The import was done.
    success: bool,
    /// Rows that came in.
    rows: usize,
    /// New jobs.
    created: usize,
    /// Jobs that took a row's values, be it only a unit or return.
    updated: usize,
    /// Jobs that had all of a row's values already.
    unchanged: usize,
    /// Further rows of a job, with another unit or return of it.
    joined: usize,
    /// Rows that were left out.
    skipped: usize,
    /// Rows that are kept for repair. Only a partial import has any.
    refused: usize,
    /// The jobs.
    job_ids: Vec<i64>,
    /// Headers that no field takes.
    ignored_headers: Vec<String>,
    /// Sheets of the file whose rows are not among them.
    ignored_sheets: Vec<String>,
    /// Why rows were left out.
    skipped_rows: Vec<SkippedRow>,
    /// The rows that are kept for repair, from 1 without the header.
    kept_rows: Vec<usize>,
    /// What is wrong with them.
    row_errors: Vec<RowError>,
    /// Clients that they name and that the organisation does not have.
    missing_clients: Vec<MissingClient>,
    /// Imported rows whose address was found, but not for sure: `GET /addresses_to_confirm` has them.
    to_confirm: usize,
}

async fn upload(late: LateDb, State(app): State<App>, request: Request) -> Result<Json<Imported>> {
    let bytes = body::read(request, LARGEST).await?;
    // Not the usual body: a NUL in a cell is the fault of its row, to be told with all the others.
    let upload: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Error::bad_request(format!("Malformed import: {error}")).caused_by(error))?;
    let upload = body::strictly(upload)?;
    take(&mut late.open().await?, &app, upload, None).await.map(Json)
}

/// Asks for the addresses of rows that are imported later, while no connection is held and before anything is written.
///
/// # Errors
/// Database faults.
pub(crate) async fn look_up(db: &mut Db, app: &App, rows: &[Map<String, Value>]) -> Result<Answers> {
    let mut file = File::read(rows, &Mapping::of(rows, &remembered(db, rows).await?));
    file.take_from(&store::clients(db, &file.rows).await?);
    places::look_up(db, app, &file).await
}

/// The mapping that somebody chose for such a file.
async fn remembered(db: &mut Db, rows: &[Map<String, Value>]) -> Result<BTreeMap<String, String>> {
    let headers: Vec<&str> = rows.iter().take(1).flat_map(Map::keys).map(String::as_str).collect();
    Ok(saved::find(db, &headers).await?.unwrap_or_default())
}

/// Imports rows into a scenario, by the mapping that somebody chose for such a file; a uid that it has already takes the row's
/// values.
///
/// # Errors
/// 400 with every faulty row and field.
pub(crate) async fn import(
    db: &mut Db,
    app: &App,
    file: Rows,
    scenario: i64,
    answers: Answers,
) -> Result<Imported> {
    let Rows { rows, ignored_sheets } = file;
    let upload = Upload {
        mapping: remembered(db, &rows).await?,
        rows,
        scenario_id: Some(scenario),
        on_duplicate: OnDuplicate::default(),
        partial: false,
        faults: Vec::new(),
    };
    Ok(Imported { ignored_sheets, ..take(db, app, upload, Some(answers)).await? })
}

async fn take(db: &mut Db, app: &App, upload: Upload, answers: Option<Answers>) -> Result<Imported> {
    if upload.rows.len() > MOST_ROWS {
        return Err(Error::field("rows", format!("An import can have at most {MOST_ROWS} rows")));
    }
    if upload.rows.is_empty() {
        return Err(Error::field("rows", "The file has no rows"));
    }
    let (scenario, on_duplicate) = (upload.scenario_id, upload.on_duplicate);
    if let Some(scenario) = scenario {
        jobs::store::scenario_exists(db, scenario).await?;
    }
    let mapping = Mapping::of(&upload.rows, &upload.mapping);
    let mut file = File::read(&upload.rows, &mapping);
    file.tell(&upload.faults, &mapping);
    file.take_from(&store::clients(db, &file.rows).await?);
    places::locate(db, app, (scenario, on_duplicate), &mut file, answers).await?;
    file.fold_repeated(on_duplicate);
    // From here on nobody else may change the plan, or import into the pool; all that takes time is done.
    match scenario {
        Some(scenario) => {
            plan::lock(db, scenario).await?;
        }
        None => store::lock_pool(db).await?,
    }
    let existing = store::existing(db, scenario, &file.rows).await?;
    file.check_links(&existing, on_duplicate);
    file.complete(&existing, on_duplicate);
    let changes = write::Changes::of(db, &existing, on_duplicate, &mut file).await?;
    let wanted = file.total - file.skipped.len();
    let kept = file.keep_back(&existing, on_duplicate);
    let enough = upload.partial && kept.len() < wanted;
    if !kept.is_empty() && !enough {
        return Err(refusal(&mapping, file, kept.into_iter().collect()));
    }
    saved::keep(db, &upload.mapping).await?;
    let to_confirm = file.rows.iter().filter(|row| file.doubtful.contains(&row.number)).count();
    let mut imported = write::rows(db, app, scenario, &existing, changes, &mut file).await?;
    imported.to_confirm = to_confirm;
    imported.kept_rows = kept.into_iter().collect();
    imported.refused = imported.kept_rows.len();
    imported.row_errors = file.errors;
    imported.missing_clients = file.missing;
    imported.ignored_headers = mapping.ignored();
    Ok(imported)
}

fn refusal(mapping: &Mapping, file: File, kept: Vec<usize>) -> Error {
    Error::bad_request("Your file could not be automatically imported")
        .code("IMPORT_FAILED")
        .with("headers", json!(mapping.headers()))
        .with("row_errors", json!(file.errors))
        .with("missing_clients", json!(file.missing))
        .with("kept_rows", json!(kept))
}
