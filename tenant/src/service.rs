//! How the service is put together: the state, the route table behind its guard, the sockets.

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use routewright_addresses::AddressBook;
use routewright_core::http::request;
use routewright_core::http::routes::Row;
use routewright_core::{Clock, Error, Result};
use routewright_governor::Governor;
use routewright_identity::{Gate, LinkKeys, Policies, Tokens};
use routewright_messaging::{Mailer, PostOffice, SmsGateway};
use routewright_roads::{Geocoder, HttpGeocoder, HttpKind, InTurn, TypedCoordinates};
use routewright_storage::Storage;
use routewright_tenancy::db::Source;
use routewright_tenancy::guesses::Guesses;
use routewright_tenancy::{Guard, Tenants};
use socketioxide::layer::SocketIoLayer;
use sqlx::postgres::PgConnectOptions;

use crate::app::App;
use crate::config::Config;
use crate::drawn::Drawn;
use crate::realtime::Sockets;
use crate::routes;
use crate::solvers::Solvers;

/// The service, ready to be served.
pub struct Service {
    /// The routes with request ids, log lines, metrics and error answers, without the API base.
    pub router: Router,
    /// The routes alone, for a process that serves them together with others.
    pub routes: Router,
    /// Answers `/socket.io/`: to be laid around the outermost router, beside the API base.
    pub sockets: SocketIoLayer,
    /// The state, for workers and tests.
    pub app: App,
    /// The API document of these routes.
    pub api: OpenApi,
    /// The route table, for the access matrix and the cross-tenant test.
    pub rows: Vec<Row>,
}

/// Connects to everything and builds the router. Background work is started by [`crate::work::start`].
///
/// # Errors
/// When a part cannot be reached or configured.
pub async fn build(config: Config, clock: Clock) -> Result<Service> {
    let directory: PgConnectOptions = config.directory_url.parse().map_err(Error::internal)?;
    let directory = routewright_tenancy::control::shared(4)
        .connect_with(
            directory.options([("search_path", "control")]).application_name("routewright directory"),
        )
        .await?;
    let master = &config.deployment.master_key;
    let guesses =
        Guesses::new(directory.clone(), master, clock.clone(), config.token_guesses, config.trusted_proxies);
    let gate = Gate {
        tokens: Tokens::new(master, clock.clone()),
        links: LinkKeys::new(master),
        policies: Policies::new(directory, clock.clone()),
    };
    let tenants = Tenants::healing(config.budget, config.placements.clone());
    let storage = Storage::new(&config.storage);
    storage.ensure_bucket().await.map_err(Error::internal)?;
    let (layer, sockets) = Sockets::open(&gate, &tenants, &guesses);
    let app = App {
        deployment: Arc::new(config.deployment.clone()),
        roads: routewright_roads::connect(config.osrm_url.as_deref(), config.maps.clone())
            .map_err(Error::internal)?,
        geocoder: geocoder(&config)?,
        gate,
        guesses,
        tenants,
        storage,
        post: post_office(&config)?,
        governor: Governor::for_machine(config.program.clone())?,
        drawn: Drawn::default(),
        solvers: Solvers::for_machine(),
        sockets,
        clock,
        config: Arc::new(config),
    };
    Ok(assemble(app, layer))
}

fn assemble(app: App, sockets: SocketIoLayer) -> Service {
    let guard = Guard::new(app.gate.clone(), Source::Tenants(app.tenants.clone()))
        .counting(app.guesses.clone())
        .telling(routes::TELLING)
        .pacing(app.config.request_share);
    let table = routes::table();
    let rows = table.rows();
    let mut api = OpenApi::default();
    let routes = table.finish(&mut api, |row| guard.layer(row)).with_state(app.clone());
    let router = request::layers(routes.clone(), "tenant");
    Service { router, routes, sockets, app, api, rows }
}

fn post_office(config: &Config) -> Result<PostOffice> {
    let mailer = match &config.smtp {
        Some(smtp) => Mailer::smtp(smtp).map_err(Error::internal)?,
        None => Mailer::outbox(),
    };
    // On one machine the SMS gateway may be on the same machine.
    let sms = SmsGateway::new(config.deployment.local).map_err(Error::internal)?;
    Ok(PostOffice { mailer, sms })
}

/// Addresses: of the maps first, then of a server.
fn geocoder(config: &Config) -> Result<Arc<dyn Geocoder>> {
    let mut sources: Vec<Arc<dyn Geocoder>> = Vec::new();
    if let Some(maps) = &config.maps {
        sources.push(Arc::new(AddressBook::open(maps.paths(), maps.folder.clone())));
    }
    if let Some(url) = &config.geocoder_url {
        let server = HttpGeocoder::new(url, HttpKind::Nominatim).map_err(Error::internal)?;
        sources.push(Arc::new(server));
    }
    if sources.is_empty() {
        sources.push(Arc::new(TypedCoordinates));
    }
    Ok(Arc::new(InTurn::new(sources)))
}
