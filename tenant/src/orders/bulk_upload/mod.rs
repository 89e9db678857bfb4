//! Uploads of many jobs or clients that answer while they work (S-11): every item on its own, good ones are kept, faulty
//! ones are told. Items are committed in batches, and an item is only told as stored after its commit.

mod answer;
mod clients;
mod jobs;
mod lines;

use routewright_core::{Access, Routes};

use crate::app::App;

/// Items of one commit.
const BATCH: usize = 100;

const JOBS: Access = Access::levels(&["jobs_write", "bulk_entry_jobs"]);
const CLIENTS: Access = Access::levels(&["clients_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/jobs/bulk_upload", JOBS, jobs::upload).merge(
        Routes::new().post("/clients/bulk_create", CLIENTS, clients::create).largest_body(clients::LARGEST),
    )
}
