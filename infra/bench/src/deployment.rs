//! An organisation, and the service behind a real connection.

use std::net::SocketAddr;

use anyhow::{Context as _, Result, ensure};
use axum::body::Body;
use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::BodyExt as _;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use routewright_core::Clock;
use routewright_core::config::Source as _;
use routewright_tenant::{App, Config, Service, work};
use routewright_testing::{TestOrganisation, variables};
use serde_json::Value;
use sqlx::{Connection as _, PgConnection};
use tokio::net::{TcpListener, TcpStream};

/// The service on a port of this machine.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) app: App,
    _loops: Option<work::Loops>,
}

/// Starts the tenant service as production does, with `connections` to organisations' schemas.
pub(crate) async fn serve(connections: usize) -> Result<Served> {
    let service = service(connections).await?;
    let router = axum::Router::new().nest("/api", service.router);
    listen(router, service.app, None).await
}

/// The same with sockets and the loop that tells them what happens; what is queued is left alone.
pub(crate) async fn serve_live(connections: usize) -> Result<Served> {
    let service = service(connections).await?;
    let loops = work::start(&service.app)?;
    let router = axum::Router::new().nest("/api", service.router).layer(service.sockets);
    listen(router, service.app, Some(loops)).await
}

async fn service(connections: usize) -> Result<Service> {
    let mut variables = variables();
    variables.insert("TENANT_CONNECTIONS".to_owned(), connections.to_string());
    variables.insert("WORKER_JOBS".to_owned(), "0".to_owned());
    Ok(routewright_tenant::build(Config::from_source(&variables)?, Clock::system()).await?)
}

async fn listen(router: axum::Router, app: App, loops: Option<work::Loops>) -> Result<Served> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(Served { address, app, _loops: loops })
}

/// One kept connection to the service, as a browser or the gateway has it.
pub(crate) struct Browser {
    sender: SendRequest<Body>,
    token: String,
}

impl Browser {
    pub(crate) async fn connect(to: &Served, organisation: &TestOrganisation) -> Result<Self> {
        let stream = TcpStream::connect(to.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Self { sender, token: organisation.token(organisation.admin) })
    }

    /// The answer to a call that must succeed.
    pub(crate) async fn call(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<Bytes> {
        let mut request =
            Request::builder().method(method).uri(format!("/api{path}")).header(header::HOST, "localhost");
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.sender.ready().await?;
        let answer = self.sender.send_request(request.body(body)?).await?;
        let status = answer.status();
        let bytes = answer.into_body().collect().await?.to_bytes();
        ensure!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
        Ok(bytes)
    }

    /// The same, as JSON.
    pub(crate) async fn json(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<Value> {
        serde_json::from_slice(&self.call(method, path, body).await?).context("an answer in JSON")
    }
}

/// Address of the deployment's database, as its owner.
pub(crate) fn database_url() -> Result<String> {
    Ok(variables().required("DATABASE_URL")?)
}

/// The owner's connection, looking at an organisation's schema.
pub(crate) async fn owner(organisation: &TestOrganisation) -> Result<PgConnection> {
    let mut connection = PgConnection::connect(&database_url()?).await?;
    let schema = format!("org_{}", organisation.id);
    sqlx::query("select set_config('search_path', $1, false)").bind(schema).execute(&mut connection).await?;
    Ok(connection)
}
