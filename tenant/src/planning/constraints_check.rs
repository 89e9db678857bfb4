//! Checks the stored plan against every rule without changing it (S-19).

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Access, Error, Module, Result, Routes};
use routewright_solver::{ViolationKind, retime};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::plan::{
    Day, PlanJob, PlanRun, Planner, Posed, Snapshot, Travel, Violation, describe, territories_of_jobs,
};

const READ: Access = Access::levels(&["runs_read"]).module(Module::ConstraintsChecker);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/scenarios/{id}/constraints_check", READ, check)
}

/// What a check found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ConstraintsCheck")]
struct Checked {
    /// When it was made.
    checked_at: DateTime<Utc>,
    /// Broken rules, run by run in visiting order.
    violations: Vec<Violation>,
}

/// `GET /scenarios/{id}/constraints_check`.
async fn check(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Checked>> {
    let caller = db.caller().clone();
    let planner = Planner::new(&app, &caller)?;
    let snapshot = Snapshot::load(&mut db, id, &[]).await?;
    let places = snapshot.jobs.values().map(|job| (job.id, job.lat, job.lon));
    let mut terms = planner.terms(&snapshot);
    terms.territories = territories_of_jobs(&mut db, id, places).await?;
    db.let_go().await?;
    let used = || snapshot.runs.values().filter(|run| !sequence(&snapshot, run).is_empty());
    let travel = Travel::between(&planner, used(), snapshot.jobs.values()).await?;
    let mut posed =
        Posed::new(&terms, &travel, used(), snapshot.jobs.values(), &snapshot.links, |_| Vec::new());
    for run in used() {
        let planned = run.planned_start_time.map(|time| terms.day.of(time));
        if let (Some(vehicle), Some(planned)) = (posed.vehicle(run.id), planned) {
            let vehicle = &mut posed.problem.vehicles[vehicle];
            vehicle.shift.earliest = vehicle.shift.earliest.min(planned);
            vehicle.departure = Some(routewright_solver::TimeWindow { earliest: planned, latest: planned });
        }
    }
    let sequences = posed.sequences(|run| snapshot.sequences.get(&run).cloned().unwrap_or_default());
    let (posed, plan) = app
        .solvers
        .think(caller.share()?, move || {
            let plan = retime(&posed.problem, &sequences);
            (posed, plan)
        })
        .await?;
    let plan = plan.map_err(Error::internal)?;
    let day = terms.day;
    let mut violations: Vec<Violation> = plan
        .violations()
        .map(|violation| with_times(describe(violation, &posed, &snapshot), violation, day))
        .collect();
    violations.extend(cycle(&posed, &snapshot));
    Ok(Json(Checked { checked_at: caller.now(&app.clock), violations }))
}

fn sequence<'s>(snapshot: &'s Snapshot, run: &PlanRun) -> &'s [i64] {
    snapshot.sequences.get(&run.id).map_or(&[], Vec::as_slice)
}

/// Adds moments to violations of time.
fn with_times(described: Violation, violation: &routewright_solver::Violation, day: Day) -> Violation {
    let timed = matches!(
        violation.kind,
        ViolationKind::LateArrival | ViolationKind::OutsideShift | ViolationKind::Break
    );
    if !timed {
        return described;
    }
    let moment = |seconds: i64| Some(day.moment(seconds).to_rfc3339_opts(chrono::SecondsFormat::Secs, true));
    Violation { value: moment(violation.value), limit: moment(violation.limit), ..described }
}

/// Links that nobody can serve in any order. Jobs are refused before they form one; what was stored otherwise is told.
fn cycle(posed: &Posed, snapshot: &Snapshot) -> Option<Violation> {
    let chain = routewright_solver::links::cycle(posed.jobs.len(), &posed.problem.links)?;
    let jobs: Vec<&PlanJob> = chain.iter().filter_map(|stop| snapshot.jobs.get(&posed.jobs[*stop])).collect();
    let first = jobs.first()?;
    let run = first.run_id.and_then(|run| snapshot.runs.get(&run));
    let uids: Vec<&str> = jobs.iter().map(|job| job.uid.as_str()).collect();
    Some(Violation {
        run_id: run.map(|run| run.id).unwrap_or_default(),
        run_uid: run.map(|run| run.uid.clone()).unwrap_or_default(),
        job_id: Some(first.id),
        job_uid: Some(first.uid.clone()),
        kind: "cycle",
        severity: "error",
        value: Some(uids.join(" -> ")),
        limit: None,
        message: format!(
            "Job.pickup_from and Job.deliver_to relationships must not form a cycle: {}",
            uids.join(" -> ")
        ),
    })
}
