//! An action's row, fields and checks.

use std::time::Duration;

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Error, Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_messaging::Outbound;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{FromRow, PgConnection};

use super::conditions::{Condition, OPERATORS};
use super::events;
use crate::setup::information::{self, Udf};

/// Kinds of actions.
pub(super) const ACTIONS: [&str; 5] = ["webhook", "email", "sms", "add_tag", "set_extra_field"];
/// Most conditions of an action.
const MOST_CONDITIONS: usize = 20;

/// An action.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct UdfAction {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Key of the event.
    pub event: String,
    /// Conditions that must all hold.
    #[schemars(with = "Vec<Value>")]
    pub(crate) conditions: Jsonb<Vec<Condition>>,
    /// `webhook`, `email`, `sms`, `add_tag` or `set_extra_field`.
    pub action: String,
    /// Fields of the action.
    pub config: Jsonb<Map<String, Value>>,
    /// Whether it is carried out.
    pub enabled: bool,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UdfActionFields {
    /// Name.
    pub name: Option<String>,
    /// Key of the event.
    pub event: Option<String>,
    /// Conditions that must all hold.
    #[schemars(with = "Option<Vec<Value>>")]
    pub(crate) conditions: Option<Vec<Condition>>,
    /// Kind of action.
    pub action: Option<String>,
    /// Fields of the action.
    pub config: Option<Map<String, Value>>,
    /// Whether it is carried out.
    pub enabled: Option<bool>,
}

impl Resource for UdfAction {
    const NAME: &'static str = "Action";
    const PATH: &'static str = "/udf/actions";
    const TABLE: &'static str = "udf_actions";
    const COLUMNS: &'static str = "id, name, event, conditions, action, config, enabled, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("name", "name"),
            Filter::choice("event", "event"),
            Filter::choice("action", "action"),
            Filter::bool("enabled", "enabled"),
            Filter::id("action_id", "id"),
        ],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("event", "event"), ("created", "created")],
        order: "id desc",
    };
    type Fields = UdfActionFields;

    fn prepare(given: &mut Given<UdfActionFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        for (field, text) in [("name", &value.name), ("event", &value.event), ("action", &value.action)] {
            problems.require(text.is_some() || !(new || given.has(field)), field, check::REQUIRED);
        }
        problems.optional_text("name", value.name.as_deref(), 200);
        if let Some(action) = value.action.as_deref() {
            problems.require(
                ACTIONS.contains(&action),
                "action",
                "Value is not one of webhook, email, sms, add_tag, set_extra_field",
            );
        }
        for (field, cleared) in [
            ("conditions", Value::Array(Vec::new())),
            ("config", Value::Object(Map::new())),
            ("enabled", Value::Bool(true)),
        ] {
            if given.fields.get(field).is_some_and(Value::is_null) {
                given.fields.insert(field.to_owned(), cleared);
            }
        }
        problems.finish()
    }

    fn check(&self, problems: &mut Problems) {
        let Some(event) = events::find(&self.event) else {
            problems.add("event", "There is no such event");
            return;
        };
        problems.require(
            self.conditions.len() <= MOST_CONDITIONS,
            "conditions",
            "There are too many conditions",
        );
        for (index, condition) in self.conditions.iter().enumerate() {
            problems.require(
                events::knows(event, &condition.field),
                &format!("conditions.{index}.field"),
                "The event has no such field",
            );
            problems.require(
                OPERATORS.contains(&condition.operator.as_str()),
                &format!("conditions.{index}.operator"),
                "Value is not one of =, !=, contains, >, <, empty",
            );
        }
        if matches!(self.action.as_str(), "add_tag" | "set_extra_field") {
            problems.require(event.key.starts_with("job_"), "action", "This action needs an event of a job");
        }
        check_config(&self.action, &self.config, problems);
    }

    async fn written(&self, connection: &mut PgConnection, _caller: &Caller) -> Result<()> {
        let set: Udf = information::of(&mut *connection).await?;
        let count: i64 = sqlx::query_scalar("select count(*) from udf_actions").fetch_one(connection).await?;
        if count > set.max_actions {
            let text = format!("There can be at most {} actions", set.max_actions);
            return Err(Error::bad_request(text));
        }
        Ok(())
    }
}

fn check_config(action: &str, config: &Map<String, Value>, problems: &mut Problems) {
    let text = |field: &str| config.get(field).and_then(Value::as_str).unwrap_or_default();
    let mut required = |field: &str, longest: usize| {
        problems.text(&format!("config.{field}"), text(field), longest);
    };
    match action {
        "webhook" => {
            required("url", 2000);
            let reason = Outbound::new(false, Duration::from_secs(5))
                .map_err(|_| "The address cannot be checked now".to_owned())
                .and_then(|outbound| outbound.check(text("url")));
            if let Err(reason) = reason {
                problems.add("config.url", reason);
            }
        }
        "email" => {
            required("to", 1000);
            required("subject", 200);
            problems.emails("config.to", Some(text("to")));
            let one_line = !text("subject").chars().any(char::is_control);
            problems.require(one_line, "config.subject", check::SPECIAL);
        }
        "sms" => {
            required("to", 30);
            required("text", 160);
            problems.phone("config.to", Some(text("to")));
        }
        "add_tag" => required("tag", 100),
        "set_extra_field" => required("name", 100),
        _ => {}
    }
}
