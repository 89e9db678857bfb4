//! The control plane's API against a real Postgres, one fresh organisation per test.

mod organisations;
mod roles;
mod sign_in;
mod support;
mod users;
