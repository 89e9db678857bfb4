//! Units: the parcels, pallets and crates of a job. A unit without a job lies in the unit pool.

mod model;
mod pool;

pub(crate) use model::Unit;

use routewright_core::{Access, Module, Routes};
use routewright_tenancy::resource;

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["units_read"]).module(Module::Units);
const WRITE: Access = Access::levels(&["units_write"]).module(Module::Units);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/units", READ, resource::filters::<Unit>(), resource::list::<Unit>)
        .post("/units", WRITE, resource::create::<Unit>)
        .patch("/units/bulk", WRITE, resource::patch_bulk::<Unit>)
        .list("/units/pool", READ, resource::filters::<Unit>(), pool::list)
        .patch("/units/move_to_pool", WRITE, pool::move_to_pool)
        .post("/units/copy_to_pool", WRITE, pool::copy_to_pool)
        .get("/units/{id}", READ, resource::get::<Unit>)
        .patch("/units/{id}", WRITE, resource::patch::<Unit>)
        .delete("/units/{id}", WRITE, resource::delete::<Unit>)
        .delete("/units/bulk", WRITE, resource::delete_bulk::<Unit>)
}
