//! Everything inside one organisation: planning, execution, settings, tracking. Stateless; any number of replicas.

pub mod app;
pub mod config;
pub mod routes;
pub mod work;

mod billing_rates;
mod clients;
mod constraints_check;
mod costing;
mod drivers;
mod extra_fields;
mod files;
mod imports;
mod information;
mod jobs;
mod locations;
mod map;
mod moves;
pub mod optimise;
mod place_columns;
mod plan;
pub mod realtime;
mod reasons;
mod runs;
mod scenario_reasons;
mod scenarios;
mod settings;
mod tags;
mod vehicles;

pub use app::{App, Service, build};
pub use config::Config;
