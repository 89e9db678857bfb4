//! What a load balancer and a monitor ask every process: is it alive, can it work, what did it do.

use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Json, Router};
use http::{StatusCode, header};
use serde_json::{Value, json};

use crate::Result;
use crate::full::{self, Place};
use crate::telemetry;

/// Longest wait for the parts that a process depends on.
const PATIENCE: Duration = Duration::from_secs(3);

/// `/healthz`, `/readyz` and `/metrics`. `ready` asks the parts that the service cannot work without.
pub fn routes<F, Fut>(ready: F) -> Router
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<()>> + Send + 'static,
{
    let ready = Arc::new(ready);
    Router::new()
        .route("/healthz", get(|| async { Json(json!({ "status": "ok" })) }))
        .route(
            "/readyz",
            get(move || {
                let asked = ready();
                async move { answer(tokio::time::timeout(PATIENCE, asked).await) }
            }),
        )
        .route("/metrics", get(metrics))
}

fn answer(asked: std::result::Result<Result<()>, tokio::time::error::Elapsed>) -> (StatusCode, Json<Value>) {
    let reason = match asked {
        // What can still be read is; whoever watches is told in time.
        Ok(Ok(())) => {
            let full: Vec<&str> =
                Place::ALL.into_iter().filter(|place| full::lately(*place)).map(Place::sentence).collect();
            if full.is_empty() {
                return (StatusCode::OK, Json(json!({ "status": "ok" })));
            }
            full.join(" ")
        }
        Ok(Err(error)) => {
            tracing::warn!(?error, "not ready");
            error.description()
        }
        Err(_) => {
            tracing::warn!("not ready: no answer in time");
            "The database does not answer in time.".to_owned()
        }
    };
    (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "status": "unavailable", "reason": reason })))
}

async fn metrics() -> ([(header::HeaderName, &'static str); 1], String) {
    let text = telemetry::metrics().map(|handle| handle.render()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
