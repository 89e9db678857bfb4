//! Rows as they are read from a file, within the bounds of a table.

use super::headings::{self, MOST_TITLES};
use super::{Fault, LONGEST_TEXT, MOST_CELLS, MOST_COLUMNS, MOST_FAULTS, Options, Row, Table, Unreadable};

/// What was read so far.
pub(super) struct Gathered<'a> {
    options: &'a Options<'a>,
    /// Rows with values, from the headings or a title on.
    rows: Vec<Row>,
    /// By row and column.
    faults: Vec<(usize, Option<usize>, String)>,
    /// Cells of the row that is being read.
    cells: Vec<String>,
    stored: usize,
    text: usize,
    faults_of_row: usize,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(options: &'a Options<'a>) -> Self {
        Self {
            options,
            rows: Vec::new(),
            faults: Vec::new(),
            cells: Vec::new(),
            stored: 0,
            text: 0,
            faults_of_row: 0,
        }
    }

    /// Takes a cell of the row that is being read.
    pub(super) fn cell(&mut self, row: usize, column: usize, text: String) -> Result<(), Unreadable> {
        if text.is_empty() {
            return Ok(());
        }
        if column >= MOST_COLUMNS {
            if text.trim().is_empty() {
                return Ok(());
            }
            return Err(Unreadable::TooManyColumns(row, headings::letters(column)));
        }
        self.text += text.len();
        if self.text > LONGEST_TEXT {
            return Err(Unreadable::TooMuch);
        }
        self.cells.resize(column, String::new());
        self.cells.push(text);
        Ok(())
    }

    /// Tells what is wrong with a row, or one of its cells.
    pub(super) fn fault(&mut self, row: usize, column: Option<usize>, reason: &str) {
        if self.faults.last().is_none_or(|(last, ..)| *last != row) {
            self.faults_of_row = 0;
        }
        self.faults_of_row += 1;
        if self.faults_of_row <= MOST_FAULTS {
            self.faults.push((row, column, reason.to_owned()));
        }
    }

    /// Ends the row that is being read. Answers whether further ones are wanted.
    pub(super) fn row(&mut self, number: usize) -> Result<bool, Unreadable> {
        let row = Row { number, cells: std::mem::take(&mut self.cells) };
        if row.is_blank() || self.options.heading_row.is_some_and(|headings| number < headings) {
            self.text -= row.cells.iter().map(String::len).sum::<usize>();
            return Ok(true);
        }
        self.stored += row.cells.len();
        if self.stored > MOST_CELLS {
            return Err(Unreadable::TooMuch);
        }
        self.rows.push(row);
        // Titles may stand above the headings.
        Ok(self.rows.len() < self.options.most_rows + 2 + MOST_TITLES)
    }

    /// How many rows there are beneath the headings, one more than allowed when there are more; and whether the headings
    /// are those of a sheet that is meant.
    pub(super) fn outline(&self) -> (usize, bool) {
        let Ok(place) = headings::place(&self.rows, self.options) else { return (0, false) };
        let rows = (self.rows.len() - place - 1).min(self.options.most_rows + 1);
        let headings = headings::names(&self.rows[place].cells, &[]);
        let headings: Vec<String> = headings.into_iter().flatten().collect();
        (rows, rows > 0 && self.options.meant.is_some_and(|meant| meant(&headings)))
    }

    /// The rows beneath their headings.
    pub(super) fn table(self) -> Result<Table, Unreadable> {
        let place = headings::place(&self.rows, self.options)?;
        let mut rows = self.rows.into_iter().skip(place);
        let first = rows.next().ok_or(Unreadable::Empty)?;
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            return Err(Unreadable::Empty);
        }
        if rows.len() > self.options.most_rows {
            return Err(Unreadable::TooManyRows(self.options.most_rows));
        }
        let width = first.cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
        if width * rows.len() > MOST_CELLS {
            return Err(Unreadable::TooMuch);
        }
        let mut used = vec![false; width];
        for row in &rows {
            for (used, cell) in used.iter_mut().zip(&row.cells) {
                *used |= !cell.trim().is_empty();
            }
        }
        let columns = headings::names(&first.cells[..width], &used);
        let mut table = Table {
            encoding: None,
            delimiter: None,
            sheets: Vec::new(),
            heading_row: first.number,
            headings: columns.iter().flatten().cloned().collect(),
            rows: Vec::with_capacity(rows.len()),
            faults: Vec::new(),
        };
        for (row, column, reason) in self.faults {
            // A line that is left out has nothing that could go wrong.
            if rows.binary_search_by_key(&row, |row| row.number).is_ok() {
                let heading = column.and_then(|column| columns.get(column).cloned().flatten());
                table.faults.push(Fault { row, heading, reason });
            }
        }
        for row in rows {
            table.take(row, &columns);
        }
        table.faults.sort_by_key(|fault| fault.row);
        Ok(table)
    }
}

impl Table {
    /// Takes a row: as many cells as there are columns, and what is wrong with them.
    fn take(&mut self, row: Row, columns: &[Option<String>]) {
        let number = row.number;
        if row.cells.iter().skip(columns.len()).any(|cell| !cell.trim().is_empty()) {
            let reason =
                format!("The row has {} cells, but there are {} columns", row.cells.len(), columns.len());
            self.faults.push(Fault { row: number, heading: None, reason });
        }
        let mut given = row.cells.into_iter();
        let mut cells = Vec::with_capacity(self.headings.len());
        let mut told = 0;
        for heading in columns {
            let cell = given.next().unwrap_or_default();
            let Some(heading) = heading else { continue };
            if cell.chars().any(unreadable) && told < MOST_FAULTS {
                told += 1;
                let reason = "The cell has unreadable characters".to_owned();
                self.faults.push(Fault { row: number, heading: Some(heading.clone()), reason });
            }
            cells.push(cell);
        }
        self.rows.push(Row { number, cells });
    }
}

/// What no text holds that was read in its own encoding.
fn unreadable(c: char) -> bool {
    c == '\u{fffd}' || (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
}
