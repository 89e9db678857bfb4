//! From jobs and drivers to a day's plan: scenarios, runs, moves, optimisation, copies.
//! Stands on `orders`; knows nothing of what becomes of a plan on the road.

pub(crate) mod changes;
pub(crate) mod constraints_check;
pub(crate) mod dashboard;
pub(crate) mod diagnosis;
pub(crate) mod eta;
pub(crate) mod moves;
pub(crate) mod optimise;
pub(crate) mod runs;
pub(crate) mod scenario_copies;
pub(crate) mod scenarios;
pub(crate) mod slots;
