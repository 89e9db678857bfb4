//! A table of a thousand places on the streets of Porto in this process, against osrm-routed's table of the same places on the same
//! streets; the memory that a large made-up country takes; and how long a search for an address takes while it is typed.
//! `make bench-streets`; it ends with a fault below twenty times, or where typing waits.

mod country;
mod made_up;
mod typing;

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use routewright_streets::{Position, Profiles, Streets, build};

/// Places of a table.
const PLACES: u32 = 1_000;
/// Tables of each engine; the best one counts, as other work on the machine only adds to both.
const ROUNDS: usize = 9;
/// How many times as fast as OSRM the product must be.
const BAR: f64 = 20.0;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => run().await,
        [only] if only == "table" => table(tempfile::tempdir()?.path()).await,
        [only] if only == "country" => country::run(tempfile::tempdir()?.path()),
        [step, file, folder] => country::step(step, file.into(), Path::new(folder)),
        _ => bail!("it takes `table`, `country` or nothing; NODES are the sizes of made-up countries"),
    }
}

/// A line for whoever started it.
fn line(text: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{text}")?)
}

/// Measures all.
async fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let faster = table(folder.path()).await;
    country::run(folder.path())?;
    typing::run(&checkout(), folder.path()).await?;
    faster
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Measures tables of both.
async fn table(folder: &Path) -> Result<()> {
    let checkout = checkout();
    let file = checkout.join("infra/local/data/porto/roads.osm.pbf");
    let began = Instant::now();
    let bundle = build(&[file], folder, &Profiles::built_in()?, &|_| ())?;
    line(&format!("Streets of Porto: made in {:.2} s", began.elapsed().as_secs_f64()))?;
    let streets = Streets::open(&bundle)?;
    let drive = streets.drive("car", None).context("a car")?;
    let places = places();
    let osrm = Osrm::start(&checkout)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let table = streets.table(&places, &drive);
        ours.push(began.elapsed());
        ensure!(table.way(0, 1).is_some(), "the places are not connected");
        theirs.push(osrm.table(&places).await?);
    }
    let best = |times: Vec<Duration>| times.into_iter().min().unwrap_or_default().as_secs_f64();
    let (ours, theirs) = (best(ours), best(theirs));
    line(&format!(
        "Seconds and metres, 1,000 x 1,000: {:.0} ms; osrm-routed, contraction hierarchy: {:.0} ms; {:.0} times as fast",
        ours * 1e3,
        theirs * 1e3,
        theirs / ours
    ))?;
    ensure!(ours * BAR <= theirs, "less than {BAR} times as fast as OSRM");
    Ok(())
}

/// Places all over Porto, the same in every run.
fn places() -> Vec<Position> {
    let place = |n: u32| {
        let (turn, out) = (f64::from(n) * 2.4, (f64::from(n) / f64::from(PLACES)).sqrt() * 0.02);
        Position { lat: 41.1555 + turn.sin() * out, lon: -8.6190 + turn.cos() * out * 1.3 }
    };
    (0..PLACES).map(place).collect()
}

/// A running osrm-routed; it ends with this value.
struct Osrm {
    process: Child,
    url: String,
}

impl Drop for Osrm {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Osrm {
    fn start(checkout: &Path) -> Result<Self> {
        let output = Command::new(checkout.join("infra/ci/osrm.sh")).stderr(Stdio::inherit()).output()?;
        ensure!(output.status.success(), "OSRM cannot be had");
        let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = Command::new(folder.join("osrm/bin/osrm-routed"))
            .args([
                "--algorithm",
                "ch",
                "--ip",
                "127.0.0.1",
                "--verbosity",
                "ERROR",
                "--max-table-size",
                "2000",
            ])
            .args(["--port", &port.to_string()])
            .arg(folder.join("porto/roads.osrm"))
            .stdout(Stdio::null())
            .spawn()?;
        Ok(Self { process, url: format!("http://127.0.0.1:{port}") })
    }

    async fn table(&self, places: &[Position]) -> Result<Duration> {
        let at = |place: &Position| format!("{:.6},{:.6}", place.lon, place.lat);
        let places: Vec<String> = places.iter().map(at).collect();
        let url = format!("{}/table/v1/driving/{}?annotations=duration,distance", self.url, places.join(";"));
        for _ in 0..100 {
            if reqwest::get(&self.url).await.is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let began = Instant::now();
        let answer = reqwest::get(url).await?.error_for_status()?;
        answer.bytes().await?;
        Ok(began.elapsed())
    }
}
