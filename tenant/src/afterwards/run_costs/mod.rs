//! What runs cost, run by run, and the table of it (S-02, S-30).

mod statement;
mod totals;

use std::collections::HashMap;

use axum::extract::RawQuery;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Access, Error, Result, Routes};
use routewright_documents::DistanceUnit;
use routewright_documents::sheet::{Cell, Column, Sheet};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use crate::afterwards::directory::Names;
use crate::app::App;
use crate::fleet::costing::bill::Charge;
use crate::fleet::costing::{self, CostedRun};
use crate::plan::Status;
use crate::planning::runs::{self, Run};
use crate::setup::excel_exports::{self, From, Queued, Source, Wanted, local};
use crate::setup::settings::Settings;

const READ: Access = Access::levels(&["runs_read", "billing_rates_read"]);
const EXPORT: Access = Access::levels(&["excel_export", "billing_rates_read"]);

/// Runs with what they are charged, as far as lists are filtered and sorted by it; what is told comes from [`costing`].
const FROM: &str = "runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
    left join vehicles v on v.id = r.vehicle_id
    left join run_bills b on b.id = r.bill_id
    left join billing_rates rate on rate.id = coalesce(r.billing_rate_id, v.billing_rate_id)
    cross join lateral (select r.start_odometer is not null and r.end_odometer is not null
        and r.actual_start_time is not null and r.actual_end_time is not null as closed) c
    cross join lateral (select
        case when c.closed then r.end_odometer - r.start_odometer + r.additional_billing_kms
            else r.distance / 1000.0 end as km,
        greatest(r.min_billing_hours, case when c.closed and r.billing_start_time is not null
            then greatest(trunc(extract(epoch from r.actual_end_time - r.billing_start_time)), 0) / 3600
            else (r.total_driving_time + r.total_job_duration) / 3600.0 end) as hours,
        (select count(*) from jobs fj where fj.run_id = r.id
            and (not c.closed or exists (select from job_proofs fp where fp.job_id = fj.id))) as drops) n
    cross join lateral (select coalesce(b.km, n.km) as km, coalesce(b.hours, n.hours) as hours,
        coalesce(b.drops, n.drops) as drops) q
    cross join lateral (select case when b.id is not null then b.total else rate.cost_per_run + q.km * rate.cost_per_km
        + q.hours * rate.cost_per_hour + q.drops * rate.cost_per_drop end as cost) m";

const SHAPE: Shape = Shape {
    filters: &[
        Filter::id("run_id", "r.id"),
        Filter::id("scenario_id", "r.scenario_id"),
        Filter::id("driver_id", "r.driver_id"),
        Filter::id("vehicle_id", "r.vehicle_id"),
        Filter::id("haulier_id", "coalesce(d.haulier_id, v.haulier_id)"),
        Filter::among(
            "client_id",
            "exists (select from jobs fj where fj.run_id = r.id and fj.client_id = any({}))",
        ),
        Filter::text("uid", "r.uid"),
        Filter::text("rate", "case when b.id is not null then b.rate else rate.name end"),
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
        ("rate", "lower(case when b.id is not null then b.rate else rate.name end)"),
        ("currency", "case when b.id is not null then b.currency else rate.currency end"),
        ("billing_status", "r.validated_at is not null"),
        ("km", "q.km"),
        ("hours", "q.hours"),
        ("drops", "q.drops"),
        ("cost", "m.cost"),
        ("validated_at", "r.validated_at"),
    ],
    order: "s.scheduled_date desc, r.id desc",
};

/// What [`Charge::differences`] looks at, but for the amounts, which follow from it, and the currency.
const DIFFERS: &str = "(b.vehicle, b.rate, b.rate_source, b.cost_per_run, b.cost_per_km, b.cost_per_hour,
        b.cost_per_drop, b.km, b.hours, b.drops::bigint, b.stops::bigint)
    is distinct from (v.uid, rate.name, case when r.billing_rate_id is not null then 'run'
            when v.billing_rate_id is not null then 'vehicle' end, rate.cost_per_run, rate.cost_per_km,
        rate.cost_per_hour, rate.cost_per_drop, round(n.km, 3), round(n.hours, 6), n.drops,
        (select count(*) from jobs fj where fj.run_id = r.id))";

/// The filters, for the API document.
fn filters() -> impl Iterator<Item = &'static Filter> {
    const MORE: &[Filter] = &[Filter::choice("currency", ""), Filter::bool("difference", "")];
    SHAPE.filters.iter().chain(MORE)
}

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/run_cost_calculator", READ, filters(), list)
        .get("/run_cost_calculator/totals", READ, totals::get)
        .get("/run_cost_calculator/statement", READ, statement::get)
        .get("/run_cost_calculator/export", EXPORT, export)
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
    /// The haulier of the driver, else of the vehicle.
    haulier_id: Option<i64>,
    /// Where it stands: the plan stands in for what is not recorded yet.
    status: Option<Status>,
    /// `validated` or `pending`: what is pending is no bill yet.
    billing_status: BillingStatus,
    /// Name of the rate that applies.
    rate: Option<String>,
    /// ISO 4217 code of the amounts.
    currency: String,
    /// Kilometres charged.
    km: Option<f64>,
    /// Hours charged.
    hours: Option<f64>,
    /// Drops charged.
    drops: i64,
    /// Stops on the run.
    stops: i64,
    /// For the run; like the other parts none without a rate, and together the cost.
    run_amount: Option<f64>,
    /// For the kilometres.
    km_amount: Option<f64>,
    /// For the hours.
    hour_amount: Option<f64>,
    /// For the drops.
    drop_amount: Option<f64>,
    /// Cost; none without a rate.
    cost: Option<f64>,
    /// Version of the bill of a validated run.
    bill_version: Option<i32>,
    /// By how much a validated run would cost more now than it is billed; none when nothing differs.
    difference: Option<f64>,
    /// When it was validated.
    validated_at: Option<DateTime<Utc>>,
    /// Who validated it.
    validated_by_id: Option<i64>,
}

/// Whether what a run costs is billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BillingStatus {
    /// As its bill says.
    Validated,
    /// As it stands.
    Pending,
}

impl BillingStatus {
    const fn name(self) -> &'static str {
        match self {
            Self::Validated => "validated",
            Self::Pending => "pending",
        }
    }
}

fn row(run: Run, costs: &HashMap<i64, CostedRun>, own_currency: &str) -> CalculatedCost {
    let costed = costs.get(&run.id);
    let charge = costed.map(CostedRun::charge);
    let cost = costed.map(CostedRun::summary);
    let amount = |of: fn(&Charge) -> Option<f64>| charge.as_ref().and_then(of);
    let difference = costed.and_then(|run| {
        let bill = &run.bill.as_ref()?.charge;
        let more = run.charge_now().total.unwrap_or_default() - bill.total.unwrap_or_default();
        (!bill.differences(&run.charge_now(), own_currency).is_empty()).then(|| costing::round(more))
    });
    CalculatedCost {
        id: run.id,
        run_id: run.id,
        scenario_id: run.scenario_id,
        scenario: run.scenario.name.clone(),
        date: run.scenario.scheduled_date,
        driver: run.driver.uid.clone(),
        vehicle: run.vehicle.as_ref().map(|vehicle| vehicle.uid.clone()),
        haulier_id: costed.and_then(|run| run.haulier_id),
        status: run.status,
        billing_status: status_of(run.validated_at),
        rate: charge.as_ref().and_then(|charge| charge.rate.clone()),
        currency: costed.and_then(CostedRun::currency).unwrap_or(own_currency).to_owned(),
        km: cost.as_ref().and_then(|cost| cost.km),
        hours: cost.as_ref().and_then(|cost| cost.hours),
        drops: cost.as_ref().map_or(0, |cost| cost.drops),
        stops: charge.as_ref().map_or(0, |charge| charge.stops),
        run_amount: amount(|charge| charge.run_amount),
        km_amount: amount(|charge| charge.km_amount),
        hour_amount: amount(|charge| charge.hour_amount),
        drop_amount: amount(|charge| charge.drop_amount),
        cost: cost.as_ref().and_then(|cost| cost.cost),
        bill_version: costed.and_then(|run| Some(run.bill.as_ref()?.version)),
        difference,
        validated_at: run.validated_at,
        validated_by_id: run.validated_by_id,
        uid: run.uid,
    }
}

fn status_of(validated_at: Option<DateTime<Utc>>) -> BillingStatus {
    if validated_at.is_some() { BillingStatus::Validated } else { BillingStatus::Pending }
}

/// Those of the caller; and the filters for which rates without a currency have the organisation's: `currency`, and
/// `difference`, the runs whose bill would be another now.
fn narrow(caller: &Caller, query: &mut ListQuery, conditions: &mut Where) -> Result<()> {
    Run::narrow(caller, conditions);
    let own = || Ok::<_, Error>(Settings::of(caller.policy()?).currency);
    if let Some(wanted) = query.take_bool("difference")? {
        let own = conditions.bind(own()?);
        conditions.and(&format!(
            "(b.id is not null and ({DIFFERS}
                or b.rate is not null and coalesce(b.currency, {own}) <> coalesce(rate.currency, {own}))) = {wanted}"
        ));
    }
    if let Some(currency) = query.take("currency") {
        let own = conditions.bind(own()?);
        let wanted = conditions.bind(currency);
        conditions.and(&format!(
            "coalesce(case when b.id is not null then b.currency else rate.currency end, {own}) = {wanted}"
        ));
    }
    Ok(())
}

async fn costs(connection: &mut PgConnection, runs: &[Run]) -> Result<HashMap<i64, CostedRun>> {
    let ids: Vec<i64> = runs.iter().map(|run| run.id).collect();
    Ok(costing::of_runs(connection, &ids).await?.into_iter().map(|run| (run.id, run)).collect())
}

/// `GET /run_cost_calculator`.
async fn list(mut db: Db, mut query: ListQuery) -> Result<Listed<CalculatedCost>> {
    let caller = db.caller().clone();
    let mut conditions = Where::default();
    narrow(&caller, &mut query, &mut conditions)?;
    let mut listed: Listed<Run> =
        list::page(&mut db, Run::COLUMNS, FROM, query, &SHAPE, |place| *place = conditions).await?;
    runs::complete(&mut db, &caller, &mut listed.page.data, false).await?;
    let costs = costs(&mut db, &listed.page.data).await?;
    let currency = Settings::of(caller.policy()?).currency;
    Ok(listed.map(|run| row(run, &costs, &currency)))
}

/// `GET /run_cost_calculator/export`: always made in the background, the file is mailed.
async fn export(mut db: Db, RawQuery(query): RawQuery) -> Result<Queued> {
    let caller = db.caller().clone();
    let wanted = Wanted::parse(query.as_deref())?;
    check(&mut db, &caller, &wanted).await?;
    excel_exports::order(&mut db, &caller, Source::RunCostCalculator, wanted.kind, &wanted.query()).await
}

/// Tells what is wrong with the filters of an order before it is taken.
///
/// # Errors
/// 400.
pub(crate) async fn check(connection: &mut PgConnection, caller: &Caller, wanted: &Wanted) -> Result<()> {
    let source = From { select: "r.id", from: FROM, shape: &SHAPE };
    excel_exports::all::<(i64,)>(connection, wanted, source, 0, |query, conditions| {
        narrow(caller, query, conditions)
    })
    .await?;
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
    let source = From { select: Run::COLUMNS, from: FROM, shape: &SHAPE };
    let found = excel_exports::all(connection, wanted, source, most, |query, conditions| {
        narrow(caller, query, conditions)
    })
    .await?;
    let Some(mut found) = found else { return Ok(None) };
    runs::complete(connection, caller, &mut found, false).await?;
    let costs = costs(connection, &found).await?;
    let policy = caller.policy()?;
    let unit = DistanceUnit::of_setting(&Settings::of(policy).distance_unit);
    let own = Settings::of(policy).currency;
    let money = |amount| Cell::some(amount, |amount| Cell::rounded(amount, 2));
    let mut names = Names::new(app);
    let mut rows = Vec::with_capacity(found.len());
    for run in found {
        let by = names.email(run.validated_by_id).await?;
        let row = row(run, &costs, &own);
        let haulier = names.haulier(row.haulier_id).await?;
        let distance = row.km.map(|km| unit.of_metres(km * 1_000.0));
        rows.push(vec![
            Cell::Date(row.date),
            Cell::text(row.scenario),
            Cell::text(row.uid),
            Cell::text(row.driver),
            Cell::from(&row.vehicle),
            Cell::from(&haulier),
            Cell::text(row.billing_status.name()),
            Cell::from(&row.rate),
            Cell::some(distance, |distance| Cell::rounded(distance, 2)),
            Cell::some(row.hours, |hours| Cell::rounded(hours, 2)),
            Cell::Whole(row.drops),
            money(row.run_amount),
            money(row.km_amount),
            money(row.hour_amount),
            money(row.drop_amount),
            money(row.cost),
            Cell::text(row.currency),
            money(row.difference),
            Cell::from(&by),
            Cell::some(local(row.validated_at, policy.timezone), Cell::DateTime),
        ]);
    }
    let distance = format!("distance ({})", unit.symbol());
    let columns = [
        ("date", 12.0),
        ("scenario", 20.0),
        ("run", 16.0),
        ("driver", 16.0),
        ("vehicle", 14.0),
        ("haulier", 18.0),
        ("status", 12.0),
        ("rate", 16.0),
        (distance.as_str(), 14.0),
        ("hours", 10.0),
        ("drops", 8.0),
        ("for the run", 12.0),
        ("for distance", 12.0),
        ("for hours", 12.0),
        ("for drops", 12.0),
        ("cost", 12.0),
        ("currency", 10.0),
        ("difference", 12.0),
        ("validated by", 24.0),
        ("validated at", 17.0),
    ];
    let columns = columns.map(|(heading, width)| Column::new(heading, width)).into();
    Ok(Some(Sheet { name: "Run costs".to_owned(), columns, rows }))
}
