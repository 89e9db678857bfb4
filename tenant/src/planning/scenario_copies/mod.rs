//! Scenarios made from others: copies, recurring ones, templates (S-21, S-26).

mod advanced;
mod copy;
mod copy_proofs;
mod copy_rows;
mod duplicate;
mod fixed_runs;
mod items;
mod names;
mod templates;

use routewright_core::Routes;
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;
use crate::planning::scenarios::{READ, WRITE};
use templates::Template;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Template, App>(Crud { read: READ, write: WRITE, delete: WRITE })
        .post("/scenarios/advanced", WRITE, advanced::create)
        .post("/scenarios/{id}/duplicate", WRITE, duplicate::duplicate)
        .post("/scenarios/{id}/create_fixed_runs", WRITE, fixed_runs::create)
}
