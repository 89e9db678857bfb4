//! Mails that tell a person what became of the own account.

use chrono::{DateTime, Utc};
use routewright_core::{OrganisationId, Result};
use routewright_messaging::{About, Channel, Letter, NewMessage, queue_message};
use sqlx::{FromRow, PgConnection};

/// What to do when somebody else was at work.
pub(crate) const NOT_YOU: &str = "If this was not you, please set a new password at once with \"Forgot password?\" on the \
     sign-in page, and tell your administrator.";
/// The same at an address that gets no reset links any more.
const NOT_YOU_ANY_MORE: &str =
    "If this was not you, nor an administrator whom you asked, please tell your administrator at once.";

/// Who gets a mail.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct Addressee {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) first_name: Option<String>,
}

impl Addressee {
    /// A user at the present address.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn of(connection: &mut PgConnection, user: i64) -> Result<Self> {
        Ok(sqlx::query_as("select id, email, first_name from users where id = $1")
            .bind(user)
            .fetch_one(connection)
            .await?)
    }

    /// A letter that begins.
    pub(crate) fn greeted(&self) -> Letter {
        Letter::new().paragraph(format!("Hello {},", self.first_name.as_ref().unwrap_or(&self.email)))
    }
}

/// Tells the old address that another one has taken its place.
///
/// # Errors
/// Database faults.
pub(crate) async fn address_changed(
    connection: &mut PgConnection,
    organisation: OrganisationId,
    old: &Addressee,
    new: &str,
) -> Result<()> {
    let letter = old
        .greeted()
        .paragraph(format!("Your user of Routewright now signs in with {new} instead of {}.", old.email))
        .paragraph(NOT_YOU_ANY_MORE);
    send(connection, organisation, old, "Your e-mail address has changed", &letter).await
}

/// Tells that a new password was set. `by_administrator` when it was not the person.
///
/// # Errors
/// Database faults.
pub(crate) async fn password_changed(
    connection: &mut PgConnection,
    organisation: OrganisationId,
    to: &Addressee,
    by_administrator: bool,
) -> Result<()> {
    let what = if by_administrator {
        "An administrator of your organisation has set a new password for you. You have been signed out everywhere."
    } else {
        "Your password has been changed. All other sessions have been ended."
    };
    let letter = to.greeted().paragraph(what).paragraph(NOT_YOU);
    send(connection, organisation, to, "Your password has changed", &letter).await
}

/// Tells the owner of an address that somebody wanted to sign up with it, once a day.
///
/// # Errors
/// Database faults.
pub(crate) async fn signed_up_again(
    connection: &mut PgConnection,
    page: &str,
    email: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let found: Option<(i64, OrganisationId)> = sqlx::query_as(
        "select id, organisation_id from users
         where lower(email) = lower($1) and deleted_at is null and not awaits_address",
    )
    .bind(email)
    .fetch_optional(&mut *connection)
    .await?;
    let Some((user, organisation)) = found else { return Ok(()) };
    let to = Addressee::of(connection, user).await?;
    let letter = to
        .greeted()
        .paragraph("Somebody, perhaps you, wanted to sign up to Routewright with this e-mail address. It has a user already.")
        .link("Sign in, or set a new password", page)
        .paragraph("If this was not you, you need not do anything.");
    let intent = format!("sign_up_again:{user}:{}", now.date_naive());
    queue(connection, intent, organisation, &to, "You already have a user of Routewright", &letter).await
}

/// Tells the owner of an address that another organisation wants it for a user of its own, once a day.
pub(crate) async fn wanted_elsewhere(
    connection: &mut PgConnection,
    (owner, own): (i64, OrganisationId),
    by: OrganisationId,
    now: DateTime<Utc>,
) -> Result<()> {
    let name: String = sqlx::query_scalar("select name from organisations where id = $1")
        .bind(by)
        .fetch_one(&mut *connection)
        .await?;
    let to = Addressee::of(connection, owner).await?;
    let letter = to
        .greeted()
        .paragraph(format!(
            "{name} wants to add a user to Routewright with this e-mail address. You sign in to another organisation with it, \
             and an address belongs to one user, so nothing has changed. {name} has not been told."
        ))
        .paragraph(format!(
            "To work for {name} as well, tell its administrator another address of yours. If you do not know them, you \
             need not do anything."
        ));
    let intent = format!("wanted_elsewhere:{owner}:{by}:{}", now.date_naive());
    queue(connection, intent, own, &to, "Another organisation wants to add you", &letter).await
}

/// Puts a letter into the outbox, in the transaction of what it tells.
pub(crate) async fn send(
    connection: &mut PgConnection,
    organisation: OrganisationId,
    to: &Addressee,
    subject: &str,
    letter: &Letter,
) -> Result<()> {
    // What happened twice is told twice.
    let intent = format!("account:{}:{}", to.id, routewright_core::token::random(22));
    queue(connection, intent, organisation, to, subject, letter).await
}

async fn queue(
    connection: &mut PgConnection,
    intent: String,
    organisation: OrganisationId,
    to: &Addressee,
    subject: &str,
    letter: &Letter,
) -> Result<()> {
    let message = NewMessage {
        intent,
        channel: Channel::Email,
        recipients: vec![to.email.clone()],
        subject: Some(subject.to_owned()),
        body_text: letter.text(),
        body_html: Some(letter.html()),
        attachments: Vec::new(),
        about: About::Organisation(organisation.get()),
    };
    queue_message(connection, &message).await?;
    Ok(())
}
