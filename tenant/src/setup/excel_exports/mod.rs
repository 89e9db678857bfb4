//! Exports that are made in the background and kept as files for a while (S-30). What an export is made of, nouns below
//! this one know; here it is ordered, kept, told and forgotten.

mod keep;
mod model;
mod order;
mod table;

pub(crate) use keep::{deliver, expire, give_up};
pub(crate) use order::{ExportJob, Exported, Order, Queued, Source, order, ordered};
pub(crate) use table::{From, Kind, LARGE, MOST, Wanted, all, file, local};

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use model::ExcelExport;

/// Reads and orders exports.
pub(crate) const READ: Access = Access::levels(&["excel_export"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/excel_exports", READ, resource::filters::<ExcelExport>(), resource::list::<ExcelExport>)
        .get("/excel_exports/{id}", READ, resource::get::<ExcelExport>)
}
