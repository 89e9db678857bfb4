//! Signing in through an OpenID Connect provider: authorization code flow with PKCE, state and nonce. The provider vouches
//! for the address; whom it admits is decided by our own users.

mod callback;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, SameSite};
use chrono::TimeDelta;
use http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use http::{HeaderValue, StatusCode};
use routewright_core::{Access, Error, Result, Routes};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::actor::Actor;
use crate::app::App;
use crate::sign_in::{Limited, limit, minutes};

/// How long a sign-in at the provider may take.
const STATE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Binds a sign-in to the browser that began it.
const COOKIE: &str = "routewright_oidc";

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/auth/providers", Access::PUBLIC, providers)
        .get("/auth/oidc/start", Access::PUBLIC, start)
        .get("/auth/oidc/callback", Access::PUBLIC, callback::callback)
}

/// A way in besides e-mail and password: an identity provider, or founding an organisation where anybody may.
#[derive(Debug, Serialize, JsonSchema)]
struct SignInProvider {
    /// `oidc` or `sign_up`.
    key: &'static str,
    /// What people read on the button.
    name: String,
    /// Where the button leads.
    url: String,
}

async fn providers(State(app): State<App>) -> Json<Vec<SignInProvider>> {
    let provider = app.oidc.as_ref().map(|provider| SignInProvider {
        key: "oidc",
        name: provider.name().to_owned(),
        url: format!("{}/api/auth/oidc/start", app.config.deployment.public_url),
    });
    let sign_up = app.config.deployment.self_signup.then(|| SignInProvider {
        key: "sign_up",
        name: "Sign up".to_owned(),
        url: format!("{}/?sign_up", app.config.deployment.public_url),
    });
    Json(provider.into_iter().chain(sign_up).collect())
}

/// `GET /auth/oidc/start`: sends the browser to the provider.
async fn start(State(app): State<App>, actor: Actor) -> Result<Redirect> {
    let provider = app.oidc.as_ref().ok_or_else(|| Error::not_found("Provider"))?;
    let most = app.config.limits.sign_in;
    limit(&app, Limited { bucket: "oidc", key: &actor.address, most, window: minutes(1) }).await?;
    let leaving = provider.leave(&redirect_uri(&app)).await?;
    let now = app.clock.now();
    sqlx::query(
        "insert into oidc_states (state_hash, nonce, pkce_verifier, expires_at, created) values ($1, $2, $3, $4, $5)",
    )
    .bind(Sha256::digest(&leaving.state).as_slice())
    .bind(&leaving.nonce)
    .bind(&leaving.pkce_verifier)
    .bind(now + STATE_LIFE)
    .bind(now)
    .execute(&app.control)
    .await?;
    let secure = app.config.deployment.public_url.starts_with("https://");
    let cookie = Cookie::build((COOKIE, leaving.state))
        .path("/api/auth/oidc")
        .http_only(true)
        .secure(secure)
        .same_site(SameSite::Lax)
        .build();
    Redirect::to(leaving.url.as_str(), Some(&cookie))
}

fn redirect_uri(app: &App) -> String {
    format!("{}/api/auth/oidc/callback", app.config.deployment.public_url)
}

/// A redirect that no cache keeps and whose address is told to nobody further.
struct Redirect(Response);

impl Redirect {
    fn to(url: &str, cookie: Option<&Cookie<'_>>) -> Result<Self> {
        let mut response = StatusCode::SEE_OTHER.into_response();
        let headers = response.headers_mut();
        headers.insert(LOCATION, HeaderValue::from_str(url).map_err(Error::internal)?);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert("referrer-policy", HeaderValue::from_static("no-referrer"));
        if let Some(cookie) = cookie {
            let text = cookie.to_string();
            headers.insert(SET_COOKIE, HeaderValue::from_str(&text).map_err(Error::internal)?);
        }
        Ok(Self(response))
    }
}

impl IntoResponse for Redirect {
    fn into_response(self) -> Response {
        self.0
    }
}

impl aide::OperationOutput for Redirect {
    type Inner = ();

    fn operation_response(
        _: &mut aide::generate::GenContext,
        _: &mut aide::openapi::Operation,
    ) -> Option<aide::openapi::Response> {
        Some(aide::openapi::Response { description: "A redirect".into(), ..Default::default() })
    }

    fn inferred_responses(
        context: &mut aide::generate::GenContext,
        operation: &mut aide::openapi::Operation,
    ) -> Vec<(Option<u16>, aide::openapi::Response)> {
        let response = Self::operation_response(context, operation);
        response.map(|response| (Some(StatusCode::SEE_OTHER.as_u16()), response)).into_iter().collect()
    }
}
