//! When a driving run is expected at its remaining stops (S-25): timed anew from the last known time and place, and told
//! to whoever wants to know when a job gets late. What customers are told goes by the run's own pace as well.

mod alert;
mod expect;
mod outlook;
mod refresh;
mod told;

pub(crate) use refresh::refresh;
pub(crate) use told::{expected, expected_on, is_old};
