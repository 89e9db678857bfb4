//! Organisations kept apart: a schema and a login role each, pools that give every connection to one organisation for
//! its whole life, and the unit of work through which all SQL goes. Also where organisations live and how they are
//! made, migrated, moved and removed.

pub mod control;
pub mod db;
mod files;
pub mod guard;
pub mod guesses;
mod mark;
pub mod migration;
pub mod placement;
pub mod pool;
pub mod provisioning;
pub mod resource;
pub mod role;
mod submit;
mod trail;
mod work;

pub use db::{Db, LateDb, Tenant, Work};
pub use guard::Guard;
pub use placement::Placements;
pub use pool::Tenants;
pub use resource::Resource;
pub use trail::Telling;
