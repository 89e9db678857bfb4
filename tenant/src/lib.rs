//! Everything inside one organisation: planning, execution, settings, tracking. Stateless; any number of replicas.
//!
//! The nouns live in wings, in the order of the day. A wing calls only wings below it, a noun only nouns above it in
//! [`routes`]:
//!
//! ```text
//! afterwards  ->  execution  ->  planning  ->  orders  ->  plan, fleet  ->  setup  ->  ground
//! ```
//!
//! The ground is [`app`] (the state), [`config`], [`realtime`], `audit`, `assignment`, `solvers`, `drawn`, `organisation_column`, `rehearsal`.
//! [`service`], [`routes`], [`work`] and [`pieces`] know every noun; no noun knows them.

pub mod app;
pub mod config;
pub mod pieces;
pub mod realtime;
pub mod routes;
pub mod service;
pub mod work;

mod afterwards;
mod assignment;
mod audit;
mod bin;
mod drawn;
mod execution;
mod fleet;
mod orders;
mod organisation_column;
mod plan;
mod planning;
mod rehearsal;
mod setup;
mod solvers;

pub use app::App;
pub use config::Config;
pub use service::{Service, build};
