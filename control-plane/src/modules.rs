//! The optional parts of the product that an organisation can switch on.

use axum::Json;
use routewright_core::{Access, Error, Module, Result, Routes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;

pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/modules", Access::SIGNED_IN, list)
}

/// A module and what administrators call it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "NamedModule")]
struct Named {
    /// Key, as in an organisation's `modules`.
    key: Module,
    /// Name.
    name: &'static str,
}

async fn list() -> Json<Vec<Named>> {
    Json(Module::ALL.into_iter().map(|module| Named { key: module, name: module.name() }).collect())
}

/// Modules from their keys, each once, in the order of the specification.
///
/// # Errors
/// 400 naming the key that is none.
pub(crate) fn from_keys(keys: &[String]) -> Result<Vec<Module>> {
    if let Some(unknown) = keys.iter().find(|key| Module::from_key(key).is_none()) {
        return Err(Error::field("modules", format!("`{unknown}` is not a module")));
    }
    Ok(Module::ALL.into_iter().filter(|module| keys.iter().any(|key| key == module.key())).collect())
}
