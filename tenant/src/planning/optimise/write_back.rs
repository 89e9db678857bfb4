//! A solution becomes the plan. What changed since the search began comes first: see [`super::meanwhile`]; runs that were
//! handed out or begun stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use routewright_core::Result;
use sqlx::postgres::PgConnection;

use super::meanwhile::{CHANGED, Meanwhile, Merged, merge, same};
use super::prepare::{Prepared, Solution};
use crate::app::App;
use crate::plan::{self, Changed, Departure, Draft, Expected, Planner, Request, Snapshot, Travel};
use crate::planning::runs;
use crate::solvers::SearchTurn;

/// A stored solution.
pub(super) struct Stored {
    /// The plan after it, and all jobs of it that are on no run, with the reason.
    pub(super) changed: Changed<Vec<(i64, &'static str)>>,
    /// What was changed since the search began.
    pub(super) meanwhile: Meanwhile,
}

/// What a search found.
pub(super) struct Found<'a> {
    /// The plan that it began with.
    pub(super) prepared: &'a Prepared,
    /// The plan that it ended with.
    pub(super) solution: &'a Solution,
    /// False when that is the plan that stood already.
    pub(super) improved: bool,
    /// The ways that it knew.
    pub(super) travel: &'a Travel,
    /// The search's turn.
    pub(super) turn: &'a SearchTurn,
}

/// Stores what a search found.
///
/// # Errors
/// Those of the plan's door.
pub(super) async fn store(
    connection: &mut PgConnection,
    app: &App,
    planner: &Planner<'_>,
    found: &Found<'_>,
) -> Result<Stored> {
    let Found { prepared, improved, .. } = *found;
    let scenario = prepared.snapshot.scenario.id;
    let mut made = BTreeMap::new();
    // The second time nobody else can change the plan.
    for held in [false, true] {
        if held {
            plan::lock(connection, scenario).await?;
        }
        let now = Snapshot::load(connection, scenario, &[]).await?;
        let mut merged = merge(planner, found, &now).await?;
        make_runs(connection, app, planner, prepared, &mut merged.solution, &mut made).await?;
        let moved_on = AtomicBool::new(false);
        let request = Request {
            scenario,
            kind: "optimise",
            expected: Expected::default(),
            jobs: &[],
            pool_jobs: &[],
            reason: None,
        };
        let changed = plan::change(connection, planner, request, |draft| {
            if !held && !same_but_made(&now, &draft.before, &made) {
                moved_on.store(true, Ordering::Relaxed);
                return Err(routewright_core::Error::conflict(plan::CHANGED));
            }
            Ok(apply(draft, prepared, &merged, improved))
        })
        .await;
        match changed {
            Err(_) if moved_on.load(Ordering::Relaxed) => {}
            Err(error) => return Err(error),
            Ok(changed) => return Ok(Stored { changed, meanwhile: merged.meanwhile }),
        }
    }
    Err(routewright_core::Error::conflict(plan::CHANGED).code("PLAN_CHANGED"))
}

/// Whether a snapshot is another by nothing but the runs that were made here.
fn same_but_made(now: &Snapshot, later: &Snapshot, made: &BTreeMap<i64, i64>) -> bool {
    let mut later = later.clone();
    for run in made.values().filter(|run| !now.runs.contains_key(run)) {
        later.runs.remove(run);
        later.sequences.remove(run);
    }
    same(now, &later)
}

/// Makes the runs that got jobs and puts their ids in the place of the stand-ins; `made` are those that exist already.
async fn make_runs(
    connection: &mut PgConnection,
    app: &App,
    planner: &Planner<'_>,
    prepared: &Prepared,
    solution: &mut Solution,
    made: &mut BTreeMap<i64, i64>,
) -> Result<()> {
    let scenario = prepared.snapshot.scenario.id;
    let mut runs = BTreeMap::new();
    // Stand-ins count down from -1; runs are made in the order of their drivers.
    for (run, jobs) in std::mem::take(&mut solution.runs).into_iter().rev() {
        match prepared.fresh.get(&run) {
            Some(defaults) if !jobs.is_empty() => {
                let id = match made.get(&run) {
                    Some(id) => *id,
                    None => {
                        let token = app.gate.links.long(planner.caller.organisation()?);
                        runs::insert(connection, scenario, defaults, token, &planner.settings).await?
                    }
                };
                made.insert(run, id);
                runs.insert(id, jobs);
            }
            Some(_) => {}
            None => {
                runs.insert(run, jobs);
            }
        }
    }
    solution.runs = runs;
    Ok(())
}

/// Draws the solution. Pure.
fn apply(
    draft: &mut Draft,
    prepared: &Prepared,
    merged: &Merged,
    improved: bool,
) -> Vec<(i64, &'static str)> {
    let solution = &merged.solution;
    let locked: BTreeSet<i64> =
        draft.before.runs.values().filter(|run| draft.before.is_locked(run)).map(|run| run.id).collect();
    let mut left: BTreeMap<i64, &'static str> = solution.unserved.iter().copied().collect();
    let free = |draft: &Draft, job: &i64| {
        draft.job(*job).is_ok() && draft.place(*job).is_none_or(|run| !locked.contains(&run))
    };
    let open: BTreeSet<i64> = merged.touched.iter().copied().filter(|job| free(draft, job)).collect();
    for job in &open {
        draft.unserve(*job, left.get(job).copied());
    }
    for (run, jobs) in &solution.runs {
        if locked.contains(run) || draft.run(*run).is_err() {
            left.extend(jobs.iter().filter(|job| open.contains(job)).map(|job| (*job, CHANGED)));
            continue;
        }
        let placed: Vec<i64> = jobs.iter().copied().filter(|job| open.contains(job)).collect();
        draft.put(*run, &placed, 0);
        draft.settle(*run);
        if improved {
            draft.depart(*run, Departure::Usual);
        }
    }
    remove_empty(draft, prepared, solution, &locked);
    draft.routed();
    left.retain(|job, _| draft.job(*job).is_ok() && draft.place(*job).is_none());
    for (job, reason) in &left {
        draft.unserve(*job, Some(reason));
    }
    left.into_iter().collect()
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
