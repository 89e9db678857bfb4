//! `GET /runs/bunzl_export`: a zip with one CSV per run, and the photos and signatures in a folder per job (S-28).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Cursor, Write};

use axum::extract::State;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use routewright_core::http::Query;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_documents::sheet::{Cell, Column, Csv, Sheet};
use routewright_governor::{Kind, priority};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::evidence::{self, Delivered, Picture};
use crate::app::App;
use crate::planning::runs;
use crate::setup::files;

/// Most runs of one zip.
const MOST_RUNS: usize = 200;
/// Most pictures of one zip.
const MOST_PICTURES: usize = 2000;
/// Room for tables and names, bytes; more is made when it is needed.
const TABLES_SIZE: u64 = 1 << 20;

/// Which runs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DistributorRuns")]
pub(super) struct Which {
    /// Comma-joined or repeated.
    #[serde(default)]
    run_ids: Vec<String>,
}

/// `GET /runs/bunzl_export`.
pub(super) async fn export(
    mut db: Db,
    State(app): State<App>,
    Query(which): Query<Which>,
) -> Result<Download> {
    let caller = db.caller().clone();
    let mut ids = which
        .run_ids
        .iter()
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(|id| id.parse::<i64>().map_err(|_| Error::filters(format!("run_ids `{id}` is not a number"))))
        .collect::<Result<Vec<i64>>>()?;
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() || ids.len() > MOST_RUNS {
        return Err(Error::filters(format!("run_ids must name 1 to {MOST_RUNS} runs")));
    }
    for id in &ids {
        runs::find(&mut db, &caller, *id).await?;
    }
    let rows = evidence::delivered(&mut db, &caller, &ids).await?;
    if !rows.iter().any(|row| row.at.is_some()) {
        return Err(Error::bad_request("Selected runs do not have any proof"));
    }
    let pictures = evidence::pictures(&mut db, &caller, &ids).await?;
    if pictures.len() > MOST_PICTURES {
        return Err(Error::bad_request(format!("An export can have at most {MOST_PICTURES} photos")));
    }
    // No connection is held while pictures are read and packed.
    db.let_go().await?;
    let zone = caller.policy()?.timezone;
    let pictures_size: u64 = pictures.iter().filter_map(|picture| u64::try_from(picture.size).ok()).sum();
    let size = pictures_size + TABLES_SIZE;
    let turn = app.governor.turn(caller.share()?, Kind::Export.needing(size)).await?;
    let mut archive = turn.work(priority::WORK, move || packed(tables(rows, zone)?, size)).await??;
    let mut counts: HashMap<(i64, String), usize> = HashMap::new();
    for picture in pictures {
        let Some(bytes) = files::load(&app, &caller, &picture.storage_key).await? else { continue };
        let count = counts.entry((picture.job_id, picture.kind.clone())).or_default();
        *count += 1;
        let name = place(&picture, *count);
        // Pictures are compressed already.
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive = turn.work(priority::WORK, move || add(archive, name, stored, &bytes)).await??;
    }
    let bytes = archive.finish().map_err(Error::internal)?.into_inner();
    Ok(Download { content_type: "application/zip", name: "bunzl-export.zip".to_owned(), bytes })
}

type Archive = ZipWriter<Cursor<Vec<u8>>>;

/// An archive of tables, with room for so many bytes in all.
fn packed(tables: Vec<(String, Vec<u8>)>, room: u64) -> Result<Archive> {
    let room = usize::try_from(room).map_err(Error::internal)?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::with_capacity(room)));
    for (name, bytes) in tables {
        archive = add(archive, name, SimpleFileOptions::default(), &bytes)?;
    }
    Ok(archive)
}

fn add(mut archive: Archive, name: String, options: SimpleFileOptions, bytes: &[u8]) -> Result<Archive> {
    archive.start_file(name, options).map_err(Error::internal)?;
    archive.write_all(bytes).map_err(Error::internal)?;
    Ok(archive)
}

/// What a file system takes for a name.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ') { c } else { '_' })
        .collect()
}

/// `{job uid}-{id}/photo-1.jpg`: uids of jobs may repeat.
fn place(picture: &Picture, count: usize) -> String {
    let extension = picture.storage_key.rsplit('.').next().unwrap_or("bin");
    format!("{}-{}/{}-{count}.{extension}", plain(&picture.job), picture.job_id, picture.kind)
}

/// One CSV per run: name and bytes.
fn tables(rows: Vec<Delivered>, zone: Tz) -> Result<Vec<(String, Vec<u8>)>> {
    let mut runs: BTreeMap<i64, Vec<Delivered>> = BTreeMap::new();
    for row in rows {
        runs.entry(row.run_id).or_default().push(row);
    }
    let mut taken = HashSet::new();
    let mut tables = Vec::with_capacity(runs.len());
    for (id, rows) in runs {
        let Some(first) = rows.first() else { continue };
        let mut name = format!("{}_{}", plain(&first.run), first.date.format("%Y%m%d"));
        if !taken.insert(name.to_lowercase()) {
            name = format!("{name}-{id}");
        }
        let columns = [
            "job uid",
            "reference",
            "invoice",
            "customer",
            "unit uid",
            "delivered",
            "reason",
            "record_time",
            "signature name",
            "photo count",
        ];
        let sheet = Sheet {
            name: name.clone(),
            columns: columns.map(|heading| Column::new(heading, 16.0)).into(),
            rows: rows.into_iter().map(|row| cells(row, zone)).collect(),
        };
        let bytes = Csv { byte_order_mark: true }.write(&sheet).map_err(Error::internal)?;
        tables.push((format!("{name}.csv"), bytes));
    }
    Ok(tables)
}

fn cells(row: Delivered, zone: Tz) -> Vec<Cell> {
    let local = |at: DateTime<Utc>| Cell::DateTime(at.with_timezone(&zone).naive_local());
    vec![
        Cell::text(row.job),
        Cell::from(&row.reference),
        Cell::from(&row.invoice),
        Cell::from(&row.customer),
        Cell::from(&row.unit),
        Cell::text(if row.success == Some(true) { "Y" } else { "N" }),
        Cell::from(&row.reason),
        Cell::some(row.at, local),
        Cell::from(&row.signature_name),
        Cell::Whole(row.photos),
    ]
}
