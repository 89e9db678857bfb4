//! Jobs: deliveries, pickups and service visits. A job lies in a scenario or, without one, in the pool; it is served
//! when it has a run. Which run and position it has is decided through the plan, never here.

mod change;
pub(crate) mod links;
mod model;
pub(crate) mod partners;
mod pool;
pub(crate) mod store;
mod tags;

pub(crate) use change::relocate;
pub(crate) use model::{Job, JobFields, JobTag, check_fields, tidy_list};
pub(crate) use pool::take;
pub(crate) use store::{add_tag, carry_out};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["jobs_read"]);
pub(crate) const WRITE: Access = Access::levels(&["jobs_write"]);
pub(crate) const DELETE: Access = Access::levels(&["jobs_delete"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/jobs", READ, resource::filters::<Job>(), resource::list::<Job>)
        .post("/jobs", WRITE, change::create)
        .patch("/jobs/bulk", WRITE, change::patch_bulk)
        .delete("/jobs/bulk", DELETE, change::delete_bulk)
        .patch("/jobs/bulk_update", WRITE, change::bulk_update)
        .list("/jobs/pool", READ, resource::filters::<Job>(), pool::list)
        .get("/jobs/pool/{id}", READ, pool::get)
        .put("/jobs/pool/to_scenario", WRITE, pool::to_scenario)
        .put("/jobs/move_jobs_from_pool", WRITE, pool::move_from_pool)
        .put("/jobs/assign_tags_bulk", WRITE, tags::replace_bulk)
        .post("/jobs/assign_tags_bulk", WRITE, tags::add_bulk)
        .delete("/jobs/assign_tags_bulk", WRITE, tags::remove_bulk)
        .patch("/jobs/{id}", WRITE, change::patch)
        .delete("/jobs/{id}", DELETE, change::delete)
        .put("/jobs/{id}/assign_tags", WRITE, tags::replace)
        .post("/jobs/{id}/assign_tags", WRITE, tags::add)
        .delete("/jobs/{id}/assign_tags", WRITE, tags::remove)
}
