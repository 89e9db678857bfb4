//! What exports are made of (S-30): tables of what a search finds, costs of runs, proofs. Small ones are answered at once,
//! large ones and those that are asked for are made in the background.

mod make;
mod order;
mod proofs;

pub(crate) use make::carry_out;

use routewright_core::{Access, Routes};

use crate::app::App;
use crate::setup::excel_exports::READ;

const PROOFS: Access = Access::levels(&["proofs_read", "excel_export"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/excel_exports", READ, order::create).get("/export_proofs", PROOFS, proofs::export)
}
