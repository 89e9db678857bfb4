//! The driver's run sheet: the page behind a dispatched link. The run's own token opens it; it is traded for a token that
//! expires. What a driver records offline arrives later, perhaps twice.

mod pin;
mod record;
mod route;
mod sheet;
mod sheet_jobs;
mod token;

pub(crate) use route::{begin, finish, lock_own};

use routewright_core::{Access, Link, Module, Routes};

use crate::app::App;

const DRIVER: Access = Access::RUNSHEET;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/auth/runsheet_token", Access::PUBLIC, token::exchange)
        .get("/v2/runsheet", DRIVER, sheet::get)
        .get("/v2/runsheet/", DRIVER, sheet::get)
        .put("/v2/runsheet/start_route", DRIVER, route::start)
        .put("/v2/runsheet/end_route", DRIVER, route::end)
        .post("/v2/runsheet/unit_proofs", DRIVER.module(Module::Units), record::unit_proof)
        .post("/v2/runsheet/return_proofs", DRIVER.module(Module::Returns), record::return_proof)
        .post("/v2/runsheet/container_proofs", DRIVER.module(Module::Containers), record::container_proof)
        .post("/v2/runsheet/run_proofs", DRIVER, record::run_proof)
        .post("/v2/runsheet/pin", DRIVER, pin::compare)
        .post("/v2/runsheet/checklist_submissions", DRIVER, record::checklist)
        .post("/v2/runsheet/gps_points", DRIVER, record::gps_points)
        .post("/runsheet/{token}/job_proofs", Access::link(Link::Run), record::job_proof)
}
