//! Containers: groups of units, such as roll cages, that are scanned as one.

mod model;

pub(crate) use model::Container;

use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Access, Error, Module, Result, Routes};
use routewright_tenancy::{Db, Resource, resource};

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["containers_read"]).module(Module::Containers);
const WRITE: Access = Access::levels(&["containers_write"]).module(Module::Containers);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/containers", READ, list)
        .post("/containers", WRITE, resource::create::<Container>)
        .patch("/containers/bulk", WRITE, resource::patch_bulk::<Container>)
        .get("/containers/{id}", READ, resource::get::<Container>)
        .patch("/containers/{id}", WRITE, resource::patch::<Container>)
        .delete("/containers/{id}", WRITE, resource::delete::<Container>)
}

/// `GET /containers`: `job_id` and `job_ids` keep the containers that hold units of these jobs.
async fn list(mut db: Db, mut query: ListQuery) -> Result<Listed<Container>> {
    let caller = db.caller().clone();
    let jobs: Vec<String> =
        ["job_id", "job_ids"].into_iter().filter_map(|parameter| query.take(parameter)).collect();
    let wanted: Vec<i64> = jobs
        .iter()
        .flat_map(|list| list.split(','))
        .map(|id| id.trim().parse().map_err(|_| Error::filters(format!("job_id `{id}` is not a number"))))
        .collect::<Result<_>>()?;
    list::page(&mut db, Container::COLUMNS, Container::FROM, query, &Container::SHAPE, |conditions| {
        Container::narrow(&caller, conditions);
        if !jobs.is_empty() {
            let place = conditions.bind(wanted);
            conditions.and(&format!(
                "exists (select from units cu where cu.container_id = c.id and cu.job_id = any({place}))"
            ));
        }
    })
    .await
}
