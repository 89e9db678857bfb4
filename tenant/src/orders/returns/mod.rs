//! Returns: what is collected from a customer of a job. A return without a job lies in the return pool.

mod model;
mod pool;

pub(crate) use model::Return;

use routewright_core::http::respond::Created;
use routewright_core::{Access, Given, Module, Result, Routes};
use routewright_tenancy::{Db, resource};

use crate::app::App;
use crate::setup::udf;
use model::ReturnFields;

pub(crate) const READ: Access = Access::levels(&["returns_read"]).module(Module::Returns);
const WRITE: Access = Access::levels(&["returns_write"]).module(Module::Returns);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/returns", READ, resource::filters::<Return>(), resource::list::<Return>)
        .post("/returns", WRITE, create)
        .patch("/returns/bulk", WRITE, resource::patch_bulk::<Return>)
        .list("/returns/pool", READ, resource::filters::<Return>(), pool::list)
        .patch("/returns/move_to_pool", WRITE, pool::move_to_pool)
        .post("/returns/copy_to_pool", WRITE, pool::copy_to_pool)
        .post("/returns/duplicate", WRITE, pool::duplicate)
        .get("/returns/{id}", READ, resource::get::<Return>)
        .patch("/returns/{id}", WRITE, resource::patch::<Return>)
        .delete("/returns/{id}", WRITE, resource::delete::<Return>)
        .delete("/returns/bulk", WRITE, resource::delete_bulk::<Return>)
}

/// `POST /returns`.
async fn create(mut db: Db, given: Given<ReturnFields>) -> Result<Created<Return>> {
    let caller = db.caller().clone();
    let made: Return = resource::insert(&mut db, &caller, given).await?;
    // Nothing of a return is changed by actions.
    let _ = udf::raise(&mut db, &caller, "return_created", &serde_json::to_value(&made)?).await?;
    Ok(Created(made))
}
