//! How the service is put together: the state, and the routes over it.

use aide::openapi::OpenApi;
use axum::Router;
use routewright_core::http::request;
use routewright_core::http::routes::Row;
use routewright_core::{Clock, Error, Result};
use routewright_tenancy::Guard;
use routewright_tenancy::db::{Control, Source};

use crate::app::{App, connect};
use crate::config::Config;
use crate::routes;

/// The service, ready to be served.
pub struct Service {
    /// The routes, without the API base and without the layers that every request gets.
    pub routes: Router,
    /// The state, for background work, commands and tests.
    pub app: App,
    /// The API document of these routes.
    pub api: OpenApi,
    /// The route table, for the access matrix and the cross-tenant test.
    pub rows: Vec<Row>,
}

impl Service {
    /// The routes with request ids, log lines, metrics and error answers.
    pub fn router(&self) -> Router {
        request::layers(self.routes.clone(), "control-plane")
    }
}

/// Connects to the database, whose control schema must be migrated, and builds the routes. Background work is started
/// by [`crate::work::start`].
///
/// # Errors
/// When the database cannot be reached or, in production, holds demo logins.
pub async fn build(config: Config, clock: Clock) -> Result<Service> {
    let app = connect(config, clock).await?;
    refuse_demo_logins(&app).await?;
    let guard = Guard::new(app.gate.clone(), Source::Control(Control::new(app.control.clone())))
        .telling(routes::TELLING)
        .rehearsing(routes::REHEARSABLE);
    let table = routes::table();
    let rows = table.rows();
    let mut api = OpenApi::default();
    let routes = table.finish(&mut api, |row| guard.layer(row)).with_state(app.clone());
    Ok(Service { routes, app, api, rows })
}

/// A start before the first migration.
fn not_migrated(error: sqlx::Error) -> Error {
    let missing =
        error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == "42P01");
    if missing {
        return Error::internal(
            "the control schema is missing: run `routewright-control-plane migrate` first",
        );
    }
    error.into()
}

/// The logins of the demo organisation have well-known passwords.
async fn refuse_demo_logins(app: &App) -> Result<()> {
    let found: Option<String> = sqlx::query_scalar(
        "select email from users where deleted_at is null and email ~* '@([^@]+\\.)?routewright\\.test$' limit 1",
    )
    .fetch_optional(&app.control)
    .await
    .map_err(not_migrated)?;
    match found.filter(|_| !app.config.deployment.local) {
        None => Ok(()),
        Some(email) => Err(Error::internal(format!(
            "the demo login {email} exists: delete it, or start with ROUTEWRIGHT_MODE=local on one machine"
        ))),
    }
}
