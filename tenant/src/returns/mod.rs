//! Returns: what is collected from a customer of a job. A return without a job lies in the return pool.

mod model;
mod pool;

pub(crate) use model::Return;

use routewright_core::{Access, Module, Routes};
use routewright_tenancy::resource;

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["returns_read"]).module(Module::Returns);
const WRITE: Access = Access::levels(&["returns_write"]).module(Module::Returns);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/returns", READ, resource::list::<Return>)
        .post("/returns", WRITE, resource::create::<Return>)
        .patch("/returns/bulk", WRITE, resource::patch_bulk::<Return>)
        .get("/returns/pool", READ, pool::list)
        .patch("/returns/move_to_pool", WRITE, pool::move_to_pool)
        .post("/returns/copy_to_pool", WRITE, pool::copy_to_pool)
        .post("/returns/duplicate", WRITE, pool::duplicate)
        .get("/returns/{id}", READ, resource::get::<Return>)
        .patch("/returns/{id}", WRITE, resource::patch::<Return>)
        .delete("/returns/{id}", WRITE, resource::delete::<Return>)
}
