//! What every service of Routewright stands on and that knows no noun of the business: configuration, the one
//! error shape, HTTP extractors and the route table, paged lists, typed ids, time and text checks.

pub mod access;
pub mod apart;
pub mod check;
pub mod clock;
pub mod config;
pub mod database;
pub mod error;
pub mod full;
pub mod http;
pub mod id;
pub mod jsonb;
pub mod list;
pub mod place;
pub mod simulated;
pub mod telemetry;
pub mod time_of_day;
pub mod token;
pub mod transaction;

pub use access::{Access, Link, Module};
pub use clock::Clock;
pub use database::OnConstraint;
pub use error::{Error, Kind, Result};
pub use http::body::{Body, Given};
pub use http::routes::Routes;
pub use id::{Id, OrganisationId};
pub use jsonb::Jsonb;
pub use simulated::SimulatedTime;
pub use time_of_day::TimeOfDay;
