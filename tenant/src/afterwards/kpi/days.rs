//! What the runs of each day did, in a few sums: the dashboard's home draws them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::Result;
use routewright_core::http::Query;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Range, internal};
use crate::app::App;
use crate::setup::settings::Settings;

/// A day's sums over the plans by which it went; trials and copies do not count. Days without jobs and runs are left out.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "DayFigures")]
pub(super) struct Day {
    /// The day.
    date: NaiveDate,
    /// The plans by which it went.
    scenario_ids: Vec<i64>,
    /// Runs.
    runs: i64,
    /// Jobs in runs.
    jobs: i64,
    /// Jobs without a run; not told to hauliers' people, whose jobs are those of their runs.
    unserved: Option<i64>,
    /// Jobs with a proof.
    visited: i64,
    /// Jobs whose last proof is a success.
    successful: i64,
    /// Visited jobs whose proof came in time: up to `leave_by`, else a quarter of an hour after the ETA.
    on_time: i64,
    /// Planned, metres.
    distance: i64,
    /// Mean of the runs that have a capacity, percent of the fullest measure.
    load_factor: Option<f64>,
    /// What the runs that have a rate cost, one sum per currency; only told to those who may see rates.
    costs: Option<Vec<Cost>>,
}

/// Runs of a day whose rates have one currency.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "DayCost")]
struct Cost {
    /// ISO 4217.
    currency: String,
    /// Sum of the runs.
    cost: f64,
    /// Jobs of the runs.
    jobs: i64,
}

/// `GET /kpi/days`: oldest first.
pub(super) async fn list(
    mut db: Db,
    State(app): State<App>,
    Query(range): Query<Range>,
) -> Result<Json<Vec<Day>>> {
    range.check()?;
    let (sees_costs, haulier) = (db.caller().holds("billing_rates_read"), db.caller().haulier_id());
    let usual = Settings::of(db.caller().policy()?).currency;
    let real = real_plans(&mut db, range).await?;
    let mut days: BTreeMap<NaiveDate, Day> = BTreeMap::new();
    let mut loads: BTreeMap<NaiveDate, Vec<f64>> = BTreeMap::new();
    let mut costs: BTreeMap<NaiveDate, BTreeMap<String, Cost>> = BTreeMap::new();
    for run in internal::read(&mut db, &app, range).await? {
        if !real.contains_key(&run.scenario_id()) {
            continue;
        }
        let day = days.entry(run.date).or_default();
        day.runs += 1;
        day.jobs += run.jobs;
        day.visited += run.visited;
        day.successful += run.successful;
        day.on_time += run.on_time;
        day.distance += run.distance();
        loads.entry(run.date).or_default().extend(run.load_factor);
        if let Some(amount) = run.cost.filter(|_| sees_costs) {
            let currency = run.currency.clone().unwrap_or_else(|| usual.clone());
            let cost = costs.entry(run.date).or_default().entry(currency).or_default();
            cost.cost += amount;
            cost.jobs += run.jobs;
        }
    }
    if haulier.is_none() {
        for (date, unserved) in unserved(&mut db, real.keys()).await? {
            days.entry(date).or_default().unserved = Some(unserved);
        }
    }
    for (scenario, date) in real {
        if let Some(day) = days.get_mut(&date) {
            day.scenario_ids.push(scenario);
        }
    }
    let answer = days.into_iter().map(|(date, day)| {
        let load_factor = loads.get(&date).and_then(|loads| mean(loads));
        let of_day = costs.remove(&date).unwrap_or_default();
        let costs = of_day.into_iter().map(|(currency, cost)| Cost { currency, ..cost });
        Day {
            date,
            load_factor,
            unserved: day.unserved.or(haulier.is_none().then_some(0)),
            costs: sees_costs.then(|| costs.collect()),
            ..day
        }
    });
    Ok(Json(answer.collect()))
}

/// The scenarios by which a day went, and the day: those with a run that was dispatched or started. Where there is none yet, the one
/// that is furthest: by its stage, then by the jobs in its runs, then the newest. Others are trials and copies; a copy that
/// took the past along is known by the same moment of the same driver.
async fn real_plans(db: &mut Db, range: Range) -> Result<BTreeMap<i64, NaiveDate>> {
    let plans: Vec<(i64, NaiveDate)> = sqlx::query_as(
        "select id, scheduled_date from (
             select s.id, s.scheduled_date, w.carried_out, bool_or(w.carried_out) over (partition by s.scheduled_date) as any_carried_out,
                 row_number() over (
                     partition by s.scheduled_date
                     order by array_position(array['tracking', 'routing', 'planning'], s.stage),
                         (select count(*) from jobs j where j.scenario_id = s.id and j.run_id is not null) desc, s.id desc
                 ) as place
             from scenarios s cross join lateral (
                 select exists (
                     select from runs r where r.scenario_id = s.id
                         and coalesce(r.dispatched_at, r.actual_start_time) is not null
                         and not exists (
                             select from runs o join scenarios before on before.id = o.scenario_id
                             where o.driver_id = r.driver_id and o.scenario_id < s.id
                                 and before.scheduled_date = s.scheduled_date
                                 and coalesce(o.dispatched_at, o.actual_start_time)
                                     = coalesce(r.dispatched_at, r.actual_start_time)
                         )
                 ) as carried_out
             ) w
             where s.scheduled_date between $1 and $2
         ) plans
         where carried_out or (not any_carried_out and place = 1)",
    )
    .bind(range.start_date)
    .bind(range.end_date)
    .fetch_all(&mut **db)
    .await?;
    Ok(plans.into_iter().collect())
}

async fn unserved(db: &mut Db, scenarios: impl Iterator<Item = &i64>) -> Result<Vec<(NaiveDate, i64)>> {
    let ids: Vec<i64> = scenarios.copied().collect();
    Ok(sqlx::query_as(
        "select s.scheduled_date, count(*)
         from jobs j join scenarios s on s.id = j.scenario_id
         where s.id = any($1) and j.run_id is null
         group by s.scheduled_date",
    )
    .bind(ids)
    .fetch_all(&mut **db)
    .await?)
}

#[expect(clippy::cast_precision_loss, reason = "runs of a day")]
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
