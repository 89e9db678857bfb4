//! The run sheet as an Excel file that prints on A4: one sheet per run.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook, Worksheet};

use super::{RunSheet, Stop};
use crate::{
    DocumentError, Letterhead, Result,
    letterhead::day,
    sheet::{SheetNames, fitting},
};

/// Heading and width in characters; together they fill an A4 page in landscape.
const COLUMNS: [(&str, f64); 11] = [
    ("#", 4.0),
    ("Job", 12.0),
    ("ETA", 8.0),
    ("Window", 12.0),
    ("Customer", 24.0),
    ("Address", 32.0),
    ("Phone", 16.0),
    ("Size", 15.0),
    ("Units", 16.0),
    ("Comments", 24.0),
    ("Signature", 20.0),
];
/// Row of the headings.
const HEADINGS: u32 = 4;
/// Height of one line and the lowest height of a stop, in points.
const LINE: f64 = 13.0;
const LEAST: f64 = 34.0;

/// The printable manifest as xlsx. Runs without stops are left out; when none is left there is nothing to print.
pub fn manifest(letterhead: &Letterhead, runs: &[RunSheet]) -> Result<Vec<u8>> {
    let runs: Vec<_> = runs.iter().filter(|run| !run.stops.is_empty()).collect();
    if runs.is_empty() {
        return Err(DocumentError::Nothing("no run has stops"));
    }
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let mut names = SheetNames::default();
    for run in runs {
        let worksheet = workbook.add_worksheet();
        worksheet.set_name(names.next(&run.run))?;
        head(worksheet, letterhead, run, &styles)?;
        for (stop, row) in run.stops.iter().zip(HEADINGS + 1..) {
            line(worksheet, row, run, stop, &styles)?;
        }
        page(worksheet, letterhead, run)?;
    }
    Ok(workbook.save_to_buffer()?)
}

fn head(worksheet: &mut Worksheet, letterhead: &Letterhead, run: &RunSheet, styles: &Styles) -> Result<()> {
    let shift = run.shift();
    let title = format!("Run sheet {}", run.run);
    worksheet.write_string_with_format(0, 0, fitting(&title), &styles.title)?;
    let facts = format!(
        "{}   ·   Date {}   ·   Driver {}   ·   Vehicle {}   ·   Shift {}   ·   {} stops",
        letterhead.organisation,
        day(run.date),
        run.driver,
        run.vehicle_or_dash(),
        if shift.is_empty() { "–" } else { &shift },
        run.stops.len(),
    );
    worksheet.write_string(1, 0, fitting(&facts))?;
    if let Some(start) = &run.start_address {
        let end = run.end_address.as_deref().unwrap_or("–");
        worksheet.write_string(2, 0, fitting(&format!("Start {start}   ·   End {end}")))?;
    }
    if let Some(link) = run.link.as_deref().filter(|link| !link.is_empty()) {
        worksheet.write_string_with_format(3, 0, fitting(link), &styles.link)?;
    }
    for ((heading, width), column) in COLUMNS.into_iter().zip(0u16..) {
        worksheet.set_column_width(column, width)?;
        worksheet.write_string_with_format(HEADINGS, column, heading, &styles.heading)?;
    }
    Ok(())
}

fn line(worksheet: &mut Worksheet, row: u32, run: &RunSheet, stop: &Stop, styles: &Styles) -> Result<()> {
    let dock =
        stop.dock_location.as_deref().filter(|dock| !dock.is_empty()).map(|dock| format!("Dock: {dock}"));
    let priority = stop.priority.then(|| "PRIORITY".to_owned());
    let comments = stop.comments.clone().filter(|comments| !comments.is_empty());
    let notes = [priority, comments, dock].into_iter().flatten().collect::<Vec<_>>().join("\n");
    let texts = [
        stop.job.clone(),
        stop.eta_on(run.date),
        stop.window(),
        stop.customer.clone(),
        stop.address.clone(),
        stop.phone.clone().unwrap_or_default(),
        stop.size.clone().unwrap_or_default(),
        stop.units.join(", "),
        notes,
        String::new(),
    ];
    worksheet.write_number_with_format(row, 0, f64::from(stop.seq), &styles.number)?;
    let mut lines = 1;
    for ((text, (_, width)), column) in texts.iter().zip(COLUMNS.into_iter().skip(1)).zip(1u16..) {
        worksheet.write_string_with_format(row, column, fitting(text), &styles.cell)?;
        let wrapped = |line: &str| (line.chars().count() as f64 / width).ceil().max(1.0) as u32;
        lines = lines.max(text.lines().map(wrapped).sum());
    }
    // Excel's rows end at 409 points.
    worksheet.set_row_height(row, (f64::from(lines) * LINE + 4.0).clamp(LEAST, 409.0))?;
    Ok(())
}

fn page(worksheet: &mut Worksheet, letterhead: &Letterhead, run: &RunSheet) -> Result<()> {
    let last_row = HEADINGS + u32::try_from(run.stops.len()).unwrap_or(u32::MAX - HEADINGS);
    // An ampersand begins a code in Excel's footers and is doubled to stand for itself.
    let organisation = letterhead.organisation.replace('&', "&&");
    let organisation: String = organisation.chars().take(80).collect();
    worksheet
        .set_landscape()
        .set_paper_size(9)
        .set_print_fit_to_pages(1, 0)
        .set_margins(0.4, 0.4, 0.5, 0.6, 0.2, 0.3)
        .set_repeat_rows(HEADINGS, HEADINGS)?
        .set_print_area(0, 0, last_row, COLUMNS.len() as u16 - 1)?
        .set_freeze_panes(HEADINGS + 1, 0)?
        .set_footer(format!("&L{}&RPage &P of &N", organisation.trim_end_matches('&')));
    Ok(())
}

struct Styles {
    title: Format,
    link: Format,
    heading: Format,
    cell: Format,
    number: Format,
}

impl Styles {
    fn new() -> Self {
        let bordered = || {
            Format::new()
                .set_border(FormatBorder::Thin)
                .set_border_color(Color::RGB(0x00CF_D7DF))
                .set_text_wrap()
        };
        Self {
            title: Format::new().set_bold().set_font_size(16),
            link: Format::new().set_font_color(Color::RGB(0x0012_5A9C)),
            heading: bordered().set_bold().set_background_color(Color::RGB(0x00F1_F4F7)),
            number: bordered().set_align(FormatAlign::Top).set_align(FormatAlign::Left),
            // Texts are texts: a phone number with a plus must not become a formula when the cell is edited.
            cell: bordered().set_align(FormatAlign::Top).set_align(FormatAlign::Left).set_quote_prefix(),
        }
    }
}
