//! Secrets of the organisation: passwords and keys of other systems. They are written and never read out: answers show
//! a mask. The account of the SMS gateway is one of them (S-34).

mod change;
mod cipher;
mod model;
mod sms;
mod store;

pub(crate) use sms::account as sms_account;
pub(crate) use store::{exists, value, value_by_id};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use model::Secret;

const READ: Access = Access::levels(&["organisation_settings_read"]);
const WRITE: Access = Access::levels(&["organisation_settings_write"]);
/// Dispatchers see whether text messages can be sent, nothing more.
const SMS_READ: Access = Access::any(&["organisation_settings_read", "runs_read"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/secrets/sms_configuration", SMS_READ, sms::get)
        .post("/secrets/sms_configuration", WRITE, sms::save)
        .delete("/secrets/sms_configuration", WRITE, sms::remove)
        .list("/secrets", READ, resource::filters::<Secret>(), resource::list::<Secret>)
        .post("/secrets", WRITE, change::create)
        .patch("/secrets/bulk", WRITE, change::patch_bulk)
        .delete("/secrets/bulk", WRITE, change::delete_bulk)
        .get("/secrets/{id}", READ, resource::get::<Secret>)
        .patch("/secrets/{id}", WRITE, change::patch)
        .delete("/secrets/{id}", WRITE, change::delete)
}
