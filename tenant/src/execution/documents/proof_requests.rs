//! Proofs of delivery for the office and the driver, one by one or many in a zip.

use std::collections::HashSet;
use std::io::{Cursor, Write};

use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::http::respond::Download;
use routewright_core::http::{Path, Query};
use routewright_core::{Error, Kind, Result};
use routewright_documents::proof;
use routewright_governor::Kind as Task;
use routewright_identity::Caller;
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::postgres::PgConnection;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::proof_of_delivery::recorded;
use super::{PDF, draw, heading};
use crate::app::App;
use crate::drawn::version;
use crate::orders::jobs::Job;
use crate::setup::information;

/// Proofs in one zip.
const MOST: usize = 300;

/// `GET /pod_pdfs/jobs/{id}`.
pub(super) async fn by_office(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Download> {
    let mut work = app.tenants.of(&caller)?.begin().await?;
    resource::find::<Job>(&mut work, &caller, id).await?;
    work.rollback().await?;
    one(&caller, &app, id).await
}

/// `GET /runsheet/jobs/{id}/proof_of_delivery_pdf`: drivers see the jobs of their run.
pub(super) async fn by_driver(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Download> {
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let job: Job = resource::find(&mut work, &caller, id).await?;
    work.rollback().await?;
    if caller.run_id().is_some() && job.run_id != caller.run_id() {
        return Err(Error::not_found("Job"));
    }
    one(&caller, &app, id).await
}

/// The proof of delivery of a job as a file.
///
/// # Errors
/// 404 for a job without proof.
pub(crate) async fn one(caller: &Caller, app: &App, id: i64) -> Result<Download> {
    let mut work = app.tenants.of(caller)?.begin().await?;
    let proof = recorded(&mut work, app, caller, id).await?;
    let settings: information::ProofOfDelivery = information::of(&mut work).await?;
    let head = heading(&mut work, app, caller, settings.logo_file_id).await?;
    // What is older than the seals is given its link now.
    work.commit().await?;
    let name = format!("pod-{}.pdf", proof.job());
    let version = version(caller.organisation()?, &(&proof, head.shown()));
    let drawing = async {
        let (proof, head) = (proof.load(app, caller).await?, head.load(app, caller).await?);
        draw(app, caller, move || proof::pdf(&head, &proof)).await
    };
    let bytes = app.drawn.get(version, drawing).await?.to_vec();
    Ok(Download { content_type: PDF, name, bytes })
}

/// Which jobs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Selection {
    /// Comma-separated ids.
    job_ids: Option<String>,
    scenario_id: Option<i64>,
    /// First day.
    scheduled_date_start: Option<NaiveDate>,
    /// Last day.
    scheduled_date_end: Option<NaiveDate>,
}

/// `GET /pod_pdfs/jobs`: a zip with the proof of each job that has one.
pub(super) async fn many(
    caller: Caller,
    State(app): State<App>,
    Query(selection): Query<Selection>,
) -> Result<Download> {
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let jobs = jobs(&mut work, &caller, &selection).await?;
    let settings: information::ProofOfDelivery = information::of(&mut work).await?;
    let head = heading(&mut work, &app, &caller, settings.logo_file_id).await?;
    work.rollback().await?;
    if jobs.len() > MOST {
        return Err(Error::filters(format!(
            "{} jobs have proofs; at most {MOST} fit in one file",
            jobs.len()
        )));
    }
    if jobs.is_empty() {
        return Err(Error::new(Kind::NotFound, "Selected jobs does not have any proof or error occurred"));
    }
    let head = head.load(&app, &caller).await?;
    let mut proofs = Vec::with_capacity(jobs.len());
    let mut names = HashSet::new();
    for job in jobs {
        let mut work = app.tenants.of(&caller)?.begin().await?;
        let proof = recorded(&mut work, &app, &caller, job).await?;
        work.commit().await?;
        let proof = proof.load(&app, &caller).await?;
        let (head, name) = (head.clone(), unique(&proof.job, &mut names));
        proofs.push((name, draw(&app, &caller, move || proof::pdf(&head, &proof)).await?));
    }
    let bytes = app.governor.run(caller.share()?, Task::Export, |_| zipped(proofs)).await?;
    Ok(Download { content_type: "application/zip", name: "proofs-of-delivery.zip".to_owned(), bytes })
}

fn zipped(proofs: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // PDF is compressed already.
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, pdf) in proofs {
        zip.start_file(name, options).map_err(Error::internal)?;
        zip.write_all(&pdf).map_err(Error::internal)?;
    }
    Ok(zip.finish().map_err(Error::internal)?.into_inner())
}

/// Jobs with proofs that the caller may see.
async fn jobs(connection: &mut PgConnection, caller: &Caller, selection: &Selection) -> Result<Vec<i64>> {
    let ids = selection
        .job_ids
        .as_deref()
        .map(|ids| {
            ids.split(',')
                .map(|id| id.trim().parse::<i64>())
                .collect::<Result<Vec<i64>, _>>()
                .map_err(|_| Error::filters("job_ids is not a list of numbers"))
        })
        .transpose()?;
    let dates = (selection.scheduled_date_start, selection.scheduled_date_end);
    if ids.is_none() && selection.scenario_id.is_none() && dates == (None, None) {
        return Err(Error::filters("job_ids, scenario_id or dates are needed"));
    }
    Ok(sqlx::query_scalar(
        "select j.id from jobs j left join scenarios s on s.id = j.scenario_id
         where exists (select from job_proofs p where p.job_id = j.id)
             and ($1::bigint[] is null or j.id = any($1)) and ($2::bigint is null or j.scenario_id = $2)
             and ($3::date is null or s.scheduled_date >= $3) and ($4::date is null or s.scheduled_date <= $4)
             and ($5::bigint is null or exists (
                 select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                 where r.id = j.run_id and (d.haulier_id = $5 or v.haulier_id = $5)))
         order by j.id",
    )
    .bind(ids)
    .bind(selection.scenario_id)
    .bind(dates.0)
    .bind(dates.1)
    .bind(caller.haulier_id())
    .fetch_all(connection)
    .await?)
}

/// A file name that no other job of the zip has.
fn unique(job: &str, taken: &mut HashSet<String>) -> String {
    let plain: String = job
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .collect();
    let mut name = format!("pod-{plain}.pdf");
    let mut copy = 2;
    while !taken.insert(name.to_lowercase()) {
        name = format!("pod-{plain}-{copy}.pdf");
        copy += 1;
    }
    name
}
