//! The job queue: table `background_jobs` of whatever schema the connection works in.
//!
//! A job is queued in the transaction that causes it. A worker claims it for a limited time (its lease), does its
//! work in a transaction of its own and calls [`complete`] last in that same transaction: either the effects and the
//! completion are there, or neither. A worker that dies loses its lease, and the job is done again. What leaves the
//! database (mail, partner systems) therefore goes through an outbox with a key of its own.
//!
//! Time is the database's, which all workers share.

mod dead;

pub use dead::{DeadLetter, dead_letters, retry_dead};

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng as _;
use routewright_core::{Error, Id, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::postgres::types::PgInterval;
use sqlx::types::Json;

/// Pause before the second attempt; doubled for each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Longest pause between attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);
/// Characters of an error that are kept.
const ERROR_LENGTH: usize = 4000;

/// Work to be done later: a struct that says what, with ids rather than data.
pub trait Job: Serialize + DeserializeOwned {
    /// The name in the database; workers find their code by it.
    const KIND: &'static str;

    /// Attempts before the job is dead.
    const MAX_ATTEMPTS: u16 = 5;

    /// Jobs with the same key are queued once: while one waits or runs, a second one is dropped.
    fn unique_key(&self) -> Option<String> {
        None
    }

    /// Not before this moment; at once when none.
    fn run_at(&self) -> Option<DateTime<Utc>> {
        None
    }
}

/// Marker of rows of `background_jobs`.
#[derive(Debug)]
pub struct BackgroundJob;

/// Id of a job.
pub type JobId = Id<BackgroundJob>;

/// What became of a job that was to be queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It waits under this id.
    New(JobId),
    /// Another one with its unique key waits or runs.
    Already(JobId),
}

impl Queued {
    /// The job that does the work.
    #[must_use]
    pub fn id(self) -> JobId {
        match self {
            Self::New(id) | Self::Already(id) => id,
        }
    }
}

/// Queues a job in the connection's transaction and wakes the workers when it commits.
///
/// # Errors
/// When the database fails.
pub async fn enqueue<J: Job>(connection: &mut PgConnection, job: &J) -> Result<Queued> {
    let key = job.unique_key();
    // The job with the same key may end between the two statements; then there is room for the new one.
    for _ in 0..3 {
        let added: Option<JobId> = sqlx::query_scalar(
            "insert into background_jobs (kind, payload, unique_key, max_attempts, run_at)
             values ($1, $2, $3, $4, coalesce($5, now()))
             on conflict (unique_key) where state in ('queued', 'running') do nothing
             returning id",
        )
        .bind(J::KIND)
        .bind(Json(job))
        .bind(&key)
        .bind(i32::from(J::MAX_ATTEMPTS.max(1)))
        .bind(job.run_at())
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(id) = added {
            wake(connection).await?;
            return Ok(Queued::New(id));
        }
        let present: Option<JobId> = sqlx::query_scalar(
            "select id from background_jobs where unique_key = $1 and state in ('queued', 'running')",
        )
        .bind(&key)
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(id) = present {
            return Ok(Queued::Already(id));
        }
    }
    Err(Error::conflict("This work is being queued by somebody else. Please try again."))
}

/// Sends [`crate::Notice::Job`] for the organisation whose schema the connection works in.
async fn wake(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        r"select pg_notify(
             $1, json_build_object('job', substring(current_schema() from '^org_(\d+)$')::bigint)::text
         )",
    )
    .bind(crate::notify::CHANNEL)
    .execute(connection)
    .await?;
    Ok(())
}

/// A job in the hands of a worker.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Claimed {
    /// The job.
    pub id: JobId,
    /// [`Job::KIND`].
    pub kind: String,
    /// The job itself; see [`Self::job`].
    pub payload: Value,
    /// 1 for the first attempt.
    pub attempts: i32,
    /// The last attempt has this number.
    pub max_attempts: i32,
    /// The end of the lease, unless [`heartbeat`] extends it.
    pub locked_until: DateTime<Utc>,
    /// Names this claim: the worker and a random text, so that a restarted worker is not taken for its predecessor.
    locked_by: String,
}

impl Claimed {
    /// The job as its struct.
    ///
    /// # Errors
    /// When the payload is not of this kind or of another release; such a job is for [`bury`].
    pub fn job<J: Job>(&self) -> Result<J> {
        if self.kind != J::KIND {
            return Err(Error::internal(format!("job {} is a {}, not a {}", self.id, self.kind, J::KIND)));
        }
        serde_json::from_value(self.payload.clone()).map_err(Error::internal)
    }

    fn lost(&self) -> Error {
        Error::conflict(format!("Job {} is no longer in the hands of this worker", self.id))
    }
}

/// Takes the next job that is due and of one of the given kinds; none when there is none. The claim must be
/// committed before the work begins.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    connection: &mut PgConnection,
    worker: &str,
    kinds: &[&str],
    lease: Duration,
) -> Result<Option<Claimed>> {
    let locked_by = format!("{worker}/{}", routewright_core::token::random(12));
    Ok(sqlx::query_as(
        "update background_jobs
         set state = 'running', attempts = attempts + 1, locked_by = $1,
             locked_until = clock_timestamp() + $2, progress = 0
         where id = (
             select id from background_jobs
             where state = 'queued' and run_at <= clock_timestamp() and kind = any ($3)
             order by run_at, id
             limit 1
             for update skip locked
         )
         returning id, kind, payload, attempts, max_attempts, locked_until, locked_by",
    )
    .bind(locked_by)
    .bind(interval(lease)?)
    .bind(kinds)
    .fetch_optional(connection)
    .await?)
}

/// Extends a lease from now on and records progress (0 to 100), on another connection than the one that works.
///
/// # Errors
/// 409 when the lease was lost: the work is to be stopped.
pub async fn heartbeat(
    connection: &mut PgConnection,
    claimed: &Claimed,
    lease: Duration,
    progress: Option<u8>,
) -> Result<()> {
    let extended = sqlx::query(
        "update background_jobs
         set locked_until = clock_timestamp() + $3, progress = coalesce($4, progress)
         where id = $1 and locked_by = $2 and state = 'running'",
    )
    .bind(claimed.id)
    .bind(&claimed.locked_by)
    .bind(interval(lease)?)
    .bind(progress.map(|percent| i32::from(percent.min(100))))
    .execute(connection)
    .await?;
    if extended.rows_affected() == 1 { Ok(()) } else { Err(claimed.lost()) }
}

/// Marks a job as done. To be called last in the transaction that holds the job's effects.
///
/// # Errors
/// 409 when the lease was lost: the transaction must be rolled back, somebody else does the work.
pub async fn complete(connection: &mut PgConnection, claimed: &Claimed) -> Result<()> {
    let done = sqlx::query(
        "update background_jobs
         set state = 'done', progress = 100, finished = clock_timestamp(), last_error = null,
             locked_by = null, locked_until = null
         where id = $1 and locked_by = $2 and state = 'running'",
    )
    .bind(claimed.id)
    .bind(&claimed.locked_by)
    .execute(connection)
    .await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(claimed.lost()) }
}

/// What becomes of a job after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It is tried again at this moment.
    Retry(DateTime<Utc>),
    /// It waits for a person; see [`dead_letters`].
    Dead,
}

/// Records a failed attempt: the job is tried again after a pause that grows, or is dead after the last attempt.
///
/// # Errors
/// 409 when the lease was lost.
pub async fn fail(connection: &mut PgConnection, claimed: &Claimed, reason: &str) -> Result<Next> {
    let last = claimed.attempts >= claimed.max_attempts;
    end_attempt(connection, claimed, reason, last).await
}

/// Records a failure that no further attempt can mend: the job is dead at once.
///
/// # Errors
/// 409 when the lease was lost.
pub async fn bury(connection: &mut PgConnection, claimed: &Claimed, reason: &str) -> Result<Next> {
    end_attempt(connection, claimed, reason, true).await
}

async fn end_attempt(
    connection: &mut PgConnection,
    claimed: &Claimed,
    reason: &str,
    dead: bool,
) -> Result<Next> {
    let pause = pause_after(claimed.attempts, rand::rng().random_range(0.0..1.0));
    // Postgres cannot store NUL.
    let reason: String = reason.chars().filter(|c| *c != '\0').take(ERROR_LENGTH).collect();
    let run_at: DateTime<Utc> = sqlx::query_scalar(
        "update background_jobs
         set state = case when $3 then 'dead' else 'queued' end,
             run_at = case when $3 then run_at else clock_timestamp() + $4 end,
             finished = case when $3 then clock_timestamp() end,
             last_error = $5, locked_by = null, locked_until = null
         where id = $1 and locked_by = $2 and state = 'running'
         returning run_at",
    )
    .bind(claimed.id)
    .bind(&claimed.locked_by)
    .bind(dead)
    .bind(interval(pause)?)
    .bind(reason)
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| claimed.lost())?;
    Ok(if dead { Next::Dead } else { Next::Retry(run_at) })
}

/// Gives a job back untouched, as a worker does that is told to stop: the attempt does not count.
///
/// # Errors
/// 409 when the lease was lost.
pub async fn release(connection: &mut PgConnection, claimed: &Claimed) -> Result<()> {
    let released = sqlx::query(
        "update background_jobs
         set state = 'queued', attempts = attempts - 1, locked_by = null, locked_until = null
         where id = $1 and locked_by = $2 and state = 'running'",
    )
    .bind(claimed.id)
    .bind(&claimed.locked_by)
    .execute(&mut *connection)
    .await?;
    if released.rows_affected() != 1 {
        return Err(claimed.lost());
    }
    wake(connection).await
}

/// Takes a job back before anybody has begun it; false when somebody has.
///
/// # Errors
/// When the database fails.
pub async fn withdraw(connection: &mut PgConnection, id: JobId) -> Result<bool> {
    let removed = sqlx::query("delete from background_jobs where id = $1 and state = 'queued'")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(removed.rows_affected() == 1)
}

/// The pause after a failed attempt: doubled each time, shortened by up to a quarter (`jitter` from 0 to 1) so that
/// jobs that failed together do not return together.
fn pause_after(attempt: i32, jitter: f64) -> Duration {
    let doublings = u32::try_from(attempt.clamp(1, 20) - 1).unwrap_or_default();
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE).mul_f64(1.0 - jitter / 4.0)
}

/// Jobs whose worker stopped answering.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Waiting again.
    pub queued: usize,
    /// Dead, because it was their last attempt.
    pub dead: usize,
}

/// Takes jobs out of the hands of workers whose lease has ended. To be called every few seconds.
///
/// # Errors
/// When the database fails.
pub async fn reclaim_expired(connection: &mut PgConnection) -> Result<Reclaimed> {
    let states: Vec<String> = sqlx::query_scalar(
        "update background_jobs
         set state = case when attempts >= max_attempts then 'dead' else 'queued' end,
             finished = case when attempts >= max_attempts then clock_timestamp() end,
             last_error = 'The worker stopped answering', locked_by = null, locked_until = null
         where id in (
             select id from background_jobs
             where state = 'running' and locked_until < clock_timestamp()
             for update skip locked
         )
         returning state",
    )
    .fetch_all(&mut *connection)
    .await?;
    let dead = states.iter().filter(|state| *state == "dead").count();
    let reclaimed = Reclaimed { queued: states.len() - dead, dead };
    if reclaimed.queued > 0 {
        wake(connection).await?;
    }
    Ok(reclaimed)
}

/// How long it takes until the next waiting job of these kinds is due; zero when one is due already.
///
/// # Errors
/// When the database fails.
pub async fn next_due(connection: &mut PgConnection, kinds: &[&str]) -> Result<Option<Duration>> {
    let seconds: Option<f64> = sqlx::query_scalar(
        "select greatest(0, extract(epoch from min(run_at) - clock_timestamp()))::double precision
         from background_jobs where state = 'queued' and kind = any ($1) having count(*) > 0",
    )
    .bind(kinds)
    .fetch_optional(connection)
    .await?;
    Ok(seconds.map(Duration::from_secs_f64))
}

/// Whether a waiting job of these kinds is due.
///
/// # Errors
/// When the database fails.
pub async fn has_due(connection: &mut PgConnection, kinds: &[&str]) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (
             select from background_jobs
             where state = 'queued' and run_at <= clock_timestamp() and kind = any ($1)
         )",
    )
    .bind(kinds)
    .fetch_one(connection)
    .await?)
}

/// Removes jobs that were done longer ago than `older_than`, at most 10,000 at a time; answers how many. Dead jobs
/// stay until somebody has dealt with them.
///
/// # Errors
/// When the database fails.
pub async fn purge_finished(connection: &mut PgConnection, older_than: Duration) -> Result<u64> {
    let removed = sqlx::query(
        "delete from background_jobs
         where id in (
             select id from background_jobs
             where state = 'done' and finished < clock_timestamp() - $1
             order by finished limit 10000
             for update skip locked
         )",
    )
    .bind(interval(older_than)?)
    .execute(connection)
    .await?;
    Ok(removed.rows_affected())
}

fn interval(duration: Duration) -> Result<PgInterval> {
    let microseconds = i64::try_from(duration.as_micros()).map_err(Error::internal)?;
    Ok(PgInterval { months: 0, days: 0, microseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour_and_vary_by_a_quarter() {
        let seconds: Vec<f64> = (1..=5).map(|attempt| pause_after(attempt, 0.0).as_secs_f64()).collect();
        assert_eq!(seconds, [5.0, 10.0, 20.0, 40.0, 80.0]);
        assert_eq!(pause_after(i32::MAX, 0.0), LONGEST_PAUSE);
        assert_eq!(pause_after(0, 0.0), FIRST_PAUSE);
        assert_eq!(pause_after(1, 1.0), Duration::from_millis(3750));
    }
}
