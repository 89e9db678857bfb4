//! The plan of a scenario: which job is on which run, in which order, at what time. Everything that changes it goes
//! through one door ([`change`]): it draws the change, times the touched runs with the optimiser's evaluator, writes,
//! keeps the inverse and tells the sockets.

mod announce;
mod day;
mod door;
mod draft;
mod links;
mod live;
mod log;
mod problem;
mod snapshot;
mod status;
mod store;
mod territory;
mod timing;
mod travel;
mod violation;

pub(crate) use day::Day;
pub(crate) use door::{CHANGED, Changed, Expected, Planner, Request, change};
pub(crate) use draft::{Departure, Draft};
pub(crate) use live::shift as shift_live;
pub(crate) use log::{
    Entry, Touch, actor, changed_since, entries, outdated, outdated_by_any, purge, refuse_stale,
    refuse_stale_scenario, version, version_after, versions,
};
pub(crate) use problem::{Posed, Terms, objective, shift};
pub(crate) use snapshot::{PlanJob, PlanRun, Snapshot, guests, lock};
pub use status::Status;
pub(crate) use territory::of_jobs as territories_of_jobs;
pub use timing::RunRoute;
pub(crate) use travel::Travel;
pub(crate) use violation::{Violation, amounts, describe, minutes};

use routewright_core::{Error, Result};
use sqlx::postgres::PgConnection;

/// The refusal of a change of what was billed.
pub(crate) fn validated(uid: &str) -> Error {
    Error::conflict(format!("Run {uid} is validated and cannot be changed: reopen it first"))
        .code("RUN_VALIDATED")
}

/// Times runs anew after something about them or about their jobs was changed. Nobody is moved, except that pickups come
/// before their deliveries. A run without jobs has no times, and one on the road keeps its plan: both are left alone.
///
/// # Errors
/// Those of [`change`].
pub(crate) async fn time_again(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    kind: &'static str,
    runs: &[(i64, Departure)],
) -> Result<()> {
    let ids: Vec<i64> = runs.iter().map(|(run, _)| *run).collect();
    let open: Vec<i64> = sqlx::query_scalar(
        "select r.id from runs r
         where r.id = any($1) and r.scenario_id = $2 and r.actual_start_time is null and r.start_odometer is null
             and r.validated_at is null and exists (select from jobs j where j.run_id = r.id)",
    )
    .bind(&ids)
    .bind(scenario)
    .fetch_all(&mut *connection)
    .await?;
    if open.is_empty() {
        return Ok(());
    }
    let request =
        Request { scenario, kind, expected: Expected::whatever(), jobs: &[], pool_jobs: &[], reason: None };
    change(connection, planner, request, |draft| {
        for (run, departure) in runs.iter().filter(|(run, _)| open.contains(run)) {
            // Deleted by somebody else in the meantime.
            if draft.run(*run).is_ok() {
                draft.settle(*run);
                draft.depart(*run, *departure);
            }
        }
        Ok(())
    })
    .await?;
    Ok(())
}

/// Takes jobs off their runs, before they are deleted or merged. Linked jobs stay where they are.
/// Answers the runs that were timed anew.
///
/// # Errors
/// 404 for a job that is not in the scenario; 409 for one that has proofs or is on a validated run.
pub(crate) async fn take_off(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    kind: &'static str,
    jobs: &[i64],
    reason: Option<String>,
) -> Result<Vec<i64>> {
    let request = Request { scenario, kind, expected: Expected::default(), jobs, pool_jobs: &[], reason };
    let changed = change(connection, planner, request, |draft| {
        for job in jobs {
            draft.require_movable(*job)?;
            draft.unserve(*job, None);
        }
        Ok(())
    })
    .await?;
    Ok(changed.runs)
}

/// Takes jobs off their plan and into the pool, which has no reasons of its own. Answers the runs that were timed anew.
///
/// # Errors
/// Those of [`take_off`].
pub(crate) async fn to_pool(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    kind: &'static str,
    jobs: &[i64],
    reason: Option<String>,
) -> Result<Vec<i64>> {
    let left = take_off(connection, planner, scenario, kind, jobs, reason).await?;
    sqlx::query("update jobs set scenario_id = null, unserved_reason = null where id = any($1)")
        .bind(jobs)
        .execute(connection)
        .await?;
    Ok(left)
}

/// Takes jobs of the pool into a plan, on no run yet.
///
/// # Errors
/// Those of [`change`].
pub(crate) async fn from_pool(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    kind: &'static str,
    jobs: &[i64],
) -> Result<()> {
    let expected = Expected::default();
    let request = Request { scenario, kind, expected, jobs: &[], pool_jobs: jobs, reason: None };
    change(connection, planner, request, |draft| {
        jobs.iter().for_each(|job| draft.take_from_pool(*job));
        Ok(())
    })
    .await?;
    Ok(())
}
