//! Travel times from streets in this process.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use routewright_governor::Pace;
use routewright_streets::{Drive, Position, Profiles, Snap, Streets, Table};
use tokio::sync::Semaphore;

use crate::lines::encode;
use crate::{
    GreatCircle, Leg, Matrix, Paces, Point, RoadProfile, RoadVehicle, Roads, RoadsError, Route, Source,
    TakeRows, Told,
};

/// Questions about many places that are answered at the same time, for whoever asks without a turn; one of ten thousand takes a
/// gigabyte.
const AT_ONCE: usize = 2;
/// Questions about so many places take some thousandths of a second and wait for no others.
const FEW: usize = 200;
/// How often the files are looked at for a change.
const LOOK: Duration = Duration::from_secs(60);

/// Which streets, and where what is made of them is kept.
#[derive(Debug, Clone)]
pub struct StreetsOptions {
    /// `.osm.pbf` files and folders with such, separated by commas.
    pub sources: String,
    /// Folder of bundles, shared by all processes that may write to it.
    pub folder: PathBuf,
    /// File with speeds by the hour of the week (see [`Profiles::with_hours`]); streets are free at every hour without.
    pub hours: Option<PathBuf>,
}

impl StreetsOptions {
    /// The files and folders that are named.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.sources.split(',').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from).collect()
    }

    /// Makes what the streets need and waits for it, so that a service finds it made; returns its folder.
    ///
    /// # Errors
    /// When a file cannot be read, is not an `.osm.pbf` or holds no streets, or when the folder cannot be written.
    pub fn build(&self, progress: &(dyn Fn(&str) + Sync)) -> Result<PathBuf, RoadsError> {
        let made = || {
            let files = routewright_streets::sources(&self.sources)?;
            routewright_streets::build(&files, &self.folder, &self.profiles()?, progress)
        };
        made().map_err(RoadsError::Streets)
    }

    fn profiles(&self) -> Result<Profiles, routewright_streets::Error> {
        let free = Profiles::built_in()?;
        let Some(path) = &self.hours else { return Ok(free) };
        let text = std::fs::read_to_string(path)
            .map_err(|source| routewright_streets::Error::File { path: path.clone(), source })?;
        free.with_hours(&text)
    }
}

/// Streets read from `.osm.pbf` files. They are prepared in the background: until then, and where they know no way, ways are
/// estimated by [`GreatCircle`], and the answer says so.
#[derive(Debug)]
pub struct OwnStreets {
    state: Arc<ArcSwap<State>>,
    turns: Arc<Semaphore>,
}

/// What there is to answer with.
#[derive(Debug)]
enum State {
    /// Not yet, or not at all: why.
    Waiting(String),
    Ready(Arc<Streets>, Option<Box<Paces>>),
}

impl OwnStreets {
    /// Begins to prepare the streets on a thread of its own, which ends with this value, and looks at the files for changes.
    ///
    /// # Errors
    /// When a file or folder that is named is not there, or there is no thread.
    pub fn start(options: StreetsOptions) -> Result<Self, RoadsError> {
        routewright_streets::sources(&options.sources).map_err(RoadsError::Streets)?;
        let state = State::Waiting("the streets are being prepared".to_owned());
        let state = Arc::new(ArcSwap::from_pointee(state));
        let keeper = Keeper { options, bundle: None, seen: Vec::new() };
        let weak = Arc::downgrade(&state);
        thread::Builder::new()
            .name("streets".to_owned())
            .spawn(move || keeper.keep(&weak))
            .map_err(RoadsError::Thread)?;
        Ok(Self { state, turns: Arc::new(Semaphore::new(AT_ONCE)) })
    }

    /// Whether the streets are ready.
    pub fn ready(&self) -> bool {
        matches!(**self.state.load(), State::Ready(..))
    }

    /// Asks the streets about so many places on a thread for blocking work, in turn if they are many; the error says why they cannot
    /// be asked. What a vehicle with sizes of its own drives differently is worked out there when it is not known yet. The question is
    /// told the pace at which times are told.
    async fn ask<T: Send + 'static>(
        &self,
        vehicle: RoadVehicle,
        places: usize,
        question: impl FnOnce(&Streets, &Drive, f64) -> T + Send + 'static,
    ) -> Result<T, String> {
        let (streets, pace) = match &**self.state.load() {
            State::Ready(streets, paces) => (Arc::clone(streets), pace(vehicle, paces.as_deref())),
            State::Waiting(reason) => return Err(reason.clone()),
        };
        let turn = if places > FEW { Some(Arc::clone(&self.turns).acquire_owned().await) } else { None };
        let turn = turn.transpose().map_err(|error| error.to_string())?;
        let answer = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let answer = drive(&streets, vehicle).map(|drive| question(&streets, &drive, pace));
            drop(turn);
            (answer, began.elapsed())
        });
        // A damaged bundle ends this question only.
        let (answer, took) = answer.await.map_err(|error| error.to_string())?;
        Pace::charge(took);
        answer
    }
}

/// How a vehicle drives on these streets; the error says why it does not.
fn drive(streets: &Streets, vehicle: RoadVehicle) -> Result<Drive, String> {
    let name = vehicle.profile.name();
    let drive = streets.drive_as(name, &vehicle.on_streets(), vehicle.hour.map(usize::from));
    drive.ok_or_else(|| format!("there is no profile `{name}`"))
}

/// The pace of the traffic that a vehicle leaves in.
fn pace(vehicle: RoadVehicle, paces: Option<&Paces>) -> f64 {
    let hour = vehicle.hour.filter(|_| vehicle.profile.in_traffic()).map(usize::from);
    hour.zip(paces).map_or(1.0, |(hour, paces)| paces[hour % paces.len()])
}

/// Seconds in traffic of a pace, as they are told: of free streets.
fn told(seconds: u32, pace: f64) -> u32 {
    (f64::from(seconds) * pace).round() as u32
}

fn positions(points: &[Point]) -> Vec<Position> {
    points.iter().map(|point| Position { lat: point.lat(), lon: point.lon() }).collect()
}

#[async_trait]
impl Roads for OwnStreets {
    async fn matrix(&self, points: &[Point]) -> Matrix {
        self.matrix_of(RoadVehicle::default(), points).await
    }

    async fn route(&self, points: &[Point]) -> Route {
        self.route_of(RoadVehicle::default(), points).await
    }

    async fn matrix_of(&self, vehicle: RoadVehicle, points: &[Point]) -> Matrix {
        let asked = points.to_vec();
        match self
            .ask(vehicle, points.len(), move |streets, drive, pace| matrix(streets, drive, pace, &asked))
            .await
        {
            Ok(matrix) => {
                warn(&matrix.source, &matrix.off_road, points);
                matrix
            }
            Err(reason) => {
                tracing::warn!(%reason, points = points.len(), "travel times are estimated");
                GreatCircle::matrix_of(points, Source::GreatCircleInstead { reason }).await
            }
        }
    }

    async fn rows_of(&self, vehicle: RoadVehicle, points: &[Point], take: TakeRows) -> Told {
        let (asked, taken) = (points.to_vec(), Arc::clone(&take));
        match self
            .ask(vehicle, points.len(), move |streets, drive, pace| {
                rows(streets, drive, pace, &asked, &*taken)
            })
            .await
        {
            Ok(told) => {
                warn(&told.source, &told.off_road, points);
                told
            }
            Err(reason) => {
                tracing::warn!(%reason, points = points.len(), "travel times are estimated");
                let source = Source::GreatCircleInstead { reason };
                let found = GreatCircle::matrix_of(points, source).await;
                take(&found.durations, &found.distances);
                Told { source: found.source, off_road: found.off_road }
            }
        }
    }

    async fn route_of(&self, vehicle: RoadVehicle, points: &[Point]) -> Route {
        let asked = points.to_vec();
        // A way through many places is no table of them.
        match self.ask(vehicle, 1, move |streets, drive, pace| route(streets, drive, pace, &asked)).await {
            Ok(route) => route,
            Err(reason) => {
                tracing::warn!(%reason, points = points.len(), "route is estimated");
                GreatCircle::route_of(points, Source::GreatCircleInstead { reason })
            }
        }
    }

    async fn alike(&self, vehicles: &[RoadVehicle]) -> Vec<RoadVehicle> {
        let asked = vehicles.to_vec();
        let found = self.ask(RoadVehicle::default(), 1, move |streets, _, _| {
            let mut known: Vec<(Option<Drive>, RoadVehicle)> = Vec::new();
            let mut alike = Vec::with_capacity(asked.len());
            for vehicle in asked {
                let (own, usual) = (drive(streets, vehicle).ok(), RoadVehicle::from(vehicle.profile));
                let same = if own == drive(streets, usual).ok() {
                    usual
                } else {
                    known.iter().find(|(drive, _)| *drive == own).map_or(vehicle, |(_, vehicle)| *vehicle)
                };
                known.push((own, same));
                alike.push(same);
            }
            alike
        });
        // Estimates are the same for all.
        found.await.unwrap_or_else(|_| vehicles.iter().map(|vehicle| vehicle.profile.into()).collect())
    }

    async fn nearest(&self, point: Point) -> Option<Point> {
        let asked = positions(&[point]);
        let snap = self
            .ask(RoadVehicle::default(), 1, move |streets, drive, _| streets.snap(asked[0], drive))
            .await
            .ok()??;
        Point::new(snap.position.lat, snap.position.lon).ok()
    }

    fn paces(&self) -> Option<Paces> {
        match &**self.state.load() {
            State::Ready(_, paces) => paces.as_deref().copied(),
            State::Waiting(_) => None,
        }
    }

    fn name(&self) -> &'static str {
        "streets"
    }
}

fn warn(source: &Source, off_road: &[usize], points: &[Point]) {
    if let Source::StreetsPartly { estimated } = source {
        let off: Vec<Point> = off_road.iter().map(|at| points[*at]).collect();
        tracing::warn!(
            estimated,
            points = points.len(),
            ?off,
            "some ways are estimated: no street leads there"
        );
    }
}

fn matrix(streets: &Streets, drive: &Drive, pace: f64, points: &[Point]) -> Matrix {
    let mut table = streets.table(&positions(points), drive);
    let mut estimates = Estimates::new(points, pace);
    estimates.fill(&table.snaps, 0, &mut table.durations, &mut table.distances);
    let Told { source, off_road } = estimates.told(streets, drive, &table.snaps);
    let Table { size, durations, distances, .. } = table;
    Matrix { size, durations, distances, source, off_road }
}

fn rows(
    streets: &Streets,
    drive: &Drive,
    pace: f64,
    points: &[Point],
    take: &dyn Fn(&[u32], &[u32]),
) -> Told {
    let mut estimates = Estimates::new(points, pace);
    let snaps = streets.table_in_parts(&positions(points), drive, |snaps, from, seconds, metres| {
        estimates.fill(snaps, from, seconds, metres);
        take(seconds, metres);
    });
    estimates.told(streets, drive, &snaps)
}

/// Ways that the streets do not know.
struct Estimates<'p> {
    points: &'p [Point],
    /// That of the traffic in which the others are driven.
    pace: f64,
    count: usize,
    /// Ways of every point from and to others on streets that there are not.
    missing: Vec<usize>,
}

impl<'p> Estimates<'p> {
    fn new(points: &'p [Point], pace: f64) -> Self {
        Self { points, pace, count: 0, missing: vec![0; points.len()] }
    }

    /// Estimates what is missing in some rows, and tells the others as times are told.
    fn fill(&mut self, snaps: &[Option<Snap>], first: usize, seconds: &mut [u32], metres: &mut [u32]) {
        let size = self.points.len().max(1);
        for (at, (seconds, metres)) in seconds.iter_mut().zip(metres).enumerate() {
            if *seconds != Table::NONE {
                *seconds = told(*seconds, self.pace);
                continue;
            }
            let (from, to) = (first + at / size, at % size);
            (*seconds, *metres) = GreatCircle::way(self.points[from], self.points[to]);
            self.count += 1;
            if snaps[from].is_some() && snaps[to].is_some() {
                self.missing[from] += 1;
                self.missing[to] += 1;
            }
        }
    }

    fn told(&self, streets: &Streets, drive: &Drive, snaps: &[Option<Snap>]) -> Told {
        let places = positions(self.points);
        let others = snaps.iter().flatten().count().saturating_sub(1);
        // Beyond the rectangle around all streets they may be known to other maps. Of two parts that no way joins, the smaller is
        // off.
        let off = |at: &usize| match &snaps[*at] {
            None => streets.covers(places[*at], drive),
            Some(_) => self.missing[*at] > others,
        };
        Told { source: partly(self.count), off_road: (0..places.len()).filter(off).collect() }
    }
}

fn route(streets: &Streets, drive: &Drive, pace: f64, points: &[Point]) -> Route {
    let mut estimated = 0;
    let mut whole: Vec<(f64, f64)> = Vec::new();
    let legs = streets
        .route(&positions(points), drive)
        .into_iter()
        .zip(points.windows(2))
        .map(|(leg, pair)| {
            let line = leg.as_ref().map_or_else(
                || pair.iter().map(|point| (point.lon(), point.lat())).collect(),
                |leg| leg.line.iter().map(|place| (place.lon, place.lat)).collect::<Vec<_>>(),
            );
            whole.extend(&line);
            let Some(leg) = leg else {
                estimated += 1;
                return GreatCircle::leg(pair[0], pair[1]);
            };
            // Streets are on the globe, which is all that the encoder asks for.
            let geometry = encode(&line).unwrap_or_default();
            Leg { duration: told(leg.way.duration, pace), distance: leg.way.distance, geometry }
        })
        .collect();
    whole.dedup();
    Route { legs, geometry: encode(&whole).unwrap_or_default(), source: partly(estimated) }
}

/// Streets, with the number of estimates.
fn partly(estimated: usize) -> Source {
    match estimated {
        0 => Source::Streets,
        _ => Source::StreetsPartly { estimated },
    }
}

/// Prepares the streets and prepares them again when a file changes.
struct Keeper {
    options: StreetsOptions,
    bundle: Option<PathBuf>,
    /// Size and time of every file when they were last read.
    seen: Vec<(PathBuf, u64, Option<std::time::SystemTime>)>,
}

impl Keeper {
    fn keep(mut self, state: &std::sync::Weak<ArcSwap<State>>) {
        while let Some(state) = state.upgrade() {
            if let Err(error) = self.look(&state) {
                let reason = error.to_string();
                tracing::error!(%reason, "the streets are not ready");
                // Streets that were ready stay: old ones are better than none.
                if !matches!(**state.load(), State::Ready(..)) {
                    state.store(Arc::new(State::Waiting(reason)));
                }
            }
            drop(state);
            thread::sleep(LOOK);
        }
    }

    fn look(&mut self, state: &ArcSwap<State>) -> Result<(), routewright_streets::Error> {
        let files = routewright_streets::sources(&self.options.sources)?;
        let seen = files
            .iter()
            .map(|file| {
                let known = std::fs::metadata(file).ok();
                let size = known.as_ref().map_or(0, std::fs::Metadata::len);
                (file.clone(), size, known.and_then(|known| known.modified().ok()))
            })
            .collect();
        if seen == self.seen {
            return Ok(());
        }
        // Remembered before it is tried: what is wrong is told once, and tried again when the files are others.
        self.seen = seen;
        let profiles = self.options.profiles()?;
        let progress = |step: &str| tracing::info!(step, "streets");
        let bundle = routewright_streets::build(&files, &self.options.folder, &profiles, &progress)?;
        if self.bundle.as_ref() != Some(&bundle) {
            let streets = Streets::open(&bundle)?;
            tracing::info!(bundle = %bundle.display(), "the streets are ready");
            let held_up = |paces: &Paces| paces.iter().any(|pace| (pace - 1.0).abs() > 1e-9);
            let paces = streets.paces(RoadProfile::Car.name()).filter(held_up).map(Box::new);
            state.store(Arc::new(State::Ready(Arc::new(streets), paces)));
            self.bundle = Some(bundle);
        }
        Ok(())
    }
}
