//! What tests of the services stand on: a real Postgres, a real S3 server, and a fresh organisation per test. A test is
//! an organisation; isolation and tenancy are tested by the same act.

mod client;
mod platform;

pub use client::{Answer, Client};
pub use platform::{Person, TestOrganisation, variables};
