//! Files for freight partners and the packaging distributor (S-15, S-28, L-03): a scenario as CSV, to download or sent over
//! SFTP; runs as a zip with what was delivered.

mod distributor;
mod evidence;
mod file;
mod send;

use routewright_core::http::Path;
use routewright_core::http::respond::Download;
use routewright_core::{Access, Module, Result, Routes};
use routewright_tenancy::Db;

use crate::app::App;

/// The freight partner that is known. Further ones would be further entries with routes of their own.
const PARTNER: &str = "all_purpose_transport";

const READ: Access = Access::levels(&["runs_read"]).module(Module::AllPurposeTransport);
const SEND: Access = Access::levels(&["runs_write"]).module(Module::AllPurposeTransport);
const DISTRIBUTOR: Access = Access::levels(&["runs_read"]).module(Module::AllPurposeTransportBunzl);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/scenarios/{id}/all_purpose_transport_download", READ, download)
        .put("/scenarios/{id}/all_purpose_transport_send_to_sftp", SEND, send::send)
        .get("/runs/bunzl_export", DISTRIBUTOR, distributor::export)
}

/// `GET /scenarios/{id}/{partner}_download`.
async fn download(mut db: Db, Path(id): Path<i64>) -> Result<Download> {
    let caller = db.caller().clone();
    let file = file::of_scenario(&mut db, &caller, PARTNER, id).await?;
    Ok(Download { content_type: "text/csv; charset=utf-8", name: file.name, bytes: file.bytes })
}
