//! A solution becomes the plan. What changed since the search began has precedence: jobs that were changed, moved or
//! deleted are left unserved, runs that were handed out or begun stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use routewright_core::Result;
use sqlx::postgres::PgConnection;

use super::prepare::{Prepared, Solution};
use crate::app::App;
use crate::plan::{self, Changed, Departure, Draft, Expected, PlanJob, Planner, Request};
use crate::runs;

/// Reason of a job that was changed while it was planned.
const CHANGED_MEANWHILE: &str = "changed";

/// Stores a solution and answers all jobs of it that are on no run, with the reason.
///
/// # Errors
/// Those of the plan's door.
pub(super) async fn store(
    connection: &mut PgConnection,
    app: &App,
    planner: &Planner<'_>,
    prepared: &Prepared,
    solution: Solution,
) -> Result<Changed<Vec<(i64, &'static str)>>> {
    let solution = make_runs(connection, app, planner, prepared, solution).await?;
    let request = Request {
        scenario: prepared.snapshot.scenario.id,
        kind: "optimise",
        expected: Expected::default(),
        jobs: &[],
        pool_jobs: &[],
        reason: None,
    };
    plan::change(connection, planner, request, |draft| Ok(apply(draft, prepared, &solution))).await
}

/// Makes the runs that got jobs and puts their ids in the place of the stand-ins.
async fn make_runs(
    connection: &mut PgConnection,
    app: &App,
    planner: &Planner<'_>,
    prepared: &Prepared,
    solution: Solution,
) -> Result<Solution> {
    let scenario = prepared.snapshot.scenario.id;
    let mut made = BTreeMap::new();
    // Stand-ins count down from -1; runs are made in the order of their drivers.
    for (run, jobs) in solution.runs.into_iter().rev() {
        match prepared.fresh.get(&run) {
            Some(defaults) if !jobs.is_empty() => {
                let token = app.gate.links.long(planner.caller.organisation()?);
                let id = runs::insert(connection, scenario, defaults, token, &planner.settings).await?;
                made.insert(id, jobs);
            }
            Some(_) => {}
            None => {
                made.insert(run, jobs);
            }
        }
    }
    Ok(Solution { runs: made, unserved: solution.unserved })
}

/// Draws the solution. Pure.
fn apply(draft: &mut Draft, prepared: &Prepared, solution: &Solution) -> Vec<(i64, &'static str)> {
    let locked: BTreeSet<i64> =
        draft.before.runs.values().filter(|run| draft.before.is_locked(run)).map(|run| run.id).collect();
    let kept: BTreeSet<i64> =
        prepared.scope.candidates.iter().filter(|run| run.kept).map(|run| run.run.id).collect();
    let stays = |draft: &Draft, job: i64| {
        draft
            .place(job)
            .is_some_and(|run| locked.contains(&run) || kept.contains(&run) && in_kept(prepared, run, job))
    };
    let mut changed: BTreeSet<i64> = prepared
        .scope
        .jobs
        .iter()
        .copied()
        .filter(|job| !stays(draft, *job) && differs(prepared, draft, *job))
        .collect();
    // Half of a link cannot be driven.
    let partners: Vec<i64> = changed.iter().flat_map(|job| draft.before.links.chain(*job)).collect();
    let mut left: BTreeMap<i64, &'static str> = changed.iter().map(|job| (*job, CHANGED_MEANWHILE)).collect();
    for partner in partners {
        if prepared.scope.jobs.contains(&partner) && changed.insert(partner) {
            left.insert(partner, "linked_job");
        }
    }
    left.extend(solution.unserved.iter().filter(|(job, _)| !changed.contains(job)).copied());

    let open: Vec<i64> = prepared
        .scope
        .jobs
        .iter()
        .copied()
        .filter(|job| draft.job(*job).is_ok() && !stays(draft, *job))
        .collect();
    for job in &open {
        draft.unserve(*job, left.get(job).copied());
    }
    for (run, jobs) in &solution.runs {
        if locked.contains(run) || draft.run(*run).is_err() {
            left.extend(jobs.iter().filter(|job| open.contains(job)).map(|job| (*job, CHANGED_MEANWHILE)));
            continue;
        }
        let placed: Vec<i64> =
            jobs.iter().copied().filter(|job| open.contains(job) && !changed.contains(job)).collect();
        draft.put(*run, &placed, 0);
        draft.depart(*run, Departure::ShiftStart);
    }
    remove_empty(draft, prepared, solution, &locked);
    draft.routed();
    left.retain(|job, _| draft.job(*job).is_ok() && draft.place(*job).is_none());
    for (job, reason) in &left {
        draft.unserve(*job, Some(reason));
    }
    left.into_iter().collect()
}

/// Whether a kept run had this job when the search began.
fn in_kept(prepared: &Prepared, run: i64, job: i64) -> bool {
    prepared.scope.current.get(&run).is_some_and(|jobs| jobs.contains(&job))
}

/// Whether a job is another than when the search began, or on another run.
fn differs(prepared: &Prepared, draft: &Draft, id: i64) -> bool {
    let planned = |job: &PlanJob| PlanJob {
        seq: None,
        eta: None,
        etd: None,
        updated_eta: None,
        has_proof: false,
        ..job.clone()
    };
    match (prepared.snapshot.jobs.get(&id), draft.job(id)) {
        (Some(then), Ok(now)) => planned(then) != planned(now),
        _ => true,
    }
}

/// Runs that were in play and have no jobs left are removed, as long as nothing else hangs on them.
fn remove_empty(draft: &mut Draft, prepared: &Prepared, solution: &Solution, locked: &BTreeSet<i64>) {
    let made = solution.runs.keys().copied();
    let in_play = prepared.scope.open_runs().chain(prepared.scope.dissolved.iter().copied()).chain(made);
    for run in in_play.filter(|run| !locked.contains(run)).collect::<Vec<_>>() {
        if draft.run(run).is_ok() {
            draft.remove(run);
        }
    }
}
