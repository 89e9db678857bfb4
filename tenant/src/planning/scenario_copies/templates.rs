//! Templates that scenarios are made from.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use super::items::CopyItem;
use super::names;

/// A template.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Template {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Name of its scenarios; `{date}` and `{template}` are filled in.
    pub name_pattern: String,
    /// Drivers that are selected for optimisation.
    pub default_active_driver_ids: Vec<i64>,
    /// Territory groups that are shown and used.
    pub territory_group_ids: Vec<i64>,
    /// Jobs that are taken from the pool.
    pub job_ids: Vec<i64>,
    /// Scenario that is copied.
    pub copy_of_scenario_id: Option<i64>,
    /// What of it is copied.
    pub copy_items: Vec<String>,
    /// Weekdays for which it is meant.
    pub days: Vec<String>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TemplateFields {
    /// Name.
    pub name: Option<String>,
    /// Name of its scenarios; `{date}` and `{template}` are filled in.
    pub name_pattern: Option<String>,
    /// Drivers that are selected for optimisation.
    pub default_active_driver_ids: Option<Vec<i64>>,
    /// Territory groups that are shown and used.
    pub territory_group_ids: Option<Vec<i64>>,
    /// Jobs that are taken from the pool.
    pub job_ids: Option<Vec<i64>>,
    /// Scenario that is copied.
    pub copy_of_scenario_id: Option<i64>,
    /// What of it is copied.
    pub copy_items: Option<Vec<CopyItem>>,
    /// Weekdays for which it is meant.
    pub days: Option<Vec<String>>,
}

impl Resource for Template {
    const NAME: &'static str = "Scenario template";
    const PATH: &'static str = "/scenarios/templates";
    const TABLE: &'static str = "scenario_templates";
    const COLUMNS: &'static str =
        "id, name, name_pattern, default_active_driver_ids, territory_group_ids, job_ids,
        copy_of_scenario_id, copy_items, days, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name"), Filter::id("template_id", "id")],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("created", "created")],
        order: "id desc",
    };
    type Fields = TemplateFields;

    fn prepare(given: &mut Given<TemplateFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        problems.require(value.name.is_some() || !(new || given.has("name")), "name", check::REQUIRED);
        names::check("name", value.name.as_deref(), &mut problems);
        names::check("name_pattern", value.name_pattern.as_deref(), &mut problems);
        let days = value.days.iter().flatten();
        problems.require(
            days.into_iter().all(|day| names::weekday(day).is_some()),
            "days",
            "Value is not a day of the week (monday to sunday)",
        );
        problems.finish()?;
        // Cleared lists are empty, a cleared pattern is the usual one.
        for field in [
            "default_active_driver_ids",
            "territory_group_ids",
            "job_ids",
            "copy_items",
            "days",
            "name_pattern",
        ] {
            if given.fields.get(field).is_some_and(serde_json::Value::is_null) {
                let cleared = if field == "name_pattern" {
                    "{date} {template}".into()
                } else {
                    serde_json::Value::Array(Vec::new())
                };
                given.fields.insert(field.to_owned(), cleared);
            }
        }
        Ok(())
    }

    async fn written(&self, connection: &mut PgConnection, _caller: &Caller) -> Result<()> {
        let (drivers, groups, jobs): (bool, bool, bool) = sqlx::query_as(
            "select
                 not exists (select from unnest($1::bigint[]) w where not exists (select from drivers where id = w)),
                 not exists (select from unnest($2::bigint[]) w where not exists (select from territory_groups where id = w)),
                 not exists (select from unnest($3::bigint[]) w where not exists (select from jobs where id = w))",
        )
        .bind(&self.default_active_driver_ids)
        .bind(&self.territory_group_ids)
        .bind(&self.job_ids)
        .fetch_one(connection)
        .await?;
        let mut problems = Problems::default();
        problems.require(drivers, "default_active_driver_ids", "Driver not found");
        problems.require(groups, "territory_group_ids", "Territory group not found");
        problems.require(jobs, "job_ids", "Job not found");
        problems.finish()
    }
}

impl Template {
    /// What of the scenario is copied.
    pub(super) fn items(&self) -> Vec<CopyItem> {
        let known = |item: &String| serde_json::from_value(serde_json::Value::from(item.as_str())).ok();
        self.copy_items.iter().filter_map(known).collect()
    }
}
