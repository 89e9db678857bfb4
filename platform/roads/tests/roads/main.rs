//! Travel times from a real OSRM server with the streets of Porto, and addresses over real sockets.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod estimate;
mod geocoding;
mod osrm;
mod server;
mod streets;
