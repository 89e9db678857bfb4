//! Streets of small maps that show one rule each, and of Porto.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad;
mod conditions;
mod exact;
mod rules;
mod town;
mod vehicles;
