//! Limits of what the public may try, kept in the database so that they hold over replicas and restarts. Who is refused is
//! remembered here until his window ends, so that a flood of tries costs no query.

use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::error::Kind;
use routewright_core::{Error, Result};
use sqlx::PgConnection;

use crate::app::App;

/// What is limited: so many per window and key.
pub(crate) struct Limited<'a> {
    pub(crate) bucket: &'static str,
    pub(crate) key: &'a str,
    pub(crate) most: i32,
    pub(crate) window: TimeDelta,
}

/// A window of minutes.
pub(crate) const fn minutes(minutes: i64) -> TimeDelta {
    TimeDelta::minutes(minutes)
}

/// 429 with the time after which trying again makes sense.
pub(crate) fn too_many(wait: TimeDelta) -> Error {
    // Rounded up: a moment too early would be refused again.
    let seconds = u32::try_from((wait.num_milliseconds() + 999) / 1000).unwrap_or(u32::MAX).max(1);
    Error::new(Kind::TooManyRequests, "Too many requests").retry_after(seconds)
}

/// Counts a try, on its own connection so that it counts whatever comes of the request.
///
/// # Errors
/// 429 when there were too many in this window.
pub(crate) async fn limit(app: &App, limited: Limited<'_>) -> Result<()> {
    let now = app.clock.now();
    let seconds = limited.window.num_seconds().max(1);
    let start = now.timestamp().div_euclid(seconds) * seconds;
    let window_start = DateTime::from_timestamp(start, 0).unwrap_or(now);
    let end = window_start + limited.window;
    let hash = app.keyed_hash("limit", limited.key)?;
    if app.refused.until(limited.bucket, hash).is_some_and(|until| until == end) {
        return Err(too_many(end - now));
    }
    let count: i32 = sqlx::query_scalar(
        "insert into rate_limits (bucket, key, window_start, count) values ($1, $2, $3, 1)
         on conflict (bucket, key, window_start) do update set count = least(rate_limits.count + 1, 1000000)
         returning count",
    )
    .bind(limited.bucket)
    .bind(hash.map(|byte| format!("{byte:02x}")).concat())
    .bind(window_start)
    .fetch_one(&app.control)
    .await?;
    if count <= limited.most {
        return Ok(());
    }
    app.refused.note(limited.bucket, hash, end, now);
    Err(too_many(end - now))
}

/// The lockout rules that apply to an address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lockout {
    pub(super) attempts: i32,
    pub(super) minutes: i32,
}

/// For addresses that nobody has: the usual rules, so that they lock like others.
impl Default for Lockout {
    fn default() -> Self {
        Self { attempts: 10, minutes: 15 }
    }
}

/// Under what an attempt is counted: an address, or a known device of it.
pub(super) struct Tried {
    pub(super) key: [u8; 32],
    /// The address, under which a new password is noted as a success.
    pub(super) forgiven_by: [u8; 32],
}

/// Notes a sign-in as failed before its password is looked at; success corrects it. So any number of sign-ins at once
/// cannot try more passwords than the rules allow. Answers the row.
///
/// # Errors
/// 429 while the address is locked.
pub(super) async fn begin(
    connection: &mut PgConnection,
    tried: &Tried,
    address_hash: &[u8],
    lockout: Lockout,
    now: DateTime<Utc>,
) -> Result<i64> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))")
        .bind(tried.key.as_slice())
        .execute(&mut *connection)
        .await?;
    let length = TimeDelta::minutes(i64::from(lockout.minutes));
    // Failures of one span before the last failure, since the last success. While locked none is added.
    let (failures, last): (i64, Option<DateTime<Utc>>) = sqlx::query_as(
        "with failures as (
             select attempted_at from login_attempts
             where email_hash = $1 and not success and attempted_at > $2
                 and attempted_at > coalesce(
                     (select max(attempted_at) from login_attempts where email_hash in ($1, $4) and success), '-infinity'
                 )
         )
         select count(*), max(attempted_at) from failures
         where attempted_at > (select max(attempted_at) from failures) - make_interval(mins => $3)",
    )
    .bind(tried.key.as_slice())
    .bind(now - length * 2)
    .bind(lockout.minutes)
    .bind(tried.forgiven_by.as_slice())
    .fetch_one(&mut *connection)
    .await?;
    if let Some(last) = last
        && failures >= i64::from(lockout.attempts)
        && now < last + length
    {
        return Err(too_many(last + length - now));
    }
    Ok(sqlx::query_scalar(
        "insert into login_attempts (email_hash, ip_hash, attempted_at, success) values ($1, $2, $3, false) returning id",
    )
    .bind(tried.key.as_slice())
    .bind(address_hash)
    .bind(now)
    .fetch_one(connection)
    .await?)
}

/// Corrects the note of [`begin`].
///
/// # Errors
/// Database faults.
pub(super) async fn succeeded(connection: &mut PgConnection, attempt: i64) -> Result<()> {
    sqlx::query("update login_attempts set success = true where id = $1")
        .bind(attempt)
        .execute(connection)
        .await?;
    Ok(())
}

/// How an address appears in the record of attempts.
pub(super) fn email_hash(app: &App, email: &str) -> Result<[u8; 32]> {
    app.keyed_hash("sign-in address", &email.trim().to_lowercase())
}
