//! A new address of one's own: it takes effect when a link sent to it is followed, and the old one is told twice, so that
//! whoever owns the account can act in time.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::{Body, Error, OrganisationId, Result};
use routewright_messaging::Letter;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::notice::{self, Addressee};
use crate::scope;
use crate::sign_in::{AuthUser, Limited, Presented, auth_user, limit, minutes, sessions};

const LINK_LIFE: TimeDelta = TimeDelta::hours(24);
/// Links that one user may have sent per hour.
const MAILS: i32 = 5;
const BAD_LINK: &str = "This link is invalid, has expired or belongs to another user";

/// The token of the link.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Confirming {
    /// Token from the mail.
    token: String,
}

/// Keeps the new address until it is confirmed. Says the same whether or not somebody else has it: only the mail differs,
/// and goes to whoever has.
///
/// # Errors
/// 429 after too many.
pub(super) async fn ask(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    organisation: OrganisationId,
    email: &str,
) -> Result<()> {
    let now = app.clock.now();
    let token = routewright_core::token::random(43);
    sqlx::query(
        "insert into email_changes (token_hash, user_id, email, expires_at, created) values ($1, $2, $3, $4, $5)
         on conflict on constraint email_changes_user_key do update
             set token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at,
                 created = excluded.created",
    )
    .bind(Sha256::digest(&token).as_slice())
    .bind(user)
    .bind(email)
    .bind(now + LINK_LIFE)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    let old = Addressee::of(connection, user).await?;
    let taken = taken(connection, user, email).await?;
    let new = Addressee { email: email.to_owned(), ..old.clone() };
    let letter = if taken {
        Letter::new().paragraph("Hello,").paragraph(
            "Somebody wants to use this e-mail address for another user of Routewright. It is the address of your \
             own user, so nothing has changed. You need not do anything.",
        )
    } else {
        let url = format!("{}/?confirm_email={token}", app.config.deployment.public_url);
        new.greeted()
            .paragraph(format!("You want to sign in to Routewright with {email} instead of {}.", old.email))
            .link("Confirm the new address", url)
            .paragraph(
                "The link works once, within 24 hours, while you are signed in. Until then you sign in with your old \
                 address. If this was not you, you need not do anything.",
            )
    };
    notice::send(connection, organisation, &new, "Confirm your new e-mail address", &letter).await?;
    let letter = old
        .greeted()
        .paragraph(format!(
            "Somebody, probably you, asked to sign in with {email} instead of {}. It takes effect when the new address is \
             confirmed.",
            old.email
        ))
        .paragraph(notice::NOT_YOU);
    notice::send(connection, organisation, &old, "Your e-mail address is about to change", &letter).await
}

/// Counts links that a user has sent, so that nobody floods another's mailbox.
///
/// # Errors
/// 429 after too many.
pub(super) async fn admit(app: &App, user: i64) -> Result<()> {
    let key = user.to_string();
    limit(app, Limited { bucket: "email_change", key: &key, most: MAILS, window: minutes(60) }).await
}

/// Takes back a change that was asked for: the address was set otherwise meanwhile.
///
/// # Errors
/// Database faults.
pub(super) async fn cancel(connection: &mut PgConnection, user: i64) -> Result<()> {
    sqlx::query("delete from email_changes where user_id = $1").bind(user).execute(connection).await?;
    Ok(())
}

/// `POST /users/me/email`: follows the link from the new address, as the user who asked for it.
pub(super) async fn confirm(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
    Body(confirming): Body<Confirming>,
) -> Result<Json<AuthUser>> {
    let signed = actor.caller.user()?.clone();
    let user = signed.user_id;
    let home = signed.home.unwrap_or(actor.organisation()?);
    scope::lock(&mut db, home).await?;
    let asked: Option<(String, DateTime<Utc>)> = sqlx::query_as(
        "delete from email_changes where user_id = $1 and token_hash = $2 returning email, expires_at",
    )
    .bind(user)
    .bind(Sha256::digest(&confirming.token).as_slice())
    .fetch_optional(&mut *db)
    .await?;
    let (email, _) =
        asked.filter(|(_, until)| *until > app.clock.now()).ok_or_else(|| Error::bad_request(BAD_LINK))?;
    let old = Addressee::of(&mut db, user).await?;
    if taken(&mut db, user, &email).await? {
        return Err(Error::bad_request(BAD_LINK));
    }
    sqlx::query("update users set email = $2 where id = $1")
        .bind(user)
        .bind(&email)
        .execute(&mut *db)
        .await?;
    sessions::cancel_links(&mut db, user).await?;
    scope::announce(&mut db, home).await?;
    notice::address_changed(&mut db, home, &old, &email).await?;
    Entry::new("own_email_confirmed", format!("user:{user}"))
        .of(home)
        .before(&serde_json::json!({ "email": old.email }))
        .after(&serde_json::json!({ "email": email }))
        .write(&mut db, &actor)
        .await?;
    let mut answer = auth_user(&app, &mut db, &actor.caller).await?;
    answer.keep(presented);
    Ok(Json(answer))
}

async fn taken(connection: &mut PgConnection, user: i64, email: &str) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (
             select from users where lower(email) = lower($1) and deleted_at is null and id <> $2
                 and (not awaits_address or organisation_id = (select organisation_id from users where id = $2))
         )",
    )
    .bind(email)
    .bind(user)
    .fetch_one(connection)
    .await?)
}
