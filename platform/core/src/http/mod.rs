//! HTTP as this product speaks it: the route table, extractors that answer in the one error shape, requests' ids.

pub mod address;
pub mod body;
pub mod document;
pub mod health;
pub mod path;
pub mod query;
pub mod request;
pub mod respond;
pub mod routes;
pub mod serve;

pub use body::{Body, Given};
pub use path::Path;
pub use query::Query;
