//! Everything a search needs, read in one short transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_solver::{Budget, Clock, Plan, Problem, TerritoryMode};
use sqlx::postgres::PgConnection;

use super::scope::Scope;
use super::{NO_DRIVERS, Wanted};
use crate::plan::{
    self, PlanJob, Planner, Posed, Snapshot, Terms, Touch, Travel, objective, territories_of_jobs,
};
use crate::planning::runs::{self, Defaults};

/// Part of the time that was asked for after which a search without a better plan ends.
const PATIENCE_PART: u32 = 4;
/// Most of the patience that fits the size.
const MOST_PATIENCE: u32 = 4;
/// So many times the processor time, and so much beside, a search may take by the clock, however busy the machine is.
const CAP: u32 = 4;
const PATIENT: Duration = Duration::from_secs(60);

/// What was read before the search.
pub(super) struct Prepared {
    /// The plan as it was.
    pub(super) snapshot: Snapshot,
    /// What is in play.
    pub(super) scope: Scope,
    /// What a run would be made of, by its stand-in.
    pub(super) fresh: BTreeMap<i64, Defaults>,
    /// Territories of the jobs.
    pub(super) territories: HashMap<i64, Vec<i64>>,
    /// What was wanted.
    pub(super) wanted: Wanted,
}

/// A plan in terms of runs and jobs.
#[derive(Debug, Clone, Default)]
pub(super) struct Solution {
    /// Jobs of each open run in order; stand-ins for runs that are to be made.
    pub(super) runs: BTreeMap<i64, Vec<i64>>,
    /// Jobs on no run, and why.
    pub(super) unserved: Vec<(i64, &'static str)>,
}

/// Reads the scenario, the drivers and the territories.
///
/// # Errors
/// 404 without the scenario; 400 when there is nothing to plan or nobody to drive.
pub(super) async fn read(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    wanted: &Wanted,
) -> Result<Prepared> {
    wanted.check()?;
    let snapshot = Snapshot::load(connection, scenario, &[]).await?;
    let mut wanted = wanted.clone();
    if wanted.driver_ids.is_empty() {
        // Going on from a plan goes on with its drivers.
        let busy: BTreeSet<i64> = snapshot.runs.values().map(|run| run.driver_id).collect();
        wanted.driver_ids = busy.into_iter().collect();
        require_any_driver(&wanted)?;
    }
    let drivers: BTreeSet<i64> = wanted.driver_ids.iter().copied().collect();
    require_drivers(connection, planner.caller, &drivers).await?;
    let busy: BTreeSet<i64> = snapshot.runs.values().map(|run| run.driver_id).collect();
    let without: Vec<i64> = drivers.difference(&busy).copied().collect();
    let found = runs::of_drivers(connection, &without, snapshot.scenario.scheduled_date).await?;
    let fresh: BTreeMap<i64, Defaults> = (1..).map(|n: i64| -n).zip(candidates(found)).collect();
    let plan_run =
        |(id, defaults): (&i64, &Defaults)| snapshot.leaving(defaults.as_plan_run(*id, &planner.settings));
    let made = fresh.iter().map(plan_run).collect();
    let scope = Scope::new(&snapshot, &drivers, made, &wanted.options)?;
    // A search would undo what somebody else has just done to the runs in play. A task in the background names no version.
    let runs: Vec<i64> = scope.current.keys().chain(&scope.dissolved).copied().collect();
    let touch = Touch { jobs: &[], runs: &runs, with_times: false, fields: None };
    plan::refuse_stale(connection, planner.caller, scenario, None, &touch).await?;
    let places =
        scope.jobs.iter().filter_map(|id| snapshot.jobs.get(id)).map(|job| (job.id, job.lat, job.lon));
    let territories = if planner.terms(&snapshot).rules.territory_mode == TerritoryMode::Off {
        HashMap::new()
    } else {
        territories_of_jobs(connection, scenario, places).await?
    };
    Ok(Prepared { snapshot, scope, fresh, territories, wanted })
}

/// All drivers must exist, and a haulier's people may plan their own only.
async fn require_drivers(
    connection: &mut PgConnection,
    caller: &Caller,
    drivers: &BTreeSet<i64>,
) -> Result<()> {
    let ids: Vec<i64> = drivers.iter().copied().collect();
    let known: i64 = sqlx::query_scalar(
        "select count(*) from drivers
         where id = any($1) and deleted_at is null and ($2::bigint is null or haulier_id = $2)",
    )
    .bind(&ids)
    .bind(caller.haulier_id())
    .fetch_one(connection)
    .await?;
    if usize::try_from(known) == Ok(ids.len()) {
        Ok(())
    } else {
        Err(Error::field("driver_ids", "Driver not found"))
    }
}

/// Of each driver the variant of the day. Several variants of a driver that share an alternatives group are all offered,
/// because at most one of a group gets a run.
fn candidates(found: Vec<Defaults>) -> Vec<Defaults> {
    let mut chosen: Vec<Defaults> = Vec::new();
    for defaults in found {
        let first = chosen.iter().find(|other| other.driver_id == defaults.driver_id);
        let alternative = first.is_some_and(|first| {
            first.alternatives_group.is_some()
                && first.alternatives_group == defaults.alternatives_group
                && first.config_id.is_some()
                && defaults.config_id.is_some()
        });
        if first.is_none() || alternative {
            chosen.push(defaults);
        }
    }
    chosen
}

impl Prepared {
    /// Number that decides whether the search is made in the background: jobs plus drivers.
    pub(super) fn weight(&self) -> usize {
        self.scope.jobs.len() + self.wanted.driver_ids.len()
    }

    /// Longest search, in processor time of its thread so that a plan does not depend on what else the machine does: what was
    /// asked for, else what the organisation allows, else `usual`; small problems need less. A search that finds nothing better
    /// for long ends before, also when more time was asked for. Whoever waits waits no longer than `cap` by the clock.
    pub(super) fn budget(
        &self,
        planner: &Planner<'_>,
        usual: u32,
        cap: Option<Duration>,
        seed: u64,
    ) -> Budget {
        let fitting = Budget::for_size(self.scope.jobs.len());
        let limit = |seconds: u32| Duration::from_secs(u64::from(seconds.clamp(1, 600)));
        let options = &self.wanted.options;
        let time = match (options.max_seconds, planner.settings.optimisation.max_seconds) {
            (Some(asked), _) => limit(asked),
            (None, allowed) => fitting.time.min(limit(allowed.unwrap_or(usual))),
        };
        // Who asks for more time is given more patience, but not without end: nine stops do not take a minute.
        let patience =
            fitting.patience.map(|usual| (time / PATIENCE_PART).clamp(usual, usual * MOST_PATIENCE));
        let cap = cap.unwrap_or(time * CAP + PATIENT);
        // Going on from a plan means looking elsewhere than before.
        let seed = if options.improve { seed } else { fitting.seed };
        Budget { time, patience, clock: Clock::Processor, cap: Some(cap), seed, ..fitting }
    }

    /// The rules that it is planned by.
    pub(super) fn terms<'p>(&self, planner: &'p Planner<'_>) -> Terms<'p> {
        let options = &self.wanted.options;
        let mut terms = planner.terms(&self.snapshot);
        terms.territories.clone_from(&self.territories);
        terms.rules.ignore_type = options.ignore_type;
        terms.rules.ignore_time_window = options.ignore_time_window;
        terms.rules.ignore_capacity = options.ignore_capacity;
        terms.rules.compact = options.compact;
        if let Some(name) = &options.objective {
            terms.rules.objective = objective(name);
        }
        terms
    }

    /// Asks the roads and poses the problem; with the ways between its places.
    ///
    /// # Errors
    /// When a stored place is not on the globe.
    pub(super) async fn pose(&self, planner: &Planner<'_>) -> Result<(Posed, Travel)> {
        let terms = self.terms(planner);
        let runs = || self.scope.candidates.iter().map(|candidate| &candidate.run);
        let jobs: Vec<&PlanJob> =
            self.scope.jobs.iter().filter_map(|id| self.snapshot.jobs.get(id)).collect();
        let travel = Travel::between(planner, runs(), jobs.iter().copied()).await?;
        let current = |run: i64| self.scope.current.get(&run).cloned().unwrap_or_default();
        let mut posed =
            Posed::new(&terms, &travel, runs(), jobs.iter().copied(), &self.snapshot.links, current);
        for candidate in &self.scope.candidates {
            if let Some(vehicle) = posed.vehicle(candidate.run.id) {
                posed.problem.vehicles[vehicle].locked = candidate.kept;
            }
        }
        for (job, run) in &self.scope.fixed {
            if let (Some(stop), Some(vehicle)) = (posed.stop(*job), posed.vehicle(*run)) {
                posed.problem.stops[stop].fixed_vehicle = Some(vehicle);
            }
        }
        Ok((posed, travel))
    }
}

/// Reads a plan back into runs and jobs; kept runs are left out.
pub(super) fn read_back(prepared: &Prepared, posed: &Posed, plan: &Plan) -> Solution {
    let open: BTreeSet<i64> = prepared.scope.open_runs().collect();
    let runs = plan
        .routes
        .iter()
        .map(|route| {
            let jobs = route.visits.iter().map(|visit| posed.jobs[visit.stop]).collect();
            (posed.runs[route.vehicle], jobs)
        })
        .filter(|(run, _)| open.contains(run))
        .collect();
    let unserved = plan.unserved.iter().map(|left| (posed.jobs[left.stop], left.reason.as_str())).collect();
    Solution { runs, unserved }
}

/// Guards that a posed problem is moved to the search and its names are kept.
pub(super) fn part(posed: &mut Posed) -> Problem {
    std::mem::take(&mut posed.problem)
}

/// 400 without drivers.
pub(super) fn require_any_driver(wanted: &Wanted) -> Result<()> {
    if wanted.driver_ids.is_empty() { Err(Error::field("driver_ids", NO_DRIVERS)) } else { Ok(()) }
}
