//! Setting a password: the organisation's rules, the history, and the end of the user's sessions.

use routewright_core::error::Problems;
use routewright_core::{Error, OrganisationId, Result};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::password_policy;
use crate::sign_in::sessions;

/// A new password that passed the rules, hashed. It is made without a connection and stored with one: a hash takes a while, and
/// its turn may take longer.
pub(crate) struct Secret(String);

impl Secret {
    /// Checks a password against the organisation's rules, and against the last ones of a user who has some, and hashes it. No
    /// transaction may be open meanwhile.
    ///
    /// # Errors
    /// 400 naming `field`; 503 when too many are hashed at once.
    pub(crate) async fn of(
        app: &App,
        organisation: OrganisationId,
        user: Option<i64>,
        field: &'static str,
        password: &str,
    ) -> Result<Self> {
        let used = {
            let mut connection = app.control.acquire().await?;
            let policy = password_policy::of(&mut connection, organisation).await?;
            let mut problems = Problems::default();
            policy.judge(field, password, &mut problems);
            problems.finish()?;
            match user {
                Some(user) => policy.used(&mut connection, user).await?,
                None => Vec::new(),
            }
        };
        for hash in used {
            if app.passwords.verify(organisation, password, Some(&hash)).await? {
                return Err(Error::field(field, "Password was used before"));
            }
        }
        Ok(Self(app.passwords.hash(organisation, password).await?))
    }

    /// The hash.
    pub(crate) fn hash(&self) -> &str {
        &self.0
    }
}

/// Sets a user's password and ends all sessions but `keep`: their access tokens are stale at once, their refresh tokens
/// are revoked. Failed sign-ins are forgiven.
///
/// # Errors
/// Database faults.
pub(crate) async fn set(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    secret: &Secret,
    keep: Option<Uuid>,
) -> Result<()> {
    sqlx::query(
        "update users set password_hash = $2, password_changed_at = $3, session_epoch = session_epoch + 1
         where id = $1",
    )
    .bind(user)
    .bind(secret.hash())
    .bind(app.clock.now())
    .execute(&mut *connection)
    .await?;
    remember(connection, user, secret.hash()).await?;
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
