//! Vehicles: what a driver drives, what fits in, what it burns and what it costs.

mod cost;
mod model;
mod on_road;
mod rates;

pub use model::Vehicle;
pub(crate) use model::{check_capacity, check_speed};
pub(crate) use on_road::{OnRoad, SIZES, check_profile, check_tolls};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;

const READ: Access = Access::levels(&["vehicles_read"]);
const WRITE: Access = Access::levels(&["vehicles_write"]);
const READ_RATES: Access = Access::levels(&["vehicles_read", "billing_rates_read"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Vehicle, App>(Crud { read: READ, write: WRITE, delete: WRITE })
        .get("/vehicles/{id}/cost", READ_RATES, cost::cost)
        .get("/vehicles/{id}/billing_rates", READ_RATES, rates::list)
        .post("/vehicles/{id}/billing_rates/{rate_id}", WRITE, rates::add)
        .delete("/vehicles/{id}/billing_rates/{rate_id}", WRITE, rates::remove)
}
