//! Proofs: what drivers recorded about jobs, units, returns, containers and their route. A proof that arrives twice is
//! stored once; what has a proof cannot be deleted. The office may correct proofs, never unmake them, except those of
//! containers.

mod collections;
mod demands;
mod insert;
mod model;
mod office;
mod record;
mod routes_of_runs;
mod values;

pub(crate) use collections::{Collections, of_jobs, of_run};
pub(crate) use model::{ContainerProof, JobProof, Proof, ProofFields, Proven, ReturnProof, UnitProof};
pub(crate) use office::add_photo;
pub(crate) use record::{note_shown, record};
pub(crate) use routes_of_runs::{NewRunProof, RunProof, record_run_proof};
pub(crate) use values::RecordTime;

use routewright_core::{Access, Module, Routes};
use routewright_tenancy::resource;

use crate::app::App;

/// Reads proofs.
pub(crate) const READ: Access = Access::levels(&["proofs_read"]);
const WRITE: Access = Access::levels(&["proofs_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/job_proofs", READ, &office::filters::<JobProof>(), office::list::<JobProof>)
        .post("/job_proofs", WRITE, office::create::<JobProof>)
        .get("/job_proofs/{id}", READ, resource::get::<JobProof>)
        .patch("/job_proofs/{id}", WRITE, office::patch::<JobProof>)
        .merge(of_items())
        .list("/run_proofs", READ, resource::filters::<RunProof>(), resource::list::<RunProof>)
        .post("/run_proofs", WRITE, routes_of_runs::create)
        .get("/run_proofs/{id}", READ, resource::get::<RunProof>)
        .get("/jobs/{id}/proofs", READ, collections::of_job)
}

fn of_items() -> Routes<App> {
    let (read, write) = (READ.module(Module::Units), WRITE.module(Module::Units));
    let units = Routes::new()
        .list("/unit_proofs", read, &office::filters::<UnitProof>(), office::list::<UnitProof>)
        .post("/unit_proofs", write, office::create::<UnitProof>)
        .get("/unit_proofs/{id}", read, resource::get::<UnitProof>)
        .patch("/unit_proofs/{id}", write, office::patch::<UnitProof>);
    let (read, write) = (READ.module(Module::Returns), WRITE.module(Module::Returns));
    let returns = Routes::new()
        .list("/return_proofs", read, &office::filters::<ReturnProof>(), office::list::<ReturnProof>)
        .post("/return_proofs", write, office::create::<ReturnProof>)
        .get("/return_proofs/{id}", read, resource::get::<ReturnProof>)
        .patch("/return_proofs/{id}", write, office::patch::<ReturnProof>);
    let (read, write) = (READ.module(Module::Containers), WRITE.module(Module::Containers));
    let containers = Routes::new()
        .list("/container_proofs", read, &office::filters::<ContainerProof>(), office::list::<ContainerProof>)
        .post("/container_proofs", write, office::create::<ContainerProof>)
        .patch("/container_proofs/bulk", write, office::patch_bulk::<ContainerProof>)
        .get("/container_proofs/{id}", read, resource::get::<ContainerProof>)
        .patch("/container_proofs/{id}", write, office::patch::<ContainerProof>)
        .delete("/container_proofs/{id}", write, resource::delete::<ContainerProof>)
        .delete("/container_proofs/bulk", write, resource::delete_bulk::<ContainerProof>);
    units.merge(returns).merge(containers)
}
