//! What operators of the platform see and do: how organisations stand, work that failed, the record.

mod audit;
mod copies;
mod dead_letters;
mod standing;
mod suspension;

use routewright_core::{Access, Routes};

use crate::app::App;

const READ: Access = Access::levels(&["organisations_read"]).master();
const WRITE: Access = Access::levels(&["organisations_write"]).master();

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/operators/organisations", READ, standing::SHAPE.filters, standing::list)
        .post("/operators/organisations/{id}/advance", WRITE, standing::advance)
        .post("/operators/organisations/{id}/undelete", WRITE, standing::undelete)
        .post("/operators/organisations/{id}/suspend", WRITE, suspension::suspend)
        .post("/operators/organisations/{id}/resume", WRITE, suspension::resume)
        .get("/operators/organisations/{id}/copies", READ, copies::list)
        .post("/operators/organisations/{id}/backup", WRITE, copies::backup)
        .post("/operators/organisations/{id}/restore", WRITE, copies::restore)
        .post("/operators/organisations/{id}/move", WRITE, copies::move_to)
        .get("/operators/dead_letters", READ, dead_letters::list)
        .post("/operators/dead_letters/retry", WRITE, dead_letters::retry)
        .list("/operators/audit", READ, audit::SHAPE.filters, audit::list)
}
