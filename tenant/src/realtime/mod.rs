//! What sockets are told (contract §6). An event is a row of the organisation, written in the transaction that causes
//! it; the notice that it exists is sent by the same commit, and every replica tells its own sockets. Sockets join one
//! room per scenario and namespace with the scenario's `ws_token`, and are only told: nothing they send is listened to.

mod events;
mod feed;
mod sockets;

pub(crate) use events::{Event, purge, record};
pub use sockets::Sockets;
