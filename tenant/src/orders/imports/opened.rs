//! Files as the service reads them, for the dialogs that show, map and repair their rows before an import. All files are read
//! here, by one set of rules, whether a browser sends them or they come by their name.

use axum::extract::{Request, State};
use bytes::Bytes;
use routewright_core::http::respond::Written;
use routewright_core::http::{Query, body};
use routewright_core::{Error, Result};
use routewright_documents::reading::{self, Options, Table, Unreadable};
use routewright_governor::{Kind, Piece};
use routewright_identity::Caller;
use routewright_tenancy::LateDb;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::mapping::{Target, suggest};
use super::{LARGEST, MOST_ROWS, saved};
use crate::app::App;

/// Memory for reading a CSV file, bytes: so much, and so many for each of its own.
const MEMORY: (u64, u64) = (32 << 20, 6);

/// Memory for writing down what was read, bytes.
const WRITTEN: u64 = 32 << 20;

/// How a file is read where it does not say it itself.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct How {
    /// Label of the encoding, such as `windows-1252`; detected without.
    encoding: Option<String>,
    /// One character between cells; detected without.
    delimiter: Option<String>,
    /// Name of the sheet; without, the first visible one with the headings of jobs, or else with rows.
    sheet: Option<String>,
    /// Row of the headings as a spreadsheet counts; without, the first row that is no title.
    heading_row: Option<usize>,
}

/// A file as it was read. Nothing of it is stored.
#[derive(Serialize, JsonSchema)]
pub(super) struct OpenedFile {
    /// Encoding of a CSV file; null for a workbook.
    encoding: Option<String>,
    /// Separator of a CSV file; null for a workbook.
    delimiter: Option<char>,
    /// The sheet that was read; null for a CSV file.
    sheet: Option<String>,
    /// The visible sheets of a workbook.
    sheets: Vec<OpenedSheet>,
    /// Row of the headings as a spreadsheet counts.
    heading_row: usize,
    /// Columns from left to right.
    columns: Vec<OpenedColumn>,
    /// Whether what columns go to was chosen before, for a file with the same headers.
    remembered: bool,
    /// Rows with at least one value.
    rows: Vec<OpenedRow>,
    /// What could not be read for sure.
    faults: Vec<OpenedFault>,
}

/// A sheet of a workbook.
#[derive(Serialize, JsonSchema)]
struct OpenedSheet {
    /// Its name.
    name: String,
    /// How many rows it has beneath its headings; 10,001 when there are more than 10,000, and null when it cannot be read.
    rows: Option<usize>,
}

/// A column.
#[derive(Serialize, JsonSchema)]
struct OpenedColumn {
    /// Its header; each occurs once.
    header: String,
    /// Where its cells go, as chosen before or as the header says; null when no field is meant.
    target: Option<String>,
    /// Whether the header itself names a field.
    known: bool,
}

/// A row.
#[derive(Serialize, JsonSchema)]
struct OpenedRow {
    /// Its number as a spreadsheet counts; the headers are row 1 unless lines stand above them.
    row: usize,
    /// A cell for each column.
    cells: Vec<String>,
}

/// What could not be read for sure.
#[derive(Serialize, JsonSchema)]
struct OpenedFault {
    /// Row as a spreadsheet counts.
    row: usize,
    /// Column of the cell; null when the whole row is at fault.
    header: Option<String>,
    /// What is wrong.
    message: String,
}

/// `POST /jobs/read_file`: a file of deliveries, with what its columns go to.
pub(super) async fn of_jobs(
    caller: Caller,
    late: LateDb,
    State(app): State<App>,
    Query(how): Query<How>,
    request: Request,
) -> Result<Written<OpenedFile>> {
    let table = read(&app, &caller, body::read(request, LARGEST).await?, how).await?;
    let headers: Vec<&str> = table.headings.iter().map(String::as_str).collect();
    let mut db = late.open().await?;
    let remembered = saved::find(&mut db, &headers).await?;
    db.let_go().await?;
    let target = |header: &str| match remembered.as_ref().and_then(|mapping| mapping.get(header)) {
        Some(chosen) => Target::parse(chosen).map(|target| target.name()),
        None => suggest(header).map(|target| target.name()),
    };
    let columns = headers
        .iter()
        .map(|header| OpenedColumn {
            header: (*header).to_owned(),
            target: target(header),
            known: suggest(header).is_some(),
        })
        .collect();
    written(&app, &caller, table, columns, remembered.is_some()).await
}

/// `POST /drivers/read_file`: a file of drivers; its columns have the names of their fields.
pub(super) async fn of_drivers(
    caller: Caller,
    State(app): State<App>,
    Query(how): Query<How>,
    request: Request,
) -> Result<Written<OpenedFile>> {
    let table = read(&app, &caller, body::read(request, LARGEST).await?, how).await?;
    let columns = table
        .headings
        .iter()
        .map(|header| OpenedColumn { header: header.clone(), target: None, known: false })
        .collect();
    written(&app, &caller, table, columns, false).await
}

/// Writes the answer as it was read, apart: it may be as large as the file.
async fn written(
    app: &App,
    caller: &Caller,
    table: Table,
    columns: Vec<OpenedColumn>,
    remembered: bool,
) -> Result<Written<OpenedFile>> {
    let (share, needs) = (caller.share()?, Kind::Read.needing(WRITTEN));
    let write = move |_: &_| Written::of(&OpenedFile { remembered, ..OpenedFile::of(table, columns) });
    app.governor.run(share, needs, write).await
}

/// The rows of a file that nobody looks at before its import.
pub(crate) struct Rows {
    /// Each by its headers.
    pub rows: Vec<Map<String, Value>>,
    /// Sheets with rows that are not among them.
    pub ignored_sheets: Vec<String>,
}

/// Reads a file that nobody looks at before its import. What is not sure refuses it.
///
/// # Errors
/// 400 naming the file, and row and column of its first fault.
pub(crate) async fn rows(app: &App, caller: &Caller, bytes: Bytes) -> Result<Rows> {
    let table = read(app, caller, bytes, How::default()).await?;
    if let Some(fault) = table.faults.first() {
        let column = fault.heading.as_ref().map(|heading| format!(", {heading}")).unwrap_or_default();
        return Err(Error::field("file", format!("Row {}{column}: {}", fault.row, fault.reason)));
    }
    let meant: Vec<&str> =
        table.sheets.iter().filter(|sheet| sheet.meant).map(|sheet| sheet.name.as_str()).collect();
    if meant.len() > 1 {
        let names = meant.join(", ");
        let text = format!("The file has jobs in several sheets ({names}): leave them in one");
        return Err(Error::field("file", text));
    }
    let others = table.sheets.into_iter().filter(|sheet| !sheet.read && sheet.rows != Some(0));
    let ignored_sheets = others.map(|sheet| sheet.name).collect();
    let headings = &table.headings;
    let row = |row: reading::Row| {
        let named = headings.iter().cloned().zip(row.cells);
        named.map(|(heading, cell)| (heading, Value::String(cell))).collect()
    };
    Ok(Rows { rows: table.rows.into_iter().map(row).collect(), ignored_sheets })
}

/// Whether headings are those of a sheet of jobs.
fn of_a_job(headings: &[String]) -> bool {
    headings.iter().any(|heading| suggest(heading).is_some_and(|target| target.name() == "uid"))
}

async fn read(app: &App, caller: &Caller, bytes: Bytes, how: How) -> Result<Table> {
    if how.delimiter.as_deref().unwrap_or_default().chars().nth(1).is_some() {
        return Err(Error::field("delimiter", Unreadable::Delimiter.to_string()));
    }
    let needs = needs(&bytes);
    let (read, _) = app.governor.apart(caller.share()?, needs, ReadTable(how), bytes).await?;
    read.map_err(refusal)
}

/// Memory that reading a file takes, bytes: a workbook may unpack to anything within its bounds.
fn needs(bytes: &[u8]) -> u64 {
    if bytes.starts_with(b"PK") {
        return Kind::Read.memory();
    }
    let (base, each) = MEMORY;
    (base + each * bytes.len() as u64).min(Kind::Read.memory())
}

/// Reads a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReadTable(How);

impl Piece for ReadTable {
    const NAME: &'static str = "read_table";
    const KIND: Kind = Kind::Read;
    type Answer = std::result::Result<Table, Unreadable>;

    fn work(self, bytes: Vec<u8>) -> (Self::Answer, Vec<u8>) {
        let Self(how) = self;
        let options = Options {
            encoding: how.encoding.as_deref(),
            delimiter: how.delimiter.as_deref().and_then(|delimiter| delimiter.chars().next()),
            sheet: how.sheet.as_deref(),
            heading_row: how.heading_row,
            meant: Some(of_a_job),
            most_rows: MOST_ROWS,
        };
        (reading::read(&bytes, options), Vec::new())
    }
}

fn refusal(error: Unreadable) -> Error {
    let field = match error {
        Unreadable::Encoding(_) => "encoding",
        Unreadable::Delimiter => "delimiter",
        Unreadable::Sheet(_) => "sheet",
        Unreadable::HeadingRow(_) => "heading_row",
        Unreadable::TooManyRows(_) => {
            return Error::field("file", format!("An import can have at most {MOST_ROWS} rows"));
        }
        _ => "file",
    };
    Error::field(field, error.to_string())
}

impl OpenedFile {
    fn of(table: Table, columns: Vec<OpenedColumn>) -> Self {
        let read = table.sheets.iter().find(|sheet| sheet.read);
        Self {
            encoding: table.encoding,
            delimiter: table.delimiter,
            sheet: read.map(|sheet| sheet.name.clone()),
            heading_row: table.heading_row,
            sheets: table
                .sheets
                .into_iter()
                .map(|sheet| OpenedSheet { name: sheet.name, rows: sheet.rows })
                .collect(),
            columns,
            remembered: false,
            rows: table.rows.into_iter().map(|row| OpenedRow { row: row.number, cells: row.cells }).collect(),
            faults: table
                .faults
                .into_iter()
                .map(|fault| OpenedFault { row: fault.row, header: fault.heading, message: fault.reason })
                .collect(),
        }
    }
}
