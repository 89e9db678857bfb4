//! What runs cost, run by run, and the table of it (S-02, S-30).

use std::collections::HashMap;

use axum::extract::RawQuery;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Access, Result, Routes};
use routewright_documents::sheet::{Cell, Column, Sheet};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::fleet::costing::{self, CostedRun};
use crate::plan::Status;
use crate::planning::runs::{self, Run};
use crate::setup::excel_exports::{self, From, Queued, Source, Wanted, local};
use crate::setup::settings::Settings;

const READ: Access = Access::levels(&["runs_read", "billing_rates_read"]);
const EXPORT: Access = Access::levels(&["excel_export", "billing_rates_read"]);
/// Kilometres of a mile.
const MILE: f64 = 1.609_344;

const SHAPE: Shape = Shape {
    filters: &[
        Filter::id("run_id", "r.id"),
        Filter::id("scenario_id", "r.scenario_id"),
        Filter::id("driver_id", "r.driver_id"),
        Filter::id("vehicle_id", "r.vehicle_id"),
        Filter::text("uid", "r.uid"),
        Filter::present("validated", "r.validated_at"),
        Filter::date("scheduled_date", "s.scheduled_date"),
        Filter::date("date", "s.scheduled_date"),
    ],
    search: &["r.uid", "d.uid", "v.uid", "s.name"],
    sort: &[
        ("id", "r.id"),
        ("run_id", "r.id"),
        ("uid", "lower(r.uid)"),
        ("date", "s.scheduled_date"),
        ("scenario", "lower(s.name)"),
        ("driver", "lower(d.uid)"),
        ("vehicle", "lower(v.uid)"),
        ("validated_at", "r.validated_at"),
    ],
    order: "s.scheduled_date desc, r.id desc",
};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().list("/run_cost_calculator", READ, SHAPE.filters, list).get(
        "/run_cost_calculator/export",
        EXPORT,
        export,
    )
}

/// What a run costs.
#[derive(Debug, Serialize, JsonSchema)]
struct CalculatedCost {
    /// The run.
    id: i64,
    /// The run.
    run_id: i64,
    /// Its name.
    uid: String,
    /// Its scenario.
    scenario_id: i64,
    /// Name of the scenario.
    scenario: String,
    /// The day.
    date: NaiveDate,
    /// The driver's name or number.
    driver: String,
    /// The vehicle's number.
    vehicle: Option<String>,
    /// Where it stands: the plan stands in for what is not recorded yet.
    status: Option<Status>,
    /// Name of the rate that applies.
    rate: Option<String>,
    /// Kilometres charged.
    km: Option<f64>,
    /// Hours charged.
    hours: Option<f64>,
    /// Drops charged.
    drops: i64,
    /// Cost; none without a rate.
    cost: Option<f64>,
    /// When it was validated.
    validated_at: Option<DateTime<Utc>>,
    /// Who validated it.
    validated_by_id: Option<i64>,
}

fn row(run: Run, costs: &HashMap<i64, CostedRun>) -> CalculatedCost {
    let costed = costs.get(&run.id);
    let cost = costed.map(CostedRun::summary);
    CalculatedCost {
        id: run.id,
        run_id: run.id,
        scenario_id: run.scenario_id,
        scenario: run.scenario.name.clone(),
        date: run.scenario.scheduled_date,
        driver: run.driver.uid.clone(),
        vehicle: run.vehicle.as_ref().map(|vehicle| vehicle.uid.clone()),
        status: run.status,
        rate: costed.and_then(|costed| costed.rate_name.clone()),
        km: cost.as_ref().and_then(|cost| cost.km),
        hours: cost.as_ref().and_then(|cost| cost.hours),
        drops: cost.as_ref().map_or(0, |cost| cost.drops),
        cost: cost.as_ref().and_then(|cost| cost.cost),
        validated_at: run.validated_at,
        validated_by_id: run.validated_by_id,
        uid: run.uid,
    }
}

async fn costs(connection: &mut PgConnection, runs: &[Run]) -> Result<HashMap<i64, CostedRun>> {
    let ids: Vec<i64> = runs.iter().map(|run| run.id).collect();
    Ok(costing::of_runs(connection, &ids).await?.into_iter().map(|run| (run.id, run)).collect())
}

/// `GET /run_cost_calculator`.
async fn list(mut db: Db, query: ListQuery) -> Result<Listed<CalculatedCost>> {
    let caller = db.caller().clone();
    let mut listed: Listed<Run> = list::page(&mut db, Run::COLUMNS, Run::FROM, query, &SHAPE, |conditions| {
        Run::narrow(&caller, conditions);
    })
    .await?;
    runs::complete(&mut db, &caller, &mut listed.page.data, false).await?;
    let costs = costs(&mut db, &listed.page.data).await?;
    Ok(listed.map(|run| row(run, &costs)))
}

/// `GET /run_cost_calculator/export`: always made in the background, the file is mailed.
async fn export(mut db: Db, RawQuery(query): RawQuery) -> Result<Queued> {
    let caller = db.caller().clone();
    let wanted = Wanted::parse(query.as_deref())?;
    check(&mut db, &wanted).await?;
    excel_exports::order(&mut db, &caller, Source::RunCostCalculator, wanted.kind, &wanted.query()).await
}

/// Tells what is wrong with the filters of an order before it is taken.
///
/// # Errors
/// 400.
pub(crate) async fn check(connection: &mut PgConnection, wanted: &Wanted) -> Result<()> {
    list::page::<Run>(connection, Run::COLUMNS, Run::FROM, wanted.page(1)?, &SHAPE, |_| ()).await?;
    Ok(())
}

/// The table of an export; none when there are more than `most` runs.
///
/// # Errors
/// 400 for wrong filters.
pub(crate) async fn table(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    let source = From { select: Run::COLUMNS, from: Run::FROM, shape: &SHAPE };
    let found = excel_exports::all(connection, wanted, source, most, |_, conditions| {
        Run::narrow(caller, conditions);
        Ok(())
    })
    .await?;
    let Some(mut found) = found else { return Ok(None) };
    runs::complete(connection, caller, &mut found, false).await?;
    let costs = costs(connection, &found).await?;
    let policy = caller.policy()?;
    let miles = Settings::of(policy).distance_unit == "mi";
    let mut rows = Vec::with_capacity(found.len());
    for run in found {
        let by = match run.validated_by_id {
            Some(user) => app.gate.policies.email_of(user).await?,
            None => None,
        };
        let row = row(run, &costs);
        let distance = row.km.map(|km| if miles { km / MILE } else { km });
        rows.push(vec![
            Cell::Date(row.date),
            Cell::text(row.scenario),
            Cell::text(row.uid),
            Cell::text(row.driver),
            Cell::from(&row.vehicle),
            Cell::from(&row.rate),
            Cell::some(distance, |distance| Cell::Decimal(distance, 2)),
            Cell::some(row.hours, |hours| Cell::Decimal(hours, 2)),
            Cell::Whole(row.drops),
            Cell::some(row.cost, |cost| Cell::Decimal(cost, 2)),
            Cell::from(&by),
            Cell::some(local(row.validated_at, policy.timezone), Cell::DateTime),
        ]);
    }
    let distance = if miles { "distance (mi)" } else { "distance (km)" };
    let columns = [
        ("date", 12.0),
        ("scenario", 20.0),
        ("run", 16.0),
        ("driver", 16.0),
        ("vehicle", 14.0),
        ("rate", 16.0),
        (distance, 14.0),
        ("hours", 10.0),
        ("drops", 8.0),
        ("cost", 12.0),
        ("validated by", 24.0),
        ("validated at", 17.0),
    ];
    let columns = columns.map(|(heading, width)| Column::new(heading, width)).into();
    Ok(Some(Sheet { name: "Run costs".to_owned(), columns, rows }))
}
