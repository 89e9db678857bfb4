//! The web server: both web apps, the services, the demo map and the outbox on one port of the loopback address.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use routewright_core::http::serve::{self, Limits};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::{Layer as _, ServiceExt as _};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::normalize_path::NormalizePathLayer;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::shutdown::Stop;

/// The headers that nginx sends in production.
const HEADERS: &str = include_str!("../../nginx/headers.conf");
/// The builds of the planner and of the dashboard.
const APPS: [&str; 2] = ["planner-web/dist", "admin-web/dist"];
/// Demo map, below the API because the web apps address it like a file of the product.
const TILES: &str = "/api/tiles/streets.pmtiles";
/// Names of built files carry a hash of their content.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Pages must be asked for again, so that a new version is seen.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// How long requests under way, and open sockets, may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// The loopback addresses, version 4 and, where there is one, version 6: browsers try both for `localhost`.
pub(crate) struct Listeners(Vec<TcpListener>);

/// Takes the port before anything else is started.
pub(crate) async fn bind(port: u16) -> Result<Listeners> {
    let first = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Ok(listener) => listener,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!(
                "port {port} is taken by another program; choose another one, for example: make run PORT={}",
                port ^ 1
            )
        }
        Err(error) => return Err(error).with_context(|| format!("port {port} cannot be used")),
    };
    let second = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await;
    Ok(Listeners(std::iter::once(first).chain(second).collect()))
}

/// Whether both web apps are built; asked before anything is started.
pub(crate) fn check_builds(root: &Path) -> Result<()> {
    for page in APPS.map(|app| root.join(app).join("index.html")) {
        if !page.is_file() {
            bail!("{} is missing; build the web apps first: make web", page.display());
        }
    }
    Ok(())
}

/// Everything that is served.
pub(crate) fn site(root: &Path, services: Router, outbox: Router) -> Router {
    let [planner, admin] = APPS.map(|dist| app(&root.join(dist)));
    let tiles = ServeFile::new(root.join("infra/local/data/porto/streets.pmtiles"));
    let pages = root.join("planner-web/dist");
    let [none, unknown] = ["none.html", "unknown.html"].map(|name| pages.join("tracking").join(name));
    let tracking = behind_link(services.clone(), "tokens", none, unknown, |given| {
        format!("/api/jobs/tracking/{}/page", given("tokens"))
    });
    let unknown = pages.join("check/unknown.html");
    let check = behind_link(services.clone(), "proof", unknown.clone(), unknown, |given| {
        format!("/api/proofs/check/{}/page?seal={}", given("proof"), given("seal"))
    });
    let router = services
        .route("/tracking", tracking)
        .route("/check", check)
        .nest("/outbox", outbox)
        .route_service(TILES, tiles)
        .nest_service("/dashboard", admin)
        .fallback_service(planner);
    secured(router)
        .layer(CompressionLayer::new().gzip(true).compress_when(worth_compressing()))
        .layer(from_fn(only_loopback))
}

fn worth_compressing() -> impl Predicate {
    SizeAbove::new(1024)
        .and(NotForContentType::IMAGES)
        .and(NotForContentType::SSE)
        // Streams, whose lines must arrive one by one, and files that are compressed already.
        .and(NotForContentType::const_new("application/x-ndjson"))
        .and(NotForContentType::const_new("application/octet-stream"))
        .and(NotForContentType::const_new("application/pdf"))
        .and(NotForContentType::const_new("application/zip"))
        .and(NotForContentType::const_new("application/vnd.openxmlformats"))
}

fn secured(router: Router) -> Router {
    headers().fold(router, |router, (name, value)| {
        router.layer(SetResponseHeaderLayer::if_not_present(name, value))
    })
}

fn headers() -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    HEADERS.lines().filter_map(|line| {
        // What depends on a variable of nginx concerns TLS, which one machine does not speak.
        let (name, value) =
            line.strip_prefix("add_header ")?.split_once(' ').filter(|_| !line.contains('$'))?;
        let value = value.strip_suffix(" always;")?.trim_matches('"');
        Some((HeaderName::try_from(name).ok()?, HeaderValue::from_static(value)))
    })
}

/// The demo logins are public knowledge. Another site could give its own name this machine's address and so reach us
/// from a visitor's browser; its name then stands in the request.
async fn only_loopback(request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    if host.is_some_and(is_loopback) {
        next.run(request).await
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "Only reachable as localhost or 127.0.0.1\n").into_response()
    }
}

fn is_loopback(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// The page behind a link, which the tenant service writes at `address`. Without the link's token, or with one that opens
/// nothing, another page is shown; as the gateway does it.
fn behind_link(
    services: Router,
    token: &'static str,
    none: PathBuf,
    unknown: PathBuf,
    address: impl Fn(&dyn Fn(&str) -> String) -> String + Clone + Send + Sync + 'static,
) -> MethodRouter {
    let (none, unknown) = (ServeFile::new(none), ServeFile::new(unknown));
    get(async move |request: Request| {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let given = |name: &str| {
            let values = query.split('&').filter_map(|part| part.split_once('='));
            values
                .filter(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
                .next()
                .unwrap_or_default()
        };
        let (mut parts, body) = request.into_parts();
        let still = Request::builder().uri("/page").body(Body::empty()).unwrap_or_default();
        if given(token).is_empty() {
            return infallible(none.oneshot(still).await);
        }
        let Ok(uri) = address(&given).parse() else { return infallible(unknown.oneshot(still).await) };
        parts.uri = uri;
        let written = infallible(services.oneshot(Request::from_parts(parts, body)).await);
        match written.status() {
            StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND => infallible(unknown.oneshot(still).await),
            _ => written,
        }
    })
}

/// A built web app: its files, and its page for every address that the app itself understands.
fn app(dist: &Path) -> Router {
    let page = dist.join("index.html");
    let files = ServeDir::new(dist).append_index_html_on_directories(false);
    let page = ServeFile::new(page);
    Router::new().fallback(move |request: Request| respond(files.clone(), page.clone(), request))
}

async fn respond(files: ServeDir, page: ServeFile, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let is_address = addresses_a_page(&request, &path);
    let service_request = Request::builder().method(request.method().clone()).uri(request.uri().clone());
    let Ok(mut again) = service_request.body(Body::empty()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    *again.headers_mut() = request.headers().clone();
    let found = infallible(files.oneshot(request).await);
    let mut response = if found.status() == StatusCode::NOT_FOUND && is_address {
        infallible(page.oneshot(again).await)
    } else {
        found
    };
    let is_hashed = path.starts_with("/assets/") && response.status().is_success();
    let caching = if is_hashed { FOREVER } else { ASK_AGAIN };
    response.headers_mut().insert(header::CACHE_CONTROL, caching);
    response
}

fn infallible<B>(answered: Result<axum::http::Response<B>, Infallible>) -> Response
where
    B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    match answered {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// A missing file must stay missing, only what a person typed or followed becomes the app's page.
fn addresses_a_page(request: &Request, path: &str) -> bool {
    let is_file =
        path.starts_with("/assets/") || path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_service = path.starts_with("/api/") || path.starts_with("/socket.io");
    matches!(*request.method(), Method::GET | Method::HEAD) && !is_file && !is_service
}

/// Serves until `stop`; then lets requests under way end.
pub(crate) async fn serve(listeners: Listeners, site: Router, stop: Stop) -> Result<()> {
    let mut servers = JoinSet::new();
    for listener in listeners.0 {
        // Outside the router, because a trailing slash decides which route is meant.
        let site = NormalizePathLayer::trim_trailing_slash().layer(site.clone());
        let stop = stop.clone();
        servers.spawn(async move {
            let stopped = async move { stop.requested().await };
            serve::serve(listener, site, Limits::default(), stopped).await;
        });
    }
    stop.requested().await;
    let all_ended = async {
        while let Some(ended) = servers.join_next().await {
            ended?;
        }
        anyhow::Ok(())
    };
    // Sockets stay open as long as their browsers do.
    tokio::time::timeout(GRACE, all_ended).await.unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn checkout() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (file, content) in [
            ("planner-web/dist/index.html", "<title>Planner</title>"),
            ("planner-web/dist/mark.svg", "<svg/>"),
            ("planner-web/dist/tracking/none.html", "<title>None</title>"),
            ("planner-web/dist/tracking/unknown.html", "<title>Unknown</title>"),
            ("planner-web/dist/check/unknown.html", "<title>No proof</title>"),
            ("planner-web/dist/assets/app-1a2b.js", &"let planner;".repeat(500)),
            ("admin-web/dist/index.html", "<title>Admin</title>"),
            ("admin-web/dist/assets/app-3c4d.js", "let admin;"),
            ("infra/local/data/porto/streets.pmtiles", "PMTiles0123456789"),
        ] {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, content).expect("a file");
        }
        root
    }

    async fn ask(root: &Path, path: &str, headers: &[(HeaderName, &str)]) -> Response {
        let site = site(root, Router::new(), Router::new());
        let mut request = Request::builder().uri(path).header(header::HOST, "localhost:8080");
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        infallible(site.oneshot(request.body(Body::empty()).expect("a request")).await)
    }

    async fn text(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("a body");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[tokio::test]
    async fn each_address_gets_its_app() {
        let root = checkout();
        for (path, expected) in [
            ("/", "<title>Planner</title>"),
            ("/runsheet?token=a.b", "<title>Planner</title>"),
            ("/tracking", "<title>None</title>"),
            ("/tracking?tokens=", "<title>None</title>"),
            // Nobody answers here what the services would.
            ("/tracking?tokens=AAAAAAAAAAAA", "<title>Unknown</title>"),
            ("/check", "<title>No proof</title>"),
            ("/check?proof=AAAAAAAAAAAA&seal=0", "<title>No proof</title>"),
            ("/mark.svg", "<svg/>"),
            ("/dashboard", "<title>Admin</title>"),
            ("/dashboard/", "<title>Admin</title>"),
            ("/dashboard/database/jobs", "<title>Admin</title>"),
            ("/dashboard/assets/app-3c4d.js", "let admin;"),
        ] {
            let response = ask(root.path(), path, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert_eq!(text(response).await, expected, "{path}");
        }
        let gone = ["/assets/gone.js", "/assets/gone", "/dashboard/assets/gone.js", "/dashboard/assets/gone"];
        for path in gone.into_iter().chain(["/api/nothing", "/../Cargo.toml"]) {
            let response = ask(root.path(), path, &[]).await;
            assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
            assert_ne!(response.headers()[header::CACHE_CONTROL], FOREVER, "W-080 {path}");
        }
    }

    #[tokio::test]
    async fn hashed_files_are_kept_pages_are_asked_for_again() {
        let root = checkout();
        for (path, caching) in [
            ("/", "no-cache"),
            ("/dashboard/database/jobs", "no-cache"),
            ("/mark.svg", "no-cache"),
            ("/assets/gone.js", "no-cache"),
            ("/assets/app-1a2b.js", "public, max-age=31536000, immutable"),
            ("/dashboard/assets/app-3c4d.js", "public, max-age=31536000, immutable"),
        ] {
            let response = ask(root.path(), path, &[]).await;
            assert_eq!(response.headers()[header::CACHE_CONTROL], caching, "{path}");
        }
    }

    #[tokio::test]
    async fn scripts_are_compressed_and_map_ranges_are_not() {
        let root = checkout();
        let gzip = [(header::ACCEPT_ENCODING, "gzip")];
        let script = ask(root.path(), "/assets/app-1a2b.js", &gzip).await;
        assert_eq!(script.headers()[header::CONTENT_ENCODING], "gzip");

        let range = [(header::ACCEPT_ENCODING, "gzip"), (header::RANGE, "bytes=7-9")];
        let part = ask(root.path(), TILES, &range).await;
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
        assert_eq!(part.headers()[header::CONTENT_RANGE], "bytes 7-9/17");
        assert_eq!(text(part).await, "012");
    }

    #[tokio::test]
    async fn every_answer_carries_the_security_headers() {
        let root = checkout();
        for path in ["/", "/dashboard", "/assets/app-1a2b.js", "/assets/gone.js"] {
            let response = ask(root.path(), path, &[]).await;
            let headers = response.headers();
            assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
            assert_eq!(headers["referrer-policy"], "no-referrer", "{path}");
            let policy = headers["content-security-policy"].to_str().expect("a policy");
            assert!(policy.starts_with("default-src 'self'; script-src 'self'"), "{path}: {policy}");
            assert!(policy.ends_with("frame-ancestors 'none'"), "{path}: {policy}");
        }
        let sent = HEADERS.lines().filter(|line| line.starts_with("add_header ") && !line.contains('$'));
        assert_eq!(headers().count(), sent.count());
    }

    #[tokio::test]
    async fn a_name_that_was_pointed_here_is_refused() {
        let root = checkout();
        for host in
            ["evil.example.org", "evil.example.org:8080", "localhost.evil.example.org", "10.0.0.1:8080"]
        {
            let site = site(root.path(), Router::new(), Router::new());
            let request = Request::builder().uri("/").header(header::HOST, host).body(Body::empty());
            let response = infallible(site.oneshot(request.expect("a request")).await);
            assert_eq!(response.status(), StatusCode::MISDIRECTED_REQUEST, "{host}");
        }
        for host in ["localhost", "127.0.0.1:8080", "[::1]:8080", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_missing_build_is_named() {
        let root = tempfile::tempdir().expect("a folder");
        let error = check_builds(root.path()).expect_err("nothing is built");
        assert!(check_builds(checkout().path()).is_ok());
        assert!(
            error
                .to_string()
                .ends_with("planner-web/dist/index.html is missing; build the web apps first: make web")
        );
    }

    #[tokio::test]
    async fn a_taken_port_is_named() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let error = bind(port).await.map(drop).expect_err("taken").to_string();
        assert!(error.starts_with(&format!("port {port} is taken by another program")), "{error}");
    }
}
