//! Exports of searches: at once when they are small, in the background when they are large (S-30).

use axum::extract::{RawQuery, State};
use routewright_core::{Body, Error, Result};
use routewright_documents::sheet::Sheet;
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::postgres::PgConnection;

use super::{jobs_export, returns as found_returns, runs as found_runs, units as found_units};
use crate::app::App;
use crate::setup::excel_exports::{self, Exported, LARGE, Source, Wanted};

/// Name of a search's file, without its ending.
pub(crate) const fn file_name(source: Source) -> &'static str {
    match source {
        Source::Units => "units",
        Source::Returns => "returns",
        Source::Runs => "runs",
        _ => "jobs",
    }
}

/// The table of what a search finds; none when there are more than `most` rows.
///
/// # Errors
/// 400 for wrong filters.
pub(crate) async fn table(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    source: Source,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    match source {
        Source::Units => found_units::table(connection, caller, wanted, most).await,
        Source::Returns => found_returns::table(connection, caller, wanted, most).await,
        Source::Runs => found_runs::table(connection, app, caller, wanted, most).await,
        _ => jobs_export::table(connection, caller, wanted, most).await,
    }
}

/// Tells what is wrong with the filters of an order before it is taken.
///
/// # Errors
/// 400.
pub(crate) async fn check(
    connection: &mut PgConnection,
    caller: &Caller,
    source: Source,
    wanted: &Wanted,
) -> Result<()> {
    match source {
        Source::Units => found_units::table(connection, caller, wanted, 0).await.map(|_| ()),
        Source::Returns => found_returns::table(connection, caller, wanted, 0).await.map(|_| ()),
        Source::Runs => found_runs::check(connection, caller, wanted).await,
        _ => jobs_export::table(connection, caller, wanted, 0).await.map(|_| ()),
    }
}

async fn export(mut db: Db, app: &App, source: Source, wanted: Wanted) -> Result<Exported> {
    let caller = db.caller().clone();
    match table(&mut db, app, &caller, source, &wanted, LARGE).await? {
        Some(sheet) => {
            db.let_go().await?;
            excel_exports::file(app, &caller, file_name(source), sheet, wanted.kind).await.map(Exported::File)
        }
        None => {
            let order = excel_exports::order(&mut db, &caller, source, wanted.kind, &wanted.query()).await?;
            Ok(Exported::Later(order))
        }
    }
}

/// `GET /search/jobs/export`: everything that the search finds.
pub(super) async fn jobs(db: Db, State(app): State<App>, RawQuery(query): RawQuery) -> Result<Exported> {
    export(db, &app, Source::Jobs, Wanted::parse(query.as_deref())?).await
}

/// `GET /search/units/export`.
pub(super) async fn units(db: Db, State(app): State<App>, RawQuery(query): RawQuery) -> Result<Exported> {
    export(db, &app, Source::Units, Wanted::parse(query.as_deref())?).await
}

/// `GET /search/returns/export`.
pub(super) async fn returns(db: Db, State(app): State<App>, RawQuery(query): RawQuery) -> Result<Exported> {
    export(db, &app, Source::Returns, Wanted::parse(query.as_deref())?).await
}

/// `GET /search/runs/export`.
pub(super) async fn runs(db: Db, State(app): State<App>, RawQuery(query): RawQuery) -> Result<Exported> {
    export(db, &app, Source::Runs, Wanted::parse(query.as_deref())?).await
}

/// Jobs by id.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "JobsToExport")]
pub(super) struct Chosen {
    /// Ids of jobs.
    job_ids: Vec<i64>,
}

/// `POST /jobs/excel_export`.
pub(super) async fn chosen(mut db: Db, State(app): State<App>, Body(body): Body<Chosen>) -> Result<Exported> {
    if body.job_ids.is_empty() {
        return Err(Error::field("job_ids", "You must add at least one job."));
    }
    let wanted = Wanted::of_ids("job_ids", &body.job_ids);
    let caller = db.caller().clone();
    if caller.holds(Source::Jobs.level()) {
        return export(db, &app, Source::Jobs, wanted).await;
    }
    // An order is a search in the background; whoever may not search gets what can be answered at once.
    match table(&mut db, &app, &caller, Source::Jobs, &wanted, LARGE).await? {
        Some(sheet) => {
            db.let_go().await?;
            excel_exports::file(&app, &caller, "jobs", sheet, wanted.kind).await.map(Exported::File)
        }
        None => Err(Error::field("job_ids", format!("At most {LARGE} jobs at once"))),
    }
}
