//! Values that pages of the organisation's settings keep, by group and key: kinds of vehicles (S-40) and others.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Access, Given, Jsonb, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use crate::app::App;
use crate::fleet::vehicles::{SIZES, check_capacity, check_profile, check_tolls};

const READ: Access = Access::levels(&["organisation_settings_read"]);
const WRITE: Access = Access::levels(&["organisation_settings_write"]);
/// Group of the kinds of vehicles.
const VEHICLES: &str = "vehicle_definition";
/// Largest value, characters of JSON.
const LARGEST: usize = 20_000;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<ConfigValue, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A value.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct ConfigValue {
    /// Id.
    pub id: i64,
    /// What it belongs to, such as `vehicle_definition`.
    pub group: String,
    /// Name in its group, unique there.
    pub key: String,
    /// Any JSON; an object for kinds of vehicles.
    pub value: Jsonb<Value>,
    /// Place in its group.
    pub order: i32,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ConfigValueFields {
    /// What it belongs to.
    pub group: Option<String>,
    /// Name in its group.
    pub key: Option<String>,
    /// Any JSON.
    pub value: Option<Value>,
    /// Place in its group.
    pub order: Option<i32>,
}

impl Resource for ConfigValue {
    const NAME: &'static str = "Config value";
    const PATH: &'static str = "/config_values";
    const TABLE: &'static str = "config_values";
    const COLUMNS: &'static str =
        "id, group_name as \"group\", key, value, position as \"order\", created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("group", "group_name"),
            Filter::text("key", "key"),
            Filter::id("config_value_id", "id"),
        ],
        search: &["key", "value ->> 'name'"],
        sort: &[
            ("id", "id"),
            ("group", "group_name"),
            ("key", "lower(key)"),
            ("order", "position"),
            ("value.name", "lower(value ->> 'name')"),
            ("value.capacity", "value ->> 'capacity'"),
            ("value.spec_type", "value ->> 'spec_type'"),
            ("value.fuel_consumption", "value -> 'fuel_consumption'"),
            ("created", "created"),
        ],
        order: "group_name, position, id",
    };
    type Fields = ConfigValueFields;

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        for (field, column) in [("group", "group_name"), ("order", "position")] {
            if let Some(value) = fields.remove(field) {
                fields.insert(column.to_owned(), value);
            }
        }
        fields
    }

    fn prepare(given: &mut Given<ConfigValueFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        for (field, value) in [("group", &given.value.group), ("key", &given.value.key)] {
            problems.require(value.is_some() || !(new || given.has(field)), field, check::REQUIRED);
            problems.optional_text(field, value.as_deref(), 100);
        }
        if given.fields.get("order").is_some_and(Value::is_null) {
            given.fields.insert("order".to_owned(), 0.into());
        }
        if given.fields.get("value").is_some_and(Value::is_null) {
            given.fields.insert("value".to_owned(), Value::Object(Map::new()));
        }
        problems.finish()
    }

    fn check(&self, problems: &mut Problems) {
        problems.require(self.value.to_string().chars().count() <= LARGEST, "value", check::TOO_LONG);
        if self.group == VEHICLES {
            check_vehicle(&self.value, problems);
        }
    }

    fn violated(
        constraint: &str,
        _given: &ConfigValueFields,
        _before: Option<&Self>,
    ) -> Option<routewright_core::Error> {
        (constraint == "config_values_key_key")
            .then(|| routewright_core::Error::field("key", "This value is already in use"))
    }
}

fn check_vehicle(value: &Value, problems: &mut Problems) {
    let Some(fields) = value.as_object() else {
        problems.add("value", "A vehicle definition must be an object");
        return;
    };
    let name = fields.get("name").and_then(Value::as_str).unwrap_or_default();
    problems.text("value.name", name, 200);
    check_capacity("value.capacity", fields.get("capacity").and_then(Value::as_str), problems);
    let text = |field: &str| {
        fields.get(field).filter(|text| !text.is_null()).map(|text| text.as_str().unwrap_or_default())
    };
    check_profile("value.road_profile", text("road_profile"), problems);
    check_tolls("value.tolls", text("tolls"), problems);
    let hazardous = fields.get("hazardous_goods").unwrap_or(&Value::Null);
    let told = "Value must be true or false";
    problems.require(hazardous.is_null() || hazardous.is_boolean(), "value.hazardous_goods", told);
    let others =
        [("speed_multiplier", 0.1, 3.0), ("fuel_consumption", 0.0, 1e9), ("co2_per_litre", 0.0, 1e9)];
    for (field, lowest, highest) in others.into_iter().chain(SIZES) {
        let Some(number) = fields.get(field).filter(|number| !number.is_null()) else { continue };
        problems.require(
            number.as_f64().is_some_and(|number| (lowest..=highest).contains(&number)),
            &format!("value.{field}"),
            &format!("Value must be between {lowest} and {highest}"),
        );
    }
}
