//! Before somebody changes how an account is signed in to, he shows once more whose it is: an open session may be looked
//! at by anybody who passes the desk.

use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::{Error, OrganisationId, Result};
use sqlx::FromRow;
use uuid::Uuid;

use crate::app::App;
use crate::sign_in::{Limited, limit, minutes};

/// The field of the body that holds the present password.
const FIELD: &str = "current_password";
/// How long ago a sign-in at a provider may be.
const FRESH: TimeDelta = TimeDelta::minutes(10);
/// Passwords that one user may try per quarter of an hour.
const TRIES: i32 = 10;

#[derive(FromRow)]
struct Standing {
    password_hash: Option<String>,
    has_provider: bool,
    provider_sign_in: Option<DateTime<Utc>>,
}

/// Requires the present password, or a session that was begun at a provider a moment ago: its users may have no password,
/// or not know it. The password is compared while no connection is held.
///
/// # Errors
/// 400 naming `current_password`, 429 after too many wrong ones.
pub(super) async fn require(
    app: &App,
    user: i64,
    home: OrganisationId,
    session: Option<Uuid>,
    password: Option<&str>,
) -> Result<()> {
    let standing: Standing = sqlx::query_as(
        "select u.password_hash,
             exists (select from user_identities i where i.user_id = u.id) as has_provider,
             (select f.created from refresh_families f
              where f.id = $2 and f.user_id = u.id and f.method = 'provider') as provider_sign_in
         from users u where u.id = $1",
    )
    .bind(user)
    .bind(session)
    .fetch_one(&app.control)
    .await?;
    if standing.provider_sign_in.is_some_and(|at| at + FRESH > app.clock.now()) {
        return Ok(());
    }
    let Some(password) = password.filter(|text| !text.is_empty() && standing.password_hash.is_some()) else {
        return Err(Error::field(FIELD, missing(&standing)));
    };
    let key = user.to_string();
    limit(app, Limited { bucket: "own_password", key: &key, most: TRIES, window: minutes(15) }).await?;
    if app.passwords.verify(home, password, standing.password_hash.as_deref()).await? {
        Ok(())
    } else {
        Err(Error::field(FIELD, "Current password is wrong"))
    }
}

/// What somebody who gave no password can do.
fn missing(standing: &Standing) -> &'static str {
    match (standing.password_hash.is_some(), standing.has_provider) {
        (true, false) => "Current password is required",
        (true, true) => {
            "Current password is required. Without one, sign out, sign in with your provider and save within 10 minutes."
        }
        (false, true) => "Please sign out, sign in again with your provider and save within 10 minutes.",
        (false, false) => {
            "You have no password yet. Please set one with \"Forgot password?\" on the sign-in page."
        }
    }
}
