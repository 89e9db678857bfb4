//! Files of the organisation: photos, signatures, logos, documents. The bytes lie in object storage, the row tells what
//! they are; whoever knows a file's uid may read it.

mod delete;
mod keep;
mod model;
mod reduced;
mod serve;
mod store;
mod tidy;
mod upload;

pub(crate) use keep::keep;
pub(crate) use model::{FILE, FileLink, PHOTOS};
pub(crate) use reduced::{LOGO, PHOTO, ReducePicture, SIGNATURE, reduced};
pub(crate) use serve::export;
pub(crate) use store::{fingerprint, key_by_id, key_by_uid, load, require, several};
pub(crate) use tidy::{end, remove_bytes, tidy};
pub(crate) use upload::{AcceptUpload, Incoming, Uploaded, by_user};

use axum::extract::DefaultBodyLimit;
use routewright_core::{Access, Link, Routes};
use routewright_storage::MAX_UPLOAD_BYTES;

use crate::app::App;

/// Largest form around a file, bytes: more is not even buffered.
pub(crate) const LARGEST_FORM: usize = MAX_UPLOAD_BYTES + 64 * 1024;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    let uploads = Routes::new()
        .post("/v2/runsheet/upload/file", Access::RUNSHEET, upload::by_run)
        // The door for uploads has its own, larger limit.
        .layer(DefaultBodyLimit::max(LARGEST_FORM));
    uploads
        .get("/files/get_temp_link/{id}", Access::SIGNED_IN, serve::temporary_link)
        .get("/files/temp/{ticket}", Access::PUBLIC, serve::by_ticket)
        .get("/files/uid/{uid}", Access::link(Link::File), serve::by_uid)
        .get("/files/{id}", Access::SIGNED_IN, store::get)
        .delete("/files/{id}", Access::SIGNED_IN, delete::delete)
}
