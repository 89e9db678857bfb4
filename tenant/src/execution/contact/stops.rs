//! The stops of runs as they are now.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use routewright_core::Result;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::difference::{Stop, StopChange, between};

#[derive(FromRow)]
struct Row {
    run_id: i64,
    job_id: i64,
    uid: String,
    name: String,
    seq: i32,
    eta: Option<DateTime<Utc>>,
    arrive_after: Option<String>,
    leave_by: Option<String>,
    customer_instructions: Option<String>,
    customer_safe_place: Option<String>,
}

/// The stops of each run in their order.
///
/// # Errors
/// Database faults.
pub(super) async fn of_runs(connection: &mut PgConnection, runs: &[i64]) -> Result<BTreeMap<i64, Vec<Stop>>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select run_id, id as job_id, uid, coalesce(customer_name, uid) as name, seq, eta,
             to_char(arrive_after, 'HH24:MI') as arrive_after, to_char(leave_by, 'HH24:MI') as leave_by,
             customer_instructions, customer_safe_place
         from jobs where run_id = any($1) order by run_id, seq",
    )
    .bind(runs)
    .fetch_all(connection)
    .await?;
    let mut stops: BTreeMap<i64, Vec<Stop>> = BTreeMap::new();
    for row in rows {
        stops.entry(row.run_id).or_default().push(Stop {
            job_id: row.job_id,
            uid: row.uid,
            name: row.name,
            seq: row.seq,
            eta: row.eta,
            window: [row.arrive_after, row.leave_by],
            wishes: [row.customer_instructions, row.customer_safe_place],
        });
    }
    Ok(stops)
}

/// What the office changed of the stops that are still to be made.
///
/// # Errors
/// Database faults.
pub(super) async fn changes(
    connection: &mut PgConnection,
    seen: &[Stop],
    now: &[Stop],
) -> Result<Vec<StopChange>> {
    let changes = between(seen, now);
    if changes.is_empty() {
        return Ok(changes);
    }
    let jobs: Vec<i64> = changes.iter().map(|change| change.job_id).collect();
    let made: Vec<i64> = sqlx::query_scalar("select distinct job_id from job_proofs where job_id = any($1)")
        .bind(jobs)
        .fetch_all(connection)
        .await?;
    let made: HashSet<i64> = made.into_iter().collect();
    Ok(changes.into_iter().filter(|change| !made.contains(&change.job_id)).collect())
}
