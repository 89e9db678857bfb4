//! What the organisation's outbox has said to whom, and what became of it (V-30). What a mail server or gateway refused, or of
//! which nobody knows whether it was handed over, waits for a person: it is sent again, or is known to have arrived.

mod model;
mod settle;

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use model::Message;

const READ: Access = Access::levels(&["runs_read"]);
const WRITE: Access = Access::levels(&["runs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/messages", READ, resource::filters::<Message>(), resource::list::<Message>)
        .get("/messages/{id}", READ, resource::get::<Message>)
        .post("/messages/{id}/send_again", WRITE, settle::send_again)
        .post("/messages/{id}/arrived", WRITE, settle::arrived)
}
