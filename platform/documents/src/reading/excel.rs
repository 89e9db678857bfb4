//! From a workbook to cells.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx, XlsxError};

use super::{Raw, Row, Unreadable};

/// From here on whole numbers have more digits than a spreadsheet keeps.
const TOO_LONG: f64 = 1e15;

/// Cells of the first sheet.
pub(super) fn read(bytes: &[u8], most_rows: usize) -> Result<Raw, Unreadable> {
    let broken = |error: XlsxError| Unreadable::Workbook(error.to_string());
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(broken)?;
    let sheet = book.worksheet_range_at(0).ok_or(Unreadable::Empty)?.map_err(broken)?;
    let (top, left) = sheet.start().unwrap_or_default();
    let (top, left) = (top as usize, left as usize);
    let mut raw = Raw { rows: Vec::new(), faults: Vec::new() };
    let mut values = 0;
    for (index, cells) in sheet.rows().enumerate() {
        let number = top + index + 1;
        if cells.iter().any(|cell| *cell != Data::Empty) {
            values += 1;
            if values > most_rows + 1 {
                return Err(Unreadable::TooManyRows(most_rows));
            }
        }
        for (column, cell) in cells.iter().enumerate() {
            if let Some(reason) = fault(cell) {
                raw.faults.push((number, left + column, reason));
            }
        }
        let cells = std::iter::repeat_n(String::new(), left).chain(cells.iter().map(text)).collect();
        raw.rows.push(Row { number, cells });
    }
    Ok(raw)
}

fn fault(cell: &Data) -> Option<String> {
    match cell {
        Data::Error(error) => Some(format!("The cell holds an error: {error}")),
        Data::Float(number) if number.abs() >= TOO_LONG && number.fract() == 0.0 => Some(
            "The number has more digits than a spreadsheet keeps: give the column the format Text and type it again"
                .to_owned(),
        ),
        _ => None,
    }
}

/// A cell as somebody would have typed it.
fn text(cell: &Data) -> String {
    match cell {
        Data::DateTime(at) => match at.as_datetime() {
            // A time of day is a fraction of no day.
            Some(time) if at.as_f64() < 1.0 => time.format("%H:%M").to_string(),
            Some(time) if at.as_f64().fract() == 0.0 => time.format("%Y-%m-%d").to_string(),
            Some(time) => time.format("%Y-%m-%d %H:%M").to_string(),
            None => at.to_string(),
        },
        // Spreadsheets show 15 digits; what is behind them is noise of their arithmetic.
        Data::Float(number) if number.fract() != 0.0 => {
            format!("{number:.14e}").parse::<f64>().unwrap_or(*number).to_string()
        }
        Data::Bool(value) => value.to_string(),
        Data::Error(_) => String::new(),
        other => other.to_string(),
    }
}
