//! What a customer sees behind a tracking link: one delivery and nothing else (S-07). Every answer starts from the token;
//! an unknown or expired one is 'Job not found.'. A customer may ask for another day; the office deals with it.

mod carried;
mod delivery;
mod html;
mod masked;
mod page;
mod requests;
mod reschedule;
mod send;
mod state;

use routewright_core::{Access, Link, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use crate::orders::jobs;
use requests::RescheduleRequest;

const LINK: Access = Access::link(Link::Tracking);

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
        .post("/jobs/tracking/{token}/reschedule", LINK, reschedule::ask)
        .get("/jobs_tracking/{token}/reasons", LINK, page::reasons)
        .list(
            "/reschedule_requests",
            jobs::READ,
            resource::filters::<RescheduleRequest>(),
            resource::list::<RescheduleRequest>,
        )
        .get("/reschedule_requests/{id}", jobs::READ, resource::get::<RescheduleRequest>)
        .patch("/reschedule_requests/{id}", jobs::WRITE, requests::patch)
}
