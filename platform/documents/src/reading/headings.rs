//! Which row names the columns, and how.

use std::collections::HashSet;

use super::{Options, Row, Unreadable};

/// Rows above the headings that can be titles.
pub(super) const MOST_TITLES: usize = 10;
/// Values of a row that is taken for headings although a title stands above it.
const FEWEST: usize = 3;

/// Place of the headings among rows with values. A lone value above rows of several is a title, unless it is a heading that
/// is meant.
pub(super) fn place(rows: &[Row], options: &Options<'_>) -> Result<usize, Unreadable> {
    if let Some(asked) = options.heading_row {
        return match rows.first() {
            Some(row) if row.number == asked => Ok(0),
            _ => Err(Unreadable::HeadingRow(asked)),
        };
    }
    let first = rows.first().ok_or(Unreadable::Empty)?;
    if first.values() > 1 || options.meant.is_some_and(|meant| meant(&first.cells)) {
        return Ok(0);
    }
    let place = rows.iter().take(MOST_TITLES + 1).position(|row| row.values() >= FEWEST).unwrap_or_default();
    let row_beneath = rows.get(place + 1).is_some_and(|row| row.values() > 1);
    Ok(if row_beneath { place } else { 0 })
}

/// Headings as they name columns, each once; nothing for a column that has neither heading nor value.
pub(super) fn names(cells: &[String], used: &[bool]) -> Vec<Option<String>> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut unique = |heading: String| {
        let mut name = heading.clone();
        let mut count = 1;
        while !seen.insert(name.clone()) {
            count += 1;
            name = format!("{heading} ({count})");
        }
        name
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
pub(super) fn letters(mut column: usize) -> String {
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
