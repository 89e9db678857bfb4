//! Scenarios: one plan of one day. A scenario holds jobs and runs; its stage goes planning, routing, tracking.

mod another_day;
mod change;
mod model;
mod stage;

pub(crate) use change::{insert, set_groups, tell};
pub(crate) use model::{Scenario, ScenarioFields, check_day};
pub(crate) use stage::begin_tracking;

use routewright_core::{Access, Link, Routes};
use routewright_tenancy::resource;

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["scenarios_read"]);
pub(crate) const WRITE: Access = Access::levels(&["scenarios_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/scenarios", READ, resource::filters::<Scenario>(), resource::list::<Scenario>)
        .post("/scenarios", WRITE, change::create)
        .patch("/scenarios/bulk", WRITE, another_day::patch_bulk)
        .delete("/scenarios/bulk", WRITE, change::delete_bulk)
        .list("/scenarios_select", READ, resource::filters::<Scenario>(), change::select)
        .get("/scenarios/token/{token}", Access::link(Link::Scenario), change::by_token)
        .get("/scenarios/{id}", READ, resource::get::<Scenario>)
        .patch("/scenarios/{id}", WRITE, another_day::patch)
        .delete("/scenarios/{id}", WRITE, change::delete)
        .put("/scenarios/{id}/territory_groups", WRITE, change::territory_groups)
}
