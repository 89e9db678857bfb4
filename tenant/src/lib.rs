//! Everything inside one organisation: planning, execution, settings, tracking. Stateless; any number of replicas.

pub mod app;
pub mod config;
pub mod routes;
pub mod work;

mod billing_rates;
mod checklists;
mod clients;
mod constraints_check;
mod costing;
mod customers;
mod dispatch;
mod documents;
mod drivers;
mod eta;
mod extra_fields;
mod files;
mod gps;
mod imports;
mod information;
mod jobs;
mod locations;
mod map;
mod moves;
pub mod optimise;
mod place_columns;
mod plan;
mod post;
mod proofs;
mod qr_codes;
pub mod realtime;
mod reasons;
mod runs;
mod runsheet;
mod scenario_reasons;
mod scenarios;
mod settings;
mod tags;
mod vehicles;

pub use app::{App, Service, build};
pub use config::Config;
