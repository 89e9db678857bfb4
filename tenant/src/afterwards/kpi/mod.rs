//! The KPI report of a range of days (S-14): for the own house with costs, for the client without.

mod client;
mod days;
mod internal;
mod summary;

use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::http::Query;
use routewright_core::http::respond::Download;
use routewright_core::{Access, Error, Module, Result, Routes};
use routewright_documents::FuelUnit;
use routewright_documents::sheet::{Sheet, workbook};
use routewright_governor::Kind;
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::app::App;
use crate::execution::documents::XLSX;
use crate::setup::settings::Settings;

const READ: Access = Access::levels(&["kpi_read"]).module(Module::GefcoNld);
/// The figures of each day; costs only for those who may see rates.
const DAYS: Access = Access::levels(&["runs_read"]);
/// Longest range, days.
const LONGEST: i64 = 366;
/// Text when there is nothing to report.
const NOTHING: &str = "No relevant scenarios found during these dates";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/gefco/excel-kpi-internal-report", READ, for_the_house)
        .get("/gefco/excel-kpi-client-report", READ, for_the_client)
        .get("/kpi/days", DAYS, days::list)
}

/// Days of scenarios, both included.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Range {
    /// First day.
    start_date: NaiveDate,
    /// Last day.
    end_date: NaiveDate,
}

/// `GET /gefco/excel-kpi-internal-report`.
async fn for_the_house(mut db: Db, State(app): State<App>, Query(range): Query<Range>) -> Result<Download> {
    require_scenarios(&mut db, range).await?;
    let rows = internal::read(&mut db, &app, range).await?;
    let caller = db.caller().clone();
    db.let_go().await?;
    let settings = Settings::of(caller.policy()?);
    let fuel = FuelUnit::of_setting(&settings.fuel_consumption_unit);
    let own = settings.currency;
    let sheets = move || {
        vec![
            internal::sheet(&rows, fuel, &own),
            summary::sheet(&rows, fuel, &own),
            summary::costs(&rows, &own),
        ]
    };
    answer(&app, &caller, "internal", range, sheets).await
}

/// `GET /gefco/excel-kpi-client-report`.
async fn for_the_client(mut db: Db, State(app): State<App>, Query(range): Query<Range>) -> Result<Download> {
    require_scenarios(&mut db, range).await?;
    let sheet = client::sheet(&mut db, &app, range).await?;
    let caller = db.caller().clone();
    db.let_go().await?;
    answer(&app, &caller, "client", range, move || vec![sheet]).await
}

impl Range {
    fn check(self) -> Result<()> {
        if self.start_date > self.end_date {
            return Err(Error::field("start_date", "Start date should be before end date"));
        }
        if (self.end_date - self.start_date).num_days() >= LONGEST {
            return Err(Error::field("end_date", format!("The range can have at most {LONGEST} days")));
        }
        Ok(())
    }
}

async fn require_scenarios(db: &mut Db, range: Range) -> Result<()> {
    range.check()?;
    let any: bool = sqlx::query_scalar(
        "select exists (select from scenarios s join runs r on r.scenario_id = s.id where s.scheduled_date between $1 and $2)",
    )
    .bind(range.start_date)
    .bind(range.end_date)
    .fetch_one(&mut **db)
    .await?;
    if any { Ok(()) } else { Err(Error::bad_request(NOTHING)) }
}

/// The heading of amounts of fuel.
fn fuel_heading(unit: FuelUnit) -> &'static str {
    match unit {
        FuelUnit::Litres => "fuel l",
        FuelUnit::UkGallons => "fuel gal (UK)",
        FuelUnit::UsGallons => "fuel gal (US)",
    }
}

/// Written where it does not keep other requests waiting.
async fn answer(
    app: &App,
    caller: &Caller,
    kind: &str,
    range: Range,
    sheets: impl FnOnce() -> Vec<Sheet> + Send + 'static,
) -> Result<Download> {
    let write = move |_: &_| workbook(&sheets()).map_err(Error::internal);
    let bytes = app.governor.run(caller.share()?, Kind::Export, write).await?;
    let days = (range.start_date.format("%Y%m%d"), range.end_date.format("%Y%m%d"));
    Ok(Download { content_type: XLSX, name: format!("kpi-{kind}-{}-{}.xlsx", days.0, days.1), bytes })
}
