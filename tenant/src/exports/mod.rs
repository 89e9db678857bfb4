//! Exports that are kept as files for a while, and the export of proofs (S-30).

mod model;
mod proofs;

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use model::ExcelExport;

const READ: Access = Access::levels(&["excel_export"]);
const PROOFS: Access = Access::levels(&["proofs_read", "excel_export"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/excel_exports", READ, resource::filters::<ExcelExport>(), resource::list::<ExcelExport>)
        .get("/excel_exports/{id}", READ, resource::get::<ExcelExport>)
        .get("/export_proofs", PROOFS, proofs::export)
}
