//! Real days from `jobs.csv` and `drivers.csv` over great-circle travel times.
#![expect(clippy::cast_possible_truncation, reason = "minutes of a day")]

use std::collections::HashMap;

use routewright_solver::problem::parse_types;
use routewright_solver::size::Capacity;
use routewright_solver::{
    Break, CapacityMode, Link, Matrix, Objective, Problem, RouteEnd, Rules, Stop, TimeWindow, Vehicle,
};

use crate::Result;

type Row = HashMap<String, String>;

/// Rows of a CSV file by header.
pub fn rows(path: &str) -> Result<Vec<Row>> {
    let mut reader = csv::Reader::from_path(path)?;
    let headers = reader.headers()?.clone();
    let rows = reader
        .records()
        .map(|record| Ok(headers.iter().map(str::to_owned).zip(record?.iter().map(str::to_owned)).collect()));
    rows.collect()
}

fn field<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).map_or("", |value| value.trim())
}

/// Seconds of the day of `HH:MM`.
pub fn clock(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    Some(hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60)
}

/// The day.
pub fn problem(jobs: &[Row], drivers: &[Row], objective: Objective) -> Result<Problem> {
    let mut points = Vec::new();
    let mut place = |lat: &str, lon: &str| -> Result<usize> {
        points.push((lat.parse::<f64>()?, lon.parse::<f64>()?));
        Ok(points.len() - 1)
    };
    let index: HashMap<&str, usize> =
        jobs.iter().enumerate().map(|(i, job)| (field(job, "uid"), i)).collect();
    let mut stops = Vec::new();
    let mut links = Vec::new();
    for (i, job) in jobs.iter().enumerate() {
        let window = (clock(field(job, "arrive_after")), clock(field(job, "leave_by")));
        stops.push(Stop {
            place: place(field(job, "lat"), field(job, "lon"))?,
            service: field(job, "duration").parse::<i64>().unwrap_or(5) * 60,
            window: (window != (None, None)).then(|| TimeWindow {
                earliest: window.0.unwrap_or(0),
                latest: window.1.unwrap_or(24 * 3600),
            }),
            size: field(job, "size").parse()?,
            types: parse_types(field(job, "type")),
            priority: field(job, "priority") == "true",
            ..Stop::default()
        });
        let linked = |name: &str| index.get(field(job, name)).copied();
        links.extend(linked("pickup_from").map(|pickup| Link { pickup, delivery: i }));
        links.extend(linked("deliver_to").map(|delivery| Link { pickup: i, delivery }));
    }
    let mut vehicles = Vec::new();
    for driver in drivers {
        let time = |name: &str| clock(field(driver, name));
        let minutes = field(driver, "lunch_duration").parse::<i64>().unwrap_or(0);
        let lunch = time("lunch_time").zip(time("lunch_latest_start"));
        vehicles.push(Vehicle {
            start: Some(place(field(driver, "start_lat"), field(driver, "start_lon"))?),
            end: if field(driver, "route_end") == "anywhere" { RouteEnd::Anywhere } else { RouteEnd::Start },
            shift: TimeWindow {
                earliest: time("shift_start").ok_or("a shift start is missing")?,
                latest: time("shift_end").ok_or("a shift end is missing")?,
            },
            lunch: lunch.map(|(earliest, latest)| Break { duration: minutes * 60, earliest, latest }),
            capacity: Capacity::parse(field(driver, "capacity"), true)?,
            types: parse_types(field(driver, "type")),
            ..Vehicle::default()
        });
    }
    let travel: Vec<(f64, f64)> = points.iter().flat_map(|a| points.iter().map(|b| travel(*a, *b))).collect();
    let seconds: Vec<Option<f64>> = travel.iter().map(|cell| Some(cell.0)).collect();
    let metres: Vec<Option<f64>> = travel.iter().map(|cell| Some(cell.1)).collect();
    let matrix = Matrix::from_cells(points.len(), &seconds, &metres)?;
    // As the other solvers count loads.
    let rules = Rules { objective, capacity_mode: CapacityMode::OnBoard, ..Rules::default() };
    Ok(Problem { stops, vehicles, matrix, links, rules, ..Problem::default() })
}

/// Seconds and metres: great circle times 1.3 at a speed that grows with the distance.
fn travel(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (lat, lon) = ((b.0 - a.0).to_radians(), (b.1 - a.1).to_radians());
    let half = (lat / 2.0).sin().powi(2)
        + a.0.to_radians().cos() * b.0.to_radians().cos() * (lon / 2.0).sin().powi(2);
    let metres = 2.0 * 6_371_000.0 * half.sqrt().asin() * 1.3;
    let kilometres_per_hour = match metres as i64 {
        ..2000 => 25.0,
        2000..10_000 => 40.0,
        10_000..50_000 => 60.0,
        _ => 80.0,
    };
    (metres * 3.6 / kilometres_per_hour, metres)
}
