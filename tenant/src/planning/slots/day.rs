//! One day's plan as a job would find it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveTime, Utc};
use geo::{Distance, Haversine, Point};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_solver::trial::{NoRoom, Remedy, Trial, Use};
use routewright_solver::{ProblemError, TimeWindow};
use sqlx::postgres::PgConnection;

use super::spans::{Span, between};
use super::{Sought, Wish};
use crate::app::App;
use crate::plan::{self, PlanJob, PlanRun, Planner, Posed, Snapshot, Travel, shift, territories_of_jobs};
use crate::planning::diagnosis::departure;

/// Most runs of a day that a job is tried on, the nearest first: what is asked of the roads grows with its square.
const MOST_RUNS: usize = 24;
/// Most plans of one day that are looked at.
const MOST_PLANS: usize = 3;

/// What stands on a day.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct Standing {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) scheduled_date: chrono::NaiveDate,
    /// Whether it has runs.
    pub(super) planned: bool,
}

/// What was found about a wish.
#[derive(Debug)]
pub(crate) enum Look {
    /// Nothing is planned on that day yet; the scenario that there is, if any.
    Open(Option<i64>),
    /// A run takes it.
    Fits(Box<Fit>),
    /// None does.
    No(NoRoom),
}

/// Where a job fits.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    /// The scenario.
    pub(crate) scenario: i64,
    /// Its name.
    pub(crate) name: String,
    /// Version of its plan that was looked at.
    pub(crate) version: i64,
    /// The run.
    pub(crate) run: i64,
    /// Its name.
    pub(crate) run_uid: String,
    /// All jobs of the run in order, with the new ones.
    pub(super) sequence: Vec<i64>,
    /// The job, and what is linked to it.
    pub(super) unit: Vec<i64>,
    /// When the run may leave; as before without.
    pub(super) departure: Option<TimeWindow>,
    /// When the job would be reached.
    pub(crate) eta: DateTime<Utc>,
    /// Driving more in the plan of that day, seconds.
    pub(crate) added_driving: i64,
    /// Metres more.
    pub(crate) added_distance: i64,
    /// Working time more, seconds.
    pub(crate) added_time: i64,
    /// Of that, driving and service.
    pub(crate) added_work: i64,
}

impl Fit {
    /// Stops that its run gets.
    pub(crate) fn drops(&self) -> i64 {
        i64::try_from(self.unit.len()).unwrap_or(i64::MAX)
    }
}

/// A plan with a job that is not in its place yet.
pub(super) struct DayPlan {
    name: String,
    version: i64,
    snapshot: Snapshot,
    posed: Posed,
    uses: Vec<Use>,
    fixed: Vec<bool>,
    job: i64,
    unit: Vec<i64>,
}

/// The plans of some days, by day and id.
pub(super) async fn standing(
    connection: &mut PgConnection,
    dates: &[chrono::NaiveDate],
) -> Result<Vec<Standing>> {
    Ok(sqlx::query_as(
        "select s.id, s.name, s.scheduled_date, exists (select from runs r where r.scenario_id = s.id) as planned
         from scenarios s where s.scheduled_date = any($1) order by s.scheduled_date, s.id",
    )
    .bind(dates)
    .fetch_all(connection)
    .await?)
}

/// The plans of one day that have runs: the job's own first, then the oldest.
pub(super) fn planned<'a>(standing: &[&'a Standing], own: Option<i64>) -> Vec<&'a Standing> {
    let mut planned: Vec<&Standing> = standing.iter().copied().filter(|scenario| scenario.planned).collect();
    planned.sort_by_key(|scenario| (Some(scenario.id) != own, scenario.id));
    planned.truncate(MOST_PLANS);
    planned
}

/// The scenario that a job is in; none in the pool.
///
/// # Errors
/// 404.
pub(super) async fn scenario_of(connection: &mut PgConnection, job: i64) -> Result<Option<i64>> {
    let found: Option<Option<i64>> = sqlx::query_scalar("select scenario_id from jobs where id = $1")
        .bind(job)
        .fetch_optional(connection)
        .await?;
    found.ok_or_else(|| Error::not_found("Job"))
}

/// Looks whether a job fits at a time. No transaction may be open meanwhile.
///
/// # Errors
/// 404 without the job; 503 when the organisation's turn does not come in time.
pub(crate) async fn look(app: &App, caller: &Caller, sought: Sought, wish: Wish) -> Result<Look> {
    let mut work = app.tenants.of(caller)?.begin().await?;
    let own = scenario_of(&mut work, sought.job).await?;
    let standing = standing(&mut work, &[wish.date]).await?;
    work.rollback().await?;
    let all: Vec<&Standing> = standing.iter().collect();
    let plans = planned(&all, own);
    if plans.is_empty() {
        return Ok(Look::Open(standing.first().map(|scenario| scenario.id)));
    }
    let mut best: Option<Fit> = None;
    let mut nearest = NoRoom::Impossible;
    for scenario in plans {
        let day = DayPlan::read(app, caller, scenario, own, sought.job).await?;
        let (day, found) = day.rooms(app, caller, sought.most_driving, |day| vec![day.wished(wish)]).await?;
        for found in found {
            match found {
                Ok(room) => {
                    let fit = day.fit(scenario.id, &room)?;
                    let cheaper = |best: &Fit| fit.added_time < best.added_time;
                    if best.as_ref().is_none_or(cheaper) {
                        best = Some(fit);
                    }
                }
                Err(why) => nearest = nearest.max(why),
            }
        }
    }
    Ok(best.map_or(Look::No(nearest), |fit| Look::Fits(Box::new(fit))))
}

impl DayPlan {
    /// Reads a plan and asks the roads, without a connection meanwhile.
    pub(super) async fn read(
        app: &App,
        caller: &Caller,
        scenario: &Standing,
        own: Option<i64>,
        job: i64,
    ) -> Result<Self> {
        let planner = Planner::new(app, caller)?;
        let mut work = app.tenants.of(caller)?.begin().await?;
        // Read first: what changes meanwhile makes what is found stale.
        let version = plan::version(&mut work, scenario.id).await?;
        let mut snapshot = Snapshot::load(&mut work, scenario.id, &[]).await?;
        if own != Some(scenario.id) {
            snapshot = snapshot.with(plan::guests(&mut work, job).await?);
        }
        if !snapshot.jobs.contains_key(&job) {
            return Err(Error::conflict(plan::CHANGED).code("PLAN_CHANGED"));
        }
        let mut terms = planner.terms(&snapshot);
        let places = snapshot.jobs.values().map(|job| (job.id, job.lat, job.lon));
        terms.territories = territories_of_jobs(&mut work, scenario.id, places).await?;
        work.rollback().await?;
        let unit: BTreeSet<i64> = snapshot.links.chain(job).into_iter().chain([job]).collect();
        let runs = near(&snapshot, job, &unit);
        let on = |job: &&PlanJob| {
            unit.contains(&job.id) || job.run_id.is_some_and(|run| runs.iter().any(|one| one.id == run))
        };
        let jobs: Vec<&PlanJob> = snapshot.jobs.values().filter(on).collect();
        let travel = Travel::between(&planner, runs.iter().copied(), jobs.iter().copied()).await?;
        let mut posed =
            Posed::new(&terms, &travel, runs.iter().copied(), jobs.iter().copied(), &snapshot.links, |_| {
                Vec::new()
            });
        for (vehicle, run) in runs.iter().enumerate() {
            posed.problem.vehicles[vehicle].departure = departure(run, &posed);
        }
        let uses = runs.iter().map(|run| if is_open(run) { Use::Open } else { Use::Kept }).collect();
        let fixed =
            posed.jobs.iter().map(|job| snapshot.jobs.get(job).is_none_or(|job| job.has_proof)).collect();
        let unit = unit.into_iter().collect();
        Ok(Self { name: scenario.name.clone(), version, snapshot, posed, uses, fixed, job, unit })
    }

    /// Tries the job within each of some windows, when it is the organisation's turn.
    pub(super) async fn rooms(
        self,
        app: &App,
        caller: &Caller,
        most_driving: i64,
        windows: impl FnOnce(&Self) -> Vec<Option<TimeWindow>>,
    ) -> Result<(Self, Vec<std::result::Result<Remedy, NoRoom>>)> {
        let windows = windows(&self);
        let proven = |job: &i64| self.snapshot.jobs.get(job).is_none_or(|job| job.has_proof);
        if self.unit.iter().any(proven) {
            let none = windows.iter().map(|_| Err(NoRoom::Impossible)).collect();
            return Ok((self, none));
        }
        let stop = self.posed.stop(self.job).ok_or_else(|| Error::not_found("Job"))?;
        let (day, found) = app
            .solvers
            .think(caller.share()?, move || {
                let found = self.trial().map(|mut trial| {
                    windows.iter().map(|window| trial.room(stop, *window, most_driving)).collect::<Vec<_>>()
                });
                (self, found)
            })
            .await?;
        Ok((day, found.map_err(Error::internal)?))
    }

    fn trial(&self) -> std::result::Result<Trial, ProblemError> {
        let current =
            self.posed.sequences(|run| self.snapshot.sequences.get(&run).cloned().unwrap_or_default());
        Trial::new(&self.posed.problem, &current, self.uses.clone(), self.fixed.clone())
    }

    /// The window of a wish; the job's own where no time is wanted.
    fn wished(&self, wish: Wish) -> Option<TimeWindow> {
        let own =
            || self.snapshot.jobs.get(&self.job).map_or((None, None), |job| (job.arrive_after, job.leave_by));
        let (from, to): (Option<NaiveTime>, Option<NaiveTime>) =
            if wish.from.is_some() || wish.to.is_some() { (wish.from, wish.to) } else { own() };
        self.posed.window(from, to)
    }

    /// The window of a span.
    pub(super) fn window(&self, span: Span) -> Option<TimeWindow> {
        self.posed.window(Some(span.from), Some(span.to))
    }

    /// The spans in which somebody works who may still take jobs.
    pub(super) fn spans(&self) -> Vec<Span> {
        let shifts: Vec<TimeWindow> = self
            .posed
            .runs
            .iter()
            .zip(&self.uses)
            .filter(|(_, of)| **of == Use::Open)
            .filter_map(|(run, _)| self.snapshot.runs.get(run))
            .map(|run| shift(run, self.posed.day))
            .collect();
        between(&shifts)
    }

    fn fit(&self, scenario: i64, room: &Remedy) -> Result<Fit> {
        let run = self.snapshot.runs.get(&self.posed.runs[room.place.vehicle]);
        let run = run.ok_or_else(|| Error::not_found("Run"))?;
        Ok(Fit {
            scenario,
            name: self.name.clone(),
            version: self.version,
            run: run.id,
            run_uid: run.uid.clone(),
            sequence: room.place.sequence.iter().map(|stop| self.posed.jobs[*stop]).collect(),
            unit: self.unit.clone(),
            departure: departure(run, &self.posed),
            eta: self.posed.day.moment(room.place.arrival),
            added_driving: room.added.driving,
            added_distance: room.added.metres,
            added_time: room.added.duration,
            added_work: room.added.work,
        })
    }
}

/// Whether a run may still get jobs.
fn is_open(run: &PlanRun) -> bool {
    !run.started() && run.actual_end_time.is_none() && run.validated_at.is_none() && !run.has_proofs
}

/// The runs that a job is tried on: those that it, or what is linked to it, is on, and of the open ones the nearest.
fn near<'a>(snapshot: &'a Snapshot, job: i64, unit: &BTreeSet<i64>) -> Vec<&'a PlanRun> {
    let on: BTreeSet<i64> =
        unit.iter().filter_map(|job| snapshot.jobs.get(job)).filter_map(|job| job.run_id).collect();
    let used = |run: &PlanRun| snapshot.sequences.get(&run.id).is_some_and(|jobs| !jobs.is_empty());
    let excluding: BTreeMap<&str, Vec<i64>> = snapshot.runs.values().filter(|run| used(run)).fold(
        BTreeMap::new(),
        |mut groups: BTreeMap<&str, Vec<i64>>, run| {
            if let Some(group) = run.alternatives_group.as_deref() {
                groups.entry(group).or_default().push(run.id);
            }
            groups
        },
    );
    // Of runs that exclude each other only the one that is driven may get jobs.
    let excluded = |run: &PlanRun| {
        !used(run)
            && run.alternatives_group.as_deref().is_some_and(|group| {
                excluding.get(group).is_some_and(|runs| runs.iter().any(|other| *other != run.id))
            })
    };
    let place = |lat: f64, lon: f64| Point::new(lon, lat);
    let target = snapshot.jobs.get(&job).map(|job| place(job.lat, job.lon));
    let away = |run: &PlanRun| {
        let stops = snapshot.sequences.get(&run.id).into_iter().flatten();
        let stops = stops.filter_map(|job| snapshot.jobs.get(job)).map(|job| (job.lat, job.lon));
        let metres = |(lat, lon)| target.map_or(0.0, |target| Haversine.distance(place(lat, lon), target));
        stops.chain(run.start()).map(metres).fold(f64::INFINITY, f64::min)
    };
    let candidates =
        snapshot.runs.values().filter(|run| !on.contains(&run.id) && is_open(run) && !excluded(run));
    let mut nearest: Vec<(f64, &PlanRun)> = candidates.map(|run| (away(run), run)).collect();
    nearest.sort_by(|one, other| one.0.total_cmp(&other.0));
    let own = snapshot.runs.values().filter(|run| on.contains(&run.id));
    own.chain(nearest.into_iter().take(MOST_RUNS).map(|(_, run)| run)).collect()
}
