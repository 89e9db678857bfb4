//! Runs: one driver's route in one scenario. Which jobs it has, in which order and when, is the plan's business
//! ([`crate::plan`]); here are the run's own fields, its actuals and what is read of it.

mod change;
mod check;
mod create;
mod defaults;
mod finish;
mod hours;
mod jobs;
mod model;
mod read;
mod sanity;
mod tell;
mod validate;

pub use model::{Run, RunFields};
pub use read::RunDetail;

pub(crate) use change::change;
pub(crate) use defaults::{Defaults, insert, of_drivers};
pub(crate) use hours::require_all_free;
pub(crate) use jobs::{jobs_by_ids, jobs_of_scenario};
pub(crate) use read::{complete, find, one, several};
pub(crate) use tell::tell;
pub(crate) use validate::{Validation, decided, held, reopen, validate};

use routewright_core::{Access, Routes};

use crate::app::App;

/// Reads runs.
pub(crate) const READ: Access = Access::levels(&["runs_read"]);
/// Changes runs and plans.
pub(crate) const WRITE: Access = Access::levels(&["runs_write"]);
const DETAIL: Access = Access::levels(&["runs_read", "run_detail_read"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/runs", READ, read::filters(), read::list)
        .post("/runs", WRITE, create::create)
        .patch("/runs/bulk", WRITE, change::patch_bulk)
        .delete("/runs/bulk", WRITE, finish::delete_bulk)
        .get("/runs/{id}", DETAIL, read::get)
        .patch("/runs/{id}", WRITE, change::patch)
        .delete("/runs/{id}", WRITE, finish::delete)
        .put("/runs/{id}/territories", WRITE, finish::territories)
        .post("/runs/{id}/finish", WRITE, finish::finish)
}
