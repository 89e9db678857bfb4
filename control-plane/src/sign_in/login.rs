//! Signing in by password or refresh token, and out. Passwords are compared while no connection is held, so that a
//! burst of sign-ins leaves the database to others.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderMap;
use routewright_core::error::{Kind, Problems};
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::attempts::{self, Limited, Lockout, Tried, email_hash, limit, minutes};
use super::auth_user::{AuthUser, Presented, just_signed_in};
use super::device::{Device, Remembered};
use super::sessions::{self, Begun, Owner, SessionTokens};
use super::visits;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;

/// The answer to a wrong address and to a wrong password alike.
const WRONG: &str = "Incorrect email or password";
const EXPIRED: &str = "Your password has expired. Please choose a new one with \"Forgot password\".";

/// Address and password.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Credentials {
    /// Address.
    email: Option<String>,
    /// Password.
    password: Option<String>,
    /// Whether to stay signed in for 30 days.
    #[serde(default)]
    remember_me: bool,
}

/// A refresh token.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Refresh {
    /// The refresh token.
    refresh_token: String,
}

/// Done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Success {
    /// Always true.
    pub(crate) success: bool,
}

/// `POST /users/login`.
pub(super) async fn login(
    State(app): State<App>,
    actor: Actor,
    headers: HeaderMap,
    Body(credentials): Body<Credentials>,
) -> Result<Remembered<AuthUser>> {
    let (tokens, owner, device) = sign_in(&app, &actor, &headers, credentials).await?;
    let mut connection = app.control.acquire().await?;
    let user = just_signed_in(&app, &mut connection, owner.user_id, owner.organisation_id).await?;
    Remembered::new(&app, &device, user.with(tokens))
}

/// `POST /auth/token`.
pub(super) async fn token(
    State(app): State<App>,
    actor: Actor,
    headers: HeaderMap,
    Body(credentials): Body<Credentials>,
) -> Result<Remembered<SessionTokens>> {
    let (tokens, _, device) = sign_in(&app, &actor, &headers, credentials).await?;
    Remembered::new(&app, &device, tokens)
}

/// `POST /auth/refresh_token`.
pub(super) async fn refresh(
    State(app): State<App>,
    Body(body): Body<Refresh>,
) -> Result<Json<SessionTokens>> {
    Ok(Json(sessions::rotate(&app, &body.refresh_token).await?.0))
}

/// `GET /users/login/from_token`: the refresh token stands in the header `token`, or as a bearer token.
pub(super) async fn from_token(State(app): State<App>, headers: HeaderMap) -> Result<Json<AuthUser>> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = || text("authorization").and_then(|value| value.split_once(' ')).map(|(_, token)| token);
    let token = text("token").or_else(bearer).map(str::trim).ok_or_else(bad_session)?;
    let rotated = sessions::rotate(&app, token).await;
    let (tokens, owner) = rotated.map_err(|error| match error.kind() {
        Kind::Unauthorized => bad_session(),
        _ => error,
    })?;
    let mut connection = app.control.acquire().await?;
    let user = just_signed_in(&app, &mut connection, owner.user_id, owner.organisation_id).await?;
    Ok(Json(user.with(tokens)))
}

/// On `USER_ERROR` the client forgets its token.
fn bad_session() -> Error {
    Error::bad_token().code("USER_ERROR")
}

/// `POST /auth/logout`.
pub(super) async fn logout(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
    Body(body): Body<Refresh>,
) -> Result<Json<Success>> {
    let user = actor.caller.user()?.user_id;
    sessions::end(&app, &mut db, user, presented.session, &body.refresh_token).await?;
    visits::left(&app, &mut db, &actor, user, None).await?;
    Entry::new("signed_out", format!("sign_in:{user}")).write(&mut db, &actor).await?;
    Ok(Json(Success { success: true }))
}

#[derive(FromRow)]
struct Account {
    #[sqlx(flatten)]
    owner: Owner,
    password_hash: Option<String>,
    password_changed_at: Option<DateTime<Utc>>,
    lockout_attempts: i32,
    lockout_minutes: i32,
    max_age_days: Option<i32>,
}

async fn sign_in(
    app: &App,
    actor: &Actor,
    headers: &HeaderMap,
    credentials: Credentials,
) -> Result<(SessionTokens, Owner, Device)> {
    let mut problems = Problems::default();
    let email = credentials.email.unwrap_or_default().trim().to_owned();
    let password = credentials.password.unwrap_or_default();
    problems.require(!email.is_empty(), "email", "Email is required");
    problems.require(!password.is_empty(), "password", "Password is required");
    problems.finish()?;
    let most = app.config.limits.sign_in;
    limit(app, Limited { bucket: "sign_in", key: &actor.address, most, window: minutes(1) }).await?;

    let device = Device::known(app, headers, &email)?;
    let (attempt, account) = begin(app, actor, &email, device.as_ref()).await?;
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let right = app.passwords.verify(None, &password, hash).await?;
    let Some(account) = account.filter(|_| right) else {
        return Err(Error::new(Kind::Unauthorized, WRONG).code("USER_ERROR"));
    };
    let (tokens, owner) = enter(app, attempt, &account, credentials.remember_me).await?;
    let device = device.map_or_else(|| Device::new(app, &email), Ok)?;
    Ok((tokens, owner, device))
}

/// Finds the account and notes the attempt.
async fn begin(
    app: &App,
    actor: &Actor,
    email: &str,
    device: Option<&Device>,
) -> Result<(i64, Option<Account>)> {
    let mut work = app.begin().await?;
    let account: Option<Account> = sqlx::query_as(
        "select u.id as user_id, u.organisation_id, u.session_epoch, u.password_hash, u.password_changed_at,
             p.lockout_attempts, p.lockout_minutes, p.max_age_days
         from users u
             join organisations o on o.id = u.organisation_id
             join password_policies p on p.organisation_id = u.organisation_id
         where lower(u.email) = lower($1) and not u.awaits_address and u.deleted_at is null
             and o.deleted_at is null and o.state <> 'deleting'",
    )
    .bind(email)
    .fetch_optional(&mut *work)
    .await?;
    let lockout = account.as_ref().map_or_else(Lockout::default, |account| Lockout {
        attempts: account.lockout_attempts,
        minutes: account.lockout_minutes,
    });
    let email_hash = email_hash(app, email)?;
    let address_hash = app.keyed_hash("sign-in source", &actor.address)?;
    let tried_by = match device {
        Some(device) => Tried { key: device.key(app)?, forgiven_by: email_hash },
        None => Tried { key: email_hash, forgiven_by: email_hash },
    };
    let attempt = attempts::begin(&mut work, &tried_by, &address_hash, lockout, app.clock.now()).await?;
    work.commit().await?;
    Ok((attempt, account))
}

async fn enter(
    app: &App,
    attempt: i64,
    account: &Account,
    remember_me: bool,
) -> Result<(SessionTokens, Owner)> {
    let now = app.clock.now();
    let mut work = app.begin().await?;
    attempts::succeeded(&mut work, attempt).await?;
    let too_old = account
        .max_age_days
        .zip(account.password_changed_at)
        .is_some_and(|(days, changed)| now > changed + TimeDelta::days(i64::from(days)));
    if too_old {
        work.commit().await?;
        return Err(Error::new(Kind::Unauthorized, EXPIRED).code("USER_ERROR"));
    }
    // The password was right, and counts as that.
    if let Err(refusal) = sessions::require_in_service(&mut work, account.owner.organisation_id).await {
        work.commit().await?;
        return Err(refusal);
    }
    sqlx::query("update users set last_login = $2 where id = $1")
        .bind(account.owner.user_id)
        .bind(now)
        .execute(&mut *work)
        .await?;
    let tokens = sessions::start(app, &mut work, account.owner, remember_me, Begun::Password).await?;
    work.commit().await?;
    Ok((tokens, account.owner))
}
