//! Reading a table that somebody made with another program: CSV in any encoding and with any separator, or the first sheet
//! of an Excel workbook. One set of rules for every file that comes in. What cannot be read for sure is told by row and
//! column, never guessed in silence.

mod delimited;
mod encoding;
mod excel;

use std::collections::HashMap;

/// Separators that CSV files are written with, the likeliest first.
pub const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// How a file is read where it does not say it itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// Label of the encoding, such as `windows-1252`; detected without.
    pub encoding: Option<&'a str>,
    /// Separator of the cells; detected without.
    pub delimiter: Option<char>,
    /// Most rows, without the headings. Reading stops at the next one.
    pub most_rows: usize,
}

/// A file as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The encoding of a CSV file; nothing for a workbook.
    pub encoding: Option<&'static str>,
    /// The separator of a CSV file; nothing for a workbook.
    pub delimiter: Option<char>,
    /// Headings from left to right, each once: repeated ones are numbered, cells without a heading are named by column.
    pub headings: Vec<String>,
    /// Rows with at least one value, each with as many cells as there are headings.
    pub rows: Vec<Row>,
    /// What could not be read for sure.
    pub faults: Vec<Fault>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number as a spreadsheet counts: the headings are row 1 unless lines stand above them.
    pub number: usize,
    /// Its cells.
    pub cells: Vec<String>,
}

/// What could not be read for sure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Row as a spreadsheet counts.
    pub row: usize,
    /// Heading of the cell; nothing when the whole row is at fault.
    pub heading: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// Why a file cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing beneath the headings, or nothing at all.
    #[error("The file has no rows")]
    Empty,
    /// More rows than allowed.
    #[error("The file has more than {0} rows")]
    TooManyRows(usize),
    /// No such encoding.
    #[error("There is no encoding {0}")]
    Encoding(String),
    /// No separator between cells.
    #[error("Cells cannot be separated by that character")]
    Delimiter,
    /// A workbook of Excel 97 to 2003, or another format than those that are read.
    #[error("Only CSV and XLSX files can be read: save the file as one of them")]
    Format,
    /// A quotation mark opens a cell and never closes it.
    #[error("Row {0}: a quotation mark is opened and never closed")]
    OpenQuote(usize),
    /// A damaged workbook, or one without a sheet.
    #[error("The workbook cannot be read: {0}")]
    Workbook(String),
}

/// Rows of cells as they stand in the file.
struct Raw {
    rows: Vec<Row>,
    faults: Vec<(usize, usize, String)>,
}

/// Reads a file. Its content says what it is, not its name.
///
/// # Errors
/// When there is no table in it.
pub fn read(bytes: &[u8], options: Options<'_>) -> Result<Table, Unreadable> {
    if bytes.starts_with(b"PK\x03\x04") {
        return table(excel::read(bytes, options.most_rows)?, None, None, options.most_rows);
    }
    if [&b"\xd0\xcf\x11\xe0"[..], b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf"]
        .iter()
        .any(|mark| bytes.starts_with(mark))
    {
        return Err(Unreadable::Format);
    }
    let (text, encoding) = encoding::decode(bytes, options.encoding)?;
    let (delimiter, text) = delimited::separated(&text, options.delimiter)?;
    table(
        delimited::read(text, delimiter, options.most_rows)?,
        Some(encoding),
        Some(delimiter),
        options.most_rows,
    )
}

fn table(
    raw: Raw,
    encoding: Option<&'static str>,
    delimiter: Option<char>,
    most_rows: usize,
) -> Result<Table, Unreadable> {
    let mut lines = raw.rows.into_iter().filter(|row| row.cells.iter().any(|cell| !cell.trim().is_empty()));
    let first = lines.next().ok_or(Unreadable::Empty)?;
    let rows: Vec<Row> = lines.collect();
    if rows.is_empty() {
        return Err(Unreadable::Empty);
    }
    if rows.len() > most_rows {
        return Err(Unreadable::TooManyRows(most_rows));
    }
    let width = first.cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
    let used: Vec<bool> = (0..width)
        .map(|column| {
            rows.iter().any(|row| row.cells.get(column).is_some_and(|cell| !cell.trim().is_empty()))
        })
        .collect();
    let columns = headings(&first.cells[..width], &used);
    let mut table = Table {
        encoding,
        delimiter,
        headings: columns.iter().flatten().cloned().collect(),
        rows: Vec::with_capacity(rows.len()),
        faults: Vec::new(),
    };
    for (row, column, reason) in raw.faults {
        if row > first.number {
            table.faults.push(Fault { row, heading: columns.get(column).cloned().flatten(), reason });
        }
    }
    for row in rows {
        if row.cells.iter().skip(width).any(|cell| !cell.trim().is_empty()) {
            let reason = format!("The row has {} cells, but there are {width} columns", row.cells.len());
            table.faults.push(Fault { row: row.number, heading: None, reason });
        }
        let mut cells = row.cells.into_iter();
        let cells: Vec<String> = columns
            .iter()
            .filter_map(|heading| {
                let cell = cells.next().unwrap_or_default();
                heading.as_ref().map(|heading| {
                    if encoding.is_some() && cell.chars().any(unreadable) {
                        let reason = "The cell has unreadable characters".to_owned();
                        table.faults.push(Fault { row: row.number, heading: Some(heading.clone()), reason });
                    }
                    cell
                })
            })
            .collect();
        table.rows.push(Row { number: row.number, cells });
    }
    table.faults.sort_by_key(|fault| fault.row);
    Ok(table)
}

/// What no text holds that was read in its own encoding.
fn unreadable(c: char) -> bool {
    c == '\u{fffd}' || (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
}

/// Headings as they name columns; nothing for a column that has neither heading nor value.
fn headings(cells: &[String], used: &[bool]) -> Vec<Option<String>> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut unique = |heading: String| {
        let count = seen.entry(heading.clone()).or_default();
        *count += 1;
        if *count == 1 { heading } else { format!("{heading} ({count})") }
    };
    cells
        .iter()
        .enumerate()
        .map(|(column, cell)| {
            let heading = cell.split_whitespace().collect::<Vec<_>>().join(" ");
            match used.get(column) {
                _ if !heading.is_empty() => Some(unique(heading)),
                Some(true) => Some(unique(format!("Column {}", letters(column)))),
                _ => None,
            }
        })
        .collect()
}

/// A column as spreadsheets name it: A, B, … Z, AA.
fn letters(mut column: usize) -> String {
    let mut name = String::new();
    loop {
        let letter = u8::try_from(column % 26).unwrap_or_default();
        name.insert(0, char::from(b'A' + letter));
        if column < 26 {
            return name;
        }
        column = column / 26 - 1;
    }
}
