//! What happens between processes: work that is queued in the transaction that causes it, and short notices that
//! something has changed.

pub mod notify;
pub mod queue;

pub use notify::{Doing, DoingKind, Listener, Notice, Notices, Presence, announce};
pub use queue::{Claimed, Job, JobId};
