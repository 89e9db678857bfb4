//! What sockets are told (contract §6). An event is a row of the organisation, written in the transaction that causes
//! it; the notice that it exists is sent by the same commit, and every replica tells its own sockets. Sockets join one
//! room per scenario and namespace with the scenario's `ws_token` or with their user's own session, and are only told:
//! nothing they send is listened to.
//! The namespace of the plan is for people of the organisation: they join with their own session, hear of every change of
//! the plan and who else has it open, and say what they have in hand.

mod events;
mod feed;
mod presence;
mod session;
mod sockets;

pub(crate) use events::{Event, purge, record};
pub use sockets::Sockets;
