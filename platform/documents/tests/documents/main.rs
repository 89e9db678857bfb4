//! Every document, made from plain data and opened by readers that are not our own: poppler and calamine.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod common;
mod label;
mod proof;
mod reading;
mod run_sheet;
mod sheets;
mod statement;
