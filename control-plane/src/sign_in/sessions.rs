//! Sessions. A session is a family of refresh tokens, each of which is used once and followed by the next. Only hashes
//! are stored. A used token that comes again means that somebody else has a copy: then the whole family ends.

use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::token::{REMEMBERED_LIFE, SESSION_LIFE, Typ};
use routewright_tenancy::migration;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::{FromRow, PgConnection};
use uuid::Uuid;

use super::attempts;
use crate::app::App;

/// A used token may come again so long after its use and gets the same successor: its answer was lost, or two tabs
/// used it at once. Browsers give a lost answer up after some seconds and ask again through a tunnel or a restart, so it
/// is minutes. Ends as soon as the successor itself was used.
const GRACE: TimeDelta = TimeDelta::minutes(2);

/// The tokens of a session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct SessionTokens {
    /// Access token.
    pub(crate) token: String,
    /// Refresh token, to be used once.
    pub(crate) refresh_token: String,
    /// When the access token expires.
    pub(crate) expires_at: DateTime<Utc>,
}

/// Whose session.
#[derive(Debug, Clone, Copy, FromRow)]
pub(crate) struct Owner {
    pub(crate) user_id: i64,
    pub(crate) organisation_id: OrganisationId,
    pub(crate) session_epoch: i32,
}

/// How a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    /// With a password.
    Password,
    /// At a provider; the first refresh token travels in a link and lives so long.
    Provider(TimeDelta),
}

/// Refuses sessions while operators have suspended the organisation.
///
/// # Errors
/// 403 then; database faults.
pub(super) async fn require_in_service(
    connection: &mut PgConnection,
    organisation: OrganisationId,
) -> Result<()> {
    let suspended: bool =
        sqlx::query_scalar("select suspended_at is not null from organisations where id = $1")
            .bind(organisation)
            .fetch_one(connection)
            .await?;
    if suspended { Err(routewright_identity::suspended()) } else { Ok(()) }
}

/// Begins a session.
///
/// # Errors
/// 403 while the organisation is suspended; database faults.
pub(crate) async fn start(
    app: &App,
    connection: &mut PgConnection,
    owner: Owner,
    remember_me: bool,
    begun: Begun,
) -> Result<SessionTokens> {
    require_in_service(connection, owner.organisation_id).await?;
    let now = app.clock.now();
    let until = now + life(remember_me);
    let family: Uuid = sqlx::query_scalar(
        "insert into refresh_families (user_id, remember_me, method, expires_at, created)
         values ($1, $2, $3, $4, $5) returning id",
    )
    .bind(owner.user_id)
    .bind(remember_me)
    .bind(if begun == Begun::Password { "password" } else { "provider" })
    .bind(until)
    .bind(now)
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query(
        "insert into platform_audit (user_id, organisation_id, action, subject) values ($1, $2, 'signed_in', $3)",
    )
    .bind(owner.user_id)
    .bind(owner.organisation_id)
    .bind(format!("sign_in:{}", owner.user_id))
    .execute(&mut *connection)
    .await?;
    let jti = routewright_core::token::random(22);
    let until = match begun {
        Begun::Password => until,
        Begun::Provider(life) => now + life,
    };
    issue(app, connection, owner, family, &jti, until).await
}

fn life(remember_me: bool) -> TimeDelta {
    if remember_me { REMEMBERED_LIFE } else { SESSION_LIFE }
}

async fn issue(
    app: &App,
    connection: &mut PgConnection,
    owner: Owner,
    family: Uuid,
    jti: &str,
    until: DateTime<Utc>,
) -> Result<SessionTokens> {
    let now = app.clock.now();
    let refresh = app.gate.tokens.exact_refresh(owner.user_id, owner.organisation_id, jti, now, until)?.token;
    sqlx::query(
        "insert into refresh_tokens (token_hash, family_id, expires_at, created) values ($1, $2, $3, $4)",
    )
    .bind(hash(&refresh))
    .bind(family)
    .bind(until)
    .bind(now)
    .execute(connection)
    .await?;
    tokens(app, owner, family, refresh)
}

fn tokens(app: &App, owner: Owner, family: Uuid, refresh_token: String) -> Result<SessionTokens> {
    let Owner { user_id, organisation_id, session_epoch } = owner;
    let access = app.gate.tokens.session_access(user_id, organisation_id, session_epoch, None, family)?;
    Ok(SessionTokens { token: access.token, refresh_token, expires_at: access.expires_at })
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}

#[derive(FromRow)]
struct Presented {
    family_id: Uuid,
    used_at: Option<DateTime<Utc>>,
    successor_hash: Option<Vec<u8>>,
    remember_me: bool,
    #[sqlx(flatten)]
    owner: Owner,
}

/// Trades a refresh token for the next ones.
///
/// # Errors
/// 401 for a token that is wrong, expired or of an ended session; 403 while the organisation is suspended, when the token
/// stays good.
pub(crate) async fn rotate(app: &App, token: &str) -> Result<(SessionTokens, Owner)> {
    app.gate.tokens.verify(token, Typ::Refresh)?;
    let now = app.clock.now();
    let mut work = app.begin().await?;
    // The family is locked, so that uses of one session follow one another.
    let presented: Option<Presented> = sqlx::query_as(
        "select t.family_id, t.used_at, t.successor_hash, f.remember_me, f.user_id, u.organisation_id, u.session_epoch
         from refresh_tokens t
             join refresh_families f on f.id = t.family_id
             join users u on u.id = f.user_id
             join organisations o on o.id = u.organisation_id
         where t.token_hash = $1 and f.revoked_at is null and f.expires_at > $2
             and u.deleted_at is null and o.deleted_at is null and o.state <> 'deleting'
         for update of f",
    )
    .bind(hash(token))
    .bind(now)
    .fetch_optional(&mut *work)
    .await?;
    let presented = presented.ok_or_else(Error::bad_token)?;
    require_in_service(&mut work, presented.owner.organisation_id).await?;
    let (owner, family) = (presented.owner, presented.family_id);
    // Read again under the lock: another use may have come first.
    let (used_at, successor): (Option<DateTime<Utc>>, Option<Vec<u8>>) =
        sqlx::query_as("select used_at, successor_hash from refresh_tokens where token_hash = $1")
            .bind(hash(token))
            .fetch_one(&mut *work)
            .await?;
    let presented = Presented { used_at, successor_hash: successor, ..presented };
    let tokens = match presented.used_at {
        None => follow(app, &mut work, token, &presented).await?,
        Some(used_at) => match repeat(app, &mut work, token, &presented, now - used_at).await? {
            Some(tokens) => tokens,
            None => {
                end_copied(&mut work, owner, family, now).await?;
                work.commit().await?;
                app.gate.policies.forget(owner.organisation_id);
                return Err(Error::bad_token());
            }
        },
    };
    work.commit().await?;
    Ok((tokens, owner))
}

/// First use of a token: the next one follows, and the session lives on.
async fn follow(
    app: &App,
    connection: &mut PgConnection,
    token: &str,
    presented: &Presented,
) -> Result<SessionTokens> {
    let until = app.clock.now() + life(presented.remember_me);
    let jti = successor_jti(app, token)?;
    let next = issue(app, connection, presented.owner, presented.family_id, &jti, until).await?;
    sqlx::query("update refresh_tokens set used_at = $2, successor_hash = $3 where token_hash = $1")
        .bind(hash(token))
        .bind(app.clock.now())
        .bind(hash(&next.refresh_token))
        .execute(&mut *connection)
        .await?;
    sqlx::query("update refresh_families set expires_at = $2 where id = $1")
        .bind(presented.family_id)
        .bind(until)
        .execute(connection)
        .await?;
    Ok(next)
}

/// The same successor again, if the token was used a moment ago and the successor was not used yet. It is computed
/// anew: from the used token and a key, so that nothing stored gives it away.
async fn repeat(
    app: &App,
    connection: &mut PgConnection,
    token: &str,
    presented: &Presented,
    since: TimeDelta,
) -> Result<Option<SessionTokens>> {
    if since > GRACE {
        return Ok(None);
    }
    let next: Option<(DateTime<Utc>, DateTime<Utc>)> = sqlx::query_as(
        "select created, expires_at from refresh_tokens where token_hash = $1 and used_at is null",
    )
    .bind(&presented.successor_hash)
    .fetch_optional(connection)
    .await?;
    let Some((issued, until)) = next else { return Ok(None) };
    let Owner { user_id, organisation_id, .. } = presented.owner;
    let jti = successor_jti(app, token)?;
    let again = app.gate.tokens.exact_refresh(user_id, organisation_id, &jti, issued, until)?.token;
    if presented.successor_hash.as_deref() != Some(hash(&again).as_slice()) {
        return Ok(None);
    }
    tokens(app, presented.owner, presented.family_id, again).map(Some)
}

fn successor_jti(app: &App, token: &str) -> Result<String> {
    let name = app.keyed_hash("refresh token successor", token)?;
    Ok(name.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

async fn end_copied(
    connection: &mut PgConnection,
    owner: Owner,
    family: Uuid,
    now: DateTime<Utc>,
) -> Result<()> {
    tracing::warn!(user = owner.user_id, "a used refresh token came again: its session ends");
    sqlx::query("update refresh_families set revoked_at = $2, reason = 'reused' where id = $1")
        .bind(family)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into platform_audit (user_id, organisation_id, action, subject) values ($1, $2, 'session_reused', $3)",
    )
    .bind(owner.user_id)
    .bind(owner.organisation_id)
    .bind(format!("user:{}", owner.user_id))
    .execute(&mut *connection)
    .await?;
    announce_end(connection, owner.organisation_id).await
}

/// Tells everybody, at commit, that access tokens of an ended session are good no longer. The organisation's row is not
/// locked: an end is never taken back, so that it does not matter in which order ends are noticed.
async fn announce_end(connection: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    migration::announce_policy(connection, organisation).await
}

/// New tokens of a session that goes on, after its user's epoch has changed. Answers the access token only: the
/// session's refresh token stays the same. `entered` is the organisation in which a Master user works at the moment.
///
/// # Errors
/// 401 when the session has ended.
pub(crate) async fn renew(
    app: &App,
    connection: &mut PgConnection,
    session: Uuid,
    entered: Option<OrganisationId>,
) -> Result<(String, DateTime<Utc>)> {
    let owner: Option<Owner> = sqlx::query_as(
        "select f.user_id, u.organisation_id, u.session_epoch
         from refresh_families f join users u on u.id = f.user_id where f.id = $1 and f.revoked_at is null",
    )
    .bind(session)
    .fetch_optional(connection)
    .await?;
    let owner = owner.ok_or_else(Error::bad_token)?;
    let (organisation, home) = match entered {
        Some(entered) => (entered, Some(owner.organisation_id)),
        None => (owner.organisation_id, None),
    };
    let access =
        app.gate.tokens.session_access(owner.user_id, organisation, owner.session_epoch, home, session)?;
    Ok((access.token, access.expires_at))
}

/// Ends the user's session of a refresh token, and the one that the request itself belongs to; access tokens included.
///
/// # Errors
/// Database faults.
pub(crate) async fn end(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    session: Option<Uuid>,
    token: &str,
) -> Result<()> {
    let organisation: Option<OrganisationId> = sqlx::query_scalar(
        "with ended as (
             update refresh_families set revoked_at = $4, reason = 'signed_out'
             where user_id = $2 and revoked_at is null
                 and (id = $3 or id = (select family_id from refresh_tokens where token_hash = $1))
             returning user_id
         )
         select organisation_id from users where id in (select user_id from ended)",
    )
    .bind(hash(token))
    .bind(user)
    .bind(session)
    .bind(app.clock.now())
    .fetch_optional(&mut *connection)
    .await?;
    match organisation {
        Some(organisation) => announce_end(connection, organisation).await,
        None => Ok(()),
    }
}

/// Ends all sessions of a user but `keep`, and takes back reset links that are on their way. Access tokens become stale
/// by the user's epoch, which the caller raises.
///
/// # Errors
/// Database faults.
pub(crate) async fn revoke_all(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    keep: Option<Uuid>,
    reason: &str,
) -> Result<()> {
    sqlx::query(
        "update refresh_families set revoked_at = $3, reason = $4
         where user_id = $1 and revoked_at is null and id is distinct from $2",
    )
    .bind(user)
    .bind(keep)
    .bind(app.clock.now())
    .bind(reason)
    .execute(&mut *connection)
    .await?;
    cancel_links(connection, user).await
}

/// Takes back reset links that are on their way: they were sent to an address or for a password that has changed.
///
/// # Errors
/// Database faults.
pub(crate) async fn cancel_links(connection: &mut PgConnection, user: i64) -> Result<()> {
    sqlx::query("delete from reset_tokens where user_id = $1 and used_at is null")
        .bind(user)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of a user, access tokens included.
///
/// # Errors
/// Database faults.
pub(crate) async fn end_all(app: &App, connection: &mut PgConnection, user: i64, reason: &str) -> Result<()> {
    sqlx::query("update users set session_epoch = session_epoch + 1 where id = $1")
        .bind(user)
        .execute(&mut *connection)
        .await?;
    revoke_all(app, connection, user, None, reason).await
}

/// Unlocks a user whose password was set anew.
///
/// # Errors
/// Database faults.
pub(crate) async fn forgive(app: &App, connection: &mut PgConnection, user: i64) -> Result<()> {
    let email: String = sqlx::query_scalar("select email from users where id = $1")
        .bind(user)
        .fetch_one(&mut *connection)
        .await?;
    sqlx::query("insert into login_attempts (email_hash, attempted_at, success) values ($1, $2, true)")
        .bind(attempts::email_hash(app, &email)?)
        .bind(app.clock.now())
        .execute(connection)
        .await?;
    Ok(())
}
