//! The runs export.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::{
    DistanceUnit, FuelUnit,
    sheet::{Cell, Column, Sheet},
};

/// One run; names are resolved, times are in the organisation's timezone, lengths in metric units.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the columns of the export and the fields of a run")]
pub struct RunRow {
    pub uid: String,
    pub scenario: String,
    pub date: NaiveDate,
    pub status: String,
    pub driver: Option<String>,
    /// Name of the person at the wheel.
    pub driver_user: Option<String>,
    pub vehicle: Option<String>,
    pub jobs_count: i64,
    pub units_count: i64,
    pub start_location: Option<String>,
    pub end_location: Option<String>,
    pub route_end: String,
    pub preferred_method: String,
    pub route_colour: String,
    pub capacity: String,
    pub alternatives_group: Option<String>,
    pub email: Option<String>,
    pub phone_number: Option<String>,
    pub spec_type: Option<String>,
    pub shift_start: Option<NaiveTime>,
    pub shift_end: Option<NaiveTime>,
    pub lunch_time: Option<NaiveTime>,
    pub lunch_latest_start: Option<NaiveTime>,
    /// Minutes.
    pub lunch_duration: f64,
    pub speed_multiplier: f64,
    pub device_id: Option<String>,
    pub planned_start_time: Option<NaiveDateTime>,
    pub planned_end_time: Option<NaiveDateTime>,
    pub actual_start_time: Option<NaiveDateTime>,
    pub actual_end_time: Option<NaiveDateTime>,
    pub billing_start_time: Option<NaiveDateTime>,
    /// Kilometres.
    pub start_odometer: Option<f64>,
    /// Kilometres.
    pub end_odometer: Option<f64>,
    /// Kilometres.
    pub additional_billing_kms: f64,
    /// Hours.
    pub min_billing_hours: f64,
    /// Metres.
    pub distance: i64,
    /// Seconds.
    pub total_driving_time: i64,
    /// Seconds.
    pub total_job_duration: i64,
    /// Litres.
    pub fuel_consumption: Option<f64>,
    /// Litres.
    pub actual_fuel_consumption: Option<f64>,
    /// Grams.
    pub co2_emissions: Option<f64>,
    /// Grams.
    pub actual_co2_emissions: Option<f64>,
    pub dispatched: bool,
    pub dispatched_at: Option<NaiveDateTime>,
    /// Name of the user who validated the run.
    pub validated_by: Option<String>,
    pub validated_at: Option<NaiveDateTime>,
    /// Kilometres.
    pub billing_km: Option<f64>,
    /// Hours.
    pub billing_time: Option<f64>,
    /// Name of the billing rate.
    pub vehicle_billing_rate: Option<String>,
    pub estimated_cost: Option<f64>,
    pub created: Option<NaiveDateTime>,
}

/// Sheet `Runs`. Lengths and fuel are converted to the organisation's units and named so in the heading; times are hours.
pub fn runs(rows: &[RunRow], unit: DistanceUnit, fuel: FuelUnit) -> Sheet {
    let columns = run_cells(&RunRow::default(), unit, fuel)
        .into_iter()
        .map(|(heading, width, _)| Column::new(heading, width));
    Sheet {
        name: "Runs".into(),
        columns: columns.collect(),
        rows: rows
            .iter()
            .map(|row| run_cells(row, unit, fuel).into_iter().map(|(_, _, cell)| cell).collect())
            .collect(),
    }
}

/// Heading, width and value of each column.
fn run_cells(row: &RunRow, unit: DistanceUnit, fuel: FuelUnit) -> Vec<(String, f64, Cell)> {
    let mut cells = plan_cells(row);
    cells.extend(actual_cells(row, unit, fuel));
    cells
}

fn plan_cells(row: &RunRow) -> Vec<(String, f64, Cell)> {
    [
        ("uid", 16.0, Cell::text(&row.uid)),
        ("scenario", 20.0, Cell::text(&row.scenario)),
        ("date", 12.0, Cell::Date(row.date)),
        ("status", 10.0, Cell::text(&row.status)),
        ("driver", 16.0, Cell::from(&row.driver)),
        ("driver_user", 18.0, Cell::from(&row.driver_user)),
        ("vehicle", 14.0, Cell::from(&row.vehicle)),
        ("jobs_count", 8.0, Cell::Whole(row.jobs_count)),
        ("units_count", 8.0, Cell::Whole(row.units_count)),
        ("start_location", 34.0, Cell::from(&row.start_location)),
        ("end_location", 34.0, Cell::from(&row.end_location)),
        ("route_end", 12.0, Cell::text(&row.route_end)),
        ("preferred_method", 12.0, Cell::text(&row.preferred_method)),
        ("route_colour", 12.0, Cell::text(&row.route_colour)),
        ("capacity", 20.0, Cell::text(&row.capacity)),
        ("alternatives_group", 14.0, Cell::from(&row.alternatives_group)),
        ("email", 26.0, Cell::from(&row.email)),
        ("phone_number", 17.0, Cell::from(&row.phone_number)),
        ("spec_type", 14.0, Cell::from(&row.spec_type)),
        ("shift_start", 11.0, Cell::some(row.shift_start, Cell::Time)),
        ("shift_end", 11.0, Cell::some(row.shift_end, Cell::Time)),
        ("lunch_time", 11.0, Cell::some(row.lunch_time, Cell::Time)),
        ("lunch_latest_start", 11.0, Cell::some(row.lunch_latest_start, Cell::Time)),
        ("lunch_duration (min)", 11.0, Cell::Decimal(row.lunch_duration, 0)),
        ("speed_multiplier", 11.0, Cell::Decimal(row.speed_multiplier, 2)),
        ("device_id", 14.0, Cell::from(&row.device_id)),
        ("planned_start_time", 17.0, Cell::some(row.planned_start_time, Cell::DateTime)),
        ("planned_end_time", 17.0, Cell::some(row.planned_end_time, Cell::DateTime)),
    ]
    .map(|(heading, width, cell)| (heading.to_owned(), width, cell))
    .into()
}

fn actual_cells(row: &RunRow, unit: DistanceUnit, fuel: FuelUnit) -> Vec<(String, f64, Cell)> {
    let length = |name: &str| format!("{name} ({})", unit.symbol());
    let kilometres = |value: f64| Cell::rounded(unit.of_metres(value * 1_000.0), 2);
    let hours = |seconds: i64| Cell::rounded(seconds as f64 / 3_600.0, 2);
    let amount = |name: &str| format!("{name} ({})", fuel.symbol());
    let burnt = |litres| Cell::some(litres, |litres| Cell::rounded(fuel.of_litres(litres), 2));
    let kilograms = |grams| Cell::some(grams, |v: f64| Cell::rounded(v / 1_000.0, 2));
    let plain = str::to_owned;
    vec![
        (plain("actual_start_time"), 17.0, Cell::some(row.actual_start_time, Cell::DateTime)),
        (plain("actual_end_time"), 17.0, Cell::some(row.actual_end_time, Cell::DateTime)),
        (plain("billing_start_time"), 17.0, Cell::some(row.billing_start_time, Cell::DateTime)),
        (length("start_odometer"), 14.0, Cell::some(row.start_odometer, kilometres)),
        (length("end_odometer"), 14.0, Cell::some(row.end_odometer, kilometres)),
        (length("additional_billing"), 14.0, kilometres(row.additional_billing_kms)),
        (plain("min_billing_hours"), 10.0, Cell::rounded(row.min_billing_hours, 2)),
        (length("distance"), 12.0, Cell::rounded(unit.of_metres(row.distance as f64), 2)),
        (plain("total_driving_time (h)"), 12.0, hours(row.total_driving_time)),
        (plain("total_job_duration (h)"), 12.0, hours(row.total_job_duration)),
        (amount("fuel_consumption"), 12.0, burnt(row.fuel_consumption)),
        (amount("actual_fuel_consumption"), 12.0, burnt(row.actual_fuel_consumption)),
        (plain("co2_emissions (kg)"), 12.0, kilograms(row.co2_emissions)),
        (plain("actual_co2_emissions (kg)"), 12.0, kilograms(row.actual_co2_emissions)),
        (plain("dispatched"), 10.0, Cell::YesNo(row.dispatched)),
        (plain("dispatched_at"), 17.0, Cell::some(row.dispatched_at, Cell::DateTime)),
        (plain("validated_by"), 18.0, Cell::from(&row.validated_by)),
        (plain("validated_at"), 17.0, Cell::some(row.validated_at, Cell::DateTime)),
        (length("billing"), 12.0, Cell::some(row.billing_km, kilometres)),
        (plain("billing_time (h)"), 12.0, Cell::some(row.billing_time, |v| Cell::rounded(v, 2))),
        (plain("vehicle_billing_rate"), 16.0, Cell::from(&row.vehicle_billing_rate)),
        (plain("estimated_cost"), 12.0, Cell::some(row.estimated_cost, |v| Cell::rounded(v, 2))),
        (plain("created"), 17.0, Cell::some(row.created, Cell::DateTime)),
    ]
}
