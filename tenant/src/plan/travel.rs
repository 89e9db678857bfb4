//! Ways between the places of a plan.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use routewright_core::{Error, Result};
use routewright_roads::{Paces, Point, RoadVehicle, Roads, TakeRows, Told};
use routewright_solver::{Matrix, MatrixRows, Traffic};

use super::day::{DAY, Day};
use super::door::Planner;
use super::snapshot::{PlanJob, PlanRun};

/// Most places of one question about the ways along a run.
const PART: usize = 100;
/// The source of estimates.
const ESTIMATED: &str = "great_circle";
/// Seconds between two looks at the traffic of a day: hours begin at full quarters everywhere.
const QUARTER: usize = 900;
/// Paces beyond these are none that ways can be timed in.
const SLOWEST: f64 = 0.01;
const FASTEST: f64 = 100.0;

/// Where places stand in a matrix, by the bits of their latitude and longitude.
type Places = HashMap<(u64, u64), usize>;

/// Travel between the places of a problem.
#[derive(Debug, Clone)]
pub(crate) struct Travel {
    places: Places,
    /// Of vehicles that take different ways; one at least.
    matrices: Vec<Matrix>,
    /// Which of them every vehicle travels by.
    vehicles: HashMap<RoadVehicle, usize>,
    /// Where the times come from, as a plan keeps it.
    pub(crate) source: &'static str,
    /// How fast traffic is by hour of the week.
    paces: Option<Paces>,
}

impl Travel {
    /// Asks the roads for the ways between all places of these runs and jobs, for every kind of vehicle that drives them, when it is
    /// the organisation's turn. There is no way to a job that no road leads to. No transaction may be open meanwhile.
    ///
    /// # Errors
    /// 400 when that takes more memory than there is; 503 when the turn does not come in time; when a stored place is not on the
    /// globe.
    pub(crate) async fn between<'a>(
        planner: &Planner<'_>,
        runs: impl IntoIterator<Item = &'a PlanRun>,
        jobs: impl IntoIterator<Item = &'a PlanJob>,
    ) -> Result<Self> {
        let question = Question::of(runs, jobs)?;
        let alike = Alike::of(planner.roads, &question).await;
        let mut answers = Vec::with_capacity(alike.asked.len());
        for vehicle in &alike.asked {
            let (take, laid) = laying(&question);
            answers.push(planner.ways(*vehicle, &question.points, take, laid).await??);
        }
        Ok(question.answered(planner.roads, alike, answers))
    }

    /// The same in the midst of what must not wait for a turn.
    ///
    /// # Errors
    /// When a stored place is not on the globe.
    pub(crate) async fn at_once<'a>(
        roads: &dyn Roads,
        runs: impl IntoIterator<Item = &'a PlanRun>,
        jobs: impl IntoIterator<Item = &'a PlanJob>,
    ) -> Result<Self> {
        let question = Question::of(runs, jobs)?;
        let alike = Alike::of(roads, &question).await;
        let mut answers = Vec::with_capacity(alike.asked.len());
        for vehicle in &alike.asked {
            let (take, laid) = laying(&question);
            answers.push(laid(roads.rows_of(*vehicle, &question.points, take).await)?);
        }
        Ok(question.answered(roads, alike, answers))
    }

    /// Asks the roads for the ways that a run takes when it visits these jobs in this order, and for no others: as many as there are
    /// jobs, not their square. So it may be done while the plan is locked.
    /// Where no road leads they are estimated: the jobs are on the run, whose times are wanted.
    ///
    /// # Errors
    /// When a stored place is not on the globe.
    pub(crate) async fn along(roads: &dyn Roads, run: &PlanRun, jobs: &[&PlanJob]) -> Result<Self> {
        let vehicle = run.drives_as();
        let mut places = Places::new();
        let mut points = Vec::new();
        let mut path = Vec::new();
        let stops = jobs.iter().map(|job| (job.lat, job.lon));
        for (lat, lon) in run.start().into_iter().chain(stops).chain(run.end()) {
            let at = *places.entry(key(lat, lon)).or_insert(points.len());
            if at == points.len() {
                points.push(Point::new(lat, lon).map_err(Error::internal)?);
            }
            path.push(at);
        }
        let mut ways = Vec::with_capacity(path.len());
        let mut source = None;
        let mut from = 0;
        while from == 0 || from + 1 < path.len() {
            let part: Vec<usize> = path.iter().skip(from).take(PART).copied().collect();
            let asked: Vec<Point> = part.iter().map(|at| points[*at]).collect();
            let found = roads.matrix_of(vehicle, &asked).await;
            ways.extend(part.windows(2).enumerate().map(|(at, pair)| {
                let cell = at * found.size + at + 1;
                (pair[0], pair[1], found.durations[cell], found.distances[cell])
            }));
            source = Some(source.map_or(found.source.name(), |known| both(known, found.source.name())));
            from += PART - 1;
        }
        let source = source.unwrap_or(ESTIMATED);
        let matrix = Matrix::of_ways(points.len(), &ways).map_err(Error::internal)?;
        let vehicles = HashMap::from([(vehicle, 0)]);
        Ok(Self { places, matrices: vec![matrix], vehicles, source, paces: paces(roads, source) })
    }

    /// Whether it tells the ways between all places of these runs and jobs, for what drives the runs.
    pub(crate) fn covers<'a>(
        &self,
        runs: impl IntoIterator<Item = &'a PlanRun>,
        jobs: impl IntoIterator<Item = &'a PlanJob>,
    ) -> bool {
        let knows = |lat: f64, lon: f64| self.places.contains_key(&key(lat, lon));
        let drives = |run: &PlanRun| self.vehicles.contains_key(&run.drives_as());
        runs.into_iter().all(|run| drives(run) && ends(run).all(|(lat, lon)| knows(lat, lon)))
            && jobs.into_iter().all(|job| knows(job.lat, job.lon))
    }

    /// Everything in one place, for questions that do not depend on travel.
    pub(crate) fn none<'a>(
        runs: impl IntoIterator<Item = &'a PlanRun>,
        jobs: impl IntoIterator<Item = &'a PlanJob>,
    ) -> Result<Self> {
        let stops = jobs.into_iter().map(|job| (job.lat, job.lon));
        let places = runs.into_iter().flat_map(ends).chain(stops);
        let places = places.map(|(lat, lon)| (key(lat, lon), 0)).collect();
        let matrix = Matrix::new(1, vec![0], vec![0]).map_err(Error::internal)?;
        Ok(Self { places, matrices: vec![matrix], vehicles: HashMap::new(), source: "none", paces: None })
    }

    /// The matrices, in the order in which the problem counts them.
    pub(super) fn matrices(&self) -> impl Iterator<Item = &Matrix> {
        self.matrices.iter()
    }

    /// Which matrix a vehicle travels by, as the problem counts them.
    pub(super) fn by(&self, vehicle: RoadVehicle) -> Option<usize> {
        self.vehicles.get(&vehicle).and_then(|at| at.checked_sub(1))
    }

    /// How fast traffic is around a day, in quarters of an hour; `None` where it is the same at every hour.
    pub(super) fn traffic(&self, day: Day) -> Option<Traffic> {
        let paces = self.paces.as_ref()?;
        let pace = |at: i64| paces[day.hour_of_week(at)].clamp(SLOWEST, FASTEST);
        let quarters = |from: i64, until: i64| (from..until).step_by(QUARTER);
        let mut of_day =
            Traffic { usual: usual(quarters(DAY / 4, DAY * 5 / 6).map(pace)), paces: Vec::new() };
        for at in quarters(-DAY, 3 * DAY) {
            let pace = pace(at);
            if of_day.paces.last().is_none_or(|(_, last)| (last - pace).abs() > 1e-9) {
                of_day.paces.push((at, pace));
            }
        }
        Some(of_day)
    }

    pub(super) fn place(&self, lat: f64, lon: f64) -> usize {
        // Every place was asked for; an unknown one would be refused by the solver as outside its matrix.
        self.places.get(&key(lat, lon)).copied().unwrap_or(usize::MAX)
    }
}

/// What the roads are asked.
struct Question {
    places: Places,
    /// All places of runs and jobs, each once.
    points: Vec<Point>,
    /// Which of them are starts and ends of runs.
    ends: BTreeSet<usize>,
    /// Vehicles that drive the runs; one at least.
    vehicles: Vec<RoadVehicle>,
}

/// Vehicles that are asked for, and by which of them the others travel.
struct Alike {
    asked: Vec<RoadVehicle>,
    vehicles: HashMap<RoadVehicle, usize>,
}

impl Alike {
    /// Vehicles that take the same ways are asked for once.
    async fn of(roads: &dyn Roads, question: &Question) -> Self {
        let mut alike = Self { asked: Vec::new(), vehicles: HashMap::new() };
        for (vehicle, same) in question.vehicles.iter().zip(roads.alike(&question.vehicles).await) {
            let known = alike.asked.iter().position(|asked| *asked == same);
            let at = known.unwrap_or_else(|| {
                alike.asked.push(same);
                alike.asked.len() - 1
            });
            alike.vehicles.insert(*vehicle, at);
        }
        alike
    }
}

impl Question {
    fn of<'a>(
        runs: impl IntoIterator<Item = &'a PlanRun>,
        jobs: impl IntoIterator<Item = &'a PlanJob>,
    ) -> Result<Self> {
        let mut question =
            Self { places: Places::new(), points: Vec::new(), ends: BTreeSet::new(), vehicles: Vec::new() };
        for run in runs {
            for (lat, lon) in ends(run) {
                let at = question.place(lat, lon)?;
                question.ends.insert(at);
            }
            if !question.vehicles.contains(&run.drives_as()) {
                question.vehicles.push(run.drives_as());
            }
        }
        for job in jobs {
            question.place(job.lat, job.lon)?;
        }
        if question.vehicles.is_empty() {
            question.vehicles.push(RoadVehicle::default());
        }
        Ok(question)
    }

    fn place(&mut self, lat: f64, lon: f64) -> Result<usize> {
        let at = *self.places.entry(key(lat, lon)).or_insert(self.points.len());
        if at == self.points.len() {
            self.points.push(Point::new(lat, lon).map_err(Error::internal)?);
        }
        Ok(at)
    }

    /// The ways of each vehicle that was asked for, and where they come from.
    fn answered(self, roads: &dyn Roads, alike: Alike, answers: Vec<(Matrix, &'static str)>) -> Travel {
        let source = answers.last().map_or(ESTIMATED, |(_, source)| source);
        let matrices = answers.into_iter().map(|(matrix, _)| matrix).collect();
        let (places, vehicles) = (self.places, alike.vehicles);
        Travel { places, matrices, vehicles, source, paces: paces(roads, source) }
    }
}

/// What takes ways as they come and lays them as the search reads them, so that they are in memory once; and what answers them, and
/// where they come from, when all are there. A start or end that no road leads to would leave all jobs of its run unserved: its ways
/// stay estimated.
fn laying(
    question: &Question,
) -> (TakeRows, impl FnOnce(Told) -> Result<(Matrix, &'static str)> + Send + use<>) {
    let rows = Arc::new(Mutex::new(MatrixRows::new(question.points.len())));
    let taken = Arc::clone(&rows);
    let take = move |seconds: &[u32], metres: &[u32]| lock(&taken).push(seconds, metres);
    let ends = question.ends.clone();
    let laid = move |told: Told| {
        let off: Vec<usize> = told.off_road.iter().copied().filter(|at| !ends.contains(at)).collect();
        let rows = std::mem::replace(&mut *lock(&rows), MatrixRows::new(0));
        Ok((rows.without(&off).map_err(Error::internal)?, told.source.name()))
    };
    (Arc::new(take), laid)
}

fn lock(rows: &Mutex<MatrixRows>) -> MutexGuard<'_, MatrixRows> {
    rows.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a run starts and ends, as far as that is told.
fn ends(run: &PlanRun) -> impl Iterator<Item = (f64, f64)> + use<> {
    run.start().into_iter().chain(run.end_lat.zip(run.end_lon))
}

/// How fast traffic is; estimates know none.
fn paces(roads: &dyn Roads, source: &str) -> Option<Paces> {
    roads.paces().filter(|_| source != ESTIMATED)
}

/// The pace at which a way that lies in any of these takes its mean time.
fn usual(paces: impl Iterator<Item = f64>) -> f64 {
    let (count, slowness) = paces.fold((0.0, 0.0), |(count, sum), pace| (count + 1.0, sum + 1.0 / pace));
    if count > 0.0 { count / slowness } else { 1.0 }
}

/// Where times come from that come from two sources.
fn both(one: &'static str, other: &'static str) -> &'static str {
    match (one, other) {
        _ if one == other => one,
        _ if [one, other].iter().any(|source| source.starts_with("osrm")) => "osrm+great_circle",
        _ => "streets+great_circle",
    }
}

fn key(lat: f64, lon: f64) -> (u64, u64) {
    (lat.to_bits(), lon.to_bits())
}

#[cfg(test)]
mod tests;
