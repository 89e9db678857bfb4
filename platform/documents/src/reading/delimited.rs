//! From text to cells. The csv crate does not tell how a cell was quoted, and a quotation mark too many or too few moves
//! values into other rows.

use super::gathered::Gathered;
use super::{DELIMITERS, Fault, LAST_COLUMN, LAST_ROW, Table, Unreadable};

/// Lines that tell the separator.
const SAMPLE: usize = 20;

/// The separator, and the text without a line that only names it, as Excel writes and reads: `sep=;`.
pub(super) fn separated(text: &str, asked: Option<char>) -> Result<(char, &str), Unreadable> {
    let line = text.lines().next().unwrap_or_default();
    let named = line.trim().strip_prefix("sep=").and_then(|rest| rest.chars().next());
    let text = if named.is_some() { text[line.len()..].trim_start_matches(['\r', '\n']) } else { text };
    let delimiter =
        asked.or(named.filter(|named| DELIMITERS.contains(named))).unwrap_or_else(|| detect(text));
    if !delimiter.is_ascii() || matches!(delimiter, '"' | '\r' | '\n' | '\0') {
        return Err(Unreadable::Delimiter);
    }
    Ok((delimiter, text))
}

/// The separator that occurs equally often in most lines, outside of quotation marks.
fn detect(text: &str) -> char {
    let mut quoted = false;
    let mut lines = vec![[0_usize; DELIMITERS.len()]];
    let mut filled = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' | '\r' if !quoted => {
                if std::mem::take(&mut filled) {
                    if lines.len() == SAMPLE {
                        break;
                    }
                    lines.push([0; DELIMITERS.len()]);
                }
                continue;
            }
            c => {
                let place = DELIMITERS.iter().position(|mark| *mark == c && !quoted);
                if let (Some(place), Some(line)) = (place, lines.last_mut()) {
                    line[place] += 1;
                }
            }
        }
        filled = true;
    }
    let agreeing = |place: usize| {
        let counts = || lines.iter().map(|line| line[place]).filter(|count| *count > 0);
        counts()
            .map(|count| (counts().filter(|other| *other == count).count(), count))
            .max()
            .unwrap_or_default()
    };
    let best = (0..DELIMITERS.len()).rev().max_by_key(|place| agreeing(*place)).unwrap_or_default();
    DELIMITERS[best]
}

/// What stands behind a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Delimiter,
    Line,
    Text,
}

/// A cell.
struct Cell {
    text: String,
    end: End,
    /// Something stands behind the mark that closes it.
    stray: bool,
}

struct Cells<'t> {
    rest: &'t str,
    delimiter: char,
}

impl<'t> Cells<'t> {
    /// The next cell.
    ///
    /// # Errors
    /// When a quotation mark swallows rows.
    fn next(&mut self, row: usize) -> Result<Cell, Unreadable> {
        let Some(quoted) = self.rest.strip_prefix('"') else {
            let (text, end) = self.plain();
            return Ok(Cell { text: text.to_owned(), end, stray: false });
        };
        let start = self.rest;
        let mut text = String::new();
        let mut rest = quoted;
        loop {
            let close = rest.find('"').ok_or(Unreadable::OpenQuote(row))?;
            text.push_str(&rest[..close]);
            rest = &rest[close + 1..];
            match rest.strip_prefix('"') {
                Some(behind) => {
                    text.push('"');
                    rest = behind;
                }
                None => break,
            }
        }
        self.rest = rest;
        let (behind, end) = self.plain();
        if behind.trim().is_empty() {
            return Ok(Cell { text, end, stray: false });
        }
        if text.contains(['\r', '\n']) {
            return Err(Unreadable::OpenQuote(row));
        }
        // As it stands in the file, marks and all.
        let length = start.len() - rest.len() + behind.len();
        Ok(Cell { text: start[..length].to_owned(), end, stray: true })
    }

    /// Everything up to the next separator.
    fn plain(&mut self) -> (&'t str, End) {
        let Some(length) = self.rest.find([self.delimiter, '\r', '\n']) else {
            return (std::mem::take(&mut self.rest), End::Text);
        };
        let (text, behind) = self.rest.split_at(length);
        self.rest = behind;
        for (mark, end) in [("\r\n", End::Line), ("\n", End::Line), ("\r", End::Line)] {
            if let Some(behind) = self.rest.strip_prefix(mark) {
                self.rest = behind;
                return (text, end);
            }
        }
        self.rest = self.rest.strip_prefix(self.delimiter).unwrap_or_default();
        (text, End::Delimiter)
    }
}

pub(super) fn read(text: &str, delimiter: char, gathered: &mut Gathered<'_>) -> Result<(), Unreadable> {
    let mut cells = Cells { rest: text, delimiter };
    let (mut row, mut column) = (1, 0);
    loop {
        let cell = cells.next(row)?;
        if cell.stray {
            gathered.fault(row, Some(column), "The cell goes on behind its closing quotation mark");
        }
        gathered.cell(row, column, cell.text)?;
        if row > LAST_ROW || column > LAST_COLUMN {
            return Err(Unreadable::TooMuch);
        }
        if cell.end == End::Delimiter {
            column += 1;
            continue;
        }
        if !gathered.row(row)? || cell.end == End::Text {
            return Ok(());
        }
        (row, column) = (row + 1, 0);
    }
}

/// Tells cells over several lines one of which looks like a row: there may be a quotation mark too few, and the next one in
/// a later row closed the cell.
pub(super) fn swallowed(table: &mut Table, delimiter: char) {
    let marks = table.headings.len() - 1;
    if marks < 2 {
        return;
    }
    let looks = |line: &str| line.matches(delimiter).count() >= marks;
    for row in &table.rows {
        for (heading, cell) in table.headings.iter().zip(&row.cells) {
            if cell.contains(['\r', '\n']) && cell.split(['\r', '\n']).any(looks) {
                let reason = "The cell runs over lines that look like rows of their own: a quotation mark may be missing";
                let heading = Some(heading.clone());
                table.faults.push(Fault { row: row.number, heading, reason: reason.to_owned() });
            }
        }
    }
    table.faults.sort_by_key(|fault| fault.row);
}
