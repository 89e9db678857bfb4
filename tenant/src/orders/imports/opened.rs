//! Files as the service reads them, for the dialogs that show, map and repair their rows before an import. All files are read
//! here, by one set of rules, whether a browser sends them or they come by their name.

use axum::Json;
use axum::extract::Request;
use routewright_core::http::{Query, body};
use routewright_core::{Error, Result};
use routewright_documents::reading::{self, Options, Table, Unreadable};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::mapping::{Target, suggest};
use super::{LARGEST, MOST_ROWS, saved};

/// How a file is read where it does not say it itself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct How {
    /// Label of the encoding, such as `windows-1252`; detected without.
    encoding: Option<String>,
    /// One character between cells; detected without.
    delimiter: Option<String>,
}

/// A file as it was read. Nothing of it is stored.
#[derive(Serialize, JsonSchema)]
pub(super) struct OpenedFile {
    /// Encoding of a CSV file; null for a workbook.
    encoding: Option<&'static str>,
    /// Separator of a CSV file; null for a workbook.
    delimiter: Option<char>,
    /// Columns from left to right.
    columns: Vec<OpenedColumn>,
    /// Whether what columns go to was chosen before, for a file with the same headers.
    remembered: bool,
    /// Rows with at least one value.
    rows: Vec<OpenedRow>,
    /// What could not be read for sure.
    faults: Vec<OpenedFault>,
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
    mut db: Db,
    Query(how): Query<How>,
    request: Request,
) -> Result<Json<OpenedFile>> {
    let table = read(&body::read(request, LARGEST).await?, &how)?;
    let headers: Vec<&str> = table.headings.iter().map(String::as_str).collect();
    let remembered = saved::find(&mut db, &headers).await?;
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
    Ok(Json(OpenedFile { remembered: remembered.is_some(), ..OpenedFile::of(table, columns) }))
}

/// `POST /drivers/read_file`: a file of drivers; its columns have the names of their fields.
pub(super) async fn of_drivers(Query(how): Query<How>, request: Request) -> Result<Json<OpenedFile>> {
    let table = read(&body::read(request, LARGEST).await?, &how)?;
    let columns = table
        .headings
        .iter()
        .map(|header| OpenedColumn { header: header.clone(), target: None, known: false })
        .collect();
    Ok(Json(OpenedFile::of(table, columns)))
}

/// Rows by their headers, for a file that nobody looks at before its import. What is not sure refuses it.
///
/// # Errors
/// 400 naming the file, and row and column of its first fault.
pub(crate) fn rows(bytes: &[u8]) -> Result<Vec<Map<String, Value>>> {
    let table = read(bytes, &How { encoding: None, delimiter: None })?;
    if let Some(fault) = table.faults.first() {
        let column = fault.heading.as_ref().map(|heading| format!(", {heading}")).unwrap_or_default();
        return Err(Error::field("file", format!("Row {}{column}: {}", fault.row, fault.reason)));
    }
    let headings = &table.headings;
    let row = |row: reading::Row| {
        let named = headings.iter().cloned().zip(row.cells);
        named.map(|(heading, cell)| (heading, Value::String(cell))).collect()
    };
    Ok(table.rows.into_iter().map(row).collect())
}

fn read(bytes: &[u8], how: &How) -> Result<Table> {
    let mut delimiter = how.delimiter.as_deref().unwrap_or_default().chars();
    let options = Options {
        encoding: how.encoding.as_deref(),
        delimiter: delimiter.next(),
        most_rows: MOST_ROWS,
        ..Options::default()
    };
    if delimiter.next().is_some() {
        return Err(Error::field("delimiter", Unreadable::Delimiter.to_string()));
    }
    reading::read(bytes, options).map_err(|error| match error {
        Unreadable::Encoding(_) => Error::field("encoding", error.to_string()),
        Unreadable::Delimiter => Error::field("delimiter", error.to_string()),
        Unreadable::TooManyRows(_) => {
            Error::field("file", format!("An import can have at most {MOST_ROWS} rows"))
        }
        _ => Error::field("file", error.to_string()),
    })
}

impl OpenedFile {
    fn of(table: Table, columns: Vec<OpenedColumn>) -> Self {
        Self {
            encoding: table.encoding,
            delimiter: table.delimiter,
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
