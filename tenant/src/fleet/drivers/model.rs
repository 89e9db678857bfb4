//! A driver's row, fields and checks.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::place::Location;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Error, Given, Jsonb, Result, TimeOfDay};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use crate::fleet::place_columns::{flatten, place};
use crate::fleet::vehicles::{check_capacity, check_speed};
use crate::organisation_column::{ORGANISATION, organisation};

/// A driver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Driver {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Name or number of the driver.
    pub uid: String,
    /// Addresses for run sheets, comma-separated.
    pub email: Option<String>,
    /// Numbers for run sheets, comma-separated.
    pub phone_number: Option<String>,
    /// `email` or `sms`; the organisation's dispatch method when null.
    pub preferred_method: Option<String>,
    /// Start of work, `HH:mm`.
    pub shift_start: String,
    /// End of work, `HH:mm`.
    pub shift_end: String,
    /// Earliest start of the break, `HH:mm`.
    pub lunch_time: Option<String>,
    /// Latest start of the break, `HH:mm`.
    pub lunch_latest_start: Option<String>,
    /// Length of the break, minutes.
    pub lunch_duration: f64,
    /// Depot where the driver starts.
    pub location: Option<Jsonb<Location>>,
    /// Where the driver ends, with route end `end_location`.
    pub end_location: Option<Jsonb<Location>>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: String,
    /// Colour of the driver's runs.
    pub route_colour: Option<String>,
    /// What fits in, in the size grammar; `0` means no limit.
    pub capacity: String,
    /// Types of goods the driver can serve, comma-separated.
    pub spec_type: Option<String>,
    /// Driving times are divided by it, 0.1 to 3.
    pub speed_multiplier: f64,
    /// At most one driver of a group gets a run.
    pub alternatives_group: Option<String>,
    /// Usual vehicle.
    pub vehicle_id: Option<i64>,
    /// Usual person at the wheel.
    pub driver_user_id: Option<i64>,
    /// GPS device.
    pub device_id: Option<String>,
    /// Haulier that the driver works for.
    pub haulier_id: Option<i64>,
    /// Set while deleted.
    pub deleted_at: Option<DateTime<Utc>>,
    /// Named variants.
    pub configs: Jsonb<Vec<NamedConfig>>,
    /// Areas the driver serves.
    pub territories: Jsonb<Vec<NamedTerritory>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// A variant of a driver by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NamedConfig {
    /// Id.
    pub id: i64,
    /// The driver.
    pub driver_id: i64,
    /// Name of the variant.
    pub name: Option<String>,
    /// Days on which it holds; none means every day.
    pub days: Vec<String>,
    /// Whether it is in use.
    pub active: bool,
}

/// A territory by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NamedTerritory {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DriverFields {
    /// Name or number of the driver.
    pub uid: Option<String>,
    /// Addresses for run sheets, comma-separated.
    pub email: Option<String>,
    /// Number for run sheets.
    pub phone_number: Option<String>,
    /// `email` or `sms`.
    pub preferred_method: Option<String>,
    /// Start of work.
    pub shift_start: Option<TimeOfDay>,
    /// End of work.
    pub shift_end: Option<TimeOfDay>,
    /// Earliest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_time: Option<TimeOfDay>,
    /// Latest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_latest_start: Option<TimeOfDay>,
    /// Length of the break, minutes.
    pub lunch_duration: Option<f64>,
    /// Depot where the driver starts.
    pub location: Option<Location>,
    /// Where the driver ends.
    pub end_location: Option<Location>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: Option<String>,
    /// Colour of the driver's runs.
    pub route_colour: Option<String>,
    /// What fits in; blank or `0` means no limit.
    pub capacity: Option<String>,
    /// Types of goods, comma-separated.
    pub spec_type: Option<String>,
    /// Driving times are divided by it.
    pub speed_multiplier: Option<f64>,
    /// At most one driver of a group gets a run.
    pub alternatives_group: Option<String>,
    /// Usual vehicle.
    pub vehicle_id: Option<i64>,
    /// Usual person at the wheel.
    pub driver_user_id: Option<i64>,
    /// GPS device.
    pub device_id: Option<String>,
    /// Haulier that the driver works for.
    pub haulier_id: Option<i64>,
}

impl Resource for Driver {
    const NAME: &'static str = "Driver";
    const PATH: &'static str = "/drivers";
    const TABLE: &'static str = "drivers";
    const FROM: &'static str = "drivers d";
    const ID: &'static str = "d.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", d.id, d.uid, d.email, d.phone_number, d.preferred_method, to_char(d.shift_start, 'HH24:MI') as shift_start,
        to_char(d.shift_end, 'HH24:MI') as shift_end, to_char(d.lunch_time, 'HH24:MI') as lunch_time,
        to_char(d.lunch_latest_start, 'HH24:MI') as lunch_latest_start, d.lunch_duration, ",
        place!("d.", "location"),
        ", ",
        place!("d.end_", "end_location"),
        ", d.route_end, d.route_colour, d.capacity, d.spec_type, d.speed_multiplier, d.alternatives_group, d.vehicle_id,
        d.driver_user_id, d.device_id, d.haulier_id, d.deleted_at,
        coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'driver_id', c.driver_id, 'name', c.name, 'days', c.days,
            'active', c.active) order by c.id) from driver_configs c where c.driver_id = d.id), '[]') as configs,
        coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name)
            from driver_territories dt join territories t on t.id = dt.territory_id where dt.driver_id = d.id), '[]') as territories,
        d.created, d.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "d.uid"),
            Filter::text("email", "d.email"),
            Filter::text("phone_number", "d.phone_number"),
            Filter::choice("preferred_method", "d.preferred_method"),
            Filter::id("driver_id", "d.id"),
            Filter::id("haulier_id", "d.haulier_id"),
            Filter::id("vehicle_id", "d.vehicle_id"),
        ],
        search: &["d.uid", "d.email"],
        sort: &[
            ("id", "d.id"),
            ("uid", "lower(d.uid)"),
            ("email", "lower(d.email)"),
            ("phone_number", "d.phone_number"),
            ("address", "lower(d.address)"),
            ("deleted_at", "d.deleted_at"),
            ("shift_start", "d.shift_start"),
            ("shift_end", "d.shift_end"),
            ("created", "d.created"),
        ],
        order: "d.id desc",
    };
    type Fields = DriverFields;

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        flatten(&mut fields, "location", "");
        flatten(&mut fields, "end_location", "end_");
        fields
    }

    fn prepare(given: &mut Given<DriverFields>, caller: &Caller, _new: bool) -> Result<()> {
        if let Some(haulier) = caller.haulier_id() {
            given.fields.insert("haulier_id".to_owned(), haulier.into());
        } else if let Some(haulier) = given.value.haulier_id
            && !caller.policy()?.has_haulier(haulier)
        {
            return Err(Error::field("haulier_id", "Value does not exist"));
        }
        if let Some(user) = given.value.driver_user_id
            && caller.policy()?.member(user).is_none()
        {
            return Err(Error::field("driver_user_id", "Value does not exist"));
        }
        if given.has("capacity") && given.value.capacity.as_deref().is_none_or(|text| text.trim().is_empty())
        {
            given.fields.insert("capacity".to_owned(), "0".into());
        }
        for field in ["lunch_duration", "speed_multiplier", "route_end", "shift_start", "shift_end"] {
            // These have defaults: null means the default, as on create.
            if given.fields.get(field).is_some_and(Value::is_null) {
                given.fields.remove(field);
            }
        }
        Ok(())
    }

    fn check(&self, problems: &mut Problems) {
        problems.text("uid", &self.uid, 100);
        problems.emails("email", self.email.as_deref());
        problems.phones("phone_number", self.phone_number.as_deref());
        problems.colour("route_colour", self.route_colour.as_deref());
        for (field, value) in [
            ("spec_type", &self.spec_type),
            ("alternatives_group", &self.alternatives_group),
            ("device_id", &self.device_id),
        ] {
            problems.optional_text(field, value.as_deref(), check::SHORT_TEXT);
        }
        for (field, place) in [("location", &self.location), ("end_location", &self.end_location)] {
            if let Some(place) = place {
                place.check(field, problems);
            }
        }
        check_shift(
            &Shift {
                start: &self.shift_start,
                end: &self.shift_end,
                break_earliest: self.lunch_time.as_deref(),
                break_latest: self.lunch_latest_start.as_deref(),
            },
            problems,
        );
        problems.require(
            (0.0..=1440.0).contains(&self.lunch_duration),
            "lunch_duration",
            "Value must be between 0 and 1440",
        );
        check_capacity("capacity", Some(&self.capacity), problems);
        check_speed(Some(self.speed_multiplier), problems);
        let ends = ["start", "end_location", "anywhere"];
        problems.require(
            ends.contains(&self.route_end.as_str()),
            "route_end",
            "Value is not one of start, end_location, anywhere",
        );
        let methods = ["email", "sms"];
        if let Some(method) = &self.preferred_method {
            problems.require(
                methods.contains(&method.as_str()),
                "preferred_method",
                "Value is not one of email, sms",
            );
        }
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            conditions.push("d.haulier_id = ", haulier);
        }
    }
}

/// A shift and its break, all `HH:mm`.
pub(crate) struct Shift<'a> {
    /// Start of work.
    pub start: &'a str,
    /// End of work.
    pub end: &'a str,
    /// Earliest start of the break.
    pub break_earliest: Option<&'a str>,
    /// Latest start of the break.
    pub break_latest: Option<&'a str>,
}

/// Shift in order, break within it (X-3xx texts).
pub(crate) fn check_shift(shift: &Shift<'_>, problems: &mut Problems) {
    problems.require(shift.start < shift.end, "shift_end", "Shift end must be after shift start");
    let within = |time: &str| shift.start <= time && time <= shift.end;
    if let Some(time) = shift.break_earliest {
        problems.require(
            within(time),
            "lunch_time",
            "Break earliest start time must be between shift start and shift end",
        );
    }
    if let Some(time) = shift.break_latest {
        problems.require(
            within(time),
            "lunch_latest_start",
            "Break latest start must be between shift start and shift end",
        );
    }
    if let (Some(earliest), Some(latest)) = (shift.break_earliest, shift.break_latest) {
        problems.require(
            earliest <= latest,
            "lunch_latest_start",
            "Break latest start must not be before its earliest start",
        );
    }
}
