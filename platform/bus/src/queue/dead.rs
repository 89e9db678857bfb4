//! Jobs that have failed for good and wait for a person.

use chrono::{DateTime, Utc};
use routewright_core::{Error, OnConstraint as _, Result};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;

use super::{JobId, wake};

/// A job that has failed for good.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Serialize)]
pub struct DeadLetter {
    /// The job.
    pub id: JobId,
    /// [`Job::KIND`](super::Job::KIND).
    pub kind: String,
    /// The job itself.
    pub payload: Value,
    /// Attempts made.
    pub attempts: i32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created: DateTime<Utc>,
    /// When it died.
    pub finished: Option<DateTime<Utc>>,
}

/// Jobs that have failed for good, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn dead_letters(connection: &mut PgConnection, limit: u32) -> Result<Vec<DeadLetter>> {
    Ok(sqlx::query_as(
        "select id, kind, payload, attempts, last_error, created, finished
         from background_jobs where state = 'dead' order by finished desc, id desc limit $1",
    )
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?)
}

/// Queues a dead job again, with all its attempts.
///
/// # Errors
/// 404 when there is no such dead job, 409 when another one with its unique key waits or runs.
pub async fn retry_dead(connection: &mut PgConnection, id: JobId) -> Result<()> {
    let revived = sqlx::query(
        "update background_jobs
         set state = 'queued', attempts = 0, progress = 0, run_at = now(), finished = null
         where id = $1 and state = 'dead'",
    )
    .bind(id)
    .execute(&mut *connection)
    .await
    .on_constraint("background_jobs_unique_key_key", || Error::conflict("The same work is queued already"))?;
    if revived.rows_affected() == 0 {
        return Err(Error::not_found("Dead job"));
    }
    wake(connection).await
}
