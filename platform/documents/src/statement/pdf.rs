//! The statement on paper: A4 landscape, one row per run, the sums, then one row per stop with a link to its proof.

use std::collections::BTreeMap;

use super::{BilledRun, Delivery, Statement};
use crate::{
    DistanceUnit, Letterhead, Result,
    letterhead::{day, facts},
    paper::{ACCENT, Align, Block, Column, Frame, INK, MUTED, Paper, Row, Style, Table},
};

const WIDTH: f32 = 297.0;
const HEIGHT: f32 = 210.0;
const MARGIN: f32 = 12.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// Lowest point of what is drawn; the footer is below.
const BOTTOM: f32 = HEIGHT - 14.0;
/// Where a table begins on a page that continues it.
const CONTINUED: f32 = 20.0;

const RUNS: [Column; 13] = [
    Column::new("Date", 18.0),
    Column::new("Run", 28.0),
    Column::new("Driver, vehicle", 36.0),
    Column::new("Rate", 24.0),
    Column::right("Stops", 18.0),
    Column::right("Distance", 19.0),
    Column::right("Hours", 14.0),
    Column::right("Drops", 13.0),
    Column::right("For the run", 20.0),
    Column::right("For distance", 20.0),
    Column::right("For hours", 20.0),
    Column::right("For drops", 18.0),
    Column::right("Amount", 25.0),
];

const DELIVERIES: [Column; 7] = [
    Column::new("Date", 18.0),
    Column::new("Run", 32.0),
    Column::new("Job", 36.0),
    Column::new("Customer", 62.0),
    Column::new("Address", 73.0),
    Column::new("Recorded", 30.0),
    Column::new("Proof", 22.0),
];

/// The statement as PDF; one of a period in which nothing is billed says so.
///
/// # Errors
/// When drawing fails.
pub fn pdf(letterhead: &Letterhead, statement: &Statement) -> Result<Vec<u8>> {
    let title = format!("Statement {} {}", statement.party, period(statement));
    let mut paper = Paper::new(&title, &letterhead.organisation, letterhead.printed_at, WIDTH, HEIGHT)?;
    let y = head(&mut paper, letterhead, statement);
    let unit = letterhead.distance_unit;
    let mut rows: Vec<Row> = statement.runs.iter().map(|run| row(run, unit)).collect();
    rows.extend(sums(&statement.runs, unit));
    let mut turn = |paper: &mut Paper| continued(paper, statement);
    let y = table(&RUNS).draw(&mut paper, y, &rows, &mut turn);
    let mut y = notes(&mut paper, statement, y + 3.0);
    if !statement.deliveries.is_empty() {
        if y + 30.0 > BOTTOM {
            y = continued(&mut paper, statement);
        }
        paper.one_line(MARGIN, y + 4.0, INNER, "Stops", Style::bold(11.0, INK), Align::Start);
        let stops: Vec<Row> = statement.deliveries.iter().map(stop).collect();
        table(&DELIVERIES).draw(&mut paper, y + 11.0, &stops, &mut turn);
    }
    letterhead.footers(&mut paper, MARGIN, &title);
    paper.save()
}

fn table(columns: &[Column]) -> Table<'_> {
    Table { x: MARGIN, columns, least_height: 6.0, bottom: BOTTOM, page_room: BOTTOM - CONTINUED }
}

fn period(statement: &Statement) -> String {
    format!("{} – {}", day(statement.from), day(statement.until))
}

/// Letterhead, whose statement it is, facts. Returns where the table begins.
fn head(paper: &mut Paper, letterhead: &Letterhead, statement: &Statement) -> f32 {
    paper.page();
    letterhead.draw(paper, Frame { x: MARGIN, y: MARGIN - 2.0, width: INNER * 0.6, height: 11.0 });
    let (right, width) = (MARGIN + INNER * 0.6, INNER * 0.4);
    paper.one_line(right, MARGIN - 2.0, width, "Statement", Style::bold(17.0, ACCENT), Align::Right);
    facts(
        paper,
        Frame { x: MARGIN, y: 26.0, width: INNER, height: 0.0 },
        4,
        &[
            (if statement.party_kind == "Haulier" { "HAULIER" } else { "CLIENT" }, statement.party.clone()),
            ("ADDRESS", statement.address.clone().unwrap_or_default()),
            ("PERIOD", period(statement)),
            ("RUNS", statement.runs.len().to_string()),
        ],
    ) + 2.0
}

/// Begins a page that continues the statement.
fn continued(paper: &mut Paper, statement: &Statement) -> f32 {
    paper.page();
    let text = format!("{} · {}", statement.party, period(statement));
    paper.one_line(MARGIN, MARGIN, INNER - 40.0, &text, Style::bold(9.0, INK), Align::Start);
    paper.one_line(WIDTH - MARGIN - 40.0, MARGIN, 40.0, "continued", Style::new(8.0, MUTED), Align::Right);
    CONTINUED
}

fn amount(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

fn shared(run: &BilledRun) -> bool {
    run.stops < run.of_stops
}

fn row(run: &BilledRun, unit: DistanceUnit) -> Row {
    let people = [Some(&run.driver), run.vehicle.as_ref()].into_iter().flatten().cloned().collect::<Vec<_>>();
    let stops =
        if shared(run) { format!("{} of {}", run.stops, run.of_stops) } else { run.of_stops.to_string() };
    let version = if run.version > 1 { format!("version {}", run.version) } else { String::new() };
    let [for_run, distance, hours, drops, together] = run.cents;
    let number = |text: String| vec![Block::plain(text)];
    Row {
        cells: vec![
            vec![Block::plain(day(run.date))],
            vec![Block::strong(&run.run), Block::aside(version)],
            vec![Block::plain(people.join(", "))],
            vec![Block::plain(run.rate.clone().unwrap_or_else(|| "–".to_owned()))],
            number(stops),
            number(format!("{:.1} {}", unit.of_metres(run.metres), unit.symbol())),
            number(format!("{:.2}", run.hours)),
            number(run.drops.to_string()),
            number(amount(for_run)),
            number(amount(distance)),
            number(amount(hours)),
            number(amount(drops)),
            vec![Block::strong(format!("{} {}", amount(together), run.currency))],
        ],
    }
}

/// One row per currency: amounts of different ones are never added.
fn sums(runs: &[BilledRun], unit: DistanceUnit) -> Vec<Row> {
    #[derive(Default)]
    struct Sum {
        runs: usize,
        stops: i64,
        metres: f64,
        hours: f64,
        drops: i64,
        cents: [i64; 5],
    }
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for run in runs {
        let sum = sums.entry(&run.currency).or_default();
        sum.runs += 1;
        sum.stops += run.stops;
        sum.metres += run.metres;
        sum.hours += run.hours;
        sum.drops += run.drops;
        for (sum, cents) in sum.cents.iter_mut().zip(run.cents) {
            *sum += cents;
        }
    }
    let strong = |text: String| vec![Block::strong(text)];
    let row = |(currency, sum): (&str, Sum)| {
        let [run, distance, hours, drops, together] = sum.cents.map(amount);
        Row {
            cells: vec![
                strong("Total".to_owned()),
                vec![Block::plain(runs_of(sum.runs))],
                Vec::new(),
                Vec::new(),
                strong(sum.stops.to_string()),
                strong(format!("{:.1} {}", unit.of_metres(sum.metres), unit.symbol())),
                strong(format!("{:.2}", sum.hours)),
                strong(sum.drops.to_string()),
                strong(run),
                strong(distance),
                strong(hours),
                strong(drops),
                strong(format!("{together} {currency}")),
            ],
        }
    };
    sums.into_iter().map(row).collect()
}

fn runs_of(n: usize) -> String {
    if n == 1 { "1 run".to_owned() } else { format!("{n} runs") }
}

/// How shared runs are divided, and what is missing here. Returns where they end.
fn notes(paper: &mut Paper, statement: &Statement, y: f32) -> f32 {
    let mut notes = Vec::new();
    if statement.runs.is_empty() {
        notes.push("No run of the period is validated.".to_owned());
    }
    if statement.runs.iter().any(shared) {
        notes.push(
            "Runs with stops of others are stated at their share of the stops; distance, hours and drops are those of the \
             whole run."
                .to_owned(),
        );
    }
    if statement.pending > 0 {
        let runs = runs_of(statement.pending);
        notes.push(format!("{runs} of the period not validated yet, and not stated here."));
    }
    let mut y = y;
    for note in notes {
        if y + 5.0 > BOTTOM {
            y = continued(paper, statement);
        }
        y += paper.text(MARGIN, y, INNER, &note, Style::new(8.0, MUTED), Align::Start) + 1.0;
    }
    y
}

fn stop(delivery: &Delivery) -> Row {
    let at = delivery.at.map(|at| format!("{} {}", day(at.date()), at.format("%H:%M"))).unwrap_or_default();
    let outcome = if delivery.success { "Delivered" } else { "Not delivered" };
    Row {
        cells: vec![
            vec![Block::plain(day(delivery.date))],
            vec![Block::plain(&delivery.run)],
            vec![Block::strong(&delivery.job)],
            vec![Block::plain(&delivery.customer)],
            vec![Block::plain(&delivery.address)],
            vec![Block::plain(at)],
            vec![Block::linked(outcome, delivery.proof.clone())],
        ],
    }
}
