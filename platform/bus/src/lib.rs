//! What happens between processes: work that is queued in the transaction that causes it, and short notices that
//! something has changed.

pub mod notify;
pub mod queue;

pub use notify::{Listener, Notice, Notices, announce};
pub use queue::{Claimed, Job, JobId};
