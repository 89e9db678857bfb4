//! The one place where the services are put together.

use std::collections::BTreeMap;

use anyhow::Result;
use axum::Router;

/// Both services, their routes under one roof.
pub(crate) struct Services {
    router: Router,
}

/// Builds both services from their configuration and starts their background work.
pub(crate) async fn start(_variables: &BTreeMap<String, String>) -> Result<Services> {
    Ok(Services { router: Router::new() })
}

impl Services {
    /// Everything below `/api` and `/socket.io`.
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Ends the background work.
    pub(crate) async fn stop(self) {}
}
