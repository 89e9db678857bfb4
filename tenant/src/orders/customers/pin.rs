//! The PIN of a delivery, which its customer is told and tells the driver. It is derived from the deployment's key and the
//! job's tracking number and stored nowhere: neither the run sheet nor the database holds anything from which it could be
//! guessed. It is compared here, when the driver has a connection or the record arrives.

use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use crate::app::App;

/// Wrong ones after which none counts any more.
const MOST_WRONG: i32 = 5;

/// What became of a PIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Whether it is the customer's.
    pub(crate) ok: bool,
    /// Wrong ones that are still taken.
    pub(crate) left: i32,
}

/// The PIN of a job: six digits.
///
/// # Errors
/// 401 for callers without an organisation.
pub(crate) fn pin(app: &App, caller: &Caller, job: i64, tracking_token: &str) -> Result<String> {
    let seal =
        app.gate.links.seal(&format!("delivery pin {} {job} {tracking_token}", caller.organisation()?));
    let number = seal
        .bytes()
        .take(15)
        .fold(0_u64, |sum, digit| sum * 16 + u64::from(char::from(digit).to_digit(16).unwrap_or_default()));
    Ok(format!("{:06}", number % 1_000_000))
}

/// Compares what a driver was told. Wrong ones are counted, and after some of them the right one is wrong too. None when there
/// is no such job.
///
/// # Errors
/// Database faults.
pub(crate) async fn compare(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    job: i64,
    given: &str,
) -> Result<Option<Compared>> {
    let token: Option<String> = sqlx::query_scalar("select tracking_token from jobs where id = $1")
        .bind(job)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(token) = token else { return Ok(None) };
    sqlx::query("insert into job_pin_tries (job_id) values ($1) on conflict do nothing")
        .bind(job)
        .execute(&mut *connection)
        .await?;
    // Two phones count one after the other.
    let wrong: i32 = sqlx::query_scalar("select wrong from job_pin_tries where job_id = $1 for update")
        .bind(job)
        .fetch_one(&mut *connection)
        .await?;
    let left = MOST_WRONG - wrong;
    if left <= 0 || pin(app, caller, job, &token)? == given.trim() {
        return Ok(Some(Compared { ok: left > 0, left: left.max(0) }));
    }
    sqlx::query("update job_pin_tries set wrong = wrong + 1 where job_id = $1")
        .bind(job)
        .execute(connection)
        .await?;
    Ok(Some(Compared { ok: false, left: left - 1 }))
}
