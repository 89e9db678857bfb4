//! Everything inside one organisation: planning, execution, settings, tracking. Stateless; any number of replicas.

pub mod app;
pub mod config;
pub mod routes;
pub mod work;

mod settings;
mod tags;

pub use app::{App, Service, build};
pub use config::Config;
