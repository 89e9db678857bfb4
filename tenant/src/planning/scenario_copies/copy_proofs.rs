//! Copies proofs. Photos and signatures are the same files: a file stays while any proof shows it.

use routewright_core::Result;
use routewright_tenancy::Db;

use super::copy::{Ids, Shift, columns};

/// What was copied, and as what.
pub(super) struct Subjects {
    pub jobs: Ids,
    pub units: Ids,
    pub returns: Ids,
    pub runs: Ids,
}

/// Copies the proofs of everything that was copied.
pub(super) async fn copy(db: &mut Db, subjects: &Subjects, shift: &Shift) -> Result<()> {
    job_proofs(db, subjects, shift).await?;
    unit_proofs(db, subjects, shift).await?;
    return_proofs(db, subjects, shift).await?;
    run_proofs(db, subjects, shift).await
}

async fn job_proofs(db: &mut Db, subjects: &Subjects, shift: &Shift) -> Result<()> {
    let (old_jobs, new_jobs) = columns(&subjects.jobs);
    let (old_runs, new_runs) = columns(&subjects.runs);
    sqlx::query(
        "insert into job_proofs (job_id, run_id, success, reason_id, record_time, lat, lon, signature_id, signature_name,
             photo_ids, comments)
         select job.new_id, run.new_id, p.success, p.reason_id,
             ((p.record_time at time zone $6) + make_interval(days => $5)) at time zone $6, p.lat, p.lon, p.signature_id,
             p.signature_name, p.photo_ids, p.comments
         from unnest($1::bigint[], $2::bigint[]) as job (old_id, new_id) join job_proofs p on p.job_id = job.old_id
             left join unnest($3::bigint[], $4::bigint[]) as run (old_id, new_id) on run.old_id = p.run_id
         order by p.id
         on conflict on constraint job_proofs_subject_key do nothing",
    )
    .bind(old_jobs)
    .bind(new_jobs)
    .bind(old_runs)
    .bind(new_runs)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}

async fn unit_proofs(db: &mut Db, subjects: &Subjects, shift: &Shift) -> Result<()> {
    let (old_units, new_units) = columns(&subjects.units);
    let (old_jobs, new_jobs) = columns(&subjects.jobs);
    let (old_runs, new_runs) = columns(&subjects.runs);
    sqlx::query(
        "insert into unit_proofs (unit_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon, signature_id,
             signature_name, photo_ids, comments)
         select unit.new_id, job.new_id, run.new_id, p.mode, p.success, p.reason_id,
             ((p.record_time at time zone $8) + make_interval(days => $7)) at time zone $8, p.lat, p.lon, p.signature_id,
             p.signature_name, p.photo_ids, p.comments
         from unnest($1::bigint[], $2::bigint[]) as unit (old_id, new_id) join unit_proofs p on p.unit_id = unit.old_id
             left join unnest($3::bigint[], $4::bigint[]) as job (old_id, new_id) on job.old_id = p.job_id
             left join unnest($5::bigint[], $6::bigint[]) as run (old_id, new_id) on run.old_id = p.run_id
         order by p.id
         on conflict on constraint unit_proofs_subject_key do nothing",
    )
    .bind(old_units)
    .bind(new_units)
    .bind(old_jobs)
    .bind(new_jobs)
    .bind(old_runs)
    .bind(new_runs)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}

async fn return_proofs(db: &mut Db, subjects: &Subjects, shift: &Shift) -> Result<()> {
    let (old_returns, new_returns) = columns(&subjects.returns);
    let (old_jobs, new_jobs) = columns(&subjects.jobs);
    let (old_runs, new_runs) = columns(&subjects.runs);
    sqlx::query(
        "insert into return_proofs (return_id, job_id, run_id, mode, success, reason_id, record_time, lat, lon, signature_id,
             signature_name, photo_ids, comments)
         select item.new_id, job.new_id, run.new_id, p.mode, p.success, p.reason_id,
             ((p.record_time at time zone $8) + make_interval(days => $7)) at time zone $8, p.lat, p.lon, p.signature_id,
             p.signature_name, p.photo_ids, p.comments
         from unnest($1::bigint[], $2::bigint[]) as item (old_id, new_id) join return_proofs p on p.return_id = item.old_id
             left join unnest($3::bigint[], $4::bigint[]) as job (old_id, new_id) on job.old_id = p.job_id
             left join unnest($5::bigint[], $6::bigint[]) as run (old_id, new_id) on run.old_id = p.run_id
         order by p.id
         on conflict on constraint return_proofs_subject_key do nothing",
    )
    .bind(old_returns)
    .bind(new_returns)
    .bind(old_jobs)
    .bind(new_jobs)
    .bind(old_runs)
    .bind(new_runs)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}

async fn run_proofs(db: &mut Db, subjects: &Subjects, shift: &Shift) -> Result<()> {
    let (old_runs, new_runs) = columns(&subjects.runs);
    sqlx::query(
        "insert into run_proofs (run_id, mode, record_time, odometer, photo_ids, signature_id, lat, lon)
         select run.new_id, p.mode, ((p.record_time at time zone $4) + make_interval(days => $3)) at time zone $4, p.odometer,
             p.photo_ids, p.signature_id, p.lat, p.lon
         from unnest($1::bigint[], $2::bigint[]) as run (old_id, new_id) join run_proofs p on p.run_id = run.old_id
         order by p.id
         on conflict on constraint run_proofs_subject_key do nothing",
    )
    .bind(old_runs)
    .bind(new_runs)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}
