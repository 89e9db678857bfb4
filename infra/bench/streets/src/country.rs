//! What made-up countries of growing size take while they are made, and while they are asked: bytes of memory for each node of the
//! map. `NODES=100000,1000000 make bench-country`; it ends with a fault when one that is asked takes more than the bar.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use routewright_streets::{Position, Profiles, Streets, build};
use routewright_testing::osm::Map;

use crate::line;

/// Nodes of the countries, unless `NODES` says otherwise.
const NODES: &str = "100000,200000";
/// Nodes of a street between two corners.
const BETWEEN: i64 = 7;
/// Bytes for each node that a country may take by itself while it is asked: 300 MB for ten million.
const BAR: f64 = 30.0;
/// Places of the table that is asked for.
const PLACES: u32 = 100;

/// Measures all countries, each step in a process of its own.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let sizes = std::env::var("NODES").unwrap_or_else(|_| NODES.to_owned());
    let program = std::env::current_exe()?;
    for size in sizes.split(',') {
        let nodes: i64 = size.trim().parse().context("NODES: numbers with commas between them")?;
        let file = folder.join(format!("{nodes}.osm.pbf"));
        grid(nodes).write(&file)?;
        line(&format!(
            "A country of {nodes} nodes, {} MB as a file:",
            std::fs::metadata(&file)?.len() >> 20
        ))?;
        for step in ["build", "open"] {
            let bundles = folder.join(format!("{nodes}"));
            let mut command = Command::new(&program);
            let status =
                command.arg(step).arg(&file).arg(bundles).env("NODES", nodes.to_string()).status()?;
            ensure!(status.success(), "{step} failed");
        }
    }
    Ok(())
}

/// Streets with a corner every 100 m and nodes in between.
fn grid(nodes: i64) -> Map {
    let mut map = Map::default();
    let side = ((nodes as f64) / (2.0 * BETWEEN as f64 + 1.0)).sqrt().ceil() as i64;
    let id = |north: i64, east: i64| 1 + north * side * (BETWEEN + 1) * 2 + east;
    let reach = side * (BETWEEN + 1);
    let step = 0.0009 / (BETWEEN + 1) as f64;
    for north in 0..reach {
        let streets = if north % (BETWEEN + 1) == 0 { 1 } else { BETWEEN + 1 };
        for east in (0..reach).step_by(usize::try_from(streets).unwrap_or(1)) {
            map.node(id(north, east), 40.0 + north as f64 * step, -8.0 + east as f64 * step * 1.3, &[]);
        }
    }
    for street in (0..reach).step_by(8) {
        let class = if street % 80 == 0 { "secondary" } else { "residential" };
        let tags = [("highway", class)];
        map.way(1 + street, &(0..reach).map(|east| id(street, east)).collect::<Vec<_>>(), &tags);
        map.way(1 + reach + street, &(0..reach).map(|north| id(north, street)).collect::<Vec<_>>(), &tags);
    }
    map
}

/// A step of [`run`].
pub(crate) fn step(step: &str, file: PathBuf, folder: &Path) -> Result<()> {
    let profiles = Profiles::built_in()?;
    let nodes: f64 = std::env::var("NODES")?.parse()?;
    // What the program takes itself is no part of it.
    let [most, own, mapped] = ["VmHWM:", "RssAnon:", "RssFile:"].map(|row| (row, memory(row)));
    let more = |(row, before): (&str, Result<f64>)| -> Result<(f64, String)> {
        let bytes = memory(row)? - before?;
        Ok((
            bytes / nodes,
            format!("{:.0} MB ({:.0} bytes per node)", bytes / f64::from(1 << 20), bytes / nodes),
        ))
    };
    let began = Instant::now();
    let bundle = build(&[file], folder, &profiles, &|_| ())?;
    if step == "build" {
        let seconds = began.elapsed().as_secs_f64();
        return line(&format!("  made in {seconds:.0} s, at most {} of memory", more(most)?.1));
    }
    ensure!(step == "open", "there is no step `{step}`");
    let streets = Streets::open(&bundle)?;
    let drive = streets.drive("car", None).context("a car")?;
    let reach = 0.0009 * (nodes / 15.0).sqrt();
    let place = |n: u32| {
        let (north, east) = (f64::from(n % 10) / 10.0, f64::from(n / 10) / 10.0);
        Position { lat: 40.0 + north * reach, lon: -8.0 + east * reach * 1.3 }
    };
    let places: Vec<Position> = (0..PLACES).map(place).collect();
    let began = Instant::now();
    let table = streets.table(&places, &drive);
    ensure!(table.way(0, PLACES as usize - 1).is_some(), "the places are not connected");
    let legs = streets.route(&places, &drive);
    ensure!(legs.iter().all(Option::is_some), "there is no way");
    let seconds = began.elapsed().as_secs_f64();
    let (own, mapped) = (more(own)?, more(mapped)?);
    line(&format!(
        "  asked for {PLACES} x {PLACES} and a way through all of them ({seconds:.2} s): {} of its own, {} mapped and shared",
        own.1, mapped.1
    ))?;
    // A small one says nothing about it: whatever a process needs is more.
    if nodes >= 500_000.0 && own.0 > BAR {
        bail!("more than {BAR} bytes per node");
    }
    Ok(())
}

/// Memory of this process as the kernel tells it, in bytes.
fn memory(row: &str) -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let row = status.lines().find_map(|line| line.strip_prefix(row)).context("the kernel tells no memory")?;
    Ok(row.trim().trim_end_matches("kB").trim().parse::<f64>()? * 1024.0)
}
