//! The contact with drivers' phones: when a phone was heard of last, how many records still wait on it, and whether its
//! driver knows what the office changed since: he is told the difference and confirms it.

mod difference;
mod office;
mod phone;
mod stops;

pub(crate) use phone::heard;

use routewright_core::{Access, Routes};

use crate::app::App;

const READ: Access = Access::levels(&["runs_read"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/v2/runsheet/contact", Access::RUNSHEET, phone::contact).get(
        "/scenarios/{id}/contacts",
        READ,
        office::of_scenario,
    )
}
