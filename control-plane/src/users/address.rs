//! Whose an address is. One user signs in with it; whether that is somebody of another organisation is not for everybody to
//! know. A user who is invited with such an address waits for it, which looks like any invitation that was not followed
//! yet, and its owner is told.

use routewright_core::{Error, OrganisationId, Result};
use sqlx::PgConnection;

use crate::actor::Actor;
use crate::app::App;
use crate::notice;
use crate::sign_in::{Limited, limit, minutes};

/// An address that is wanted for a user.
pub(super) struct Wanted<'a> {
    pub(super) email: &'a str,
    /// Where the user works.
    pub(super) organisation: OrganisationId,
    /// The user, unless it is a new one.
    pub(super) user: Option<i64>,
    /// Whether the user signs in at once, with a password that is known: then waiting would show.
    pub(super) at_once: bool,
}

/// Who has an address.
#[derive(sqlx::FromRow)]
struct Owner {
    id: i64,
    organisation_id: OrganisationId,
}

/// Answers whether the user has to wait for the address. The unique indexes decide in the end.
///
/// # Errors
/// 400 when somebody of the same organisation has it, or when waiting would show; 429 after too many of the latter.
pub(super) async fn claim(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    wanted: Wanted<'_>,
) -> Result<bool> {
    let owner: Option<Owner> = sqlx::query_as(
        "select id, organisation_id from users
         where lower(email) = lower($1) and deleted_at is null and id is distinct from $2
             and (organisation_id = $3 or not awaits_address)
         order by organisation_id = $3 desc limit 1",
    )
    .bind(wanted.email)
    .bind(wanted.user)
    .bind(wanted.organisation)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(owner) = owner else { return Ok(false) };
    if owner.organisation_id == wanted.organisation || actor.is_platform() {
        return Err(taken());
    }
    let now = app.clock.now();
    if wanted.at_once {
        let key = wanted.organisation.to_string();
        let most = app.config.limits.taken;
        limit(app, Limited { bucket: "address_taken", key: &key, most, window: minutes(60) }).await?;
        // Of its own: the request is refused, and the owner is told all the same.
        let mut work = app.control.begin().await?;
        notice::wanted_elsewhere(&mut work, (owner.id, owner.organisation_id), wanted.organisation, now)
            .await?;
        work.commit().await?;
        return Err(taken());
    }
    notice::wanted_elsewhere(connection, (owner.id, owner.organisation_id), wanted.organisation, now).await?;
    Ok(true)
}

/// What is known of a user's way in.
#[derive(sqlx::FromRow)]
pub(super) struct WayIn {
    pub(super) awaits_address: bool,
    pub(super) has_password: bool,
}

impl WayIn {
    /// That of a user.
    ///
    /// # Errors
    /// Database faults.
    pub(super) async fn of(connection: &mut PgConnection, user: i64) -> Result<Self> {
        Ok(sqlx::query_as(
            "select awaits_address, password_hash is not null as has_password from users where id = $1",
        )
        .bind(user)
        .fetch_one(connection)
        .await?)
    }
}

/// What is said when somebody else has it.
pub(super) fn taken() -> Error {
    Error::field("email", "A user with this e-mail address already exists")
}

/// What the unique indexes say.
pub(super) fn email_taken(error: Error) -> Error {
    let is_taken = error
        .named_fields()
        .iter()
        .any(|(field, reason)| field.starts_with("email") && reason.contains("already in use"));
    if is_taken { taken() } else { error }
}
