//! Messages from the outbox to a real mail server, SMS gateway and database.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod database;
mod mail;
mod outbox;
mod sms;
