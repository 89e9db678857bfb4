//! The control plane: sign-in, organisations, users, roles, modules, and what operators need. Everything inside one
//! organisation is the tenant service's.

pub mod app;
pub mod config;
pub mod routes;
pub mod service;
pub mod trail;
pub mod work;

mod active_scenario;
mod actor;
mod audit;
mod copies;
mod driver_users;
mod invitation;
mod last_administrator;
mod modules;
mod notice;
mod oidc;
mod operators;
mod organisations;
mod password_policy;
mod providers;
mod refused;
mod rehearsal_life;
mod rehearsals;
mod reset_password;
mod roles;
mod scope;
mod sign_in;
mod timezones;
mod users;

pub use app::App;
pub use config::Config;
pub use organisations::locale::settings as usual_settings;
pub use service::{Service, build};
