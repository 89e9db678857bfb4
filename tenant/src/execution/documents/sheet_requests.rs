//! Run sheets of a run and of a whole scenario. No connection to the database is held while they are drawn.

use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_documents::Letterhead;
use routewright_documents::run_sheet::{self, RunSheet};
use routewright_identity::Caller;
use routewright_tenancy::resource;

use super::{PDF, XLSX, draw, heading, run_sheets};
use crate::app::App;
use crate::planning::runs;
use crate::planning::scenarios::Scenario;

/// `GET /runs/{id}/runsheet_pdf`.
pub(super) async fn run_pdf(caller: Caller, State(app): State<App>, Path(id): Path<i64>) -> Result<Download> {
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let run = runs::find(&mut work, &caller, id).await?;
    let sheet = run_sheets(&mut work, &app, &caller, &[id]).await?.pop();
    let head = heading(&mut work, &app, &caller, None).await?;
    work.rollback().await?;
    let sheet = sheet.ok_or_else(|| Error::not_found("Run"))?;
    let head = head.load(&app, &caller).await?;
    let bytes = draw(&app, &caller, move || run_sheet::pdf(&head, &sheet)).await?;
    Ok(Download { content_type: PDF, name: format!("runsheet-{}.pdf", run.uid), bytes })
}

/// `GET /scenarios/{id}/runsheets_pdf`.
pub(super) async fn scenario_pdf(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Download> {
    let (head, sheets) = of_scenario(&caller, &app, id).await?;
    let bytes = draw(&app, &caller, move || run_sheet::scenario_pdf(&head, &sheets)).await?;
    Ok(Download { content_type: PDF, name: format!("scenario-{id}.pdf"), bytes })
}

/// `GET /scenarios/{id}/runsheets_excel`.
pub(super) async fn scenario_excel(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Download> {
    let (head, sheets) = of_scenario(&caller, &app, id).await?;
    let bytes = draw(&app, &caller, move || run_sheet::manifest(&head, &sheets)).await?;
    Ok(Download { content_type: XLSX, name: format!("scenario-{id}.xlsx"), bytes })
}

/// All runs with jobs that the caller sees, in the order they were made.
async fn of_scenario(caller: &Caller, app: &App, id: i64) -> Result<(Letterhead, Vec<RunSheet>)> {
    let mut work = app.tenants.of(caller)?.begin().await?;
    resource::find::<Scenario>(&mut work, caller, id).await?;
    let runs: Vec<i64> = sqlx::query_scalar(
        "select r.id from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where r.scenario_id = $1 and exists (select from jobs j where j.run_id = r.id)
             and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by r.id",
    )
    .bind(id)
    .bind(caller.haulier_id())
    .fetch_all(&mut *work)
    .await?;
    let sheets = run_sheets(&mut work, app, caller, &runs).await?;
    let head = heading(&mut work, app, caller, None).await?;
    work.rollback().await?;
    if sheets.is_empty() {
        return Err(Error::new(routewright_core::Kind::NotFound, "No run of the scenario has jobs"));
    }
    Ok((head.load(app, caller).await?, sheets))
}
