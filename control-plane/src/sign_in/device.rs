//! Known devices. A browser in which somebody has signed in bears a signed cookie for that address. Its wrong passwords are
//! counted apart from those of everybody else, so that strangers who try an address lock out strangers, and not its owner
//! ("device cookies", OWASP).

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::Json;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use http::{HeaderMap, HeaderValue, header};
use routewright_core::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;
use subtle::ConstantTimeEq as _;

use crate::app::App;

/// A browser, as one address knows it.
#[derive(Debug, Clone)]
pub(super) struct Device {
    name: String,
    email: String,
    number: String,
}

impl Device {
    /// The device that a request comes from, if somebody has signed in there with this address before.
    ///
    /// # Errors
    /// Never in practice: HMAC takes keys of any length.
    pub(super) fn known(app: &App, headers: &HeaderMap, email: &str) -> Result<Option<Self>> {
        let device = Self::new(app, email)?;
        let jar = CookieJar::from_headers(headers);
        let value = jar.get(&device.name).and_then(|cookie| cookie.value().split_once('.'));
        let Some((number, seal)) = value else { return Ok(None) };
        let device = Self { number: number.to_owned(), ..device };
        let same: bool = device.seal(app)?.as_bytes().ct_eq(seal.as_bytes()).into();
        Ok(Some(device).filter(|_| same))
    }

    /// A device that signs in for the first time.
    ///
    /// # Errors
    /// Never in practice: HMAC takes keys of any length.
    pub(super) fn new(app: &App, email: &str) -> Result<Self> {
        let email = email.trim().to_lowercase();
        let name = hex(&app.keyed_hash("device name", &email)?[..4]);
        let number = routewright_core::token::random(22);
        Ok(Self { name: format!("routewright_device_{name}"), email, number })
    }

    /// Under which its attempts are counted.
    ///
    /// # Errors
    /// Never in practice: HMAC takes keys of any length.
    pub(super) fn key(&self, app: &App) -> Result<[u8; 32]> {
        app.keyed_hash("device attempts", &self.text())
    }

    fn seal(&self, app: &App) -> Result<String> {
        Ok(hex(&app.keyed_hash("device", &self.text())?))
    }

    fn text(&self) -> String {
        format!("{} {}", self.email, self.number)
    }

    fn cookie(&self, app: &App) -> Result<HeaderValue> {
        let value = format!("{}.{}", self.number, self.seal(app)?);
        let cookie = Cookie::build((self.name.clone(), value))
            .path("/api")
            .http_only(true)
            .secure(app.config.deployment.public_url.starts_with("https://"))
            .same_site(SameSite::Strict)
            .permanent()
            .build();
        HeaderValue::from_str(&cookie.to_string()).map_err(Error::internal)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The answer to a sign-in, by which the device is known from now on.
pub(super) struct Remembered<T> {
    answer: T,
    cookie: HeaderValue,
}

impl<T> Remembered<T> {
    /// # Errors
    /// Never in practice: a cookie of letters and digits is a header.
    pub(super) fn new(app: &App, device: &Device, answer: T) -> Result<Self> {
        Ok(Self { answer, cookie: device.cookie(app)? })
    }
}

impl<T: Serialize> IntoResponse for Remembered<T> {
    fn into_response(self) -> Response {
        ([(header::SET_COOKIE, self.cookie)], Json(self.answer)).into_response()
    }
}

impl<T: JsonSchema> OperationOutput for Remembered<T> {
    type Inner = T;

    fn operation_response(context: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<T> as OperationOutput>::operation_response(context, operation)
    }

    fn inferred_responses(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(context, operation)
            .map(|response| (Some(200), response))
            .into_iter()
            .collect()
    }
}
