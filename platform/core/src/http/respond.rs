//! Errors and files as responses.

use std::marker::PhantomData;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::Json;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};

use crate::error::{Error, Kind, Result};

/// The error behind a response, kept for the request log.
#[derive(Clone)]
pub struct Logged {
    /// What the caller reads.
    pub description: String,
    /// The chain of causes, which only the log shows.
    pub causes: Option<String>,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = (self.kind().status(), Json(self.body())).into_response();
        if let Some(seconds) = self.retry_after_seconds() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.kind() == Kind::Unauthorized {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Logged { description: self.description(), causes: self.causes() });
        response
    }
}

impl OperationOutput for Error {
    type Inner = Self;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        let mut response = <Json<ErrorBody> as OperationOutput>::operation_response(ctx, operation)?;
        "Error".clone_into(&mut response.description);
        Some(response)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (None, response)).into_iter().collect()
    }
}

/// The error body as the API document describes it.
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct ErrorBody {
    /// Status number and reason, e.g. `400 Bad Request`.
    pub title: String,
    /// Text, or an object such as `{"filters": "..."}`.
    pub description: serde_json::Value,
    /// Machine-readable code.
    #[schemars(extend("x-optional" = true))]
    pub error: Option<String>,
    /// Reason by field.
    #[schemars(extend("x-optional" = true))]
    pub fields: Option<std::collections::BTreeMap<String, String>>,
    /// Id to quote when asking about a fault.
    #[schemars(extend("x-optional" = true))]
    pub request_id: Option<String>,
}

/// An answer of which there is so much that it is written apart from the threads on which everybody's requests wait.
pub struct Written<T>(Bytes, PhantomData<fn() -> T>);

impl<T: serde::Serialize> Written<T> {
    /// Writes an answer; to be called by heavy work.
    ///
    /// # Errors
    /// 500 when it is no JSON.
    pub fn of(answer: &T) -> Result<Self> {
        let bytes = serde_json::to_vec(answer).map_err(Error::internal)?;
        Ok(Self(bytes.into(), PhantomData))
    }
}

impl<T> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], self.0).into_response()
    }
}

impl<T: schemars::JsonSchema> OperationOutput for Written<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<T> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        <Json<T> as OperationOutput>::inferred_responses(ctx, operation)
    }
}

/// A created object: 201 and its JSON.
pub struct Created<T>(pub T);

impl<T: serde::Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

impl<T: schemars::JsonSchema> OperationOutput for Created<T> {
    type Inner = T;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<T> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(201), response)).into_iter().collect()
    }
}

/// A stored file on its way to the caller, with headers of its own.
pub struct Sent(pub Response);

impl IntoResponse for Sent {
    fn into_response(self) -> Response {
        self.0
    }
}

impl OperationOutput for Sent {
    type Inner = Vec<u8>;

    fn operation_response(_: &mut GenContext, _: &mut Operation) -> Option<ApiResponse> {
        Some(ApiResponse { description: "The file".into(), ..ApiResponse::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(200), response)).into_iter().collect()
    }
}

/// A file to download, such as a PDF.
pub struct Download {
    /// Media type.
    pub content_type: &'static str,
    /// Proposed file name.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Download {
    /// `Content-Disposition` with an ASCII name and the exact name per RFC 5987; never breaks out of the header.
    #[must_use]
    pub fn disposition(name: &str) -> HeaderValue {
        let ascii: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ') { c } else { '_' })
            .collect();
        let exact: String = name
            .bytes()
            .map(|byte| match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
                other => format!("%{other:02X}"),
            })
            .collect();
        HeaderValue::from_str(&format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{exact}"))
            .unwrap_or_else(|_| HeaderValue::from_static("attachment"))
    }
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        (
            [
                (header::CONTENT_TYPE, HeaderValue::from_static(self.content_type)),
                (header::CONTENT_DISPOSITION, Self::disposition(&self.name)),
                (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            ],
            self.bytes,
        )
            .into_response()
    }
}

impl OperationOutput for Download {
    type Inner = Vec<u8>;

    fn operation_response(_: &mut GenContext, _: &mut Operation) -> Option<ApiResponse> {
        Some(ApiResponse { description: "A file".into(), ..ApiResponse::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(200), response)).into_iter().collect()
    }
}
