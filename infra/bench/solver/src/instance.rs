//! Public routing instances.
//!
//! Reads Solomon and Gehring-Homberger (`.txt`, 7 columns), Li and Lim (`.txt`, 9 columns), CVRPLIB (`.vrp`,
//! EUC_2D) and ORTEC (`.json`, `.json.gz`). Best known values come from `bks.json` beside the file. Distances
//! follow the convention of the set: one decimal cut off and times ten (Solomon, Gehring-Homberger), rounded
//! (CVRPLIB), as given (ORTEC), three decimals with the number of vehicles first (Li and Lim).
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "coordinates of public instances"
)]

use std::io::Read;
use std::path::Path;

use routewright_solver::size::{Capacity, Clause, Part, Size};
use routewright_solver::{
    CapacityMode, Costs, Link, Matrix, Objective, Problem, RouteEnd, Rules, Stop, TimeWindow, Vehicle,
};
use serde_json::Value;

use crate::Result;

/// An instance in the numbers of its convention.
pub struct Instance {
    matrix: Matrix,
    /// Demand, window, service per customer; the first is the depot.
    nodes: Vec<(i64, i64, i64, i64)>,
    links: Vec<Link>,
    vehicles: usize,
    capacity: i64,
    /// Vehicles count before distance.
    hierarchical: bool,
}

/// The day that the instance describes.
pub fn problem(instance: &Instance) -> Problem {
    let size = |amount: i64| Size(vec![Clause(vec![Part { key: "size".into(), amount: amount * 1000 }])]);
    let (_, from, to, _) = instance.nodes[0];
    let fixed = if instance.hierarchical { 100_000_000 } else { 0 };
    let vehicle = Vehicle {
        start: Some(0),
        end: RouteEnd::Start,
        shift: TimeWindow { earliest: from, latest: to },
        capacity: Capacity(size(instance.capacity).0),
        costs: Costs { fixed, per_km: 1000, ..Costs::default() },
        ..Vehicle::default()
    };
    let stops =
        instance.nodes.iter().enumerate().skip(1).map(|(place, &(demand, earliest, latest, service))| Stop {
            place,
            service,
            window: Some(TimeWindow { earliest, latest }),
            size: size(demand.abs()),
            ..Stop::default()
        });
    let (objective, capacity_mode) = if instance.hierarchical {
        (Objective::LowestCost, CapacityMode::OnBoard)
    } else {
        (Objective::ShortestDistance, CapacityMode::Sum)
    };
    Problem {
        stops: stops.collect(),
        vehicles: vec![vehicle; instance.vehicles],
        matrix: instance.matrix.clone(),
        links: instance.links.clone(),
        rules: Rules { objective, capacity_mode, ..Rules::default() },
        current: Vec::new(),
        ..Problem::default()
    }
}

/// Best known value: number of vehicles where it counts first, and distance.
pub fn best_known(path: &Path, name: &str) -> Result<Option<(Option<i64>, f64)>> {
    let Ok(text) = std::fs::read_to_string(path.with_file_name("bks.json")) else { return Ok(None) };
    let known: Value = serde_json::from_str(&text)?;
    let known = &known["bks"][name];
    if let Some(value) = known.as_f64().or_else(|| known["distance_dimacs_x10"].as_f64()) {
        return Ok(Some((None, value)));
    }
    Ok(known["hier"][1].as_f64().map(|distance| (known["hier"][0].as_i64(), distance * 1000.0)))
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Instance> {
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        std::io::BufReader::new(file).read_to_string(&mut text)?;
    }
    if text.starts_with('{') {
        return ortec(&serde_json::from_str(&text)?);
    }
    if text.contains("EDGE_WEIGHT_TYPE") { cvrplib(&text) } else { rows(&text) }
}

/// Solomon's layout and Li and Lim's.
fn rows(text: &str) -> Result<Instance> {
    let numbers = |line: &str| {
        line.split_whitespace().map(str::parse::<f64>).collect::<std::result::Result<Vec<_>, _>>()
    };
    let rows: Vec<Vec<f64>> =
        text.lines().filter_map(|line| numbers(line).ok()).filter(|row| !row.is_empty()).collect();
    let [head, customers @ ..] = rows.as_slice() else { return Err("no rows".into()) };
    let paired = customers.iter().all(|row| row.len() >= 9);
    let scale = if paired { 1000.0 } else { 10.0 };
    let points: Vec<(f64, f64)> = customers.iter().map(|row| (row[1], row[2])).collect();
    let cut = |distance: f64| {
        if paired { (distance * scale).round() as u32 } else { (distance * scale + 1e-9).floor() as u32 }
    };
    let times = |value: f64| (value * scale).round() as i64;
    let nodes =
        customers.iter().map(|row| (row[3] as i64, times(row[4]), times(row[5]), times(row[6]))).collect();
    let links = customers
        .iter()
        .filter(|row| paired && row[8] > 0.0)
        .map(|row| Link { pickup: row[0] as usize - 1, delivery: row[8] as usize - 1 })
        .collect();
    Ok(Instance {
        matrix: euclidean(&points, cut)?,
        nodes,
        links,
        vehicles: head[0] as usize,
        capacity: head[1] as i64,
        hierarchical: paired,
    })
}

fn euclidean(points: &[(f64, f64)], whole: impl Fn(f64) -> u32) -> Result<Matrix> {
    let cells: Vec<u32> = points
        .iter()
        .flat_map(|a| points.iter().map(|b| whole((a.0 - b.0).hypot(a.1 - b.1))).collect::<Vec<_>>())
        .collect();
    Ok(Matrix::new(points.len(), cells.clone(), cells)?)
}

fn cvrplib(text: &str) -> Result<Instance> {
    let (mut points, mut demands, mut capacity, mut section) = (Vec::new(), Vec::new(), 0, "");
    for line in text.lines().map(str::trim) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match fields.as_slice() {
            ["CAPACITY", ":", value] => capacity = value.parse()?,
            ["NODE_COORD_SECTION"] => section = "coordinates",
            ["DEMAND_SECTION"] => section = "demands",
            ["DEPOT_SECTION"] => break,
            [_, x, y] if section == "coordinates" => points.push((x.parse::<f64>()?, y.parse::<f64>()?)),
            [_, demand] if section == "demands" => demands.push(demand.parse::<i64>()?),
            _ => {}
        }
    }
    let least = demands.iter().sum::<i64>() / capacity + 1;
    Ok(Instance {
        matrix: euclidean(&points, |distance| distance.round() as u32)?,
        nodes: demands.into_iter().map(|demand| (demand, 0, 1_000_000_000, 0)).collect(),
        links: Vec::new(),
        vehicles: usize::try_from(least)? * 13 / 10 + 5,
        capacity,
        hierarchical: false,
    })
}

fn ortec(value: &Value) -> Result<Instance> {
    let whole = |value: &Value| value.as_i64().ok_or("a number is missing");
    let list = |key: &str| value[key].as_array().ok_or("a list is missing");
    let cells =
        list("dist")?.iter().map(|cell| Ok(u32::try_from(whole(cell)?)?)).collect::<Result<Vec<u32>>>()?;
    let (demands, windows, services) = (list("demand")?, list("tw")?, list("service")?);
    let mut nodes = Vec::new();
    for ((demand, window), service) in demands.iter().zip(windows).zip(services) {
        nodes.push((whole(demand)?, whole(&window[0])?, whole(&window[1])?, whole(service)?));
    }
    Ok(Instance {
        matrix: Matrix::new(nodes.len(), cells.clone(), cells)?,
        nodes,
        links: Vec::new(),
        vehicles: usize::try_from(whole(&value["vehicles"])?)? * 2,
        capacity: whole(&value["capacity"])?,
        hierarchical: false,
    })
}
