//! Excel workbooks: headings frozen and filterable, real dates and numbers.

use std::collections::HashSet;

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook, Worksheet};

use super::{Cell, Sheet, guard};
use crate::Result;

/// Longest text an Excel cell holds, in UTF-16 code units.
const LONGEST_TEXT: usize = 32_767;
/// End of a text that was cut because Excel cannot hold more.
const CUT: &str = " […]";
/// Longest name of a sheet, in characters.
const LONGEST_NAME: usize = 31;

/// The tables as one Excel workbook, one sheet each, every cell that has a value in its own type.
///
/// A text that looks like a formula is stored as text with Excel's own leading apostrophe (the quote prefix), so
/// that editing the cell does not turn it into one, while the value stays what it was.
pub fn workbook(sheets: &[Sheet]) -> Result<Vec<u8>> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let mut names = SheetNames::default();
    for sheet in sheets {
        let worksheet = workbook.add_worksheet();
        worksheet.set_name(names.next(&sheet.name))?;
        fill(worksheet, sheet, &styles)?;
    }
    Ok(workbook.save_to_buffer()?)
}

fn fill(worksheet: &mut Worksheet, sheet: &Sheet, styles: &Styles) -> Result<()> {
    for (column, position) in sheet.columns.iter().zip(0u16..) {
        worksheet.set_column_width(position, column.width)?;
        worksheet.write_string_with_format(0, position, fitting(&column.heading), &styles.heading)?;
    }
    let mut last_row = 0;
    for (cells, row) in sheet.rows.iter().zip(1u32..) {
        for (cell, column) in cells.iter().zip(0u16..) {
            write(worksheet, row, column, cell, styles)?;
        }
        last_row = row;
    }
    worksheet.set_freeze_panes(1, 0)?;
    if let Some(last_column) = (0u16..).zip(&sheet.columns).map(|(position, _)| position).last() {
        worksheet.autofilter(0, 0, last_row, last_column)?;
    }
    worksheet.set_landscape().set_paper_size(9).set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
    Ok(())
}

fn write(worksheet: &mut Worksheet, row: u32, column: u16, cell: &Cell, styles: &Styles) -> Result<()> {
    match cell {
        Cell::Empty => return Ok(()),
        Cell::Text(text) if matches!(guard(text), std::borrow::Cow::Owned(_)) => {
            worksheet.write_string_with_format(row, column, fitting(text), &styles.quoted)?
        }
        Cell::Text(text) => worksheet.write_string(row, column, fitting(text))?,
        Cell::Whole(number) => worksheet.write_number(row, column, *number as f64)?,
        Cell::Decimal(number, _) if !number.is_finite() => return Ok(()),
        Cell::Decimal(number, places) => {
            let format = &styles.decimals[usize::from(*places).min(styles.decimals.len() - 1)];
            worksheet.write_number_with_format(row, column, *number, format)?
        }
        Cell::Date(date) => worksheet.write_date_with_format(row, column, date, &styles.date)?,
        Cell::Time(time) => worksheet.write_time_with_format(row, column, time, &styles.time)?,
        Cell::DateTime(at) => worksheet.write_datetime_with_format(row, column, at, &styles.date_time)?,
        Cell::YesNo(yes) => worksheet.write_string(row, column, if *yes { "yes" } else { "no" })?,
    };
    Ok(())
}

struct Styles {
    heading: Format,
    quoted: Format,
    /// By number of decimals.
    decimals: Vec<Format>,
    date: Format,
    time: Format,
    date_time: Format,
}

impl Styles {
    fn new() -> Self {
        let number = |places: usize| match places {
            0 => "0".to_owned(),
            _ => format!("0.{}", "0".repeat(places)),
        };
        Self {
            heading: Format::new()
                .set_bold()
                .set_align(FormatAlign::Left)
                .set_background_color(Color::RGB(0x00E8_EDF2))
                .set_border_bottom(FormatBorder::Thin),
            quoted: Format::new().set_quote_prefix(),
            decimals: (0..=6).map(|places| Format::new().set_num_format(number(places))).collect(),
            date: Format::new().set_num_format("yyyy-mm-dd").set_align(FormatAlign::Left),
            time: Format::new().set_num_format("hh:mm").set_align(FormatAlign::Left),
            date_time: Format::new().set_num_format("yyyy-mm-dd hh:mm").set_align(FormatAlign::Left),
        }
    }
}

/// A text as long as Excel can hold it; a longer one ends in a mark that it was cut.
pub(crate) fn fitting(text: &str) -> std::borrow::Cow<'_, str> {
    if text.encode_utf16().count() <= LONGEST_TEXT {
        return text.into();
    }
    let mut room = LONGEST_TEXT - CUT.len();
    let kept = text.chars().take_while(|c| {
        let fits = room >= c.len_utf16();
        room = room.saturating_sub(c.len_utf16());
        fits
    });
    (kept.collect::<String>() + CUT).into()
}

/// Sheet names as Excel takes them: at most 31 characters, none of `[]:*?/\`, no apostrophe at the ends, unique
/// without regard to case.
#[derive(Default)]
pub(crate) struct SheetNames {
    taken: HashSet<String>,
}

impl SheetNames {
    pub(crate) fn next(&mut self, wanted: &str) -> String {
        let clean: String =
            wanted.chars().map(|c| if c.is_control() || "[]:*?/\\".contains(c) { '-' } else { c }).collect();
        let clean = clean.trim().trim_matches('\'');
        // Excel reserves the name History.
        let clean = if clean.is_empty() || clean.eq_ignore_ascii_case("history") { "Sheet" } else { clean };
        let cut = |room: usize| {
            let mut units = 0;
            clean
                .chars()
                .take_while(|c| {
                    units += c.len_utf16();
                    units <= room
                })
                .collect::<String>()
        };
        let mut name = cut(LONGEST_NAME).trim_end_matches('\'').to_owned();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            let suffix = format!(" ({number})");
            name = cut(LONGEST_NAME - suffix.len()) + &suffix;
            number += 1;
        }
        name
    }
}
