//! An answer of JSON lines that grows while the request is worked on.

use std::convert::Infallible;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::StreamExt;
use routewright_core::Error;
use routewright_tenancy::db::Work;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;

/// The growing answer.
pub(super) struct Lines(UnboundedReceiver<Value>);

/// Where lines are written. Not bounded: a browser that sends its whole request before it reads must not stall us, and
/// there are at most as many short lines as items.
#[derive(Clone)]
pub(super) struct Sender(UnboundedSender<Value>);

/// A growing answer and where its lines are written.
pub(super) fn lines() -> (Sender, Lines) {
    let (sender, receiver) = unbounded_channel();
    (Sender(sender), Lines(receiver))
}

impl Sender {
    /// Writes a line. Nobody may be listening any more; the work goes on.
    pub(super) fn line(&self, line: Value) {
        let _ = self.0.send(line);
    }
}

impl IntoResponse for Lines {
    fn into_response(self) -> Response {
        let lines = UnboundedReceiverStream::new(self.0)
            .map(|line| Ok::<_, Infallible>(Bytes::from(format!("{line}\n"))));
        let headers = [
            ("content-type", "application/x-ndjson"),
            ("cache-control", "no-store"),
            // A proxy that gathers the answer would hide the progress.
            ("x-accel-buffering", "no"),
        ];
        (headers, Body::from_stream(lines)).into_response()
    }
}

impl OperationOutput for Lines {
    type Inner = Value;

    fn operation_response(_: &mut GenContext, _: &mut Operation) -> Option<ApiResponse> {
        Some(ApiResponse { description: "JSON lines, one per item".into(), ..ApiResponse::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(200), response)).into_iter().collect()
    }
}

/// Does one item of a batch so that its failure leaves the others of the batch in place.
pub(super) async fn apart<T>(
    work: &mut Work,
    item: impl AsyncFnOnce(&mut Work) -> Result<T, Error>,
) -> Result<T, Error> {
    sqlx::query("savepoint item").execute(&mut **work).await?;
    let done = item(work).await;
    if done.is_err() {
        sqlx::query("rollback to savepoint item").execute(&mut **work).await?;
    }
    sqlx::query("release savepoint item").execute(&mut **work).await?;
    done
}
