//! A page may ask for what takes work only so often. Counted per delivery and minute, in the database, so that it holds for all
//! replicas.

use chrono::{DateTime, Utc};
use routewright_core::{Error, Kind, Result};
use sqlx::postgres::PgConnection;

/// Times that one delivery's page may ask within a minute.
const MOST_A_MINUTE: i32 = 20;

/// Counts one more.
///
/// # Errors
/// 429 when there were too many within the minute.
pub(super) async fn admit(connection: &mut PgConnection, job: i64, now: DateTime<Utc>) -> Result<()> {
    let asks: i32 = sqlx::query_scalar(
        "insert into tracking_asks as a (job_id, minute, asks) values ($1, date_trunc('minute', $2::timestamptz), 1)
         on conflict (job_id) do update set minute = excluded.minute,
             asks = case when a.minute = excluded.minute then a.asks + 1 else 1 end
         returning asks",
    )
    .bind(job)
    .bind(now)
    .fetch_one(connection)
    .await?;
    if asks <= MOST_A_MINUTE {
        return Ok(());
    }
    let left = 60 - now.timestamp().rem_euclid(60);
    let seconds = u32::try_from(left).unwrap_or(60);
    Err(Error::new(Kind::TooManyRequests, "Too many requests").retry_after(seconds))
}
