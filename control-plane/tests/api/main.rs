//! The control plane's API against a real Postgres, one fresh organisation per test.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail the test in which they run"
)]

mod copies;
mod driver_users;
mod faults;
mod invitations;
mod isolation;
mod last_administrator;
mod oidc;
mod operators;
mod organisations;
mod own_account;
mod password_policy;
mod rehearsals;
mod reset_password;
mod roles;
mod sessions;
mod sign_in;
mod sign_up;
mod start;
mod submits;
mod support;
mod suspension;
mod trail;
mod users;
