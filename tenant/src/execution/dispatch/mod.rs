//! Dispatch: the run sheet goes to the driver by mail or text message, or is shown as a QR code. Messages are queued in
//! the transaction that marks the run as dispatched, and sent once it has committed.

mod message;
mod send;
mod settle;

pub(crate) use settle::{SettleDispatch, carry_out as settle, stands_again};

use routewright_core::{Access, Routes};

use crate::app::App;

const WRITE: Access = Access::levels(&["runs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/runs/dispatch", WRITE, send::dispatch)
}
