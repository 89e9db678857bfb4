//! Jobs together with what hangs on them (units, returns, containers, tags, territories): the detail, copies, merging and
//! numbers over many jobs.

mod detail;
mod duplicate;
mod merge;
mod merged;
mod stats;

use routewright_core::{Access, Routes};

use crate::app::App;
use crate::orders::jobs::{READ, WRITE};

/// Merging deletes the sources.
const MERGE: Access = Access::levels(&["jobs_write", "jobs_delete"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/jobs/stats", READ, stats::stats)
        .put("/jobs/merge", MERGE, merge::merge)
        .put("/jobs/bulk_merge", MERGE, merge::bulk_merge)
        .get("/jobs/{id}", READ, detail::get)
        .get("/jobs/{id}/all", READ, detail::all)
        .post("/duplicate_job", WRITE, duplicate::duplicate)
}
