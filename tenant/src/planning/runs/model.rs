//! A run's row, fields and checks.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::place::Location;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Given, Jsonb, Result, TimeOfDay};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use super::check;
use crate::fleet::place_columns::{flatten, place};
use crate::plan::{RunRoute, Status};

/// A run: one driver's route in one scenario, as planned, as driven and as billed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Run {
    /// Id.
    pub id: i64,
    /// Name; the driver's unless given another.
    pub uid: String,
    /// Key of the run sheet, with which anybody can act as the driver; for those who may dispatch.
    pub token: Option<String>,
    /// The scenario.
    pub scenario_id: i64,
    /// The scenario in short.
    pub scenario: Jsonb<RunScenario>,
    /// The driver.
    pub driver_id: i64,
    /// The driver in short.
    pub driver: Jsonb<RunDriver>,
    /// The person at the wheel.
    pub driver_user_id: Option<i64>,
    /// The vehicle.
    pub vehicle_id: Option<i64>,
    /// The vehicle in short, with the rate it is billed at for those who may see rates.
    pub vehicle: Option<Jsonb<RunVehicle>>,
    /// Rate of this run; the vehicle's when null.
    pub billing_rate_id: Option<i64>,
    /// Who validated it.
    pub validated_by_id: Option<i64>,
    /// When it was validated.
    pub validated_at: Option<DateTime<Utc>>,
    /// Where it starts; at its first job when null.
    pub start_location: Option<Jsonb<Location>>,
    /// Where it ends, with route end `end_location`.
    pub end_location: Option<Jsonb<Location>>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: String,
    /// How the run sheet is sent: `email`, `sms` or `qr_code`.
    pub preferred_method: String,
    /// Colour on the map.
    pub route_colour: String,
    /// What fits in, in the size grammar; `0` means no limit.
    pub capacity: String,
    /// Runs of one group exclude each other.
    pub alternatives_group: Option<String>,
    /// Addresses for the run sheet, comma-separated; the driver's unless given others.
    pub email: Option<String>,
    /// Number for the run sheet; the driver's unless given another.
    pub phone_number: Option<String>,
    /// Types of goods it can serve, comma-separated.
    pub spec_type: Option<String>,
    /// Start of the shift, `HH:mm`.
    pub shift_start: String,
    /// End of the shift, `HH:mm`.
    pub shift_end: String,
    /// Earliest start of the break, `HH:mm`.
    pub lunch_time: Option<String>,
    /// Latest start of the break, `HH:mm`.
    pub lunch_latest_start: Option<String>,
    /// Length of the break, minutes.
    pub lunch_duration: f64,
    /// Driving times are divided by it.
    pub speed_multiplier: f64,
    /// GPS device.
    pub device_id: Option<String>,
    /// Areas it serves.
    pub territory_ids: Vec<i64>,
    /// Planned departure.
    pub planned_start_time: Option<DateTime<Utc>>,
    /// Planned end.
    pub planned_end_time: Option<DateTime<Utc>>,
    /// When it started.
    pub actual_start_time: Option<DateTime<Utc>>,
    /// When it ended.
    pub actual_end_time: Option<DateTime<Utc>>,
    /// From when it is billed.
    pub billing_start_time: Option<DateTime<Utc>>,
    /// Odometer at the start, km.
    pub start_odometer: Option<f64>,
    /// Odometer at the end, km.
    pub end_odometer: Option<f64>,
    /// Billed beyond the odometers, km.
    pub additional_billing_kms: f64,
    /// Hours that are billed at least.
    pub min_billing_hours: f64,
    /// Planned distance, metres.
    pub distance: i32,
    /// Planned driving time, seconds.
    pub total_driving_time: i32,
    /// Planned service time, seconds.
    pub total_job_duration: i32,
    /// Planned fuel, litres.
    pub fuel_consumption: Option<f64>,
    /// Fuel by the odometers, litres; null without both.
    pub actual_fuel_consumption: Option<f64>,
    /// Planned CO2, grams.
    pub co2_emissions: Option<f64>,
    /// CO2 by the odometers, grams; null without both.
    pub actual_co2_emissions: Option<f64>,
    /// What the travel times come from: `streets`, `osrm` or `great_circle`, or one of the first two and `+great_circle`.
    pub roads_source: Option<String>,
    /// Whether the run sheet was sent.
    pub dispatched: bool,
    /// When it was sent.
    pub dispatched_at: Option<DateTime<Utc>>,
    /// Number of jobs.
    pub jobs_count: i64,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
    /// Where it stands.
    #[sqlx(skip)]
    pub status: Option<Status>,
    /// Billed kilometres; null without both odometers.
    #[sqlx(skip)]
    pub billing_km: Option<f64>,
    /// Billed hours; null without start of billing and end.
    #[sqlx(skip)]
    pub billing_time: Option<f64>,
    /// Drops charged: jobs with a proof once the run is closed, else all its jobs.
    #[sqlx(skip)]
    pub billing_drops: Option<i64>,
    /// Name of the vehicle's rate, be it in force or not; for those who may see rates.
    #[sqlx(skip)]
    pub vehicle_billing_rate: Option<String>,
    /// Name of the rate that the cost is of: the bill's, else the run's own, else the vehicle's; for those who may see rates.
    #[sqlx(skip)]
    pub billing_rate_in_force: Option<String>,
    /// Currency of the cost, the organisation's when null; for those who may see rates.
    #[sqlx(skip)]
    pub cost_currency: Option<String>,
    /// Version of the bill in force of a validated run; for those who may see rates.
    #[sqlx(skip)]
    pub bill_version: Option<i32>,
    /// Cost; null without a rate, and for those who may not see rates.
    #[sqlx(skip)]
    pub estimated_cost: Option<f64>,
    /// The way; on request.
    #[sqlx(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    pub route: Option<RunRoute>,
}

/// A scenario as its runs show it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunScenario {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// The day.
    pub scheduled_date: NaiveDate,
    /// `planning`, `routing` or `tracking`.
    pub stage: String,
    /// Version of the plan.
    pub version: i64,
}

/// A driver as runs show him.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunDriver {
    /// Id.
    pub id: i64,
    /// Name or number.
    pub uid: String,
    /// Start of work, `HH:mm`.
    pub shift_start: String,
    /// End of work, `HH:mm`.
    pub shift_end: String,
    /// Addresses for run sheets.
    pub email: Option<String>,
    /// Number for run sheets.
    pub phone_number: Option<String>,
    /// `email` or `sms`.
    pub preferred_method: Option<String>,
    /// Colour of the driver's runs.
    pub route_colour: Option<String>,
}

/// A vehicle as runs show it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunVehicle {
    /// Id.
    pub id: i64,
    /// Number.
    pub uid: String,
    /// Current rate.
    pub billing_rate: Option<Value>,
}

/// What can be written of a run; every field may be absent.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunFields {
    /// The scenario; only when it is made.
    pub scenario_id: Option<i64>,
    /// The driver; only when it is made.
    pub driver_id: Option<i64>,
    /// Variant of the driver, instead of `driver_id`; only when it is made.
    pub config_id: Option<i64>,
    /// Name.
    pub uid: Option<String>,
    /// The person at the wheel.
    pub driver_user_id: Option<i64>,
    /// The vehicle; fills capacity, types and speed that are not given and still the defaults.
    pub vehicle_id: Option<i64>,
    /// Rate of this run.
    pub billing_rate_id: Option<i64>,
    /// Who validates it; null clears the validation.
    pub validated_by_id: Option<i64>,
    /// Where it starts.
    pub start_location: Option<Location>,
    /// Where it ends.
    pub end_location: Option<Location>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: Option<String>,
    /// `email`, `sms` or `qr_code`.
    pub preferred_method: Option<String>,
    /// Colour on the map.
    pub route_colour: Option<String>,
    /// What fits in; blank means `0`.
    pub capacity: Option<String>,
    /// Runs of one group exclude each other.
    pub alternatives_group: Option<String>,
    /// Addresses for the run sheet; null: the driver's.
    pub email: Option<String>,
    /// Number for the run sheet; null: the driver's.
    pub phone_number: Option<String>,
    /// Types of goods.
    pub spec_type: Option<String>,
    /// Start of the shift.
    pub shift_start: Option<TimeOfDay>,
    /// End of the shift.
    pub shift_end: Option<TimeOfDay>,
    /// Earliest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_time: Option<TimeOfDay>,
    /// Latest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_latest_start: Option<TimeOfDay>,
    /// Length of the break, minutes.
    pub lunch_duration: Option<f64>,
    /// Driving times are divided by it.
    pub speed_multiplier: Option<f64>,
    /// GPS device.
    pub device_id: Option<String>,
    /// Areas it serves.
    pub territory_ids: Option<Vec<i64>>,
    /// Planned departure.
    pub planned_start_time: Option<DateTime<Utc>>,
    /// Planned end.
    pub planned_end_time: Option<DateTime<Utc>>,
    /// When it started.
    pub actual_start_time: Option<DateTime<Utc>>,
    /// When it ended.
    pub actual_end_time: Option<DateTime<Utc>>,
    /// From when it is billed.
    pub billing_start_time: Option<DateTime<Utc>>,
    /// Odometer at the start, km.
    #[serde(deserialize_with = "numeric")]
    pub start_odometer: Option<f64>,
    /// Odometer at the end, km.
    #[serde(deserialize_with = "numeric")]
    pub end_odometer: Option<f64>,
    /// Billed beyond the odometers, km.
    #[serde(deserialize_with = "numeric")]
    pub additional_billing_kms: Option<f64>,
    /// Hours that are billed at least.
    #[serde(deserialize_with = "numeric")]
    pub min_billing_hours: Option<f64>,
    /// Why it is changed after dispatch, by id of a scenario reason; kept in the record.
    pub scenario_reason_id: Option<i64>,
    /// Also over hours for which the driver has another run in the scenario, with unusual actuals, and with a bill that looks
    /// like a mistake.
    pub force: Option<bool>,
}

/// A number, or a text that is one.
fn numeric<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = match Value::deserialize(deserializer)? {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    };
    number.map(Some).ok_or_else(|| serde::de::Error::custom("Enter a numeric value"))
}

/// Fields that have a default: null means the default, not nothing.
const WITH_DEFAULT: [&str; 11] = [
    "uid",
    "route_end",
    "preferred_method",
    "route_colour",
    "shift_start",
    "shift_end",
    "lunch_duration",
    "speed_multiplier",
    "territory_ids",
    "additional_billing_kms",
    "min_billing_hours",
];

impl Resource for Run {
    const NAME: &'static str = "Run";
    const PATH: &'static str = "/runs";
    const TABLE: &'static str = "runs";
    const FROM: &'static str =
        "runs r join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
        left join vehicles v on v.id = r.vehicle_id";
    const ID: &'static str = "r.id";
    const COLUMNS: &'static str = concat!(
        "r.id, r.uid, r.token, r.scenario_id, jsonb_build_object('id', s.id, 'name', s.name, 'scheduled_date',
            s.scheduled_date, 'stage', s.stage, 'version',
            coalesce((select pv.version from plan_versions pv where pv.scenario_id = s.id), 0)) as scenario, r.driver_id,
        jsonb_build_object('id', d.id, 'uid', d.uid, 'shift_start', to_char(d.shift_start, 'HH24:MI'), 'shift_end',
            to_char(d.shift_end, 'HH24:MI'), 'email', d.email, 'phone_number', d.phone_number, 'preferred_method',
            d.preferred_method, 'route_colour', d.route_colour) as driver, r.driver_user_id, r.vehicle_id,
        case when v.id is null then null else jsonb_build_object('id', v.id, 'uid', v.uid, 'billing_rate',
            (select jsonb_build_object('id', b.id, 'name', b.name, 'cost_per_run', b.cost_per_run::float8,
                'cost_per_km', b.cost_per_km::float8, 'cost_per_hour', b.cost_per_hour::float8,
                'cost_per_drop', b.cost_per_drop::float8, 'currency', b.currency)
             from billing_rates b where b.id = v.billing_rate_id)) end as vehicle,
        r.billing_rate_id, r.validated_by_id, r.validated_at, ",
        place!("r.start_", "start_location"),
        ", ",
        place!("r.end_", "end_location"),
        ", r.route_end, r.preferred_method, r.route_colour, r.capacity, r.alternatives_group,
        coalesce(nullif(r.email, ''), d.email) as email,
        coalesce(nullif(r.phone_number, ''), d.phone_number) as phone_number, r.spec_type,
        to_char(r.shift_start, 'HH24:MI') as shift_start, to_char(r.shift_end, 'HH24:MI') as shift_end,
        to_char(r.lunch_time, 'HH24:MI') as lunch_time, to_char(r.lunch_latest_start, 'HH24:MI') as lunch_latest_start,
        r.lunch_duration, r.speed_multiplier, r.device_id, r.territory_ids, r.planned_start_time, r.planned_end_time,
        r.actual_start_time, r.actual_end_time, r.billing_start_time, r.start_odometer::float8 as start_odometer,
        r.end_odometer::float8 as end_odometer, r.additional_billing_kms::float8 as additional_billing_kms,
        r.min_billing_hours::float8 as min_billing_hours, r.distance, r.total_driving_time, r.total_job_duration,
        r.fuel_consumption, case when r.start_odometer is not null and r.end_odometer is not null
            then r.actual_fuel_consumption end as actual_fuel_consumption,
        r.co2_emissions, case when r.start_odometer is not null and r.end_odometer is not null
            then r.actual_co2_emissions end as actual_co2_emissions, r.roads_source,
        r.dispatched, r.dispatched_at, (select count(*) from jobs j where j.run_id = r.id) as jobs_count,
        r.created, r.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("scenario_id", "r.scenario_id"),
            Filter::id("run_id", "r.id"),
            Filter::id("driver_id", "r.driver_id"),
            Filter::id("vehicle_id", "r.vehicle_id"),
            Filter::text("uid", "r.uid"),
            Filter::bool("dispatched", "r.dispatched"),
            Filter::present("validated", "r.validated_at"),
            Filter::date("scheduled_date", "s.scheduled_date"),
        ],
        search: &["r.uid", "d.uid", "v.uid", "s.name"],
        sort: &[
            ("id", "r.id"),
            ("uid", "lower(r.uid)"),
            ("driver", "lower(d.uid)"),
            ("vehicle", "lower(v.uid)"),
            ("scenario", "lower(s.name)"),
            ("actual_start_time", "r.actual_start_time"),
            ("actual_end_time", "r.actual_end_time"),
            ("dispatched", "r.dispatched"),
            ("validated_at", "r.validated_at"),
            ("scheduled_date", "s.scheduled_date"),
            ("planned_start_time", "r.planned_start_time"),
            ("planned_end_time", "r.planned_end_time"),
            ("distance", "r.distance"),
            ("created", "r.created"),
        ],
        order: "r.id desc",
    };
    type Fields = RunFields;

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        flatten(&mut fields, "start_location", "start_");
        flatten(&mut fields, "end_location", "end_");
        fields
    }

    fn shown_to(&mut self, caller: &Caller) {
        self.token = self.token.take().filter(|_| caller.holds("runs_write"));
    }

    fn prepare(given: &mut Given<RunFields>, _caller: &Caller, _new: bool) -> Result<()> {
        for field in ["scenario_id", "driver_id", "config_id", "scenario_reason_id", "force"] {
            given.fields.remove(field);
        }
        for field in WITH_DEFAULT {
            if given.fields.get(field).is_some_and(Value::is_null) {
                given.fields.remove(field);
            }
        }
        if given.has("capacity") && given.value.capacity.as_deref().is_none_or(|text| text.trim().is_empty())
        {
            given.fields.insert("capacity".to_owned(), "0".into());
        }
        // Dispatch writes it without the line.
        if given.value.preferred_method.as_deref() == Some("qrcode") {
            given.fields.insert("preferred_method".to_owned(), "qr_code".into());
        }
        if given.value.route_end.as_deref().is_some_and(|end| end != "end_location") {
            given.fields.insert("end_location".to_owned(), Value::Null);
        }
        Ok(())
    }

    fn check(&self, problems: &mut Problems) {
        check::run(self, problems);
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!("(d.haulier_id = {place} or v.haulier_id = {place})"));
        }
    }
}
