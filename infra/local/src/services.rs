//! The one place where the services are put together: one router, one API document, all background work.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, Utc};
use routewright_control_plane as control_plane;
use routewright_core::Clock;
use routewright_core::config::Source as _;
use routewright_core::http::{document, health, request};
use routewright_tenancy::migration;
use routewright_tenant as tenant;
use socketioxide::layer::SocketIoLayer;
use sqlx::ConnectOptions as _;
use tokio::task::JoinSet;

use crate::seed;

/// Organisations that are migrated at the same time.
const MIGRATIONS_AT_ONCE: usize = 2;
/// The tenant service's login to the directory.
const DIRECTORY_LOGIN: &str = "routewright_directory_reader";

/// Both services, their routes under one roof.
pub(crate) struct Services {
    router: Router,
    sockets: SocketIoLayer,
    /// Background work ends when these are dropped.
    control_work: JoinSet<()>,
    tenant_work: tenant::work::Loops,
    /// The demo's past days, told while the product is already in use.
    demo: tokio::task::JoinHandle<()>,
}

/// Migrates all schemas, builds both services from their configuration, starts their background work and makes sure
/// that the demo organisations are there.
pub(crate) async fn start(variables: &BTreeMap<String, String>, folder: &Path) -> Result<Services> {
    let mut variables = variables.clone();
    let control = control_plane::Config::from_source(&variables)?;
    migration::migrate_control(&control.placements.owner("default")?)
        .await
        .context("the control schema cannot be migrated")?;
    let directory = directory_login(&variables, &control).await?;
    variables.insert("DIRECTORY_URL".to_owned(), directory);

    let control = control_plane::build(control, Clock::system()).await?;
    control_plane::app::ensure_master(&control.app).await?;
    let report =
        migration::migrate_all(&control.app.control, &control.app.config.placements, MIGRATIONS_AT_ONCE)
            .await?;
    if !report.succeeded() {
        tracing::error!(?report, "some organisations could not be migrated");
    }
    let tenant = tenant::build(tenant::Config::from_source(&variables)?, Clock::system()).await?;
    let router = site(&control, &tenant)?;
    let control_work = control_plane::work::start(&control.app)?;
    let tenant_work = tenant::work::start(&tenant.app)?;
    let now = control.app.clock.now();
    seed::demo(&router, &control.app.control, folder, now)
        .await
        .context("the demo organisations cannot be made")?;
    let demo = tokio::spawn(past_days(router.clone(), folder.to_owned(), now));
    Ok(Services { router, sockets: tenant.sockets, control_work, tenant_work, demo })
}

/// What is missing of them is told at the next start.
async fn past_days(router: Router, folder: PathBuf, now: DateTime<Utc>) {
    if let Err(error) = seed::carry_out(&router, &folder, now).await {
        tracing::error!("the demo's past days cannot be told: {error:#}");
    }
}

/// A login that may read organisations, roles and users, but no password.
async fn directory_login(
    variables: &BTreeMap<String, String>,
    control: &control_plane::Config,
) -> Result<String> {
    let key = control.deployment.master_key.derive("routewright/directory-login/1");
    let password: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut owner = control.placements.owner("default")?.connect().await?;
    migration::create_directory_login(&mut owner, DIRECTORY_LOGIN, &password).await?;
    let database = variables.required("DATABASE_URL")?;
    let mut url = url::Url::parse(&database)?;
    let named = url.set_username(DIRECTORY_LOGIN).and_then(|()| url.set_password(Some(&password)));
    named.map_err(|()| anyhow::anyhow!("DATABASE_URL cannot carry a login"))?;
    Ok(url.into())
}

/// All routes below `/api`, the API document and health.
fn site(control: &control_plane::Service, tenant: &tenant::Service) -> Result<Router> {
    let document = document::merge(&[&control.api, &tenant.api], "Routewright")
        .map_err(|names| anyhow::anyhow!("the services mean different schemas by {names:?}"))?;
    let document = Json(document);
    let api = control
        .routes
        .clone()
        .merge(tenant.routes.clone())
        .route("/openapi.json", get(move || async move { document }));
    let api = request::layers(api, "routewright");
    let pool = control.app.control.clone();
    let health = health::routes(move || {
        let pool = pool.clone();
        async move {
            sqlx::query("select 1").execute(&pool).await?;
            Ok(())
        }
    });
    Ok(Router::new().nest("/api", api).merge(health))
}

impl Services {
    /// Everything below `/api`, and health.
    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Answers `/socket.io/`: to be laid around the whole site, because it is no route.
    pub(crate) fn sockets(&self) -> SocketIoLayer {
        self.sockets.clone()
    }

    /// Ends the background work.
    pub(crate) async fn stop(mut self) {
        self.demo.abort();
        self.control_work.shutdown().await;
        drop(self.tenant_work);
        routewright_core::telemetry::stop();
    }
}
