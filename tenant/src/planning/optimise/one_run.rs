//! Optimising one run: its jobs in a better order. Jobs that do not fit any more become unserved.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Kind, Result};
use routewright_solver::{Budget, Cancel, Clock, Progress, TerritoryMode, TimeWindow};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::watch;

use super::NO_JOBS;
use super::answer::Optimised;
use super::summary::{self, Figures, Summary};
use crate::app::App;
use crate::plan::{
    self, CHANGED, Departure, Draft, Expected, PlanJob, PlanRun, Planner, Posed, Request, Snapshot, Touch,
    Travel, Violation, describe, shift, territories_of_jobs,
};
use crate::planning::runs;
use crate::solvers::CancelOnDrop;

/// How a run is optimised.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct RunOptions {
    /// Earliest departure, minutes after the start of the shift.
    delay_start_time: Option<i64>,
    /// Latest departure, minutes after the start of the shift.
    delay_end_time: Option<i64>,
    /// Types do not bind.
    ignore_type: bool,
    /// Time windows do not bind.
    ignore_time_window: bool,
    /// The first job stays the first.
    fix_job_start: bool,
    /// Capacity does not bind.
    ignore_capacity: bool,
}

impl RunOptions {
    /// The window of the departure; none when the run leaves at the start of its shift.
    fn window(&self, shift: TimeWindow) -> Option<TimeWindow> {
        let start = self.delay_start_time.unwrap_or(0);
        let end = self.delay_end_time.unwrap_or(start);
        (start != 0 || end != 0)
            .then(|| TimeWindow { earliest: shift.earliest + start * 60, latest: shift.earliest + end * 60 })
    }

    fn check(&self) -> Result<()> {
        let within = |minutes: Option<i64>| minutes.is_none_or(|minutes| (0..=1440).contains(&minutes));
        for (field, minutes) in
            [("delay_start_time", self.delay_start_time), ("delay_end_time", self.delay_end_time)]
        {
            if !within(minutes) {
                return Err(Error::field(field, "Value must be between 0 and 1440"));
            }
        }
        if self.delay_end_time.is_some_and(|end| end < self.delay_start_time.unwrap_or(0)) {
            return Err(Error::field("delay_end_time", "Delay end time cannot be before delay start time."));
        }
        Ok(())
    }
}

/// `POST /optimise/runs/{id}`.
pub(super) async fn optimise(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(options): Body<RunOptions>,
) -> Result<Json<Optimised>> {
    answer(&app, &mut db, id, &options).await.map(Json).map_err(|error| error.with("success", false))
}

async fn answer(app: &App, db: &mut Db, id: i64, options: &RunOptions) -> Result<Optimised> {
    options.check()?;
    let caller = &db.caller().clone();
    let planner = Planner::new(app, caller)?;
    let case = read(db, &planner, id).await?;
    let (posed, solved) = db.outside(solve(app, &planner, &case, options)).await??;
    let route = solved.routes.first();
    let order: Vec<i64> = route
        .map(|route| route.visits.iter().map(|visit| posed.jobs[visit.stop]).collect())
        .unwrap_or_default();
    let left: Vec<(i64, &'static str)> =
        solved.unserved.iter().map(|left| (posed.jobs[left.stop], left.reason.as_str())).collect();
    let violations: Vec<Violation> =
        solved.violations().map(|violation| describe(violation, &posed, &case.snapshot)).collect();
    let departure =
        options.window(shift(case.run(), case.day(&planner))).map_or(Departure::Usual, Departure::Within);
    let scenario = case.snapshot.scenario.id;
    let request = Request {
        scenario,
        kind: "optimise_run",
        expected: Expected::default(),
        jobs: &[],
        pool_jobs: &[],
        reason: None,
    };
    let before = Figures::read(db, &planner, scenario).await?;
    let stored =
        plan::change(db, &planner, request, |draft| apply(draft, &case, &order, &left, departure)).await;
    if let Err(error) = stored {
        let other = error.kind() == Kind::Conflict && error.description() == CHANGED;
        let touch = Touch { jobs: &case.jobs, runs: &[id], with_times: false, fields: None };
        return Err(match other {
            true => plan::outdated(db, caller, scenario, case.version, &touch).await?,
            false => error,
        });
    }
    let summary = Summary::since(before, db, &planner, scenario).await?;
    let unserved = summary::named(db, &left).await?;
    let answer = Optimised::read(db, caller, scenario, &[id], unserved, summary).await?;
    Ok(answer.with(violations))
}

/// The run before.
struct Case {
    /// Of the plan.
    version: i64,
    snapshot: Snapshot,
    run: PlanRun,
    jobs: Vec<i64>,
    territories: std::collections::HashMap<i64, Vec<i64>>,
}

impl Case {
    fn run(&self) -> &PlanRun {
        &self.run
    }

    fn day(&self, planner: &Planner<'_>) -> plan::Day {
        plan::Day::new(self.snapshot.scenario.scheduled_date, planner.zone)
    }

    fn jobs(&self) -> impl Iterator<Item = &PlanJob> {
        self.jobs.iter().filter_map(|id| self.snapshot.jobs.get(id))
    }
}

async fn read(db: &mut Db, planner: &Planner<'_>, id: i64) -> Result<Case> {
    let scenario = runs::find(db, planner.caller, id).await?.scenario_id;
    let version = plan::version(db, scenario).await?;
    let snapshot = Snapshot::load(db, scenario, &[]).await?;
    // Told before the search, which takes its time; the plan's door looks again at its end.
    let touch = Touch { jobs: &[], runs: &[id], with_times: false, fields: None };
    plan::refuse_stale(db, planner.caller, scenario, None, &touch).await?;
    let draft = Draft::new(snapshot);
    draft.require_open(id)?;
    let jobs = draft.sequence(id).to_vec();
    if jobs.is_empty() {
        return Err(Error::bad_request(NO_JOBS));
    }
    for job in &jobs {
        draft.require_movable(*job)?;
    }
    let run = draft.run(id)?.clone();
    let snapshot = draft.before;
    let mode = planner.terms(&snapshot).rules.territory_mode;
    let places = jobs.iter().filter_map(|id| snapshot.jobs.get(id)).map(|job| (job.id, job.lat, job.lon));
    let territories = if mode == TerritoryMode::Off || run.territory_ids.is_empty() {
        std::collections::HashMap::new()
    } else {
        territories_of_jobs(db, scenario, places).await?
    };
    Ok(Case { version, snapshot, run, jobs, territories })
}

async fn solve(
    app: &App,
    planner: &Planner<'_>,
    case: &Case,
    options: &RunOptions,
) -> Result<(Posed, routewright_solver::Plan)> {
    let mut terms = planner.terms(&case.snapshot);
    terms.territories.clone_from(&case.territories);
    terms.rules.ignore_type = options.ignore_type;
    terms.rules.ignore_time_window = options.ignore_time_window;
    terms.rules.ignore_capacity = options.ignore_capacity;
    let travel = Travel::between(planner, [case.run()], case.jobs()).await?;
    let current = |_| case.jobs.clone();
    let mut posed = Posed::new(&terms, &travel, [case.run()], case.jobs(), &case.snapshot.links, current);
    let vehicle = &mut posed.problem.vehicles[0];
    vehicle.departure = options.window(vehicle.shift).or(vehicle.departure);
    vehicle.locked_prefix = usize::from(options.fix_job_start);
    let limit = planner.settings.optimisation.max_seconds.unwrap_or(20).clamp(1, 50);
    let fitting = Budget::for_size(case.jobs.len());
    let budget = Budget {
        time: fitting.time.min(Duration::from_secs(u64::from(limit))),
        clock: Clock::Processor,
        cap: Some(Duration::from_secs(50)),
        ..fitting
    };
    let cancel = Cancel::default();
    let _gone = CancelOnDrop(cancel.clone());
    let (tell, _) = watch::channel(Progress::default());
    let problem = posed.problem.clone();
    let solved = app.solvers.solve(planner.caller.share()?, problem, budget, &cancel, tell).await?;
    Ok((posed, solved.plan))
}

/// Draws the new order; refuses when the run has other jobs by now. Pure.
fn apply(
    draft: &mut Draft,
    case: &Case,
    order: &[i64],
    left: &[(i64, &'static str)],
    departure: Departure,
) -> Result<()> {
    let id = case.run.id;
    draft.require_open(id)?;
    if draft.sequence(id) != case.jobs {
        return Err(Error::conflict(CHANGED).code("PLAN_CHANGED"));
    }
    draft.replace(id, order);
    for (job, reason) in left {
        draft.unserve(*job, Some(reason));
    }
    draft.depart(id, departure);
    Ok(())
}
