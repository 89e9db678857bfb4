//! The cells of a sheet, one after the other.

use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta};

use super::super::gathered::Gathered;
use super::super::{LAST_COLUMN, LAST_ROW, Unreadable};
use super::broken;
use super::package::Package;
use super::styles::Format;
use super::texts::{Run, Texts, unescaped};
use super::xml::{Element, Node, local};

/// From here on whole numbers have more digits than a spreadsheet keeps.
const TOO_LONG: f64 = 1e15;
/// Days up to the end of the year 9999.
const LAST_DAY: f64 = 2_958_466.0;
const SECONDS: f64 = 86_400.0;

const ROUNDED: &str =
    "The number has more digits than a spreadsheet keeps: give the column the format Text and type it again";
const NO_RESULT: &str = "The cell has a formula without a result: open the file in a spreadsheet and save it";
const NO_DATE: &str = "The cell is formatted as a date, but its number is none";

/// What all sheets of a workbook share.
#[derive(Default)]
pub(super) struct Book {
    pub texts: Texts,
    pub formats: Vec<Format>,
    /// Days are counted from 1904 instead of 1900.
    pub from_1904: bool,
}

/// A cell as far as it was read.
#[derive(Default)]
struct Cell {
    kind: String,
    format: Format,
    value: String,
    has_value: bool,
    has_formula: bool,
}

/// Where reading is.
#[derive(Default)]
struct Place {
    /// From 1.
    row: usize,
    /// Of the next cell, from 0.
    column: usize,
}

impl Book {
    /// Reads the cells of a sheet.
    pub(super) fn read(
        &self,
        package: &mut Package<'_>,
        part: &str,
        gathered: &mut Gathered<'_>,
    ) -> Result<(), Unreadable> {
        let mut xml = package.part(part)?.ok_or_else(|| broken("a sheet of it is missing"))?;
        let (mut place, mut cell, mut run) = (Place::default(), Cell::default(), Run::default());
        let mut inside = false;
        while let Some(node) = xml.next()? {
            match node {
                Node::Open(element) => match element.name() {
                    "row" => place.row(&element)?,
                    "c" => {
                        place.cell(&element)?;
                        cell = self.cell(&element)?;
                    }
                    // An inline text repeats itself there.
                    "v" => (inside, cell.has_value) = (cell.kind != "inlineStr", true),
                    "f" => cell.has_formula = true,
                    name => run.open(name, element.get("space")?.as_deref()),
                },
                Node::Text(text) if inside => cell.value.push_str(&text),
                Node::Text(text) => run.text(&text),
                Node::Close(element) => match local(element.name().into_inner()) {
                    "v" => inside = false,
                    "c" => {
                        self.take(std::mem::take(&mut cell), &place, gathered)?;
                        place.column += 1;
                    }
                    "row" if !gathered.row(place.row)? => return Ok(()),
                    "sheetData" => return Ok(()),
                    name => {
                        if let Some(text) = run.close(name) {
                            cell.value.push_str(&text);
                            cell.has_value = true;
                        }
                    }
                },
                Node::Other => {}
            }
        }
        Err(broken("a sheet ends too early"))
    }

    fn cell(&self, element: &Element<'_>) -> Result<Cell, Unreadable> {
        let style = element.get("s")?.and_then(|style| style.parse::<usize>().ok());
        Ok(Cell {
            kind: element.get("t")?.unwrap_or_default(),
            format: style.and_then(|style| self.formats.get(style)).copied().unwrap_or_default(),
            ..Cell::default()
        })
    }

    /// Takes a cell as somebody would have typed it.
    fn take(&self, cell: Cell, place: &Place, gathered: &mut Gathered<'_>) -> Result<(), Unreadable> {
        let (row, column) = (place.row, place.column);
        if cell.has_formula && !cell.has_value {
            gathered.fault(row, Some(column), NO_RESULT);
            return Ok(());
        }
        let text = match cell.kind.as_str() {
            _ if cell.value.is_empty() => return Ok(()),
            "s" => {
                let text = cell.value.trim().parse().ok().and_then(|place| self.texts.get(place));
                text.ok_or_else(|| broken("a text of it is missing"))?.to_owned()
            }
            "inlineStr" => cell.value,
            "str" => unescaped(&cell.value),
            "b" => (matches!(cell.value.trim(), "1" | "true")).to_string(),
            "e" => {
                gathered.fault(
                    row,
                    Some(column),
                    &format!("The cell holds an error: {}", short(&cell.value)),
                );
                return Ok(());
            }
            "d" => match cell.value.parse::<NaiveDateTime>() {
                Ok(time) => shown(time, Format::DateTime),
                Err(_) => cell.value,
            },
            _ => match cell.value.trim().parse::<f64>().ok().filter(|number| number.is_finite()) {
                Some(number) => self.number(number, cell.format, (row, column), gathered),
                None => cell.value,
            },
        };
        gathered.cell(row, column, text)
    }

    fn number(
        &self,
        number: f64,
        format: Format,
        (row, column): (usize, usize),
        gathered: &mut Gathered<'_>,
    ) -> String {
        match format {
            Format::Number | Format::Digits(_) => {}
            Format::Elapsed if (0.0..LAST_DAY).contains(&number) => {
                let minutes = (number * SECONDS / 60.0).round();
                return format!("{:02}:{:02}", (minutes / 60.0).floor(), minutes % 60.0);
            }
            format => match self.moment(number) {
                Some(time) => return shown(time, if number < 1.0 { Format::Time } else { format }),
                None => gathered.fault(row, Some(column), NO_DATE),
            },
        }
        if number.abs() >= TOO_LONG {
            gathered.fault(row, Some(column), ROUNDED);
        }
        match format {
            Format::Digits(digits) if number >= 0.0 && number.fract() == 0.0 => format!("{number:0digits$}"),
            // Spreadsheets show 15 digits; what is behind them is noise of their arithmetic.
            _ if number.fract() != 0.0 => {
                format!("{number:.14e}").parse::<f64>().unwrap_or(number).to_string()
            }
            _ => number.to_string(),
        }
    }

    /// The time that a number of days stands for.
    fn moment(&self, days: f64) -> Option<NaiveDateTime> {
        if !(0.0..LAST_DAY).contains(&days) {
            return None;
        }
        let first = match self.from_1904 {
            true => NaiveDate::from_ymd_opt(1904, 1, 1)?,
            // A day that never was, the 29th of February 1900, is counted.
            false if days < 60.0 => NaiveDate::from_ymd_opt(1899, 12, 31)?,
            false => NaiveDate::from_ymd_opt(1899, 12, 30)?,
        };
        let seconds = (days.fract() * SECONDS).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the bounds are checked above"
        )]
        let (days, seconds) = (days as u64, seconds as i64);
        first
            .checked_add_days(Days::new(days))?
            .and_hms_opt(0, 0, 0)?
            .checked_add_signed(TimeDelta::seconds(seconds))
    }
}

/// A time as its format shows it; seconds only where there are any.
fn shown(time: NaiveDateTime, format: Format) -> String {
    let seconds = if time.format("%S").to_string() == "00" { "%H:%M" } else { "%H:%M:%S" };
    match format {
        Format::Date => time.format("%Y-%m-%d").to_string(),
        Format::Time => time.format(seconds).to_string(),
        _ => time.format(&format!("%Y-%m-%d {seconds}")).to_string(),
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Place {
    /// A row begins. Rows and cells without a number follow those before them.
    fn row(&mut self, element: &Element<'_>) -> Result<(), Unreadable> {
        let number = match element.get("r")? {
            Some(number) => number.trim().parse().map_err(|_| broken("a row has no number"))?,
            None => self.row + 1,
        };
        if number <= self.row || number > LAST_ROW {
            return Err(broken(format!("row {} is followed by row {number}", self.row)));
        }
        (self.row, self.column) = (number, 0);
        Ok(())
    }

    fn cell(&mut self, element: &Element<'_>) -> Result<(), Unreadable> {
        let Some(name) = element.get("r")? else { return Ok(()) };
        let wrong = || broken(format!("no cell has the name {}", short(&name)));
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic);
        let column = letters
            .take(4)
            .fold(0, |column, letter| column * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
        let row = name.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<usize>();
        if column == 0 || column > LAST_COLUMN || row != Ok(self.row) || column <= self.column {
            return Err(wrong());
        }
        self.column = column - 1;
        Ok(())
    }
}
