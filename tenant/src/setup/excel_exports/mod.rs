//! Exports that are made in the background and kept as files for a while (S-30). What an export is made of, nouns below
//! this one know; here it is ordered, kept, told and forgotten.

mod keep;
mod model;
mod order;
mod table;

pub(crate) use keep::{deliver, expire, give_up};
pub(crate) use order::{ExportJob, Exported, Order, Queued, Source, order, ordered};
pub(crate) use table::{From, Kind, LARGE, MOST, Wanted, all, file, local};

use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::http::respond::Sent;
use routewright_core::{Access, Error, Result, Routes};
use routewright_tenancy::{Db, resource};

use crate::app::App;
use crate::setup::files;
use model::ExcelExport;

/// Reads and orders exports.
pub(crate) const READ: Access = Access::levels(&["excel_export"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/excel_exports", READ, resource::filters::<ExcelExport>(), resource::list::<ExcelExport>)
        .get("/excel_exports/{id}", READ, resource::get::<ExcelExport>)
        .get("/excel_exports/{id}/file", READ, download)
}

/// `GET /excel_exports/{id}/file`.
async fn download(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Sent> {
    let caller = db.caller().clone();
    let export: ExcelExport = resource::find(&mut db, &caller, id).await?;
    files::export(db, &app, export.file_id.ok_or_else(|| Error::not_found("File"))?).await
}
