//! The way back from the provider. It ends on a page, whatever happens, because a person looks at it.

use axum::extract::State;
use axum_extra::extract::cookie::{Cookie, CookieJar};
use chrono::TimeDelta;
use http::HeaderMap;
use routewright_core::error::Kind;
use routewright_core::http::Query;
use routewright_core::{Error, Result};
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use subtle::ConstantTimeEq as _;
use url::Url;

use super::{COOKIE, Redirect, redirect_uri};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::providers::{Person, Returning};
use crate::sign_in::sessions::{self, Begun, Owner};

/// The refresh token travels in an address: it is good for this long, and for one use.
const HANDED_OVER: TimeDelta = TimeDelta::minutes(2);

/// What the provider sends back; it may add parameters of its own.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "OidcAnswer")]
pub(super) struct Answer {
    /// To be traded for the identity.
    code: Option<String>,
    /// What we sent along.
    state: Option<String>,
    /// Why there is no code.
    error: Option<String>,
}

/// `GET /auth/oidc/callback`.
pub(super) async fn callback(
    State(app): State<App>,
    actor: Actor,
    headers: HeaderMap,
    Query(answer): Query<Answer>,
) -> Result<Redirect> {
    let page = match sign_in(&app, &actor, &headers, answer).await {
        Ok(token) => page(&app, "authtoken", &token)?,
        Err(error) if error.kind() == Kind::Internal => return Err(error),
        Err(error) => {
            tracing::info!(
                reason = error.description(),
                causes = error.causes(),
                "sign-in by provider refused"
            );
            page(&app, "login_error", &error.description())?
        }
    };
    let mut gone = Cookie::build((COOKIE, "")).path("/api/auth/oidc").http_only(true).build();
    gone.make_removal();
    Redirect::to(page.as_str(), Some(&gone))
}

fn page(app: &App, parameter: &str, value: &str) -> Result<Url> {
    let mut url = Url::parse(&format!("{}/", app.config.deployment.public_url)).map_err(Error::internal)?;
    url.query_pairs_mut().append_pair(parameter, value);
    Ok(url)
}

async fn sign_in(app: &App, actor: &Actor, headers: &HeaderMap, answer: Answer) -> Result<String> {
    let provider = app.oidc.as_ref().ok_or_else(|| Error::not_found("Provider"))?;
    let returning = claim(app, headers, answer).await?;
    let person = provider.identify(&redirect_uri(app), returning, app.clock.now()).await?;
    let mut work = app.begin().await?;
    let issuer = provider.issuer();
    let owner = match linked(&mut work, &issuer, &person.subject).await? {
        Some(owner) => owner,
        None => link(&mut work, actor, &issuer, &person).await?,
    };
    sqlx::query("update users set last_login = $2 where id = $1")
        .bind(owner.user_id)
        .bind(app.clock.now())
        .execute(&mut *work)
        .await?;
    let tokens = sessions::start(app, &mut work, owner, false, Begun::Provider(HANDED_OVER)).await?;
    work.commit().await?;
    Ok(tokens.refresh_token)
}

fn stale() -> Error {
    Error::new(
        Kind::Unauthorized,
        "The sign-in took too long or was begun in another browser. Please try again.",
    )
}

/// Takes the state, once: it must be ours, fresh, and begun in this browser.
async fn claim(app: &App, headers: &HeaderMap, answer: Answer) -> Result<Returning> {
    let state = answer.state.ok_or_else(stale)?;
    let cookie = CookieJar::from_headers(headers).get(COOKIE).map(|cookie| cookie.value().to_owned());
    let same: bool = cookie.unwrap_or_default().as_bytes().ct_eq(state.as_bytes()).into();
    if !same {
        return Err(stale());
    }
    let kept: Option<(String, String)> = sqlx::query_as(
        "delete from oidc_states where state_hash = $1 and expires_at > $2 returning nonce, pkce_verifier",
    )
    .bind(Sha256::digest(&state).as_slice())
    .bind(app.clock.now())
    .fetch_optional(&app.control)
    .await?;
    let (nonce, pkce_verifier) = kept.ok_or_else(stale)?;
    match (answer.code, answer.error) {
        (Some(code), None) => Ok(Returning { code, nonce, pkce_verifier }),
        (_, Some(reason)) => {
            Err(Error::new(Kind::Unauthorized, "The sign-in was cancelled at the provider").caused_by(reason))
        }
        _ => Err(stale()),
    }
}

/// The user to whom this identity belongs already.
async fn linked(connection: &mut PgConnection, issuer: &str, subject: &str) -> Result<Option<Owner>> {
    Ok(sqlx::query_as(
        "select u.id as user_id, u.organisation_id, u.session_epoch
         from user_identities i join users u on u.id = i.user_id join organisations o on o.id = u.organisation_id
         where i.issuer = $1 and i.subject = $2 and u.deleted_at is null and o.deleted_at is null
             and o.state <> 'deleting'",
    )
    .bind(issuer)
    .bind(subject)
    .fetch_optional(connection)
    .await?)
}

/// The user with the address that the provider has verified; from now on the identity belongs to it.
async fn link(connection: &mut PgConnection, actor: &Actor, issuer: &str, person: &Person) -> Result<Owner> {
    let nobody = || {
        Error::new(Kind::Unauthorized, "There is no user with this identity. Please ask your administrator.")
    };
    let email = person.verified_email.as_deref().ok_or_else(nobody)?;
    let owner: Option<Owner> = sqlx::query_as(
        "select u.id as user_id, u.organisation_id, u.session_epoch
         from users u join organisations o on o.id = u.organisation_id
         where lower(u.email) = lower($1) and not u.awaits_address and u.deleted_at is null
             and o.deleted_at is null and o.state <> 'deleting'",
    )
    .bind(email)
    .fetch_optional(&mut *connection)
    .await?;
    let owner = owner.ok_or_else(nobody)?;
    sqlx::query(
        "insert into user_identities (user_id, issuer, subject) values ($1, $2, $3)
         on conflict on constraint user_identities_subject_key do nothing",
    )
    .bind(owner.user_id)
    .bind(issuer)
    .bind(&person.subject)
    .execute(&mut *connection)
    .await?;
    Entry::new("identity_linked", format!("user:{}", owner.user_id))
        .after(&serde_json::json!({ "issuer": issuer }))
        .write_for(connection, actor, owner.user_id, owner.organisation_id)
        .await?;
    Ok(owner)
}
