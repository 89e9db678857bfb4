//! Why jobs are unserved or late, run by run in figures, and the cheapest remedies that really work. Every run is tried at
//! every position by the independent evaluator; a remedy is applied through the plan's door, found anew under its lock.
//!
//! ```text
//! GET  /scenarios/{id}/diagnosis            all unserved and late jobs, as many as the time allows
//! GET  /scenarios/{id}/diagnosis/{job_id}   one job, with the blocking rule of every run
//! POST /scenarios/{id}/remedies             applies one
//! ```

mod apply;
mod case;
mod model;
mod words;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Access, Error, Result, Routes};
use routewright_tenancy::Db;

use crate::app::App;
use crate::plan::Planner;
pub(in crate::planning) use case::departure;
use case::{Case, Scope};
use model::{Diagnoses, JobDiagnosis};

const READ: Access = Access::levels(&["runs_read", "jobs_read"]);
const WRITE: Access = Access::levels(&["runs_write", "jobs_write"]);

/// Most jobs that are looked at in one go.
const MOST_JOBS: usize = 5_000;
/// Longest that they are looked at.
const LONGEST: Duration = Duration::from_secs(8);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/scenarios/{id}/diagnosis", READ, all)
        .get("/scenarios/{id}/diagnosis/{job_id}", READ, one)
        .post("/scenarios/{id}/remedies", WRITE, apply::remedy)
}

/// `GET /scenarios/{id}/diagnosis`: the unserved jobs, then the late ones. Runs are not listed one by one.
async fn all(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Diagnoses>> {
    let caller = db.caller().clone();
    let planner = Planner::new(&app, &caller)?;
    let case = Case::read(&mut db, &planner, id, Scope::All).await?;
    db.let_go().await?;
    let wanted = case.wanting();
    let total = wanted.len();
    let asked: Vec<(i64, usize)> =
        wanted.into_iter().take(MOST_JOBS).filter_map(|job| Some((job, case.stop(job)?))).collect();
    let threads = app.solvers.threads();
    let (case, asked, found) = app
        .solvers
        .think(caller.share()?, move || {
            let began = Instant::now();
            let stops: Vec<usize> = asked.iter().map(|(_, stop)| *stop).collect();
            let over = || began.elapsed() > LONGEST;
            let found = case.trial().map(|trial| trial.diagnose_many(&stops, threads, &over));
            (case, asked, found)
        })
        .await?;
    let jobs: Vec<JobDiagnosis> = asked
        .iter()
        .zip(&found.map_err(Error::internal)?)
        .map(|((job, _), diagnosis)| JobDiagnosis { runs: Vec::new(), ..case.tell(*job, diagnosis) })
        .collect();
    let left_out = total - jobs.len();
    let drivers_left_out = case.drivers_left_out;
    Ok(Json(Diagnoses { version: case.version, total, left_out, drivers_left_out, jobs }))
}

/// `GET /scenarios/{id}/diagnosis/{job_id}`.
async fn one(
    mut db: Db,
    State(app): State<App>,
    Path((id, job)): Path<(i64, i64)>,
) -> Result<Json<JobDiagnosis>> {
    let caller = db.caller().clone();
    let planner = Planner::new(&app, &caller)?;
    let case = Case::read(&mut db, &planner, id, Scope::Job(job)).await?;
    db.let_go().await?;
    let (case, found) = look(&app, &planner, case, job).await?;
    Ok(Json(case.tell(job, &found)))
}

/// Looks at one job.
async fn look(
    app: &App,
    planner: &Planner<'_>,
    case: Case,
    job: i64,
) -> Result<(Case, routewright_solver::trial::Diagnosis)> {
    let stop = case.stop(job).ok_or_else(|| Error::not_found("Job"))?;
    let (case, found) = app
        .solvers
        .think(planner.caller.share()?, move || {
            let found = case.trial().map(|mut trial| trial.diagnose(stop));
            (case, found)
        })
        .await?;
    Ok((case, found.map_err(Error::internal)?))
}

/// Ids in order, each once.
fn distinct(ids: impl IntoIterator<Item = i64>) -> Vec<i64> {
    ids.into_iter().collect::<BTreeSet<i64>>().into_iter().collect()
}
