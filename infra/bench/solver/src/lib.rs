//! Public instances and real days as problems.

pub mod day;
pub mod hours;
pub mod instance;

/// What reading a file gives.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
