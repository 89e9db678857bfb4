//! A table for another program: CSV or Excel.

mod csv;
mod excel;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

pub use self::csv::{Csv, guard};
pub use self::excel::workbook;
pub(crate) use self::excel::{SheetNames, fitting};

/// One table.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// Name of the sheet; cut to 31 characters, made unique and freed of characters Excel forbids.
    pub name: String,
    /// Headings from left to right.
    pub columns: Vec<Column>,
    /// Rows from top to bottom; a row shorter than the columns ends in empty cells.
    pub rows: Vec<Vec<Cell>>,
}

/// One column of a [`Sheet`].
#[derive(Debug, Clone)]
pub struct Column {
    /// Heading.
    pub heading: String,
    /// Width in Excel, in characters.
    pub width: f64,
}

impl Column {
    /// A column with its width in characters.
    pub fn new(heading: impl Into<String>, width: f64) -> Self {
        Self { heading: heading.into(), width }
    }
}

/// One value. Numbers and times stay numbers and times in Excel; in CSV they are written as ISO 8601 and with a
/// decimal point.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Text, guarded against being read as a formula.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number shown with this many decimals; written in full in CSV.
    Decimal(f64, u8),
    /// A day.
    Date(NaiveDate),
    /// A time of day, shown as HH:mm.
    Time(NaiveTime),
    /// Day and time in the organisation's timezone, shown as YYYY-MM-DD HH:mm.
    DateTime(NaiveDateTime),
    /// yes or no.
    YesNo(bool),
}

impl Cell {
    /// Text, or an empty cell when there is none.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }

    /// A number that is what it shows: rounded to this many decimals, also where it is written in full.
    pub fn rounded(value: f64, places: u8) -> Self {
        let scale = 10_f64.powi(i32::from(places));
        let rounded = (value * scale).round() / scale;
        // Numbers so large that they have no decimals left.
        Self::Decimal(if rounded.is_finite() { rounded } else { value }, places)
    }

    /// The value made into a cell, or an empty cell.
    pub fn some<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Empty, cell)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<&Option<String>> for Cell {
    fn from(text: &Option<String>) -> Self {
        text.as_deref().map_or(Self::Empty, Self::text)
    }
}
