//! Containers: groups of units, such as roll cages, that are scanned as one.

mod model;

pub(crate) use model::Container;

use routewright_core::{Access, Module, Routes};
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;

pub(crate) const READ: Access = Access::levels(&["containers_read"]).module(Module::Containers);
const WRITE: Access = Access::levels(&["containers_write"]).module(Module::Containers);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Container, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}
