//! The four inserts. A proof that is there already is left as it is.

use routewright_core::Result;
use serde_json::Value;
use sqlx::postgres::PgConnection;

/// Inserts `row` unless the same proof (subject, mode, record time) is there. Answers its id and whether it is new.
pub(super) async fn once(connection: &mut PgConnection, kind: &str, row: &Value) -> Result<(i64, bool)> {
    let made: Option<i64> = match kind {
        "job" => sqlx::query_scalar(
            "insert into job_proofs (job_id, run_id, success, reason_id, record_time, lat, lon, signature_id,
                 signature_name, photo_ids, comments, delivered_size, age_check, pin_ok, distance, device, missing)
             select job_id, run_id, success, reason_id, record_time, lat, lon, signature_id, signature_name, photo_ids,
                 comments, delivered_size, age_check, pin_ok, distance, device, missing
             from jsonb_populate_record(null::job_proofs, $1)
             on conflict on constraint job_proofs_subject_key do nothing returning id",
        ),
        "unit" => sqlx::query_scalar(
            "insert into unit_proofs (unit_id, job_id, run_id, container_id, mode, success, reason_id, record_time, lat,
                 lon, signature_id, signature_name, photo_ids, comments)
             select unit_id, job_id, run_id, container_id, mode, success, reason_id, record_time, lat, lon, signature_id,
                 signature_name, photo_ids, comments
             from jsonb_populate_record(null::unit_proofs, $1)
             on conflict on constraint unit_proofs_subject_key do nothing returning id",
        ),
        "return" => sqlx::query_scalar(
            "insert into return_proofs (return_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon,
                 signature_id, signature_name, photo_ids, comments)
             select return_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon, signature_id,
                 signature_name, photo_ids, comments
             from jsonb_populate_record(null::return_proofs, $1)
             on conflict on constraint return_proofs_subject_key do nothing returning id",
        ),
        _ => sqlx::query_scalar(
            "insert into container_proofs (container_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon,
                 signature_id, signature_name, photo_ids, comments)
             select container_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon, signature_id,
                 signature_name, photo_ids, comments
             from jsonb_populate_record(null::container_proofs, $1)
             on conflict on constraint container_proofs_subject_key do nothing returning id",
        ),
    }
    .bind(row)
    .fetch_optional(&mut *connection)
    .await?;
    match made {
        Some(id) => Ok((id, true)),
        None => Ok((present(connection, kind, row).await?, false)),
    }
}

/// Whether the job's proof of that moment is there.
pub(super) async fn is_there(connection: &mut PgConnection, row: &Value) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from job_proofs p join jsonb_populate_record(null::job_proofs, $1) g
             on g.job_id = p.job_id and g.record_time = p.record_time)",
    )
    .bind(row)
    .fetch_one(connection)
    .await?)
}

async fn present(connection: &mut PgConnection, kind: &str, row: &Value) -> Result<i64> {
    let id = match kind {
        "job" => sqlx::query_scalar(
            "select p.id from job_proofs p join jsonb_populate_record(null::job_proofs, $1) g
                 on g.job_id = p.job_id and g.record_time = p.record_time",
        ),
        "unit" => sqlx::query_scalar(
            "select p.id from unit_proofs p join jsonb_populate_record(null::unit_proofs, $1) g
                 on g.unit_id = p.unit_id and g.mode = p.mode and g.record_time = p.record_time",
        ),
        "return" => sqlx::query_scalar(
            "select p.id from return_proofs p join jsonb_populate_record(null::return_proofs, $1) g
                 on g.return_id = p.return_id and g.mode = p.mode and g.record_time = p.record_time",
        ),
        _ => sqlx::query_scalar(
            "select p.id from container_proofs p join jsonb_populate_record(null::container_proofs, $1) g
                 on g.container_id = p.container_id and g.job_id is not distinct from p.job_id
                 and g.mode is not distinct from p.mode and g.record_time = p.record_time",
        ),
    }
    .bind(row)
    .fetch_one(connection)
    .await?;
    Ok(id)
}
