//! Moves by hand: jobs between runs, to unserved, to the pool and to other days; delaying and reversing a run; steps back.
//! Every one of them goes through the plan's door, so both runs are timed anew and everybody who looks at the plan is told.

mod change_run;
mod move_jobs;
mod rule;
mod to_pool;
mod undo;

use routewright_core::Routes;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::orders::jobs::{self, Job};
use crate::planning::runs::{RunDetail, WRITE};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .put("/runs/move_job_to_new/{run_id}", WRITE, move_jobs::move_job_to_new)
        .put("/runs/bulk_move_jobs", WRITE, move_jobs::bulk_move_jobs)
        .put("/jobs/move_to_pool", jobs::WRITE, to_pool::move_to_pool)
        .put("/jobs/move_to_day", jobs::WRITE, to_pool::move_to_day)
        .get("/scenarios/{id}/steps", WRITE, undo::steps)
        .put("/scenarios/{id}/undo", WRITE, undo::undo)
        .put("/scenarios/{id}/redo", WRITE, undo::redo)
        .post("/runs/{id}/delay", WRITE, change_run::delay)
        .post("/runs/{id}/reverse_sequence", WRITE, change_run::reverse_sequence)
}

/// The plan after a move.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Moved {
    /// Every run that changed, with jobs and way.
    updated_runs: Vec<RunDetail>,
    /// Jobs that are unserved by the move.
    jobs_to_unserved: Vec<Job>,
    /// Version of the plan, for the next move.
    version: i64,
}
