//! Reading what is sealed of a job, and what of it is still there.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use routewright_core::Result;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::chain::Seal;
use crate::setup::files;

/// A record of a job, by its row.
#[derive(Debug, FromRow)]
pub(super) struct Record {
    /// Its table.
    pub(super) kind: String,
    pub(super) id: i64,
    /// When it happened.
    pub(super) recorded_at: DateTime<Utc>,
    pub(super) mode: Option<String>,
    /// Code of the unit, return or container.
    pub(super) item: Option<String>,
    /// Whether it is older than the seals.
    pub(super) before: bool,
}

/// A seal with what its record says now, where it is the last one of its record.
#[derive(Debug, FromRow)]
pub(super) struct Row {
    #[sqlx(flatten)]
    pub(super) seal: Seal,
    pub(super) last: bool,
    /// What was sealed of the record, as it is now; none where it is gone.
    pub(super) now: Option<String>,
}

/// What is known of a job's proofs.
#[derive(Debug)]
pub(super) struct Sealed {
    pub(super) records: Vec<Record>,
    /// Chains in which the job has something, each in its order.
    pub(super) rows: Vec<Row>,
    /// Records of these runs that were made since there are seals and have none.
    pub(super) without: Vec<(String, i64)>,
    /// Storage keys of files.
    pub(super) keys: HashMap<i64, String>,
}

/// SQL of the records of the job $1, the oldest first.
const RECORDS: &str = "select r.kind, r.id, r.recorded_at, r.mode, r.item, r.id <= b.last_id as before from (
         select 'job_proofs' as kind, p.id, p.record_time as recorded_at, null as mode, null as item
         from job_proofs p where p.job_id = $1
         union all
         select 'unit_proofs', p.id, p.record_time, p.mode, u.uid
         from unit_proofs p join units u on u.id = p.unit_id where coalesce(p.job_id, u.job_id) = $1
         union all
         select 'return_proofs', p.id, p.record_time, p.mode, t.uid
         from return_proofs p join returns t on t.id = p.return_id where coalesce(p.job_id, t.job_id) = $1
         union all
         select 'container_proofs', p.id, p.record_time, p.mode, c.uid
         from container_proofs p join containers c on c.id = p.container_id
         where exists (select from units u where u.container_id = p.container_id
             and u.job_id = coalesce(p.job_id, u.job_id) and u.job_id = $1)
         union all
         select 'evidence', e.id, e.captured_at, e.kind, null from evidence e where e.job_id = $1
     ) r join proof_seal_starts b on b.record_kind = r.kind order by r.recorded_at, r.kind, r.id";

/// What is sealed of a job. A container's proofs are those of all jobs that have something in it.
///
/// # Errors
/// Database faults.
pub(super) async fn of_job(connection: &mut PgConnection, job: i64) -> Result<Sealed> {
    let records: Vec<Record> = sqlx::query_as(RECORDS).bind(job).fetch_all(&mut *connection).await?;
    let (kinds, ids): (Vec<&str>, Vec<i64>) =
        records.iter().map(|record| (record.kind.as_str(), record.id)).unzip();
    let chains: Vec<i64> = sqlx::query_scalar(
        "select s.chain from unnest($2::text[], $3::bigint[]) as r (kind, id)
             join proof_seals s on s.record_kind = r.kind and s.record_id = r.id
         union select run_id from jobs where id = $1 and run_id is not null
         union select run_id from job_proofs where job_id = $1 and run_id is not null
         union select -$1",
    )
    .bind(job)
    .bind(kinds)
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select s.chain, s.number, s.record_kind, s.record_id, s.event, s.at, s.content, s.files, s.note, s.previous,
             s.seal, s.last, case when s.last then proof_now(s.record_kind, s.record_id) end as now
         from (
             select s.*, not exists (select from proof_seals l where l.record_kind = s.record_kind
                 and l.record_id = s.record_id and l.id > s.id) as last
             from proof_seals s where s.chain = any($1)
         ) s order by s.chain, s.number",
    )
    .bind(&chains)
    .fetch_all(&mut *connection)
    .await?;
    let without = without(connection, &chains).await?;
    let photos: Vec<i64> = rows.iter().flat_map(|row| row.seal.files.iter().map(|file| file.id)).collect();
    let keys = files::several(connection, &photos).await?;
    Ok(Sealed { records, rows, without, keys })
}

/// Records of runs that were made since there are seals and have none.
async fn without(connection: &mut PgConnection, chains: &[i64]) -> Result<Vec<(String, i64)>> {
    Ok(sqlx::query_as(
        "select r.kind, r.id from (
             select 'job_proofs' as kind, id from job_proofs where run_id = any($1)
             union all select 'unit_proofs', id from unit_proofs where run_id = any($1)
             union all select 'return_proofs', id from return_proofs where run_id = any($1)
             union all select 'container_proofs', id from container_proofs where run_id = any($1)
             union all select 'run_proofs', id from run_proofs where run_id = any($1)
             union all select 'checklist_submissions', id from checklist_submissions where run_id = any($1)
             union all select 'evidence', id from evidence where sheet_id = any($1)
         ) r join proof_seal_starts b on b.record_kind = r.kind and r.id > b.last_id
         where not exists (select from proof_seals s where s.record_kind = r.kind and s.record_id = r.id)",
    )
    .bind(chains)
    .fetch_all(connection)
    .await?)
}
