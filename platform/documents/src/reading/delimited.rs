//! From text to cells.

use super::{DELIMITERS, Raw, Row, Unreadable};

/// The separator, and the text without a line that only names it, as Excel writes and reads: `sep=;`.
pub(super) fn separated(text: &str, asked: Option<char>) -> Result<(char, &str), Unreadable> {
    let line = text.lines().next().unwrap_or_default();
    let named = line.trim().strip_prefix("sep=").and_then(|rest| rest.chars().next());
    let text = if named.is_some() { text[line.len()..].trim_start_matches(['\r', '\n']) } else { text };
    let delimiter =
        asked.or(named.filter(|named| DELIMITERS.contains(named))).unwrap_or_else(|| detect(text));
    if !delimiter.is_ascii() || matches!(delimiter, '"' | '\r' | '\n') {
        return Err(Unreadable::Delimiter);
    }
    Ok((delimiter, text))
}

/// The separator that occurs most in the line of headings, outside of quotation marks.
fn detect(text: &str) -> char {
    let mut quoted = false;
    let mut counts = [0_usize; DELIMITERS.len()];
    for c in text.trim_start_matches(['\r', '\n']).chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' | '\r' if !quoted => break,
            _ if quoted => {}
            c => {
                if let Some(place) = DELIMITERS.iter().position(|mark| *mark == c) {
                    counts[place] += 1;
                }
            }
        }
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    counts.iter().position(|count| *count == most).map_or(',', |place| DELIMITERS[place])
}

pub(super) fn read(text: &str, delimiter: char, most_rows: usize) -> Result<Raw, Unreadable> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(u8::try_from(delimiter).map_err(|_| Unreadable::Delimiter)?)
        .from_reader(text.as_bytes());
    let mut raw = Raw { rows: Vec::new(), faults: Vec::new() };
    let (mut number, mut values) = (0, 0);
    for record in reader.records() {
        let record = record.map_err(|error| Unreadable::Workbook(error.to_string()))?;
        let start = record.position().map_or(0, csv::Position::byte);
        number += 1 + empty_lines(text.as_bytes(), usize::try_from(start).unwrap_or_default());
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            values += 1;
            if values > most_rows + 1 {
                return Err(Unreadable::TooManyRows(most_rows));
            }
        }
        raw.rows.push(Row { number, cells: record.iter().map(str::to_owned).collect() });
    }
    if let Some(row) = open_quote(text, delimiter, &raw.rows) {
        return Err(Unreadable::OpenQuote(row));
    }
    Ok(raw)
}

/// Empty lines that the reader left out before the row that it found from `start` on.
fn empty_lines(text: &[u8], start: usize) -> usize {
    let mut before = start.checked_sub(1).and_then(|last| text.get(last)).copied().unwrap_or_default();
    let mut lines = 0;
    for byte in text.iter().skip(start).take_while(|byte| matches!(byte, b'\r' | b'\n')) {
        // A carriage return and a line feed end one line.
        if !(before == b'\r' && *byte == b'\n') {
            lines += 1;
        }
        before = *byte;
    }
    lines
}

/// The row in which a cell opens a quotation mark that the text never closes: it swallows all rows behind it.
fn open_quote(text: &str, delimiter: char, rows: &[Row]) -> Option<usize> {
    let (mut quoted, mut start) = (false, true);
    let mut marks = text.chars().peekable();
    while let Some(c) = marks.next() {
        if quoted {
            if c == '"' && marks.next_if_eq(&'"').is_none() {
                quoted = false;
            }
            continue;
        }
        quoted = start && c == '"';
        start = c == delimiter || matches!(c, '\n' | '\r');
    }
    if quoted { rows.last().map(|row| row.number) } else { None }
}
