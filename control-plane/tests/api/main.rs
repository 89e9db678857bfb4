//! The control plane's API against a real Postgres, one fresh organisation per test.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail the test in which they run"
)]

mod driver_users;
mod faults;
mod isolation;
mod oidc;
mod operators;
mod organisations;
mod own_account;
mod password_policy;
mod reset_password;
mod roles;
mod sessions;
mod sign_in;
mod start;
mod support;
mod users;
