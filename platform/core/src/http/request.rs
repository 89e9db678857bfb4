//! The layers around every service: request id, log line, metrics, panics, and the error shape for what axum itself
//! refuses.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tracing::Instrument;

use crate::error::{Error, Kind};
use crate::http::respond::Logged;

/// Header that carries the request id in and out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest pause within the body of a request.
const BODY_SILENCE: Duration = Duration::from_secs(30);

/// Id of a request, for logs, audit rows and the user who asks about a fault.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// The organisation a request turned out to belong to; set on the response by the guard for the log line.
#[derive(Clone, Copy, Debug)]
pub struct LoggedOrganisation(pub i64);

/// Wraps a service's router with what every request gets.
pub fn layers<S: Clone + Send + Sync + 'static>(router: Router<S>, service: &'static str) -> Router<S> {
    with_silence(router, service, BODY_SILENCE)
}

fn with_silence<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    service: &'static str,
    silence: Duration,
) -> Router<S> {
    router
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(RequestBodyTimeoutLayer::new(silence))
        .layer(from_fn(move |request, next| observe(service, request, next)))
}

async fn not_found() -> Error {
    Error::new(Kind::NotFound, "Not found")
}

async fn wrong_method(method: Method) -> Response {
    let body = serde_json::json!({ "title": "405 Method Not Allowed", "description": format!("{method} is not possible here") });
    (StatusCode::METHOD_NOT_ALLOWED, axum::Json(body)).into_response()
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is tower-http's")]
fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".to_owned());
    Error::internal(format!("handler panicked: {text}")).into_response()
}

async fn observe(service: &'static str, mut request: Request, next: Next) -> Response {
    let id = request
        .headers()
        .get(&REQUEST_ID)
        .and_then(|value| value.to_str().ok())
        .filter(|value| {
            (8..=64).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
        .map_or_else(|| crate::token::random(20), str::to_owned);
    request.extensions_mut().insert(RequestId(id.clone()));
    let method = request.method().clone();
    // The matched pattern, never the path itself: paths carry capability tokens.
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", service, request.id = %id, %method, route);
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let elapsed = started.elapsed();
    span.in_scope(|| report(&response, elapsed));
    record(service, &method, &route, response.status(), elapsed);
    // Answers hold people's data: only what says so itself is kept by a cache.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR {
        response = with_request_id(response, &id);
    }
    response
}

fn report(response: &Response, elapsed: Duration) {
    let status = response.status().as_u16();
    let organisation = response.extensions().get::<LoggedOrganisation>().map(|organisation| organisation.0);
    let logged = response.extensions().get::<Logged>();
    let reason = logged.map(|logged| logged.description.as_str());
    let milliseconds = elapsed.as_millis();
    if status >= 500 {
        let causes = logged.and_then(|logged| logged.causes.as_deref());
        tracing::error!(status, organisation, milliseconds, reason, causes, "request failed");
    } else if status >= 400 {
        tracing::info!(status, organisation, milliseconds, reason, "request refused");
    } else {
        tracing::info!(status, organisation, milliseconds, "request answered");
    }
}

fn record(service: &'static str, method: &Method, route: &str, status: StatusCode, elapsed: Duration) {
    let labels = [
        ("service", service.to_owned()),
        ("method", method.to_string()),
        ("route", route.to_owned()),
        ("status", status.as_u16().to_string()),
    ];
    metrics::counter!("http_requests_total", &labels).increment(1);
    metrics::histogram!("http_request_duration_seconds", &labels[..3]).record(elapsed.as_secs_f64());
}

/// The user quotes this id, the log has the rest.
fn with_request_id(response: Response, id: &str) -> Response {
    let mut body = Error::new(Kind::Internal, "Internal server error").body();
    body["request_id"] = id.into();
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    let mut rebuilt = axum::Json(body).into_response();
    *rebuilt.status_mut() = parts.status;
    rebuilt.headers_mut().extend(parts.headers);
    *rebuilt.extensions_mut() = parts.extensions;
    rebuilt
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::routing::{get, post};
    use futures_util::StreamExt as _;
    use tower::ServiceExt as _;

    use super::*;
    use crate::http::body;

    /// V-24: an answer is kept by no cache unless it says so; faults and unknown addresses neither.
    #[tokio::test]
    async fn answers_are_not_cached_unless_they_say_so() {
        let kept = || async { ([(header::CACHE_CONTROL, "private, max-age=60")], "file") };
        let fault = || async { Error::internal("broken") };
        let router = Router::new()
            .route("/kept", get(kept))
            .route("/plain", get(|| async { "answer" }))
            .route("/fault", get(fault));
        let router: Router = layers(router, "test");
        for (path, expected) in [
            ("/kept", "private, max-age=60"),
            ("/plain", "no-store"),
            ("/fault", "no-store"),
            ("/nothing", "no-store"),
        ] {
            let request = http::Request::get(path).body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.headers()[header::CACHE_CONTROL], expected, "{path}");
        }
    }

    /// V-24: a body that stops arriving ends the request with 408.
    #[tokio::test]
    async fn a_body_that_stops_is_not_waited_for() {
        let take = |request: Request| async move { body::read(request, 1024).await.map(|_| "taken") };
        let silence = Duration::from_millis(50);
        let router: Router = with_silence(Router::new().route("/", post(take)), "test", silence);
        let half = futures_util::stream::iter([Ok::<_, std::io::Error>("half")])
            .chain(futures_util::stream::pending());
        let request = http::Request::post("/").body(Body::from_stream(half)).unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
    }
}
