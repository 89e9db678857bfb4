//! The one place where the services are put together.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use axum::Router;
use routewright_core::Clock;
use routewright_core::config::Source as _;
use routewright_tenancy::migration;

/// Both services, their routes under one roof.
pub(crate) struct Services {
    router: Router,
    loops: routewright_tenant::work::Loops,
}

/// Migrates the control schema, builds both services from their configuration and starts their background work.
pub(crate) async fn start(variables: &BTreeMap<String, String>) -> Result<Services> {
    let database = variables.required("DATABASE_URL")?.parse()?;
    migration::migrate_control(&database).await.context("the control schema cannot be migrated")?;
    let tenant = routewright_tenant::Config::from_source(variables)?;
    let tenant = routewright_tenant::build(tenant, Clock::system()).await?;
    let loops = routewright_tenant::work::start(&tenant.app)?;
    let router = Router::new().nest("/api", tenant.router).layer(tenant.sockets);
    Ok(Services { router, loops })
}

impl Services {
    /// Everything below `/api` and `/socket.io`.
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Ends the background work.
    pub(crate) async fn stop(self) {
        drop(self.loops);
    }
}
