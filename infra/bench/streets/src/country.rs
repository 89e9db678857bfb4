//! What made-up countries of growing size take while they are made, and while they are asked: bytes of memory for each node of the
//! map. `NODES=100000,grid:100000 make bench-country`; it ends with a fault when one takes more than its bar.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use routewright_streets::{Profiles, Streets, build};

use crate::{line, made_up};

/// Nodes of the countries, unless `NODES` says otherwise.
const NODES: &str = "200000,grid:100000";
/// Bytes for each node that a country may take by itself while it is asked: 300 MB for ten million.
const BAR: f64 = 30.0;
/// Bytes for each node that it may take while it is made.
const BAR_MADE: f64 = 550.0;
/// Places of the table that is asked for.
const PLACES: u32 = 100;

/// Measures all countries, each step in a process of its own.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let sizes = std::env::var("NODES").unwrap_or_else(|_| NODES.to_owned());
    let program = std::env::current_exe()?;
    for size in sizes.split(',').map(str::trim) {
        let (grid, number) = size.strip_prefix("grid:").map_or((false, size), |number| (true, number));
        let nodes: i64 =
            number.parse().context("NODES: numbers, or `grid:` and a number, with commas between")?;
        let file = folder.join(format!("{}{nodes}.osm.pbf", if grid { "grid-" } else { "" }));
        let map = if grid { made_up::grid(nodes) } else { made_up::country(nodes) };
        map.write(&file)?;
        drop(map);
        let sort = if grid { "grid of equal streets" } else { "country of towns" };
        line(&format!("A {sort} of {nodes} nodes, {} MB as a file:", std::fs::metadata(&file)?.len() >> 20))?;
        for step in ["build", "open"] {
            let mut command = Command::new(&program);
            let command = command.arg(step).arg(&file).arg(file.with_extension("bundles"));
            let status = command.env("NODES", nodes.to_string()).status()?;
            ensure!(status.success(), "{step} failed");
        }
        std::fs::remove_file(&file)?;
    }
    Ok(())
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
    let tell = |what: &str| {
        let seconds = began.elapsed().as_secs_f64();
        let most = memory("VmHWM:").unwrap_or_default() / f64::from(1 << 20);
        if std::env::var_os("STEPS").is_some() {
            line(&format!("    {seconds:.0} s, {most:.0} MB: {what}")).ok();
        }
    };
    let bundle = build(&[file], folder, &profiles, &tell)?;
    if step == "build" {
        let seconds = began.elapsed().as_secs_f64();
        let most = more(most)?;
        line(&format!("  made in {seconds:.0} s, at most {} of memory", most.1))?;
        // A small one says nothing about it: whatever a process needs is more.
        ensure!(nodes < 500_000.0 || most.0 <= BAR_MADE, "more than {BAR_MADE} bytes per node");
        return Ok(());
    }
    ensure!(step == "open", "there is no step `{step}`");
    let streets = Streets::open(&bundle)?;
    let drive = streets.drive("car", None).context("a car")?;
    let places = made_up::places(nodes as i64, PLACES, folder.to_string_lossy().contains("grid-"));
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
