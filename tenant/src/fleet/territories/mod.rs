//! Territories: areas that drivers serve, and groups of them. Areas may overlap; a border belongs to its area.

mod change;
pub(crate) mod geometry;
mod group;
mod model;

pub(crate) use model::containing;

use routewright_core::{Access, Routes};
use routewright_tenancy::resource;

use crate::app::App;
use group::TerritoryGroup;
use model::Territory;

const READ: Access = Access::levels(&["territories_read"]);
const WRITE: Access = Access::levels(&["territories_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/territories", READ, resource::filters::<Territory>(), resource::list::<Territory>)
        .post("/territories", WRITE, change::create)
        .patch("/territories/bulk", WRITE, change::patch_bulk)
        .get("/territories/{id}", READ, resource::get::<Territory>)
        .patch("/territories/{id}", WRITE, change::patch)
        .delete("/territories/{id}", WRITE, resource::delete::<Territory>)
        .delete("/territories/bulk", WRITE, resource::delete_bulk::<Territory>)
        .merge(resource::routes::<TerritoryGroup, App>(resource::Crud {
            read: READ,
            write: WRITE,
            delete: WRITE,
        }))
        .put("/territory_groups/{id}/territories", WRITE, group::replace)
        .post("/territory_groups/{id}/assign_territory", WRITE, group::add)
        .post("/territory_groups/{id}/remove_territory", WRITE, group::remove)
}
