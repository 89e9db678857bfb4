//! Organisations kept apart: a schema and a login role each, pools that give every connection to one organisation for
//! its whole life, and the unit of work through which all SQL goes.

pub mod db;
pub mod guard;
pub mod pool;
pub mod resource;

pub use db::{Db, Tenant, Work};
pub use guard::Guard;
pub use pool::Tenants;
pub use resource::Resource;
