//! What is asked when the day is over: searching, costing, reports, exports, partners.
//! Stands on all other wings; none calls it.

pub(crate) mod bin;
mod directory;
pub(crate) mod exports;
pub(crate) mod forwarder;
pub(crate) mod kpi;
pub(crate) mod partners;
pub(crate) mod run_costs;
pub(crate) mod search;
pub(crate) mod trail;
