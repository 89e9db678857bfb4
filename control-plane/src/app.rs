//! The application state and how the service is put together.

use std::sync::Arc;
use std::time::Duration;

use aide::openapi::OpenApi;
use axum::Router;
use hmac::{Hmac, Mac as _};
use routewright_core::http::request;
use routewright_core::http::routes::Row;
use routewright_core::{Clock, Error, OrganisationId, Result};
use routewright_identity::password::Passwords;
use routewright_identity::{Gate, LinkKeys, Policies, Tokens};
use routewright_tenancy::Guard;
use routewright_tenancy::db::Source;
use routewright_tenancy::provisioning::{NewAdmin, Provisioning};
use sha2::Sha256;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::config::Config;
use crate::oidc::Provider;
use crate::routes;
use crate::sign_in::Gis;

/// What handlers and background work share. Cheap to clone; one per process.
#[derive(Clone)]
pub struct App {
    /// The configuration.
    pub config: Arc<Config>,
    /// The control schema.
    pub control: PgPool,
    /// Verifies callers, issues tokens.
    pub gate: Gate,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Makes and removes organisations.
    pub provisioning: Provisioning,
    /// The time.
    pub clock: Clock,
    pub(crate) oidc: Option<Arc<Provider>>,
    pub(crate) gis: Option<Arc<Gis>>,
}

impl App {
    /// Keyed hash of what is looked up but must not be readable in the database: tokens, tried addresses.
    ///
    /// # Errors
    /// Never in practice: HMAC takes keys of any length.
    pub(crate) fn keyed_hash(&self, purpose: &str, text: &str) -> Result<[u8; 32]> {
        let key = self.config.deployment.master_key.derive(&format!("routewright/{purpose}/1"));
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(Error::internal)?;
        mac.update(text.as_bytes());
        Ok(mac.finalize().into_bytes().into())
    }
}

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
    let guard = Guard::new(app.gate.clone(), Source::Control(app.control.clone()));
    let table = routes::table();
    let rows = table.rows();
    let mut api = OpenApi::default();
    let routes = table.finish(&mut api, |row| guard.layer(row)).with_state(app.clone());
    Ok(Service { routes, app, api, rows })
}

/// The state alone, for commands.
///
/// # Errors
/// When the database cannot be reached.
pub async fn connect(config: Config, clock: Clock) -> Result<App> {
    let options = config.placements.control()?.application_name("routewright control plane");
    let control = PgPoolOptions::new()
        .max_connections(config.connections)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options)
        .await?;
    let master = &config.deployment.master_key;
    let links = LinkKeys::new(master);
    let scenario_links = links.clone();
    let gate =
        Gate { tokens: Tokens::new(master, clock.clone()), links, policies: Policies::new(control.clone()) };
    let provisioning = Provisioning::new(
        control.clone(),
        config.placements.clone(),
        clock.clone(),
        Arc::new(move |organisation| scenario_links.long(organisation)),
    );
    Ok(App {
        passwords: Passwords::new(config.password_hashes)?,
        oidc: config.oidc.clone().map(Provider::new).transpose()?.map(Arc::new),
        gis: config.esri.clone().map(Gis::new).transpose()?.map(Arc::new),
        config: Arc::new(config),
        control,
        gate,
        provisioning,
        clock,
    })
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

/// Makes the organisation Master when it is missing, with the first administrator of the configuration when it has no
/// user.
///
/// # Errors
/// When it cannot be made.
pub async fn ensure_master(app: &App) -> Result<OrganisationId> {
    let admin = match &app.config.master_admin {
        None => None,
        Some(admin) => Some(NewAdmin {
            email: admin.email.clone(),
            password_hash: app.passwords.hash(&admin.password).await?,
            first_name: None,
            last_name: None,
            phone_number: None,
            personal_data_consent: false,
        }),
    };
    app.provisioning.ensure_master(chrono_tz::Tz::UTC, admin).await
}
