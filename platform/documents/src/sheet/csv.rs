//! CSV as RFC 4180: comma, CRLF, quotes where needed.

use std::borrow::Cow;

use ::csv::{Terminator, WriterBuilder};

use super::{Cell, Sheet};
use crate::Result;

/// How a CSV file is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Csv {
    /// Begin with the UTF-8 byte order mark, so that Excel reads accents and Arabic right.
    pub byte_order_mark: bool,
}

impl Csv {
    /// The table as CSV with a heading row.
    pub fn write(self, sheet: &Sheet) -> Result<Vec<u8>> {
        let start = if self.byte_order_mark { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(start);
        writer.write_record(sheet.columns.iter().map(|column| guard(&column.heading).into_owned()))?;
        for row in &sheet.rows {
            let cells =
                (0..sheet.columns.len().max(row.len())).map(|i| row.get(i).map_or(Cow::Borrowed(""), text));
            writer.write_record(cells.map(|cell| cell.into_owned()))?;
        }
        writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()).into())
    }
}

/// A text that no spreadsheet takes for a formula: where it begins with `=`, `+`, `-` or `@`, or with a tab or
/// line break that some programs skip, it gets a leading apostrophe.
pub fn guard(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n') => Cow::Owned(format!("'{text}")),
        _ => Cow::Borrowed(text),
    }
}

fn text(cell: &Cell) -> Cow<'_, str> {
    match cell {
        Cell::Empty => Cow::Borrowed(""),
        Cell::Text(text) => guard(text),
        Cell::Whole(number) => Cow::Owned(number.to_string()),
        Cell::Decimal(number, _) if !number.is_finite() => Cow::Borrowed(""),
        Cell::Decimal(number, _) => Cow::Owned(number.to_string()),
        Cell::Date(date) => Cow::Owned(date.format("%Y-%m-%d").to_string()),
        Cell::Time(time) => Cow::Owned(time.format("%H:%M").to_string()),
        Cell::DateTime(at) => Cow::Owned(at.format("%Y-%m-%d %H:%M:%S").to_string()),
        Cell::YesNo(yes) => Cow::Borrowed(if *yes { "yes" } else { "no" }),
    }
}
