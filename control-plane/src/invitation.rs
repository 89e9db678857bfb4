//! Invitations: a mail with a link to choose the first password, so that nobody types a password for somebody else.

use chrono::TimeDelta;
use routewright_core::{OrganisationId, Result};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::app::App;
use crate::notice::{self, Addressee};

/// How long the link works; who is later asks for a new one with "Forgot password?".
const LIFE: TimeDelta = TimeDelta::days(7);

/// Puts an invitation into the outbox, in the transaction that made the user. The link opens the page of forgotten
/// passwords.
///
/// # Errors
/// Database faults.
pub(crate) async fn send(
    app: &App,
    connection: &mut PgConnection,
    organisation: OrganisationId,
    user: i64,
) -> Result<()> {
    let token = routewright_core::token::random(43);
    let now = app.clock.now();
    sqlx::query(
        "insert into reset_tokens (token_hash, user_id, expires_at, created) values ($1, $2, $3, $4)",
    )
    .bind(Sha256::digest(&token).as_slice())
    .bind(user)
    .bind(now + LIFE)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    let name: String = sqlx::query_scalar("select name from organisations where id = $1")
        .bind(organisation)
        .fetch_one(&mut *connection)
        .await?;
    let to = Addressee::of(connection, user).await?;
    let page = &app.config.deployment.public_url;
    let letter = to
        .greeted()
        .paragraph(format!("You have been invited to Routewright by {name}. You sign in with {}.", to.email))
        .link("Choose your password", format!("{page}/?reset={token}"))
        .paragraph(
            "The link works once, within 7 days. After that, \"Forgot password?\" on the sign-in page sends a new one.",
        );
    notice::send(connection, organisation, &to, "You have been invited to Routewright", &letter).await
}
