//! Proofs as a table per collection.

use std::io::{Cursor, Write};

use axum::extract::{RawQuery, State};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_documents::sheet::{Cell, Column, Csv, Sheet, workbook};
use routewright_governor::Kind;
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;
use zip::write::SimpleFileOptions;

use crate::app::App;

/// Most proofs of one file.
const MOST: i64 = 100_000;

/// Which proofs, and what kind of file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ProofsToExport")]
pub(super) struct Which {
    scenario_id: Option<i64>,
    /// Comma-joined or repeated.
    #[serde(default)]
    job_ids: Vec<String>,
    /// First day of the scenarios.
    start_date: Option<NaiveDate>,
    /// Last day of the scenarios.
    end_date: Option<NaiveDate>,
    /// `excel`, or `csv` for a zip with a file per collection.
    kind: Option<String>,
}

#[derive(Default, FromRow)]
struct Proof {
    collection: String,
    subject: String,
    job: Option<String>,
    customer: Option<String>,
    scenario: Option<String>,
    date: Option<NaiveDate>,
    run: Option<String>,
    mode: Option<String>,
    success: Option<bool>,
    reason: Option<String>,
    record_time: DateTime<Utc>,
    lat: Option<f64>,
    lon: Option<f64>,
    odometer: Option<f64>,
    signature_name: Option<String>,
    signed: bool,
    photos: i32,
    comments: Option<String>,
}

/// `GET /export_proofs`.
pub(super) async fn export(
    mut db: Db,
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> Result<Download> {
    let caller = db.caller().clone();
    let tables = tables(&mut db, &caller, query.as_deref().unwrap_or_default()).await?;
    db.let_go().await?;
    tables.write(&app, &caller).await
}

/// What a query string asks for.
///
/// # Errors
/// 400 for filters that there are not, or none at all.
pub(super) fn check(query: &str) -> Result<(Which, Vec<i64>, bool)> {
    let which: Which = serde_html_form::from_str(query).map_err(|error| Error::filters(error.to_string()))?;
    let csv = match which.kind.as_deref() {
        None | Some("excel") => false,
        Some("csv") => true,
        Some(other) => return Err(Error::filters(format!("kind `{other}` is neither csv nor excel"))),
    };
    let jobs: Vec<i64> = which
        .job_ids
        .iter()
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(|id| id.parse().map_err(|_| Error::filters(format!("job_ids `{id}` is not a number"))))
        .collect::<Result<_>>()?;
    let dated = which.start_date.is_some() && which.end_date.is_some();
    if which.scenario_id.is_none() && jobs.is_empty() && !dated {
        return Err(Error::filters("scenario_id, job_ids, or start_date and end_date are needed"));
    }
    Ok((which, jobs, csv))
}

/// What stands in the file that a query string asks for.
///
/// # Errors
/// 400 for wrong filters or too many proofs.
pub(super) async fn tables(connection: &mut PgConnection, caller: &Caller, query: &str) -> Result<Tables> {
    let (which, jobs, csv) = check(query)?;
    let zone = caller.policy()?.timezone;
    let proofs = read(connection, caller, &which, (!jobs.is_empty()).then_some(jobs)).await?;
    let sheets: Vec<Sheet> = [
        ("job", "Job proofs"),
        ("unit", "Unit proofs"),
        ("return", "Return proofs"),
        ("container", "Container proofs"),
        ("run", "Run proofs"),
    ]
    .into_iter()
    .map(|(collection, name)| sheet(name, collection, &proofs, zone))
    .collect();
    Ok(Tables { sheets, csv })
}

/// What stands in the file, still to be written.
pub(super) struct Tables {
    sheets: Vec<Sheet>,
    csv: bool,
}

impl Tables {
    /// Writes the file when it is the organisation's turn; no transaction may be open meanwhile.
    ///
    /// # Errors
    /// When a table is too large for its format; 503 when too much is written at once.
    pub(super) async fn write(self, app: &App, caller: &Caller) -> Result<Download> {
        let write = move |_: &_| if self.csv { zipped(&self.sheets) } else { excel(&self.sheets) };
        app.governor.run(caller.share()?, Kind::Export, write).await
    }
}

async fn read(
    connection: &mut PgConnection,
    caller: &Caller,
    which: &Which,
    jobs: Option<Vec<i64>>,
) -> Result<Vec<Proof>> {
    let haulier = caller.haulier_id();
    let proofs: Vec<Proof> = sqlx::query_as(
        "with wanted as (
             select j.id, j.uid, j.customer_name, s.name as scenario, s.scheduled_date as date, r.uid as run
             from jobs j left join scenarios s on s.id = j.scenario_id left join runs r on r.id = j.run_id
                 left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
             where ($1::bigint is null or j.scenario_id = $1) and ($2::bigint[] is null or j.id = any($2))
                 and ($3::date is null or s.scheduled_date >= $3) and ($4::date is null or s.scheduled_date <= $4)
                 and ($5::bigint is null or d.haulier_id = $5 or v.haulier_id = $5)
         ), wanted_runs as (
             select r.id, r.uid, s.name as scenario, s.scheduled_date as date
             from runs r join scenarios s on s.id = r.scenario_id left join drivers d on d.id = r.driver_id
                 left join vehicles v on v.id = r.vehicle_id
             where ($1::bigint is null or r.scenario_id = $1)
                 and ($2::bigint[] is null or r.id in (select run_id from jobs where id = any($2)))
                 and ($3::date is null or s.scheduled_date >= $3) and ($4::date is null or s.scheduled_date <= $4)
                 and ($5::bigint is null or d.haulier_id = $5 or v.haulier_id = $5)
         )
         select p.collection, p.subject, p.job, p.customer, p.scenario, p.date, p.run, p.mode, p.success, e.name as reason,
             p.record_time, p.lat, p.lon, p.odometer, p.signature_name, p.signed, p.photos, p.comments
         from (
             select 'job' as collection, w.uid as subject, w.uid as job, w.customer_name as customer, w.scenario, w.date, w.run,
                 null::text as mode, p.success, p.reason_id, p.record_time, p.lat, p.lon, null::float8 as odometer,
                 p.signature_name, p.signature_id is not null as signed, cardinality(p.photo_ids) as photos, p.comments
             from job_proofs p join wanted w on w.id = p.job_id
             union all
             select 'unit', u.uid, w.uid, w.customer_name, w.scenario, w.date, w.run, p.mode, p.success, p.reason_id,
                 p.record_time, p.lat, p.lon, null, p.signature_name, p.signature_id is not null, cardinality(p.photo_ids),
                 p.comments
             from unit_proofs p join units u on u.id = p.unit_id join wanted w on w.id = coalesce(p.job_id, u.job_id)
             union all
             select 'return', t.uid, w.uid, w.customer_name, w.scenario, w.date, w.run, p.mode, p.success, p.reason_id,
                 p.record_time, p.lat, p.lon, null, p.signature_name, p.signature_id is not null, cardinality(p.photo_ids),
                 p.comments
             from return_proofs p join returns t on t.id = p.return_id join wanted w on w.id = coalesce(p.job_id, t.job_id)
             union all
             select 'container', c.uid, w.uid, w.customer_name, w.scenario, w.date, w.run, p.mode, p.success, p.reason_id,
                 p.record_time, p.lat, p.lon, null, p.signature_name, p.signature_id is not null, cardinality(p.photo_ids),
                 p.comments
             from container_proofs p join containers c on c.id = p.container_id join wanted w on w.id = p.job_id
             union all
             select 'run', w.uid, null, null, w.scenario, w.date, w.uid, p.mode, null, null, p.record_time, p.lat, p.lon,
                 p.odometer::float8, null, p.signature_id is not null, cardinality(p.photo_ids), null
             from run_proofs p join wanted_runs w on w.id = p.run_id
         ) p left join reasons e on e.id = p.reason_id
         order by p.record_time, p.subject limit $6",
    )
    .bind(which.scenario_id)
    .bind(jobs)
    .bind(which.start_date)
    .bind(which.end_date)
    .bind(haulier)
    .bind(MOST + 1)
    .fetch_all(connection)
    .await?;
    if i64::try_from(proofs.len()).is_ok_and(|count| count > MOST) {
        return Err(Error::bad_request(format!("An export can have at most {MOST} proofs")));
    }
    Ok(proofs)
}

fn sheet(name: &str, collection: &str, proofs: &[Proof], zone: Tz) -> Sheet {
    // A job's proof is about the job itself, a run's about the run: their own column says it already.
    let kept = |heading: &str| match collection {
        "job" => heading != "job",
        "run" => !["job", "customer", "run"].contains(&heading),
        _ => true,
    };
    let row = |proof: &Proof| cells(proof, zone).into_iter().filter(|(heading, _, _)| kept(heading));
    let own = |heading| if heading == SUBJECT { collection } else { heading };
    Sheet {
        name: name.to_owned(),
        columns: row(&Proof::default()).map(|(heading, width, _)| Column::new(own(heading), width)).collect(),
        rows: proofs
            .iter()
            .filter(|proof| proof.collection == collection)
            .map(|proof| row(proof).map(|(_, _, cell)| cell).collect())
            .collect(),
    }
}

/// What a proof is about; the column is called as the collection.
const SUBJECT: &str = "subject";

/// Heading, width and value of each column.
fn cells(proof: &Proof, zone: Tz) -> Vec<(&'static str, f64, Cell)> {
    let text = |text: &Option<String>| Cell::from(text);
    let degrees = |degrees: Option<f64>| Cell::some(degrees, |degrees| Cell::Decimal(degrees, 6));
    vec![
        (SUBJECT, 18.0, Cell::text(&proof.subject)),
        ("job", 16.0, text(&proof.job)),
        ("customer", 28.0, text(&proof.customer)),
        ("scenario", 20.0, text(&proof.scenario)),
        ("date", 12.0, Cell::some(proof.date, Cell::Date)),
        ("run", 14.0, text(&proof.run)),
        ("mode", 10.0, text(&proof.mode)),
        ("success", 9.0, Cell::some(proof.success, Cell::YesNo)),
        ("reason", 20.0, text(&proof.reason)),
        ("record time", 17.0, Cell::DateTime(proof.record_time.with_timezone(&zone).naive_local())),
        ("lat", 11.0, degrees(proof.lat)),
        ("lon", 11.0, degrees(proof.lon)),
        ("odometer (km)", 13.0, Cell::some(proof.odometer, |km| Cell::Decimal(km, 2))),
        ("signature name", 20.0, text(&proof.signature_name)),
        ("signed", 8.0, Cell::YesNo(proof.signed)),
        ("photos", 8.0, Cell::Whole(proof.photos.into())),
        ("comments", 30.0, text(&proof.comments)),
    ]
}

fn excel(sheets: &[Sheet]) -> Result<Download> {
    Ok(Download {
        content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        name: "proofs.xlsx".to_owned(),
        bytes: workbook(sheets).map_err(Error::internal)?,
    })
}

fn zipped(sheets: &[Sheet]) -> Result<Download> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for sheet in sheets {
        let name = format!("{}.csv", sheet.name.to_lowercase().replace(' ', "_"));
        archive.start_file(name, SimpleFileOptions::default()).map_err(Error::internal)?;
        let table = Csv { byte_order_mark: true }.write(sheet).map_err(Error::internal)?;
        archive.write_all(&table).map_err(Error::internal)?;
    }
    let bytes = archive.finish().map_err(Error::internal)?.into_inner();
    Ok(Download { content_type: "application/zip", name: "proofs.zip".to_owned(), bytes })
}
