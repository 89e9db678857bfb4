//! Drivers and their named variants. A driver is a planning resource with shift, depot and capacity, not a login; the
//! person at the wheel is a driver user. Deleting is soft and can be undone.

mod change;
mod config;
mod model;

pub use config::DriverConfig;
pub use model::Driver;
pub(crate) use model::{Shift, check_shift};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;

const READ: Access = Access::levels(&["drivers_read"]);
const WRITE: Access = Access::levels(&["drivers_write"]);
/// Dispatchers correct contact data before they send.
const CONTACT: Access = Access::any(&["drivers_write", "runs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<DriverConfig, App>(Crud { read: READ, write: WRITE, delete: WRITE })
        .list("/drivers", READ, change::filters(), change::list)
        .post("/drivers", WRITE, resource::create::<Driver>)
        .patch("/drivers/bulk", CONTACT, change::patch_bulk)
        .delete("/drivers/bulk", WRITE, change::delete_bulk)
        .get("/drivers/{id}", READ, resource::get::<Driver>)
        .patch("/drivers/{id}", WRITE, resource::patch::<Driver>)
        .delete("/drivers/{id}", WRITE, change::delete)
        .patch("/drivers/{id}/restore", WRITE, change::restore)
        .put("/drivers/{id}/territories", WRITE, change::territories)
}
