//! Evidence: what drivers' phones report, each record as one unit that is stored once, however often it is sent. It goes
//! to its job wherever the office has put that meanwhile. What fits nowhere any more is kept as it came until a planner
//! decides on it; nothing is refused for what the office did.

mod decide;
mod file;
mod model;
mod receive;

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use crate::execution::proofs::READ;
use model::Evidence;

const WRITE: Access = Access::levels(&["proofs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/v2/runsheet/records", Access::RUNSHEET, receive::receive)
        .list("/evidence", READ, resource::filters::<Evidence>(), resource::list::<Evidence>)
        .get("/evidence/{id}", READ, resource::get::<Evidence>)
        .post("/evidence/{id}/assign", WRITE, decide::assign)
        .post("/evidence/{id}/dismiss", WRITE, decide::dismiss)
}
