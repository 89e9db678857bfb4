//! Setting a password: the organisation's rules, the history, and the end of the user's sessions.

use routewright_core::error::Problems;
use routewright_core::{Error, OrganisationId, Result};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::password_policy;
use crate::sign_in::sessions;

/// A password that passed the rules, hashed.
pub(crate) struct Secret(pub(crate) String);

impl Secret {
    /// Checks a first password against the organisation's rules and hashes it.
    ///
    /// # Errors
    /// 400 naming `field`.
    pub(crate) async fn first(
        app: &App,
        connection: &mut PgConnection,
        organisation: OrganisationId,
        field: &'static str,
        password: &str,
    ) -> Result<Self> {
        let policy = password_policy::of(connection, organisation).await?;
        let mut problems = Problems::default();
        policy.judge(field, password, &mut problems);
        problems.finish()?;
        Ok(Self(app.passwords.hash(password).await?))
    }
}

/// Sets a user's password and ends all sessions but `keep`: their access tokens are stale at once, their refresh tokens
/// are revoked. Failed sign-ins are forgiven.
///
/// # Errors
/// 400 naming `new_password` when the rules refuse it.
pub(crate) async fn set(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    organisation: OrganisationId,
    password: &str,
    keep: Option<Uuid>,
) -> Result<()> {
    let policy = password_policy::of(connection, organisation).await?;
    let mut problems = Problems::default();
    policy.judge("new_password", password, &mut problems);
    problems.finish()?;
    if policy.history > 0 && policy.was_used(connection, &app.passwords, user, password).await? {
        return Err(Error::field("new_password", "Password was used before"));
    }
    let hash = app.passwords.hash(password).await?;
    sqlx::query(
        "update users set password_hash = $2, password_changed_at = $3, session_epoch = session_epoch + 1
         where id = $1",
    )
    .bind(user)
    .bind(&hash)
    .bind(app.clock.now())
    .execute(&mut *connection)
    .await?;
    remember(connection, user, &hash).await?;
    sessions::revoke_all(app, connection, user, keep, "password_changed").await?;
    sessions::forgive(app, connection, user).await
}

/// Adds a password to the user's history; the rules decide how much of it counts.
///
/// # Errors
/// Database faults.
pub(crate) async fn remember(connection: &mut PgConnection, user: i64, hash: &str) -> Result<()> {
    sqlx::query("insert into user_password_history (user_id, password_hash) values ($1, $2)")
        .bind(user)
        .bind(hash)
        .execute(&mut *connection)
        .await?;
    // 50 is the longest history that rules can ask for.
    sqlx::query(
        "delete from user_password_history where user_id = $1 and id not in (
             select id from user_password_history where user_id = $1 order by created desc, id desc limit 50
         )",
    )
    .bind(user)
    .execute(connection)
    .await?;
    Ok(())
}
