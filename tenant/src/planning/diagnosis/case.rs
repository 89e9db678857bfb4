//! The plan as it is looked at: its runs, the drivers who have none, and which of them may take a job.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use routewright_core::{Error, Result};
use routewright_solver::trial::{Trial, Use};
use routewright_solver::{ProblemError, TimeWindow};
use routewright_tenancy::Db;
use sqlx::postgres::PgConnection;

use crate::fleet::costing::{self, CostedRun};
use crate::plan::{self, PlanJob, PlanRun, Planner, Posed, Snapshot, Travel, shift, territories_of_jobs};
use crate::planning::runs::{self, Defaults};

/// Most drivers without a run who are tried.
const MOST_SPARE: usize = 50;

/// Which jobs are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    /// All that are unserved or late.
    All,
    /// One, and what is linked to it.
    Job(i64),
}

/// A plan to be looked at.
pub(super) struct Case {
    pub(super) snapshot: Snapshot,
    /// Version of the plan.
    pub(super) version: i64,
    pub(super) posed: Posed,
    /// What a run of a driver without one would be made of, by its stand-in.
    pub(super) fresh: BTreeMap<i64, Defaults>,
    /// The same runs as planning sees them.
    pub(super) spare: BTreeMap<i64, PlanRun>,
    /// So many more drivers without a run are not tried.
    pub(super) drivers_left_out: usize,
    /// The next day's plan: id and name.
    pub(super) next_day: Option<(i64, String)>,
    uses: Vec<Use>,
    fixed: Vec<bool>,
    costs: HashMap<i64, CostedRun>,
}

impl Case {
    /// Reads a plan and asks the roads, without a connection meanwhile.
    ///
    /// # Errors
    /// 404 without the scenario, or without the job in it, also for whom the run of the job is not visible.
    pub(super) async fn read(
        db: &mut Db,
        planner: &Planner<'_>,
        scenario: i64,
        scope: Scope,
    ) -> Result<Self> {
        // Read first: what changes meanwhile makes what is offered on it stale.
        let version = plan::version(db, scenario).await?;
        let snapshot = Snapshot::load(db, scenario, &[]).await?;
        let visible = visible(db, planner, scenario).await?;
        if let Scope::Job(id) = scope {
            let job = snapshot.jobs.get(&id).ok_or_else(|| Error::not_found("Job"))?;
            if job.run_id.is_some_and(|run| !visible.contains(&run)) {
                return Err(Error::not_found("Job"));
            }
        }
        let (fresh, drivers_left_out) = spare(db, planner, &snapshot).await?;
        let spare: BTreeMap<i64, PlanRun> = fresh
            .iter()
            .map(|(id, defaults)| (*id, snapshot.leaving(defaults.as_plan_run(*id, &planner.settings))))
            .collect();
        let mut terms = planner.terms(&snapshot);
        let places = snapshot.jobs.values().map(|job| (job.id, job.lat, job.lon));
        terms.territories = territories_of_jobs(db, scenario, places).await?;
        let runs = || snapshot.runs.values().chain(spare.values());
        let jobs: Vec<&PlanJob> = in_play(&snapshot, scope);
        let travel = db.outside(Travel::between(planner, runs(), jobs.iter().copied())).await??;
        let mut posed = Posed::new(&terms, &travel, runs(), jobs, &snapshot.links, |_| Vec::new());
        let mut uses = Vec::with_capacity(posed.runs.len());
        for (vehicle, run) in runs().enumerate() {
            posed.problem.vehicles[vehicle].departure = departure(run, &posed);
            let kept = run.started() || run.validated_at.is_some() || run.has_proofs;
            uses.push(match (run.id < 0, kept || !visible.contains(&run.id)) {
                (true, _) => Use::Spare,
                (false, true) => Use::Kept,
                (false, false) => Use::Open,
            });
        }
        let kept = |run: i64| posed.vehicle(run).is_some_and(|vehicle| uses[vehicle] == Use::Kept);
        let stays = |job: &i64| {
            snapshot.jobs.get(job).is_none_or(|job| job.has_proof || job.run_id.is_some_and(kept))
        };
        let fixed = posed.jobs.iter().map(stays).collect();
        let costs = if planner.caller.holds("billing_rates_read") {
            let ids: Vec<i64> = snapshot.runs.keys().copied().collect();
            costing::of_runs(db, &ids).await?.into_iter().map(|run| (run.id, run)).collect()
        } else {
            HashMap::new()
        };
        let next_day = next_day(db, planner, &snapshot).await?;
        Ok(Self { version, posed, fresh, spare, drivers_left_out, next_day, uses, fixed, costs, snapshot })
    }

    /// The plan for the evaluator.
    pub(super) fn trial(&self) -> std::result::Result<Trial, ProblemError> {
        let current =
            self.posed.sequences(|run| self.snapshot.sequences.get(&run).cloned().unwrap_or_default());
        Trial::new(&self.posed.problem, &current, self.uses.clone(), self.fixed.clone())
    }

    /// What may become of a run.
    pub(super) fn uses(&self, vehicle: usize) -> Use {
        self.uses.get(vehicle).copied().unwrap_or(Use::Kept)
    }

    /// The stop of a job.
    pub(super) fn stop(&self, job: i64) -> Option<usize> {
        self.posed.stop(job)
    }

    /// Jobs that are unserved, then those that are late, on runs that may still change.
    pub(super) fn wanting(&self) -> Vec<i64> {
        let state = |job: &&PlanJob| self.state(job);
        let of = |wanted: &'static str| {
            self.snapshot.jobs.values().filter(move |job| state(job) == wanted).map(|job| job.id)
        };
        let movable = |job: &i64| self.stop(*job).is_some_and(|stop| !self.fixed[stop]);
        of("unserved").chain(of("late")).filter(movable).collect()
    }

    /// `unserved`, `late` or `served`.
    pub(super) fn state(&self, job: &PlanJob) -> &'static str {
        if job.run_id.is_none() {
            return "unserved";
        }
        let window = self.stop(job.id).and_then(|stop| self.posed.problem.stops[stop].window);
        let expected = job.updated_eta.or(job.eta).map(|moment| self.posed.day.of(moment));
        let late = window.zip(expected).is_some_and(|(window, at)| at > window.latest);
        if late && !job.has_proof { "late" } else { "served" }
    }

    /// A run of the plan, or the one that a driver would get.
    pub(super) fn run(&self, vehicle: usize) -> Option<&PlanRun> {
        let id = self.posed.runs.get(vehicle)?;
        self.snapshot.runs.get(id).or_else(|| self.spare.get(id))
    }

    /// What a change of some runs costs; none when the rate of one is not known.
    pub(super) fn cost(
        &self,
        parts: &[(usize, routewright_solver::trial::Added)],
        stops: i64,
        target: usize,
    ) -> Option<f64> {
        let cost = |(vehicle, added): &(usize, routewright_solver::trial::Added)| {
            let run = self.costs.get(self.posed.runs.get(*vehicle)?)?;
            // Stops are paid where they go.
            run.cost_of_more(added.metres, added.work, if *vehicle == target { stops } else { 0 })
        };
        parts.iter().map(cost).sum::<Option<f64>>().map(|cost| (cost * 100.0).round() / 100.0)
    }
}

/// Served jobs, because runs are tried with all their stops, and those that are asked about.
fn in_play(snapshot: &Snapshot, scope: Scope) -> Vec<&PlanJob> {
    let asked: Option<BTreeSet<i64>> = match scope {
        Scope::All => None,
        Scope::Job(job) => {
            let mut unit = snapshot.links.chain(job);
            unit.insert(job);
            Some(unit)
        }
    };
    let plays =
        |job: &&PlanJob| job.run_id.is_some() || asked.as_ref().is_none_or(|asked| asked.contains(&job.id));
    snapshot.jobs.values().filter(plays).collect()
}

/// A planned run may leave when it does or earlier, down to the start of its shift.
pub(in crate::planning) fn departure(run: &PlanRun, posed: &Posed) -> Option<TimeWindow> {
    let planned = posed.day.of(run.planned_start_time?);
    let start = shift(run, posed.day).earliest;
    (planned > start).then_some(TimeWindow { earliest: start, latest: planned })
}

/// Runs that the caller may see: a haulier's people their own.
async fn visible(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
) -> Result<BTreeSet<i64>> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "select r.id from runs r join drivers d on d.id = r.driver_id
         where r.scenario_id = $1 and ($2::bigint is null or d.haulier_id = $2)",
    )
    .bind(scenario)
    .bind(planner.caller.haulier_id())
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Drivers without a run in the plan, each with the variant of the day, and how many more there are.
async fn spare(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    snapshot: &Snapshot,
) -> Result<(BTreeMap<i64, Defaults>, usize)> {
    let mut drivers: Vec<i64> = sqlx::query_scalar(
        "select d.id from drivers d
         where d.deleted_at is null and ($2::bigint is null or d.haulier_id = $2)
             and not exists (select from runs r where r.driver_id = d.id and r.scenario_id = $1)
         order by d.id",
    )
    .bind(snapshot.scenario.id)
    .bind(planner.caller.haulier_id())
    .fetch_all(&mut *connection)
    .await?;
    let left_out = drivers.len().saturating_sub(MOST_SPARE);
    drivers.truncate(MOST_SPARE);
    let found = runs::of_drivers(connection, &drivers, snapshot.scenario.scheduled_date).await?;
    let mut seen = BTreeSet::new();
    let first = found.into_iter().filter(|defaults| seen.insert(defaults.driver_id));
    Ok(((1..).map(|n: i64| -n).zip(first).collect(), left_out))
}

/// The first plan of the next day; not for a haulier's people, who have no plans of their own.
async fn next_day(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    snapshot: &Snapshot,
) -> Result<Option<(i64, String)>> {
    if planner.caller.haulier_id().is_some() {
        return Ok(None);
    }
    Ok(sqlx::query_as("select id, name from scenarios where scheduled_date = $1 order by id limit 1")
        .bind(snapshot.scenario.scheduled_date.succ_opt())
        .fetch_optional(connection)
        .await?)
}
