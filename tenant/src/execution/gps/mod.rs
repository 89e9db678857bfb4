//! Where vehicles are: points that drivers' phones and other devices send, and the trails that planners see (S-24).

mod receive;
mod rule;
mod trail;

pub(crate) use receive::{NewPoint, few_enough, purge, receive};
pub(crate) use rule::BEFORE_START;
pub(crate) use trail::{GpsPoint, latest_of_run};

use routewright_core::{Access, Routes};

use crate::app::App;

const READ: Access = Access::levels(&["runs_read"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/scenario/{id}/gps_points", READ, trail::of_scenario)
}
