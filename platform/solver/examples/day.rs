//! Plans a day from `jobs.csv` and `drivers.csv` over great-circle travel times and prints how it went: when
//! the first plan was there, what was served, and what became of the rest.
//!
//! ```text
//! day jobs.csv drivers.csv [--engine native|vrp-core] [--seconds 10] [--objective shortest_time]
//! ```
#![expect(clippy::print_stdout, reason = "a command line tool")]
#![expect(clippy::cast_possible_truncation, reason = "minutes of a day")]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;

use routewright_solver::problem::parse_types;
use routewright_solver::size::Capacity;
use routewright_solver::{
    Break, Budget, Cancel, Engine, Link, Matrix, Native, Objective, Problem, RouteEnd, Rules, Stop,
    TimeWindow, Vehicle, VrpCore,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Row = HashMap<String, String>;

fn main() -> Result<()> {
    let (mut engine, mut seconds, mut objective) = ("native".to_owned(), 10, Objective::ShortestTime);
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("a value is missing");
        match argument.as_str() {
            "--engine" => engine = value()?,
            "--seconds" => seconds = value()?.parse()?,
            "--objective" => objective = serde_json::from_value(value()?.into())?,
            _ => files.push(argument),
        }
    }
    let [jobs, drivers] = files.as_slice() else { return Err("jobs.csv and drivers.csv are needed".into()) };
    let problem = problem(&rows(jobs)?, &rows(drivers)?, objective)?;
    let engine: Box<dyn Engine> = if engine == "vrp-core" { Box::new(VrpCore) } else { Box::new(Native) };
    let mut first = None;
    let mut longest = std::time::Duration::ZERO;
    let mut last = std::time::Instant::now();
    let plan = engine.solve(
        &problem,
        Budget::seconds(seconds),
        &mut |progress| {
            longest = longest.max(last.elapsed());
            last = std::time::Instant::now();
            if progress.served > 0 {
                first.get_or_insert(progress);
            }
        },
        &Cancel::default(),
    )?;
    if let Some(first) = first {
        println!("first plan after {:?}: {} stops in {} runs", first.elapsed, first.served, first.routes);
    }
    println!("longest silence {longest:?}");
    let totals = plan.totals;
    println!(
        "{} stops in {} runs, {} km, driving {} min, waiting {} min, working {} min, violations {}",
        totals.stops,
        totals.routes,
        totals.distance / 1000,
        totals.driving / 60,
        totals.waiting / 60,
        totals.duration / 60,
        plan.violations().count(),
    );
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for unserved in &plan.unserved {
        *reasons.entry(unserved.reason.as_str()).or_default() += 1;
    }
    println!("unserved {reasons:?}");
    Ok(())
}

fn rows(path: &str) -> Result<Vec<Row>> {
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

fn clock(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    Some(hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60)
}

fn problem(jobs: &[Row], drivers: &[Row], objective: Objective) -> Result<Problem> {
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
    let rules = Rules { objective, ..Rules::default() };
    Ok(Problem { stops, vehicles, matrix, links, rules, current: Vec::new() })
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
