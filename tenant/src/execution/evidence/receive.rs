//! A phone hands in a record.

use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Kind, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::file::{Filed, Filing};
use super::model::{Record, RecordKind, clock_skew};
use crate::app::App;
use crate::execution::{contact, runsheet};
use crate::planning::runs::Run;

/// What became of a record.
#[derive(Serialize, JsonSchema, FromRow)]
#[schemars(rename = "ReceivedRecord")]
pub(super) struct Received {
    /// Its id.
    id: Uuid,
    /// Number of the evidence that it is.
    evidence_id: i64,
    /// `filed`; `moved`: its job is on another run meanwhile; `open`: the office decides on it; later also `assigned` and
    /// `dismissed`.
    state: String,
    /// What the office will look at.
    problem: Option<String>,
    /// When it came.
    received_at: DateTime<Utc>,
}

/// `POST /v2/runsheet/records`: stores a record once. It is never refused for what the office did meanwhile.
pub(super) async fn receive(
    mut db: Db,
    State(app): State<App>,
    Body(record): Body<Record>,
) -> Result<Created<Received>> {
    record.check()?;
    let caller = db.caller().clone();
    let sheet = caller.run_id().ok_or_else(Error::bad_token)?;
    // First the plan, then what is in it, as every change of a plan does.
    let run = match runsheet::lock_own(&mut db, &caller).await {
        Ok(run) => Some(run),
        Err(error) if error.kind() == Kind::NotFound => None,
        Err(error) => return Err(error),
    };
    let received = caller.now(&app.clock);
    contact::heard(&mut db, sheet, received).await?;
    let skew = clock_skew(record.sent_at, received);
    if let Some(id) = claim(&mut db, &record, sheet, run.as_ref(), (received, skew)).await? {
        let filed = file(&mut db, &app, &caller, run.as_ref(), record.clone().timed(skew)).await?;
        settle(&mut db, id, &record, &filed).await?;
    }
    let stored: Received = sqlx::query_as(
        "select uid as id, id as evidence_id, state, problem, received_at from evidence where sheet_id = $1 and uid = $2",
    )
    .bind(sheet)
    .bind(record.id)
    .fetch_one(&mut *db)
    .await?;
    Ok(Created(stored))
}

/// Keeps a record as it came; none when it is there already. While another request of it is carried out, this one waits.
async fn claim(
    connection: &mut PgConnection,
    record: &Record,
    sheet: i64,
    run: Option<&Run>,
    (received, skew): (DateTime<Utc>, Option<f64>),
) -> Result<Option<i64>> {
    let (photos, signature) = record.files();
    Ok(sqlx::query_scalar(
        "insert into evidence (uid, sheet_id, run_id, run_uid, kind, job_uid, content, photo_ids, signature_id,
             captured_at, sent_at, received_at, clock_skew, state)
         select $1, $2, $3, coalesce($4, (select uid from ended_runsheets where run_id = $2), ''), $5, $6, $7,
             coalesce((select array_agg(f.id order by array_position($8, f.id)) from files f
                 where f.id = any($8) and f.state = 'ready' and f.created_by is null
                     and f.created_by_run is not distinct from $3), '{}'),
             (select f.id from files f
              where f.id = $9 and f.state = 'ready' and f.created_by is null
                  and f.created_by_run is not distinct from $3),
             $10, $11, $12, $13, 'open'
         on conflict on constraint evidence_uid_key do nothing returning id",
    )
    .bind(record.id)
    .bind(sheet)
    .bind(run.map(|run| run.id))
    .bind(run.map(|run| &run.uid))
    .bind(record.kind.name())
    .bind(&record.job_uid)
    .bind(record.kept()?)
    .bind(photos)
    .bind(signature)
    .bind(record.captured_at)
    .bind(record.sent_at)
    .bind(received)
    .bind(skew)
    .fetch_optional(connection)
    .await?)
}

async fn file(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    run: Option<&Run>,
    record: Record,
) -> Result<Filed> {
    let Some(run) = run else {
        let problems = vec!["The run was deleted meanwhile".to_owned()];
        return Ok(Filed { moved: false, problems });
    };
    let mut filing = Filing { connection, app, caller, run: Some(run.id), filed: Filed::default() };
    match record.kind {
        RecordKind::Stop => filing.stop(&record).await?,
        RecordKind::Start | RecordKind::End => filing.route(&record, run).await?,
        RecordKind::Note => {}
    }
    Ok(filing.filed)
}

/// Notes what became of it, and the job that it is stored with.
async fn settle(connection: &mut PgConnection, id: i64, record: &Record, filed: &Filed) -> Result<()> {
    let state = match (filed.problems.is_empty(), filed.moved) {
        (false, _) => "open",
        (true, true) => "moved",
        // Somebody has to read it.
        (true, false) if record.kind == RecordKind::Note => "open",
        (true, false) => "filed",
    };
    sqlx::query(
        "update evidence set state = $2, problem = $3, job_id = (select j.id from jobs j where j.id = $4
             and exists (select from runsheet_jobs s where s.run_id = evidence.sheet_id and s.job_id = j.id))
         where id = $1",
    )
    .bind(id)
    .bind(state)
    .bind((!filed.problems.is_empty()).then(|| filed.problems.join("; ")))
    .bind(record.job_id)
    .execute(connection)
    .await?;
    Ok(())
}
