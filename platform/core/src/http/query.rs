//! Query strings that answer faults in the one error shape.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::extract::FromRequestParts;
use http::request::Parts;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// A query string of type `T` (use `#[serde(deny_unknown_fields)]`); a wrong or unknown parameter answers 400 with
/// `description.filters`.
pub struct Query<T>(pub T);

impl<T, S> FromRequestParts<S> for Query<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let text = parts.uri.query().unwrap_or_default();
        if text.contains("%00") {
            return Err(Error::filters("Value cannot contain special characters"));
        }
        serde_html_form::from_str(text).map(Self).map_err(|error| Error::filters(error.to_string()))
    }
}

impl<T: JsonSchema> OperationInput for Query<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <axum::extract::Query<T> as OperationInput>::operation_input(ctx, operation);
    }
}
