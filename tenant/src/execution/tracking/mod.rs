//! What a customer sees behind a tracking link: one delivery and nothing else (S-07). Every answer starts from the token;
//! an unknown or expired one is 'Job not found.'. A customer may ask for another day, of those into which a plan can take the
//! job; the office deals with it, or lets it be carried out at once. He may leave a word for the driver, and say where the
//! parcel is to be left.

mod accept;
mod asks;
mod carried;
mod delivery;
mod html;
mod masked;
mod page;
mod requests;
mod reschedule;
mod send;
mod slots;
mod state;
mod wishes;

use routewright_core::{Access, Link, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use crate::orders::jobs;
use requests::RescheduleRequest;

const LINK: Access = Access::link(Link::Tracking);
const FIT: Access = Access::levels(&["jobs_read", "runs_read"]);
const ACCEPT: Access = Access::levels(&["jobs_write", "runs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/jobs/send_tracking_urls", jobs::WRITE, send::send)
        .get("/jobs/tracking/{token}", LINK, page::delivery)
        .get("/jobs/tracking/{token}/page", LINK, html::page)
        .get("/jobs/tracking/{token}/all", LINK, page::all)
        .get("/jobs/tracking/{token}/units", LINK, page::units)
        .get("/jobs/tracking/{token}/returns", LINK, page::returns)
        .get("/jobs/tracking/{token}/proofs", LINK, page::proofs)
        .get("/jobs/tracking/{token}/proof_of_delivery_pdf", LINK, page::pdf)
        .get("/jobs/tracking/{token}/slots", LINK, slots::slots)
        .post("/jobs/tracking/{token}/reschedule", LINK, reschedule::ask)
        .put("/jobs/tracking/{token}/instructions", LINK, wishes::put)
        .get("/jobs_tracking/{token}/reasons", LINK, page::reasons)
        .list(
            "/reschedule_requests",
            jobs::READ,
            resource::filters::<RescheduleRequest>(),
            resource::list::<RescheduleRequest>,
        )
        .get("/reschedule_requests/{id}", jobs::READ, resource::get::<RescheduleRequest>)
        .patch("/reschedule_requests/{id}", jobs::WRITE, requests::patch)
        .get("/reschedule_requests/{id}/fit", FIT, accept::fit)
        .post("/reschedule_requests/{id}/accept", ACCEPT, accept::accept)
}
