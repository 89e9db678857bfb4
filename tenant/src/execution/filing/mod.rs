//! Uploads that go where their names say (S-18): a file of jobs into its scenario, a picture to the proof of its job. A name
//! that no pattern knows makes an ordinary upload.

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use chrono::NaiveDate;
use routewright_core::{Access, Error, Given, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::{Db, LateDb};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::execution::proofs;
use crate::orders::imports::{self, Imported, Rows};
use crate::planning::scenarios::{self, ScenarioFields};
use crate::setup::filename_regex::{self, Match};
use crate::setup::files::{self, Incoming, Uploaded};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    // The door for uploads has its own, larger limit.
    Routes::new()
        .post("/files/upload", Access::SIGNED_IN, upload)
        .layer(DefaultBodyLimit::max(files::LARGEST_FORM))
}

/// An upload and where it was filed.
#[derive(Serialize, JsonSchema)]
struct FiledUpload {
    /// The file.
    #[serde(flatten)]
    file: Uploaded,
    /// Where its name sent it; null for an ordinary upload.
    filed: Option<Filed>,
}

/// Where an upload was filed.
#[derive(Serialize, JsonSchema)]
struct Filed {
    /// The pattern that knew the name.
    filename_regex_id: i64,
    /// `job_import` or `proof_file`.
    target: String,
    /// The scenario that the jobs went to.
    scenario_id: Option<i64>,
    /// What the import did.
    imported: Option<Imported>,
    /// The job that the picture belongs to.
    job_id: Option<i64>,
    /// The proof that it was added to.
    proof_id: Option<i64>,
    /// Why it is nowhere but among the files.
    reason: Option<String>,
}

impl Filed {
    fn under(found: &Match) -> Self {
        Self {
            filename_regex_id: found.id,
            target: found.target.clone(),
            scenario_id: None,
            imported: None,
            job_id: None,
            proof_id: None,
            reason: None,
        }
    }
}

/// `POST /files/upload`.
async fn upload(
    caller: Caller,
    State(app): State<App>,
    late: LateDb,
    file: Incoming,
) -> Result<Json<FiledUpload>> {
    // A logo is a logo, whatever its name.
    let logo = file.prefix().is_some_and(|prefix| prefix.starts_with("logo"));
    let (name, bytes) = (file.name().to_owned(), file.bytes());
    let mut db = late.open().await?;
    let found = if logo { None } else { known(&mut db, &caller, &name).await? };
    let Some(found) = found else {
        let brought = db.outside(files::by_user(&app, &caller, file)).await??;
        return Ok(Json(FiledUpload { file: brought.ready(&mut db).await?, filed: None }));
    };
    if found.target == "job_import" {
        // What cannot be read is refused before anything is kept; of what cannot be imported the bytes are tidied away.
        let rows = db.outside(imports::rows(&app, &caller, bytes)).await??;
        let brought = db.outside(files::by_user(&app, &caller, file)).await??;
        let filed = import(&mut db, &app, &found, rows).await?;
        return Ok(Json(FiledUpload { file: brought.ready(&mut db).await?, filed: Some(filed) }));
    }
    let brought = db.outside(files::by_user(&app, &caller, file)).await??;
    let file = brought.ready(&mut db).await?;
    let filed = attach(&mut db, &caller, &found, file.id).await?;
    Ok(Json(FiledUpload { file, filed: Some(filed) }))
}

/// The pattern that knows a name, for callers who may do what it wants.
async fn known(connection: &mut PgConnection, caller: &Caller, name: &str) -> Result<Option<Match>> {
    let found = filename_regex::first_match(connection, name).await?;
    Ok(found.filter(|found| match found.target.as_str() {
        "job_import" => caller.holds("jobs_write") && caller.holds("scenarios_write"),
        _ => caller.holds("proofs_write"),
    }))
}

async fn import(db: &mut Db, app: &App, found: &Match, rows: Rows) -> Result<Filed> {
    let answers = imports::look_up(db, app, &rows.rows).await?;
    let scenario = scenario(db, app, found).await?;
    let imported = imports::import(db, app, rows, scenario, answers).await?;
    Ok(Filed { scenario_id: Some(scenario), imported: Some(imported), ..Filed::under(found) })
}

/// The scenario of that name and date, made when there is none.
async fn scenario(db: &mut Db, app: &App, found: &Match) -> Result<i64> {
    let name = found.groups.get("scenario").map(|name| name.trim()).filter(|name| !name.is_empty());
    if name.is_none() && found.date.is_none() {
        return Err(Error::field("file", "The name of the file says neither scenario nor date"));
    }
    let known: Option<i64> = sqlx::query_scalar(
        "select id from scenarios
         where ($1::text is null or lower(name) = lower($1)) and ($2::date is null or scheduled_date = $2)
         order by scheduled_date desc, id desc limit 1",
    )
    .bind(name)
    .bind(found.date)
    .fetch_optional(&mut **db)
    .await?;
    if let Some(known) = known {
        return Ok(known);
    }
    let date: NaiveDate = match found.date {
        Some(date) => date,
        None => db.caller().policy()?.today(&app.clock),
    };
    let fields = ScenarioFields {
        name: Some(name.map_or_else(|| date.to_string(), str::to_owned)),
        scheduled_date: Some(date),
        ..ScenarioFields::default()
    };
    Ok(scenarios::insert(db, app, Given::of(fields)?).await?.id)
}

/// Adds a file to the latest proof of the job that its name tells.
async fn attach(db: &mut Db, caller: &Caller, found: &Match, file: i64) -> Result<Filed> {
    let mut filed = Filed::under(found);
    let Some(uid) = found.groups.get("job_uid") else {
        filed.reason = Some("The name of the file says no job".to_owned());
        return Ok(filed);
    };
    filed.job_id = sqlx::query_scalar(
        "select j.id from jobs j left join scenarios s on s.id = j.scenario_id left join clients c on c.id = j.client_id
         where lower(j.uid) = lower($1) and ($2::date is null or s.scheduled_date = $2)
             and ($3::text is null or lower(c.uid) = lower($3))
             and ($4::bigint is null or exists (
                 select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                 where r.id = j.run_id and (d.haulier_id = $4 or v.haulier_id = $4)))
         order by s.scheduled_date desc nulls last, j.id desc limit 1",
    )
    .bind(uid)
    .bind(found.date)
    .bind(found.groups.get("client_uid"))
    .bind(caller.haulier_id())
    .fetch_optional(&mut **db)
    .await?;
    match filed.job_id {
        Some(job) => {
            filed.proof_id = proofs::add_photo(db, caller, job, file).await?;
            if filed.proof_id.is_none() {
                filed.reason = Some("The job has no proof yet".to_owned());
            }
        }
        None => filed.reason = Some(format!("Job {uid} not found")),
    }
    Ok(filed)
}
