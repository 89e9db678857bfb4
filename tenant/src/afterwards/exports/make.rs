//! Making an export that was ordered.

use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_documents::sheet::Sheet;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use super::proofs;
use crate::afterwards::{run_costs, search, trail};
use crate::app::App;
use crate::assignment::Assignment;
use crate::setup::excel_exports::{self, ExportJob, Kind, MOST, Order, Source, Wanted};

/// Makes the export of a queued job. One that cannot be made says why; what may be better later is tried again.
///
/// # Errors
/// When it is to be tried again.
pub(crate) async fn carry_out(assignment: Assignment) -> Result<()> {
    let job: ExportJob = assignment.claimed.job()?;
    let last = assignment.claimed.attempts >= assignment.claimed.max_attempts;
    match make(&assignment, job.export_id).await {
        Ok(()) => Ok(()),
        Err(error) if last || error.kind().status().is_client_error() => {
            tracing::warn!(export = job.export_id, %error, causes = error.causes(), "an export cannot be made");
            excel_exports::give_up(&assignment, job.export_id, &error.description()).await
        }
        Err(error) => Err(error),
    }
}

async fn make(assignment: &Assignment, id: i64) -> Result<()> {
    let Assignment { app, tenant, claimed, .. } = assignment;
    let mut work = tenant.begin().await?;
    let order = excel_exports::ordered(&mut work, &app.gate, tenant.organisation(), id).await?;
    let Some(order) = order else {
        routewright_bus::queue::complete(&mut work, claimed).await?;
        return work.commit().await;
    };
    let content = read(&mut work, app, &order).await?;
    work.rollback().await?;
    let file = content.write(app, &order.caller).await?;
    excel_exports::deliver(assignment, &order, file).await
}

/// What stands in a file, still to be written.
enum Content {
    Table(&'static str, Sheet, Kind),
    Proofs(proofs::Tables),
}

impl Content {
    async fn write(self, app: &App, caller: &Caller) -> Result<Download> {
        match self {
            Self::Table(name, sheet, kind) => excel_exports::file(app, caller, name, sheet, kind).await,
            Self::Proofs(tables) => tables.write(app, caller).await,
        }
    }
}

async fn read(connection: &mut PgConnection, app: &App, order: &Order) -> Result<Content> {
    let wanted = Wanted::parse(Some(&order.query))?;
    let caller = &order.caller;
    let (name, sheet) = match order.source {
        Source::Proofs => return proofs::tables(connection, caller, &order.query).await.map(Content::Proofs),
        Source::RunCostCalculator => {
            ("run-costs", run_costs::table(connection, app, caller, &wanted, MOST).await?)
        }
        Source::Audit => ("audit", trail::table(connection, caller, &wanted, MOST).await?),
        searched => (
            search::file_name(searched),
            search::table(connection, app, caller, searched, &wanted, MOST).await?,
        ),
    };
    let sheet = sheet.ok_or_else(|| Error::bad_request(format!("An export can have at most {MOST} rows")))?;
    Ok(Content::Table(name, sheet, wanted.kind))
}

/// Tells what is wrong with an order before it is taken.
pub(super) async fn check(
    connection: &mut PgConnection,
    caller: &Caller,
    source: Source,
    wanted: &Wanted,
) -> Result<()> {
    match source {
        Source::Proofs => proofs::check(&wanted.query()).map(|_| ()),
        Source::RunCostCalculator => run_costs::check(connection, caller, wanted).await,
        Source::Audit => trail::check(connection, caller, wanted).await,
        searched => search::check(connection, caller, searched, wanted).await,
    }
}
