//! Named variants of a driver's planning defaults: another shift on Fridays, another vehicle in winter.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::place::Location;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Jsonb, TimeOfDay};
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use crate::fleet::place_columns::{flatten, place};
use crate::fleet::vehicles::{check_capacity, check_speed};

/// Days of the week as the contract spells them.
pub(crate) const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A variant; a null field keeps the driver's own.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct DriverConfig {
    /// Id.
    pub id: i64,
    /// The driver.
    pub driver_id: i64,
    /// Name of the variant.
    pub name: Option<String>,
    /// Days on which it holds; none means every day.
    pub days: Vec<String>,
    /// Start of work.
    pub shift_start: Option<String>,
    /// End of work.
    pub shift_end: Option<String>,
    /// Earliest start of the break.
    pub lunch_time: Option<String>,
    /// Latest start of the break.
    pub lunch_latest_start: Option<String>,
    /// Length of the break, minutes.
    pub lunch_duration: Option<f64>,
    /// What fits in.
    pub capacity: Option<String>,
    /// Types of goods.
    pub spec_type: Option<String>,
    /// Driving times are divided by it.
    pub speed_multiplier: Option<f64>,
    /// Where the driver starts.
    pub start_location: Option<Jsonb<Location>>,
    /// Where the driver ends.
    pub end_location: Option<Jsonb<Location>>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: Option<String>,
    /// At most one of a group gets a run.
    pub alternatives_group: Option<String>,
    /// Vehicle.
    pub vehicle_id: Option<i64>,
    /// Whether it is in use.
    pub active: bool,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DriverConfigFields {
    /// The driver.
    pub driver_id: Option<i64>,
    /// Name of the variant.
    pub name: Option<String>,
    /// Days on which it holds.
    pub days: Option<Vec<String>>,
    /// Start of work.
    #[serde(deserialize_with = "blank_is_null")]
    pub shift_start: Option<TimeOfDay>,
    /// End of work.
    #[serde(deserialize_with = "blank_is_null")]
    pub shift_end: Option<TimeOfDay>,
    /// Earliest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_time: Option<TimeOfDay>,
    /// Latest start of the break.
    #[serde(deserialize_with = "blank_is_null")]
    pub lunch_latest_start: Option<TimeOfDay>,
    /// Length of the break, minutes.
    pub lunch_duration: Option<f64>,
    /// What fits in.
    pub capacity: Option<String>,
    /// Types of goods.
    pub spec_type: Option<String>,
    /// Driving times are divided by it.
    pub speed_multiplier: Option<f64>,
    /// Where the driver starts.
    pub start_location: Option<Location>,
    /// Where the driver ends.
    pub end_location: Option<Location>,
    /// `start`, `end_location` or `anywhere`.
    pub route_end: Option<String>,
    /// At most one of a group gets a run.
    pub alternatives_group: Option<String>,
    /// Vehicle.
    pub vehicle_id: Option<i64>,
    /// Whether it is in use.
    pub active: Option<bool>,
}

impl Resource for DriverConfig {
    const NAME: &'static str = "Driver config";
    const PATH: &'static str = "/drivers/configs";
    const TABLE: &'static str = "driver_configs";
    const COLUMNS: &'static str = concat!(
        "id, driver_id, name, days, to_char(shift_start, 'HH24:MI') as shift_start, to_char(shift_end, 'HH24:MI') as shift_end,
        to_char(lunch_time, 'HH24:MI') as lunch_time, to_char(lunch_latest_start, 'HH24:MI') as lunch_latest_start,
        lunch_duration, capacity, spec_type, speed_multiplier, ",
        place!("start_", "start_location"),
        ", ",
        place!("end_", "end_location"),
        ", route_end, alternatives_group, vehicle_id, active, created, modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("driver_id", "driver_id"),
            Filter::text("name", "name"),
            Filter::bool("active", "active"),
        ],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("driver_id", "driver_id")],
        order: "id desc",
    };
    type Fields = DriverConfigFields;

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        flatten(&mut fields, "start_location", "start_");
        flatten(&mut fields, "end_location", "end_");
        fields
    }

    fn check(&self, problems: &mut Problems) {
        for (field, value) in [
            ("name", &self.name),
            ("spec_type", &self.spec_type),
            ("alternatives_group", &self.alternatives_group),
        ] {
            problems.optional_text(field, value.as_deref(), check::SHORT_TEXT);
        }
        problems.require(
            self.days.iter().all(|day| DAYS.contains(&day.as_str())),
            "days",
            "Value is not a day of the week",
        );
        if let (Some(start), Some(end)) = (&self.shift_start, &self.shift_end) {
            problems.require(start < end, "shift_end", "Shift end must be after shift start");
        }
        for (field, place) in [("start_location", &self.start_location), ("end_location", &self.end_location)]
        {
            if let Some(place) = place {
                place.check(field, problems);
            }
        }
        check_capacity("capacity", self.capacity.as_deref(), problems);
        check_speed(self.speed_multiplier, problems);
    }
}
