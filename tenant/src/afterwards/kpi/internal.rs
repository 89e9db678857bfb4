//! One row per run, with what it cost.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use routewright_core::Result;
use routewright_documents::FuelUnit;
use routewright_documents::sheet::{Cell, Column, Sheet};
use routewright_solver::{Capacity, Size};
use routewright_tenancy::Db;
use sqlx::FromRow;

use super::{Range, fuel_heading};
use crate::afterwards::directory::Names;
use crate::app::App;
use crate::fleet::costing::{self, CostedRun};

/// A run in figures.
#[derive(FromRow)]
struct Row {
    id: i64,
    scenario_id: i64,
    date: NaiveDate,
    scenario: String,
    code: Option<String>,
    uid: String,
    driver: String,
    vehicle: Option<String>,
    haulier_id: Option<i64>,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    jobs: i64,
    visited: i64,
    successful: i64,
    on_time: i64,
    units_loaded: i64,
    units_delivered: i64,
    exceptions: i64,
    distance: i32,
    planned_seconds: i32,
    actual_km: Option<f64>,
    capacity: String,
    sizes: Vec<String>,
    fuel: Option<f64>,
    co2: Option<f64>,
    validated_by_id: Option<i64>,
}

/// A run in figures, with names and costs.
pub(super) struct Figures {
    row: Row,
    pub(super) date: NaiveDate,
    pub(super) jobs: i64,
    pub(super) visited: i64,
    pub(super) successful: i64,
    pub(super) on_time: i64,
    pub(super) planned_km: f64,
    pub(super) actual_km: Option<f64>,
    pub(super) planned_hours: f64,
    pub(super) actual_hours: Option<f64>,
    pub(super) load_factor: Option<f64>,
    /// Litres.
    pub(super) fuel: Option<f64>,
    pub(super) co2_kg: Option<f64>,
    pub(super) cost: Option<f64>,
    /// Of the cost; none for the organisation's.
    pub(super) currency: Option<String>,
    haulier: Option<String>,
    validated_by: Option<String>,
    zone: Tz,
}

/// Share in percent; none of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of a day")]
pub(super) fn percent(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| part as f64 * 100.0 / whole as f64)
}

/// By how much the actual value is above the planned one, percent.
pub(super) fn deviation(planned: f64, actual: Option<f64>) -> Option<f64> {
    actual.filter(|_| planned > 0.0).map(|actual| (actual - planned) * 100.0 / planned)
}

/// The fullest of what is measured, percent of the layout that it fits best; none without a limit.
#[expect(clippy::cast_precision_loss, reason = "thousandths of a day's load")]
fn load_factor(capacity: &str, sizes: &[String]) -> Option<f64> {
    let capacity = Capacity::parse(capacity, true).ok()?;
    let sizes: Vec<Size> = sizes.iter().filter_map(|size| size.parse().ok()).collect();
    let load =
        |key: &str| -> i64 { sizes.iter().filter_map(|size| capacity.counted(size)?.amount(key)).sum() };
    capacity
        .0
        .iter()
        .filter_map(|layout| {
            let shares = layout.0.iter().filter(|part| part.amount > 0);
            shares.map(|part| load(&part.key) as f64 * 100.0 / part.amount as f64).reduce(f64::max)
        })
        .reduce(f64::min)
}

/// Reads the runs of the range that the caller may see.
pub(super) async fn read(db: &mut Db, app: &App, range: Range) -> Result<Vec<Figures>> {
    let caller = db.caller().clone();
    let zone = caller.policy()?.timezone;
    let rows: Vec<Row> = sqlx::query_as(
        "select r.id, r.scenario_id, s.scheduled_date as date, s.name as scenario,
             (select m.run_code from run_code_maps m
              where m.driver_id = r.driver_id and (m.vehicle_id is null or m.vehicle_id = r.vehicle_id)
              order by m.vehicle_id nulls last, m.id limit 1) as code,
             r.uid, d.uid as driver, v.uid as vehicle, coalesce(d.haulier_id, v.haulier_id) as haulier_id,
             r.planned_start_time, r.planned_end_time, r.actual_start_time, r.actual_end_time, counted.jobs, counted.visited,
             counted.successful, counted.on_time, carried.units_loaded, carried.units_delivered,
             counted.failed + carried.exceptions as exceptions, r.distance,
             r.total_driving_time + r.total_job_duration as planned_seconds,
             (r.end_odometer - r.start_odometer + r.additional_billing_kms)::float8 as actual_km, r.capacity,
             array(select j.size from jobs j where j.run_id = r.id and j.size is not null) as sizes,
             coalesce(nullif(r.actual_fuel_consumption, 0), r.fuel_consumption) as fuel,
             coalesce(nullif(r.actual_co2_emissions, 0), r.co2_emissions) as co2, r.validated_by_id
         from runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
             cross join lateral (
                 select count(*) as jobs, count(latest.at) as visited, count(*) filter (where latest.success) as successful,
                     count(*) filter (where not latest.success) as failed,
                     count(*) filter (where latest.at <= coalesce(
                         (s.scheduled_date + j.leave_by) at time zone $3, j.eta + interval '15 minutes', latest.at)) as on_time
                 from jobs j left join lateral (
                     select p.record_time as at, p.success from job_proofs p where p.job_id = j.id
                     order by p.record_time desc, p.id desc limit 1
                 ) latest on true
                 where j.run_id = r.id
             ) counted
             cross join lateral (
                 select count(distinct p.unit_id) filter (where p.mode = 'load' and p.success) as units_loaded,
                     count(distinct p.unit_id) filter (where p.mode = 'deliver' and p.success) as units_delivered,
                     count(*) filter (where not p.success) as exceptions
                 from unit_proofs p join units u on u.id = p.unit_id join jobs j on j.id = u.job_id
                 where j.run_id = r.id
             ) carried
         where s.scheduled_date between $1 and $2 and ($4::bigint is null or d.haulier_id = $4 or v.haulier_id = $4)
         order by s.scheduled_date, lower(s.name), lower(r.uid), r.id",
    )
    .bind(range.start_date)
    .bind(range.end_date)
    .bind(zone.name())
    .bind(caller.haulier_id())
    .fetch_all(&mut **db)
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut costs: HashMap<i64, CostedRun> =
        costing::of_runs(db, &ids).await?.into_iter().map(|run| (run.id, run)).collect();
    let mut names = Names::new(app);
    let mut figures = Vec::with_capacity(rows.len());
    for row in rows {
        let hours = |from: DateTime<Utc>, to: DateTime<Utc>| (to - from).as_seconds_f64() / 3600.0;
        let costed = costs.remove(&row.id);
        figures.push(Figures {
            date: row.date,
            jobs: row.jobs,
            visited: row.visited,
            successful: row.successful,
            on_time: row.on_time,
            planned_km: f64::from(row.distance) / 1000.0,
            actual_km: row.actual_km,
            planned_hours: f64::from(row.planned_seconds) / 3600.0,
            actual_hours: row.actual_start_time.zip(row.actual_end_time).map(|(from, to)| hours(from, to)),
            load_factor: load_factor(&row.capacity, &row.sizes),
            fuel: row.fuel,
            co2_kg: row.co2.map(|grams| grams / 1000.0),
            cost: costed.as_ref().and_then(CostedRun::cost),
            currency: costed.and_then(|run| run.currency().map(str::to_owned)),
            haulier: names.haulier(row.haulier_id).await?,
            validated_by: names.email(row.validated_by_id).await?,
            zone,
            row,
        });
    }
    Ok(figures)
}

impl Figures {
    /// Currency of its cost, given the organisation's.
    pub(super) fn currency_or<'a>(&'a self, own: &'a str) -> &'a str {
        self.currency.as_deref().unwrap_or(own)
    }

    /// Whether its cost is billed, or still as it stands.
    pub(super) fn billing_status(&self) -> &'static str {
        if self.row.validated_by_id.is_some() { "validated" } else { "pending" }
    }

    /// The scenario it is a run of.
    pub(super) fn scenario_id(&self) -> i64 {
        self.row.scenario_id
    }

    /// Planned, metres.
    pub(super) fn distance(&self) -> i64 {
        self.row.distance.into()
    }

    /// Heading, width and value of each column.
    fn cells(&self, fuel: FuelUnit, own_currency: &str) -> Vec<(&'static str, f64, Cell)> {
        let number = |value: Option<f64>, places: u8| Cell::some(value, |value| Cell::rounded(value, places));
        let at = |at: Option<DateTime<Utc>>| {
            Cell::some(at, |at| Cell::DateTime(at.with_timezone(&self.zone).naive_local()))
        };
        let row = &self.row;
        let delay = row.planned_start_time.zip(row.actual_start_time);
        #[expect(clippy::cast_precision_loss, reason = "counts of a day")]
        let drops = (self.jobs > 0).then_some(self.jobs as f64);
        let km = self.actual_km.unwrap_or(self.planned_km);
        vec![
            ("date", 12.0, Cell::Date(self.date)),
            ("scenario", 20.0, Cell::text(&row.scenario)),
            ("run code", 14.0, Cell::text(row.code.as_deref().unwrap_or(&row.uid))),
            ("driver", 16.0, Cell::text(&row.driver)),
            ("vehicle", 14.0, Cell::from(&row.vehicle)),
            ("haulier", 18.0, Cell::from(&self.haulier)),
            ("planned start", 17.0, at(row.planned_start_time)),
            ("actual start", 17.0, at(row.actual_start_time)),
            (
                "start delay min",
                14.0,
                Cell::some(delay, |(plan, real)| Cell::Whole((real - plan).num_minutes())),
            ),
            ("planned end", 17.0, at(row.planned_end_time)),
            ("actual end", 17.0, at(row.actual_end_time)),
            ("jobs", 8.0, Cell::Whole(self.jobs)),
            ("visited", 8.0, Cell::Whole(self.visited)),
            ("successful", 10.0, Cell::Whole(self.successful)),
            ("failed", 8.0, Cell::Whole(self.visited - self.successful)),
            ("on time %", 10.0, number(percent(self.on_time, self.visited), 1)),
            ("units loaded", 12.0, Cell::Whole(row.units_loaded)),
            ("units delivered", 14.0, Cell::Whole(row.units_delivered)),
            ("exceptions", 11.0, Cell::Whole(row.exceptions)),
            ("planned km", 11.0, Cell::rounded(self.planned_km, 2)),
            ("actual km", 11.0, number(self.actual_km, 2)),
            ("km deviation %", 14.0, number(deviation(self.planned_km, self.actual_km), 1)),
            ("planned h", 10.0, Cell::rounded(self.planned_hours, 2)),
            ("actual h", 10.0, number(self.actual_hours, 2)),
            ("h deviation %", 13.0, number(deviation(self.planned_hours, self.actual_hours), 1)),
            ("load factor %", 13.0, number(self.load_factor, 1)),
            (fuel_heading(fuel), 9.0, number(self.fuel.map(|litres| fuel.of_litres(litres)), 2)),
            ("CO2 kg", 9.0, number(self.co2_kg, 2)),
            ("cost", 11.0, number(self.cost, 2)),
            ("cost per drop", 13.0, number(self.cost.zip(drops).map(|(cost, drops)| cost / drops), 2)),
            ("cost per km", 12.0, number(self.cost.filter(|_| km > 0.0).map(|cost| cost / km), 2)),
            ("currency", 10.0, Cell::some(self.cost, |_| Cell::text(self.currency_or(own_currency)))),
            ("status", 12.0, Cell::text(self.billing_status())),
            ("validated by", 24.0, Cell::from(&self.validated_by)),
        ]
    }
}

/// Sheet `Runs`.
pub(super) fn sheet(figures: &[Figures], fuel: FuelUnit, own_currency: &str) -> Sheet {
    let columns = figures.first().map(|run| run.cells(fuel, own_currency)).unwrap_or_default();
    Sheet {
        name: "Runs".to_owned(),
        columns: columns.into_iter().map(|(heading, width, _)| Column::new(heading, width)).collect(),
        rows: figures
            .iter()
            .map(|run| run.cells(fuel, own_currency).into_iter().map(|(_, _, cell)| cell).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-14: the fullest measure counts, of several layouts the one that fits best; no limit, no factor.
    #[test]
    fn the_load_factor_is_that_of_the_fullest_measure() {
        let sizes = ["pallets:2&weight:350".to_owned(), "pallets:1".to_owned()];
        let near = |capacity: &str, expected: Option<f64>| {
            let found = load_factor(capacity, &sizes);
            let same = match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
                (None, None) => true,
                _ => false,
            };
            assert!(same, "{capacity}: {found:?}, not {expected:?}");
        };
        near("pallets:4&weight:1000", Some(75.0));
        near("weight:500", Some(70.0));
        near("pallets:4|pallets:6", Some(50.0));
        near("0", None);
        near("", None);
    }

    #[test]
    fn shares_of_nothing_are_none() {
        assert_eq!(percent(0, 0), None);
        assert_eq!(percent(1, 4), Some(25.0));
        assert_eq!(deviation(0.0, Some(3.0)), None);
        assert_eq!(deviation(40.0, Some(46.0)), Some(15.0));
    }
}
