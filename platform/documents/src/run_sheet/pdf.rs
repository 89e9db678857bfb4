//! The run sheet on paper: A4 landscape, one row per stop with a box to sign.

use super::{RunSheet, Stop, size_lines};
use crate::{
    DistanceUnit, DocumentError, Letterhead, Result,
    letterhead::{day, facts},
    paper::{ACCENT, Align, BAD, Block, Column, Frame, INK, MUTED, Paper, QrPlace, RULE, Row, Style, Table},
};

const WIDTH: f32 = 297.0;
const HEIGHT: f32 = 210.0;
const MARGIN: f32 = 10.0;
const QR: f32 = 27.0;
/// Lowest point of what is drawn; the footer is below.
const BOTTOM: f32 = HEIGHT - 14.0;
/// Where the table begins on a page that continues a run.
const CONTINUED: f32 = 18.0;

const COLUMNS: [Column; 10] = [
    Column::right("#", 8.0),
    Column::new("ETA", 16.5),
    Column::new("Window", 20.5),
    Column::new("Customer", 42.0),
    Column::new("Address", 48.0),
    Column::new("Phone", 27.0),
    Column::new("Size", 23.0),
    Column::new("Units", 25.0),
    Column::new("Comments", 34.0),
    Column::boxed("Signature", 33.0),
];

/// The run sheet of one run as PDF. A run without stops is printed as well.
pub fn pdf(letterhead: &Letterhead, run: &RunSheet) -> Result<Vec<u8>> {
    let title = format!("Run sheet {} {}", run.run, day(run.date));
    document(letterhead, &title, &format!("Run sheet {}", run.run), &[run])
}

/// The run sheets of a scenario as one PDF, in the order given, each from a new page. Runs without stops are left
/// out; when none is left there is nothing to print.
pub fn scenario_pdf(letterhead: &Letterhead, runs: &[RunSheet]) -> Result<Vec<u8>> {
    let runs: Vec<_> = runs.iter().filter(|run| !run.stops.is_empty()).collect();
    let first = runs.first().ok_or(DocumentError::Nothing("no run has stops"))?;
    let title = format!("Run sheets {} {}", first.scenario, day(first.date));
    document(letterhead, &title, &first.scenario, &runs)
}

fn document(letterhead: &Letterhead, title: &str, footer: &str, runs: &[&RunSheet]) -> Result<Vec<u8>> {
    let mut paper = Paper::new(title, &letterhead.organisation, letterhead.printed_at, WIDTH, HEIGHT)?;
    for run in runs {
        draw(&mut paper, letterhead, run)?;
    }
    letterhead.footers(&mut paper, MARGIN, footer);
    paper.save()
}

fn draw(paper: &mut Paper, letterhead: &Letterhead, run: &RunSheet) -> Result<()> {
    paper.page();
    paper.bookmark(&format!("{} – {}", run.run, run.driver));
    let y = head(paper, letterhead, run)?;
    let rows: Vec<Row> = run.stops.iter().map(|stop| row(run, stop)).collect();
    let table = Table {
        x: MARGIN,
        columns: &COLUMNS,
        least_height: 13.0,
        bottom: BOTTOM,
        page_room: BOTTOM - CONTINUED,
    };
    let mut end = table.draw(paper, y, &rows, &mut |paper| continued(paper, run));
    if run.stops.is_empty() {
        end +=
            paper.text(MARGIN, end, WIDTH - 2.0 * MARGIN, "No stops.", Style::new(9.0, MUTED), Align::Start);
    }
    sign_off(paper, run, end);
    Ok(())
}

/// Letterhead, name and facts of the run, QR code. Returns where the table begins.
fn head(paper: &mut Paper, letterhead: &Letterhead, run: &RunSheet) -> Result<f32> {
    let mut room = WIDTH - 2.0 * MARGIN;
    if let Some(link) = run.link.as_deref().filter(|link| !link.is_empty()) {
        let x = WIDTH - MARGIN - QR;
        paper.qr(QrPlace { x, y: MARGIN, side: QR }, link)?;
        let caption = Style::new(6.5, MUTED);
        paper.one_line(
            x - 4.0,
            MARGIN + QR + 0.8,
            QR + 8.0,
            "Scan to open on the phone",
            caption,
            Align::Centre,
        );
        paper.link(Frame { x, y: MARGIN, width: QR, height: QR }, link);
        room -= QR + 8.0;
    }
    letterhead.draw(paper, Frame { x: MARGIN, y: MARGIN - 2.0, width: room, height: 9.0 });
    let title = Style::bold(17.0, INK);
    let kind = Style::bold(17.0, ACCENT);
    let word = paper.fonts.one_line("Run sheet", &kind, room);
    paper.line(MARGIN, 18.0, room, &word, kind, Align::Start);
    paper.one_line(MARGIN + word.width + 3.0, 18.0, room - word.width - 3.0, &run.run, title, Align::Start);
    let units = run.stops.iter().map(|stop| stop.units.len()).sum::<usize>();
    let load = if units == 0 { String::new() } else { format!(", {units} units") };
    let y = facts(
        paper,
        Frame { x: MARGIN, y: 28.0, width: room, height: 0.0 },
        4,
        &[
            ("DRIVER", run.driver.clone()),
            ("VEHICLE", run.vehicle_or_dash().to_owned()),
            ("DATE", day(run.date)),
            ("SHIFT", run.shift()),
            ("START", run.start_address.clone().unwrap_or_default()),
            ("END", run.end_address.clone().unwrap_or_default()),
            ("STOPS", format!("{}{load}", run.stops.len())),
            ("PLANNED", planned(run, letterhead.distance_unit)),
        ],
    );
    Ok(y.max(MARGIN + QR + 5.0) + 1.0)
}

/// Planned distance and time.
fn planned(run: &RunSheet, unit: DistanceUnit) -> String {
    let distance =
        run.distance.map(|metres| format!("{:.1} {}", unit.of_metres(metres as f64), unit.symbol()));
    let duration = run.duration.map(|seconds| {
        let minutes = (seconds + 30) / 60;
        format!("{}:{:02} h", minutes / 60, minutes % 60)
    });
    distance.into_iter().chain(duration).collect::<Vec<_>>().join(", ")
}

/// Begins a page that continues a run.
fn continued(paper: &mut Paper, run: &RunSheet) -> f32 {
    paper.page();
    let style = Style::bold(9.0, INK);
    let text = format!("{} · {} · {} · {}", run.run, run.driver, run.vehicle_or_dash(), day(run.date));
    paper.one_line(MARGIN, MARGIN, WIDTH - 2.0 * MARGIN - 40.0, &text, style, Align::Start);
    paper.one_line(WIDTH - MARGIN - 40.0, MARGIN, 40.0, "continued", Style::new(8.0, MUTED), Align::Right);
    CONTINUED
}

fn row(run: &RunSheet, stop: &Stop) -> Row {
    let mut customer = vec![Block::strong(&stop.customer)];
    if stop.priority {
        customer.insert(0, Block::styled("PRIORITY", Style::bold(7.0, BAD)));
    }
    let numbers = [Some(&stop.job), stop.invoice.as_ref(), stop.reference.as_ref()];
    let numbers = numbers.into_iter().flatten().filter(|number| !number.is_empty());
    customer.push(Block::aside(numbers.cloned().collect::<Vec<_>>().join(" · ")));
    let dock = stop.dock_location.as_ref().filter(|dock| !dock.is_empty());
    let comments = stop.comments.clone().unwrap_or_default();
    let mut notes = vec![Block::plain(comments)];
    notes.extend(dock.map(|dock| Block::aside(format!("Dock: {dock}"))));
    Row {
        cells: vec![
            vec![Block::strong(stop.seq.to_string())],
            vec![Block::strong(stop.eta_on(run.date))],
            vec![Block::plain(stop.window())],
            customer,
            vec![Block::plain(&stop.address)],
            vec![Block::plain(stop.phone.clone().unwrap_or_default())],
            vec![Block::plain(size_lines(stop.size.as_deref().unwrap_or_default()))],
            vec![Block::plain(stop.units.join(", "))],
            notes,
            Vec::new(),
        ],
    }
}

/// What the driver fills in at the end of the day.
fn sign_off(paper: &mut Paper, run: &RunSheet, end: f32) {
    const BOX: f32 = 13.0;
    let mut y = end + 5.0;
    if y + BOX > BOTTOM {
        y = continued(paper, run);
    }
    let captions = ["Start time", "Start odometer", "End time", "End odometer", "Driver's signature"];
    let gap = 3.0;
    let width = (WIDTH - 2.0 * MARGIN - 4.0 * gap) / 5.0;
    for (caption, i) in captions.into_iter().zip(0u8..) {
        let x = MARGIN + f32::from(i) * (width + gap);
        paper.outline(Frame { x, y, width, height: BOX }, 0.5, RULE);
        paper.one_line(x + 1.2, y + 0.8, width - 2.4, caption, Style::new(6.5, MUTED), Align::Start);
    }
}
