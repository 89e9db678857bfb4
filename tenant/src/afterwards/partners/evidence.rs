//! What was recorded about the jobs of runs, for the distributor's zip.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

/// A unit of a job, or the job itself when it has none, with its latest proof.
#[derive(Debug, FromRow)]
pub(super) struct Delivered {
    pub(super) run_id: i64,
    pub(super) run: String,
    pub(super) date: NaiveDate,
    pub(super) job: String,
    pub(super) reference: Option<String>,
    pub(super) invoice: Option<String>,
    pub(super) customer: Option<String>,
    pub(super) unit: Option<String>,
    pub(super) success: Option<bool>,
    pub(super) reason: Option<String>,
    pub(super) at: Option<DateTime<Utc>>,
    pub(super) signature_name: Option<String>,
    pub(super) photos: i64,
}

/// A photo or signature of a job.
#[derive(Debug, FromRow)]
pub(super) struct Picture {
    pub(super) job: String,
    pub(super) job_id: i64,
    pub(super) kind: String,
    pub(super) storage_key: String,
    /// Bytes.
    pub(super) size: i64,
}

/// Rows of these runs, in the order of runs and stops. A unit without a proof of its own has its job's.
pub(super) async fn delivered(
    connection: &mut PgConnection,
    caller: &Caller,
    runs: &[i64],
) -> Result<Vec<Delivered>> {
    Ok(sqlx::query_as(
        "select r.id as run_id, r.uid as run, s.scheduled_date as date, j.uid as job, j.reference, j.invoice,
             j.customer_name as customer, u.uid as unit, coalesce(own.success, latest.success) as success,
             coalesce(own.reason, latest.reason) as reason, coalesce(own.at, latest.at) as at,
             coalesce(own.signature_name, latest.signature_name) as signature_name,
             (coalesce(cardinality(own.photo_ids), 0) + coalesce(cardinality(latest.photo_ids), 0))::bigint as photos
         from runs r join scenarios s on s.id = r.scenario_id join jobs j on j.run_id = r.id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
             left join units u on u.job_id = j.id
             left join lateral (
                 select p.success, e.name as reason, p.record_time as at, p.signature_name, p.photo_ids
                 from unit_proofs p left join reasons e on e.id = p.reason_id
                 where p.unit_id = u.id and p.mode = 'deliver' order by p.record_time desc, p.id desc limit 1
             ) own on true
             left join lateral (
                 select p.success, e.name as reason, p.record_time as at, p.signature_name, p.photo_ids
                 from job_proofs p left join reasons e on e.id = p.reason_id
                 where p.job_id = j.id order by p.record_time desc, p.id desc limit 1
             ) latest on true
         where r.id = any($1) and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by r.id, j.seq, u.id",
    )
    .bind(runs)
    .bind(caller.haulier_id())
    .fetch_all(connection)
    .await?)
}

/// Photos and signatures of the jobs and units of these runs.
pub(super) async fn pictures(
    connection: &mut PgConnection,
    caller: &Caller,
    runs: &[i64],
) -> Result<Vec<Picture>> {
    Ok(sqlx::query_as(
        "select j.uid as job, j.id as job_id, p.kind, f.storage_key, f.size
         from (
             select job_id, 'photo' as kind, unnest(photo_ids) as file_id from job_proofs
             union all
             select job_id, 'signature', signature_id from job_proofs
             union all
             select u.job_id, 'photo', unnest(p.photo_ids) from unit_proofs p join units u on u.id = p.unit_id
             union all
             select u.job_id, 'signature', p.signature_id from unit_proofs p join units u on u.id = p.unit_id
         ) p
             join jobs j on j.id = p.job_id join runs r on r.id = j.run_id join files f on f.id = p.file_id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where j.run_id = any($1) and f.state = 'ready' and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by j.run_id, j.seq, p.kind, f.id",
    )
    .bind(runs)
    .bind(caller.haulier_id())
    .fetch_all(connection)
    .await?)
}
