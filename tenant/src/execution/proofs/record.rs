//! Recording a proof, by a driver or by the office, with everything that follows from it.

use chrono::{DateTime, Duration, Utc};
use routewright_core::{Error, Given, Module, Result};
use routewright_identity::Caller;
use routewright_tenancy::resource;
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::demands::known_beside;
use super::insert;
use super::model::{ProofFields, Proven, check_fields, mode_of};
use crate::app::App;
use crate::execution::seals;
use crate::orders::customers::{self, Occasion};
use crate::orders::jobs;
use crate::planning::{eta, scenarios};
use crate::realtime::{self, Event};
use crate::setup::information::{self, ProofOfDelivery};
use crate::setup::{files, udf};

/// A recorded proof.
pub(crate) struct Recorded<R> {
    /// The proof as it is stored.
    pub(crate) proof: R,
    /// Whether the office had taken its subject off the driver's run meanwhile.
    pub(crate) moved: bool,
    /// Parts that are required and not there.
    pub(crate) missing: Vec<&'static str>,
}

/// What a proof is about, and where that belongs.
#[derive(Debug, Default, FromRow)]
struct Subject {
    job_id: Option<i64>,
    run_id: Option<i64>,
    scenario_id: Option<i64>,
    container_id: Option<i64>,
}

/// Records a proof. The driver of a `run` may record what is on it or was when his sheet was read, the office everything
/// it sees.
///
/// # Errors
/// 404 for a subject that is not there or not on the run; 400 naming the field.
pub(crate) async fn record<R: Proven>(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: Option<i64>,
    fields: &ProofFields,
) -> Result<Recorded<R>> {
    let given = Given::of(fields.clone())?;
    check_fields(fields, &given.fields)?;
    let mode = mode_of(R::KIND, fields.mode.as_deref())?;
    let (id, subject) = subject(connection, caller, run, R::KIND, fields).await?;
    check_evidence(connection, caller, run, fields).await?;
    let moved = run.is_some_and(|run| subject.run_id != Some(run));
    let mut row = row(fields, mode, id, &subject, run, record_time(app, caller, fields)?);
    let mut missing = Vec::new();
    if R::KIND == "job" && !insert::is_there(connection, &row).await? {
        missing = known_beside(connection, app, caller, (id, run), fields, &mut row).await?;
    }
    let (proof, is_new) = insert::once(connection, R::KIND, &row).await?;
    let proof: R = resource::find(connection, caller, proof).await?;
    if is_new {
        if let Some(job) = subject.job_id {
            seals::give(connection, app, caller, job).await?;
        }
        tell::<R>(connection, caller, &proof, &subject).await?;
        raise::<R>(connection, caller, &proof).await?;
        if R::KIND == "job"
            && let Some(job) = subject.job_id
        {
            tell_customer(connection, app, caller, job, proof.proof().success).await?;
            if let Some(run) = subject.run_id.filter(|_| !moved) {
                eta::refresh(connection, app, caller, run).await?;
                tell_next(connection, app, caller, run).await?;
            }
        }
        if let Some(scenario) = subject.scenario_id {
            scenarios::begin_tracking(connection, scenario).await?;
        }
    }
    Ok(Recorded { proof, moved, missing })
}

/// Finds what the proof is about. What the caller may not see is not there.
async fn subject(
    connection: &mut PgConnection,
    caller: &Caller,
    run: Option<i64>,
    kind: &str,
    fields: &ProofFields,
) -> Result<(i64, Subject)> {
    let (id, field, name) = match kind {
        "job" => (fields.job_id, "job_id", "Job"),
        "unit" => (fields.unit_id, "unit_id", "Unit"),
        "return" => (fields.return_id, "return_id", "Return"),
        _ => (fields.container_id, "container_id", "Container"),
    };
    let id = id.ok_or_else(|| Error::field(field, routewright_core::check::REQUIRED))?;
    let found: Option<Subject> = match kind {
        "job" => {
            sqlx::query_as(
                "select j.id as job_id, j.run_id, j.scenario_id, null::bigint as container_id
                 from jobs j where j.id = $1",
            )
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?
        }
        "unit" => {
            sqlx::query_as(
                "select u.job_id, j.run_id, j.scenario_id, u.container_id
                 from units u left join jobs j on j.id = u.job_id where u.id = $1",
            )
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?
        }
        "return" => {
            sqlx::query_as(
                "select t.job_id, j.run_id, j.scenario_id, null::bigint as container_id
                 from returns t left join jobs j on j.id = t.job_id where t.id = $1",
            )
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?
        }
        _ => container(connection, run, id, fields.job_id).await?,
    };
    let found = found.ok_or_else(|| Error::not_found(name))?;
    if let Some(run) = run.filter(|run| found.run_id != Some(*run))
        && !shown(connection, run, found.job_id).await?
    {
        return Err(Error::not_found(name));
    }
    if let Some(haulier) = caller.haulier_id() {
        let own: bool = sqlx::query_scalar(
            "select exists (select from runs r left join drivers d on d.id = r.driver_id
                 left join vehicles v on v.id = r.vehicle_id
                 where r.id = $1 and (d.haulier_id = $2 or v.haulier_id = $2))",
        )
        .bind(found.run_id)
        .bind(haulier)
        .fetch_one(connection)
        .await?;
        if !own {
            return Err(Error::not_found(name));
        }
    }
    Ok((id, found))
}

/// Notes which jobs a run sheet shows.
///
/// # Errors
/// Database faults.
pub(crate) async fn note_shown(connection: &mut PgConnection, run: i64, jobs: &[i64]) -> Result<()> {
    sqlx::query(
        "insert into runsheet_jobs (run_id, job_id)
         select $1, job from unnest($2::bigint[]) job
         where not exists (select from runsheet_jobs s where s.run_id = $1 and s.job_id = job)
         on conflict do nothing",
    )
    .bind(run)
    .bind(jobs)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether a run's sheet has shown a job.
async fn shown(connection: &mut PgConnection, run: i64, job: Option<i64>) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from runsheet_jobs where run_id = $1 and job_id = $2)")
        .bind(run)
        .bind(job)
        .fetch_one(connection)
        .await?)
}

/// A container has units of many jobs: the job that is named, else one of the run, else none.
async fn container(
    connection: &mut PgConnection,
    run: Option<i64>,
    id: i64,
    job: Option<i64>,
) -> Result<Option<Subject>> {
    let found: Option<Subject> = sqlx::query_as(
        "select $3::bigint as job_id, j.run_id, j.scenario_id, c.id as container_id
         from containers c left join units u on u.container_id = c.id left join jobs j on j.id = u.job_id
         where c.id = $1 and ($3::bigint is null or j.id = $3)
             and ($2::bigint is null or j.run_id = $2
                 or exists (select from runsheet_jobs s where s.run_id = $2 and s.job_id = j.id))
         order by j.run_id is not distinct from $2 desc, j.id limit 1",
    )
    .bind(id)
    .bind(run)
    .bind(job)
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

async fn check_evidence(
    connection: &mut PgConnection,
    caller: &Caller,
    run: Option<i64>,
    fields: &ProofFields,
) -> Result<()> {
    if let Some(reason) = fields.reason_id {
        let known: bool = sqlx::query_scalar("select exists (select from reasons where id = $1)")
            .bind(reason)
            .fetch_one(&mut *connection)
            .await?;
        if !known {
            return Err(Error::field("reason_id", "Reason not found"));
        }
    }
    let photos = fields.photo_ids.as_deref().unwrap_or_default();
    let settings: ProofOfDelivery = information::of(connection).await?;
    if photos.len() > settings.max_photos {
        return Err(Error::field("photo_ids", format!("At most {} photos", settings.max_photos)));
    }
    files::require(connection, caller, run, "photo_ids", photos).await?;
    let signature: Vec<i64> = fields.signature_id.into_iter().collect();
    files::require(connection, caller, run, "signature_id", &signature).await
}

fn record_time(app: &App, caller: &Caller, fields: &ProofFields) -> Result<DateTime<Utc>> {
    let now = caller.now(&app.clock);
    let at = fields.record_time.map_or(now, |time| time.0);
    // Devices' clocks are wrong by a time zone at most.
    if at > now + Duration::days(1) {
        return Err(Error::field("record_time", "Value lies in the future"));
    }
    Ok(at)
}

/// The row in column names; each table takes its own of them.
fn row(
    fields: &ProofFields,
    mode: Option<&'static str>,
    id: i64,
    subject: &Subject,
    run: Option<i64>,
    record_time: DateTime<Utc>,
) -> Value {
    let text = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    json!({
        "job_id": subject.job_id, "unit_id": id, "return_id": id, "container_id": subject.container_id,
        "run_id": run.or(subject.run_id), "mode": mode, "success": fields.success.unwrap_or(true), "reason_id": fields.reason_id,
        "record_time": record_time, "lat": fields.lat, "lon": fields.lon, "signature_id": fields.signature_id,
        "signature_name": text(&fields.signature_name), "photo_ids": fields.photo_ids.as_deref().unwrap_or_default(),
        "comments": text(&fields.comments), "delivered_size": text(&fields.delivered_size),
    })
}

async fn tell<R: Proven>(
    connection: &mut PgConnection,
    caller: &Caller,
    proof: &R,
    subject: &Subject,
) -> Result<()> {
    let Some(scenario) = subject.scenario_id else { return Ok(()) };
    let payload = json!({ "scenario_id": scenario, "kind": R::KIND, "proof": proof });
    realtime::record(connection, caller, scenario, Event::Proof, &payload).await
}

/// Tells the organisation's actions (S-16).
async fn raise<R: Proven>(connection: &mut PgConnection, caller: &Caller, proof: &R) -> Result<()> {
    let event = match R::KIND {
        "job" => "job_proof_created",
        "unit" => "unit_proof_created",
        _ => return Ok(()),
    };
    if !caller.has(Module::Udf) {
        return Ok(());
    }
    let proof = proof.proof();
    let reason: Option<String> = sqlx::query_scalar("select name from reasons where id = $1")
        .bind(proof.reason_id)
        .fetch_optional(&mut *connection)
        .await?;
    let data = json!({
        "id": proof.id, "job_id": proof.job_id, "unit_id": proof.unit_id, "run_id": proof.run_id, "mode": proof.mode,
        "success": proof.success, "reason": reason, "record_time": proof.record_time,
        "signature_name": proof.signature_name, "comments": proof.comments, "lat": proof.lat, "lon": proof.lon,
    });
    let effects = udf::raise(connection, caller, event, &data).await?;
    match proof.job_id {
        Some(job) => jobs::carry_out(connection, job, &effects).await,
        None => Ok(()),
    }
}

/// Tells the customer what became of the delivery.
async fn tell_customer(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    job: i64,
    success: bool,
) -> Result<()> {
    let occasion = if success { Occasion::Delivered } else { Occasion::Failed };
    customers::tell_all(connection, app, caller, (job, None), occasion, "proof").await
}

/// Tells the next customer of a run that the driver is coming.
async fn tell_next(connection: &mut PgConnection, app: &App, caller: &Caller, run: i64) -> Result<()> {
    let next: Option<i64> = sqlx::query_scalar(
        "select j.id from jobs j where j.run_id = $1
             and not exists (select from job_proofs p where p.job_id = j.id) order by j.seq limit 1",
    )
    .bind(run)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(next) = next else { return Ok(()) };
    let expected =
        eta::expected(connection, run, next, caller.now(&app.clock)).await?.map(|found| found.range());
    customers::tell_all(connection, app, caller, (next, expected), Occasion::Next, "run").await
}
