//! HTTP to other servers. Every call has limits: for the time until the whole answer is there, for its bytes, for
//! redirects; whoever answers slowly, endlessly or in circles ends that call only. [`Client`] calls servers that the
//! operator configured, [`Outbound`] addresses that an organisation's users have typed.

mod client;
mod typed;
mod way_out;

pub use client::{Answer, Client, Limits, Unanswered};
/// Why there is no client: the system's certificates cannot be loaded.
pub use reqwest::Error as SetupError;
pub use typed::{Outbound, PRIVATE, is_public};
pub use way_out::WayOut;
