//! What tests of the services stand on: a real Postgres, a real S3 server, and a fresh organisation per test. A test is
//! an organisation; isolation and tenancy are tested by the same act.

mod answer;
pub mod calls;
mod client;
pub mod contract;
pub mod fuzz;
pub mod order;
pub mod osm;
mod platform;
pub mod smtp;
pub mod wire;

pub use answer::Answer;
pub use client::Client;
pub use contract::Contract;
pub use platform::{Person, TestOrganisation, variables};
