//! Seals: whether what was recorded is still what it was. Everything that is recorded as proof is sealed by the database when
//! the service commits it (migration 33), with the fingerprints of its files and of the seal before, one chain per run. The
//! code on a proof of delivery opens a page that reads records, files and chain again and says "Unchanged" or "Altered".
//! Nobody needs an account for it; it shows what was recorded and when, not for whom.
//!
//! What this does not show: who can write the database as its owner can also write a whole chain anew. The seal that stands
//! on paper, and in the link of its code, does not change with it: the page says when it is no longer in the chain.

mod chain;
mod check;
mod html;
mod judge;
mod link;
mod read;
mod retention;

pub(crate) use link::{Printed, give, link, printed};
pub(crate) use retention::retire;

use routewright_core::{Access, Link, Routes};

use crate::app::App;

const LINK: Access = Access::link(Link::Proof);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/proofs/check/{token}", LINK, check::check).get(
        "/proofs/check/{token}/page",
        LINK,
        html::page,
    )
}
