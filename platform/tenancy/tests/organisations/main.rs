//! Organisations in a real Postgres: isolation, provisioning, migration, copies.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a helper that fails fails its test")]

#[path = "../support/mod.rs"]
mod support;

mod cancelled;
mod copies;
mod isolation;
mod migrations;
mod provisioning;
