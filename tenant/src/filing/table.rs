//! Reading a file of jobs: CSV with comma, semicolon or tab, or the first sheet of an Excel workbook. Pure.

use std::io::Cursor;

use calamine::{Data, Reader};
use routewright_core::{Error, Result};
use serde_json::{Map, Value};

/// Rows by their headings.
///
/// # Errors
/// 400 naming the file.
pub(super) fn rows(name: &str, bytes: &[u8]) -> Result<Vec<Map<String, Value>>> {
    let unreadable = |reason: String| Error::field("file", format!("The file cannot be read: {reason}"));
    let table = if name.to_lowercase().ends_with(".xlsx") {
        excel(bytes).map_err(unreadable)?
    } else {
        delimited(bytes).map_err(unreadable)?
    };
    let mut lines = table.into_iter();
    let headings = lines.next().unwrap_or_default();
    Ok(lines
        .filter(|cells| cells.iter().any(|cell| !cell.trim().is_empty()))
        .map(|cells| {
            let named = headings.iter().zip(cells).filter(|(heading, _)| !heading.trim().is_empty());
            named.map(|(heading, cell)| (heading.trim().to_owned(), Value::String(cell))).collect()
        })
        .collect())
}

fn delimited(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let count = |delimiter: u8| first.bytes().filter(|byte| *byte == delimiter).count();
    // The first of equals: a file of one column has none of them.
    let delimiter =
        [b',', b';', b'\t'].into_iter().rev().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    reader
        .records()
        .map(|record| record.map(|record| record.iter().map(str::to_owned).collect()))
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

fn excel(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes))
        .map_err(|error: calamine::XlsxError| error.to_string())?;
    let sheet = book.worksheet_range_at(0).ok_or_else(|| "it has no sheet".to_owned())?;
    let sheet = sheet.map_err(|error| error.to_string())?;
    Ok(sheet.rows().map(|row| row.iter().map(cell).collect()).collect())
}

/// A cell as somebody would have typed it.
fn cell(cell: &Data) -> String {
    match cell {
        Data::DateTime(at) => match at.as_datetime() {
            // A time of day is a fraction of no day.
            Some(time) if at.as_f64() < 1.0 => time.format("%H:%M").to_string(),
            Some(time) => time.format("%Y-%m-%d %H:%M").to_string(),
            None => at.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_told_by_their_headings() {
        for (file, delimiter) in
            [("uid,address\nA-1,Rua 1\n\n", ','), ("\u{feff}uid;address\r\nA-1;Rua 1\r\n", ';')]
        {
            let rows = rows("jobs.csv", file.as_bytes()).expect("rows");
            assert_eq!(rows.len(), 1, "{delimiter}");
            assert_eq!((&rows[0]["uid"], &rows[0]["address"]), (&"A-1".into(), &"Rua 1".into()));
        }
        let one = rows("jobs.csv", b"uid\nA-1").expect("rows");
        assert_eq!(one[0]["uid"], "A-1");
        assert!(rows("jobs.xlsx", b"uid\nA-1").is_err() && rows("jobs.csv", b"\xff\xfe").is_err());
    }
}
