//! What runs cost: billed kilometres and hours, the rate, the formula of S-02; and the bills of validated runs.

pub(crate) mod bill;
mod formula;
mod read;

pub(crate) use formula::round;
pub use read::RunCost;
pub(crate) use read::{CostedRun, of_runs, of_vehicle};
