//! Forgotten passwords: a link by mail, good once and for an hour.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use chrono::TimeDelta;
use routewright_core::http::Query;
use routewright_core::{Access, Body, Error, OrganisationId, Result, Routes};
use routewright_messaging::{About, Channel, Letter, NewMessage, queue_message};
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tokio::time::Instant;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::notice::{self, Addressee};
use crate::scope;
use crate::sign_in::{Limited, Success, limit, minutes};
use crate::users::{Secret, set_password};

const LINK_LIFE: TimeDelta = TimeDelta::minutes(60);
/// Longer than writing a mail into the outbox takes.
const ANSWER_AFTER: Duration = Duration::from_millis(200);
/// Mails to one address per hour.
const MAILS: i32 = 5;
const BAD_LINK: &str = "Reset link is invalid or has expired";

pub(crate) fn routes() -> Routes<App> {
    Routes::new().post("/reset-password", Access::PUBLIC, ask).patch("/reset-password", Access::PUBLIC, reset)
}

/// Who forgot the password.
#[derive(Deserialize, JsonSchema)]
struct Asking {
    /// Address.
    email: Option<String>,
}

/// The new password.
#[derive(Deserialize, JsonSchema)]
struct NewPassword {
    /// New password.
    new_password: Option<String>,
}

/// The token of the link.
#[derive(Deserialize, JsonSchema)]
struct Link {
    /// Token from the mail.
    token: Option<String>,
}

/// `POST /reset-password`. Says the same, and takes the same time, whether or not somebody has the address.
async fn ask(State(app): State<App>, actor: Actor, Body(asking): Body<Asking>) -> Result<Json<Success>> {
    let email = asking.email.as_deref().map(str::trim).unwrap_or_default().to_lowercase();
    if email.is_empty() {
        return Err(Error::field("email", "Email is required"));
    }
    if !routewright_core::check::is_email(&email) {
        return Err(Error::field("email", routewright_core::check::EMAIL));
    }
    let most = app.config.limits.reset;
    limit(&app, Limited { bucket: "reset", key: &actor.address, most, window: minutes(60) }).await?;
    limit(&app, Limited { bucket: "reset_mail", key: &email, most: MAILS, window: minutes(60) }).await?;
    let answer_at = Instant::now() + ANSWER_AFTER;
    let mut work = app.begin().await?;
    send_link(&app, &mut work, &actor, &email).await?;
    work.commit().await?;
    tokio::time::sleep_until(answer_at).await;
    Ok(Json(Success { success: true }))
}

async fn send_link(app: &App, connection: &mut PgConnection, actor: &Actor, email: &str) -> Result<()> {
    let token = routewright_core::token::random(43);
    let now = app.clock.now();
    let user: Option<(i64, OrganisationId, String, Option<String>)> = sqlx::query_as(
        "with found as (
             select u.id, u.organisation_id, u.email, u.first_name
             from users u join organisations o on o.id = u.organisation_id
             where lower(u.email) = $1 and not u.awaits_address and u.deleted_at is null
                 and o.deleted_at is null and o.state <> 'deleting'
         ), link as (
             insert into reset_tokens (token_hash, user_id, expires_at, created)
             select $2, id, $3, $4 from found
         )
         select id, organisation_id, email, first_name from found",
    )
    .bind(email)
    .bind(Sha256::digest(&token).as_slice())
    .bind(now + LINK_LIFE)
    .bind(now)
    .fetch_optional(&mut *connection)
    .await?;
    let Some((user, organisation, email, first_name)) = user else { return Ok(()) };
    let url = format!("{}/?reset={token}", app.config.deployment.public_url);
    let letter = Letter::new()
        .paragraph(format!("Hello {},", first_name.unwrap_or_else(|| email.clone())))
        .paragraph("Somebody, probably you, asked for a new password.")
        .link("Choose a new password", url)
        .paragraph(
            "The link works once, within 60 minutes. If you did not ask for it, you need not do anything.",
        );
    let message = NewMessage {
        intent: format!("reset_password:{user}:{}", now.timestamp_micros()),
        channel: Channel::Email,
        recipients: vec![email],
        subject: Some("Reset your Routewright password".to_owned()),
        body_text: letter.text(),
        body_html: Some(letter.html()),
        attachments: Vec::new(),
        about: About::Organisation(organisation.get()),
    };
    queue_message(connection, &message).await?;
    Entry::new("reset_requested", format!("user:{user}"))
        .write_for(connection, actor, user, organisation)
        .await
}

/// Whose link it is, as long as it is good.
async fn owner(app: &App, connection: &mut PgConnection, hash: &[u8]) -> Result<(i64, OrganisationId)> {
    sqlx::query_as(
        "select u.id, u.organisation_id
         from reset_tokens t join users u on u.id = t.user_id
         where t.token_hash = $1 and t.used_at is null and t.expires_at > $2 and u.deleted_at is null",
    )
    .bind(hash)
    .bind(app.clock.now())
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::bad_request(BAD_LINK))
}

/// `PATCH /reset-password?token=`.
async fn reset(
    State(app): State<App>,
    actor: Actor,
    Query(link): Query<Link>,
    Body(body): Body<NewPassword>,
) -> Result<Json<Success>> {
    let most = app.config.limits.reset;
    limit(&app, Limited { bucket: "reset_use", key: &actor.address, most, window: minutes(60) }).await?;
    let password = body.new_password.unwrap_or_default();
    if password.is_empty() {
        return Err(Error::field("new_password", "Password is required"));
    }
    let hash = Sha256::digest(link.token.unwrap_or_default()).to_vec();
    let (user, organisation) = owner(&app, &mut *app.control.acquire().await?, &hash).await?;
    let secret = Secret::of(&app, organisation, Some(user), "new_password", &password).await?;
    let mut work = app.begin().await?;
    sqlx::query("select from reset_tokens where token_hash = $1 for update")
        .bind(&hash)
        .execute(&mut *work)
        .await?;
    // It may have been used meanwhile.
    owner(&app, &mut work, &hash).await?;
    sqlx::query("update reset_tokens set used_at = $2 where token_hash = $1")
        .bind(&hash)
        .bind(app.clock.now())
        .execute(&mut *work)
        .await?;
    set_password(&app, &mut work, user, &secret, None).await?;
    let to = Addressee::of(&mut work, user).await?;
    notice::password_changed(&mut work, organisation, &to, false).await?;
    scope::announce(&mut work, organisation).await?;
    Entry::new("password_reset", format!("user:{user}"))
        .write_for(&mut work, &actor, user, organisation)
        .await?;
    work.commit().await?;
    app.gate.policies.forget(organisation);
    Ok(Json(Success { success: true }))
}
