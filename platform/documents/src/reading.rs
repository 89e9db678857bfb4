//! Reading a table that somebody made with another program: CSV in any encoding and with any separator, or a sheet of an
//! Excel workbook. One set of rules for every file that comes in. What cannot be read for sure is told by row and column,
//! never guessed in silence; and whatever a file holds, what reading it takes is bounded.

mod delimited;
mod encoding;
mod gathered;
mod headings;
mod workbook;

use gathered::Gathered;
use serde::{Deserialize, Serialize};

/// Separators that CSV files are written with, the likeliest first.
pub const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];
/// Most columns with values.
pub const MOST_COLUMNS: usize = 500;
/// Most cells of a table, empty ones among them.
pub const MOST_CELLS: usize = 1_000_000;
/// The last row and column of a spreadsheet; nothing is looked for behind them, be it blank.
const LAST_ROW: usize = 1_048_576;
const LAST_COLUMN: usize = 16_384;
/// Longest text of all cells together, bytes: the cells of a workbook can share one text.
const LONGEST_TEXT: usize = 64 * 1024 * 1024;
/// Most faults that are told of one row.
const MOST_FAULTS: usize = 5;

/// How a file is read where it does not say it itself.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Label of the encoding, such as `windows-1252`; detected without.
    pub encoding: Option<&'a str>,
    /// Separator of the cells; detected without.
    pub delimiter: Option<char>,
    /// Name of the sheet; without, the first visible one that is [meant](Self::meant), or else has rows.
    pub sheet: Option<&'a str>,
    /// Row of the headings as a spreadsheet counts; without, the first row with values that is no title.
    pub heading_row: Option<usize>,
    /// Whether headings are those of a sheet that somebody means who names none.
    pub meant: Option<fn(&[String]) -> bool>,
    /// Most rows, without the headings. Reading stops at the next one.
    pub most_rows: usize,
}

/// A file as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The encoding of a CSV file; nothing for a workbook.
    pub encoding: Option<String>,
    /// The separator of a CSV file; nothing for a workbook.
    pub delimiter: Option<char>,
    /// The visible sheets of a workbook, the one that was read among them; none for a CSV file.
    pub sheets: Vec<Sheet>,
    /// Row of the headings as a spreadsheet counts.
    pub heading_row: usize,
    /// Headings from left to right, each once: repeated ones are numbered, cells without a heading are named by column.
    pub headings: Vec<String>,
    /// Rows with at least one value, each with as many cells as there are headings.
    pub rows: Vec<Row>,
    /// What could not be read for sure.
    pub faults: Vec<Fault>,
}

/// A sheet of a workbook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// How many rows it has beneath its headings; one more than [`Options::most_rows`] when there are more than that, and
    /// nothing when it cannot be read.
    pub rows: Option<usize>,
    /// Whether its headings are those of a sheet that is [meant](Options::meant).
    pub meant: bool,
    /// Whether it is the one whose rows these are.
    pub read: bool,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its number as a spreadsheet counts.
    pub number: usize,
    /// Its cells.
    pub cells: Vec<String>,
}

impl Row {
    fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }

    fn values(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.trim().is_empty()).count()
    }
}

/// What could not be read for sure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Row as a spreadsheet counts.
    pub row: usize,
    /// Heading of the cell; nothing when the whole row is at fault.
    pub heading: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// Why a file cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unreadable {
    /// Nothing beneath the headings, or nothing at all.
    #[error("The file has no rows")]
    Empty,
    /// More rows than allowed.
    #[error("The file has more than {0} rows")]
    TooManyRows(usize),
    /// A value further to the right than columns are read.
    #[error("Row {0} has a value in column {1}, but a file can have at most {MOST_COLUMNS} columns")]
    TooManyColumns(usize, String),
    /// More cells than allowed, or more text in them.
    #[error("The file holds more than is read at once: split it")]
    TooMuch,
    /// A workbook that unpacks to much more than its size.
    #[error("The workbook unpacks to more than is read: save its rows as a CSV file")]
    Unpacked,
    /// No such encoding.
    #[error("There is no encoding {0}")]
    Encoding(String),
    /// No separator between cells.
    #[error("Cells cannot be separated by that character")]
    Delimiter,
    /// No such sheet.
    #[error("The file has no sheet {0}")]
    Sheet(String),
    /// No headings where they were said to be.
    #[error("Row {0} has no headings")]
    HeadingRow(usize),
    /// A workbook of Excel 97 to 2003, or another format than those that are read.
    #[error("Only CSV and XLSX files can be read: save the file as one of them")]
    Format,
    /// A quotation mark opens a cell and is never closed, or closed in the midst of a later row.
    #[error("Row {0}: a quotation mark is opened and never closed")]
    OpenQuote(usize),
    /// A damaged workbook, or one without a sheet.
    #[error("The workbook cannot be read: {0}")]
    Workbook(String),
}

/// Reads a file. Its content says what it is, not its name.
///
/// # Errors
/// When there is no table in it.
pub fn read(bytes: &[u8], options: Options<'_>) -> Result<Table, Unreadable> {
    if bytes.starts_with(b"PK\x03\x04") {
        return workbook::read(bytes, options);
    }
    if [&b"\xd0\xcf\x11\xe0"[..], b"PK", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf", b"\x1f\x8b"]
        .iter()
        .any(|mark| bytes.starts_with(mark))
    {
        return Err(Unreadable::Format);
    }
    let (text, encoding) = encoding::decode(bytes, options.encoding)?;
    let (delimiter, text) = delimited::separated(&text, options.delimiter)?;
    let mut gathered = Gathered::new(&options);
    delimited::read(text, delimiter, &mut gathered)?;
    let mut table = gathered.table()?;
    delimited::swallowed(&mut table, delimiter);
    Ok(Table { encoding: Some(encoding.to_owned()), delimiter: Some(delimiter), ..table })
}
