//! When a driving run is expected at its remaining stops (S-25): timed anew from the last known time and place, and told
//! to whoever wants to know when a job gets late.

mod alert;
mod expect;
mod refresh;

pub(crate) use refresh::refresh;
