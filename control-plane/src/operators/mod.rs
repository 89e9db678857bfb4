//! What operators of the platform see and do: how organisations stand, work that failed, the record.

mod audit;
mod dead_letters;
mod standing;

use routewright_core::{Access, Routes};

use crate::app::App;

const READ: Access = Access::levels(&["organisations_read"]).master();
const WRITE: Access = Access::levels(&["organisations_write"]).master();

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/operators/organisations", READ, standing::SHAPE.filters, standing::list)
        .post("/operators/organisations/{id}/advance", WRITE, standing::advance)
        .get("/operators/dead_letters", READ, dead_letters::list)
        .post("/operators/dead_letters/retry", WRITE, dead_letters::retry)
        .list("/operators/audit", READ, audit::SHAPE.filters, audit::list)
}
