//! A pattern's row, fields and checks.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;

use super::pattern;

/// A pattern.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct FilenameRegex {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Regular expression with the named groups `scenario`, `date`, `client_uid`, `job_uid`.
    pub pattern: String,
    /// `job_import` or `proof_file`.
    pub target: String,
    /// How the group `date` is read, such as `%Y%m%d`.
    pub date_format: Option<String>,
    /// Whether it is tried.
    pub active: bool,
    /// Patterns are tried in this order, then by id.
    pub position: i32,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilenameRegexFields {
    /// Name.
    pub name: Option<String>,
    /// Regular expression.
    pub pattern: Option<String>,
    /// `job_import` or `proof_file`.
    pub target: Option<String>,
    /// How the group `date` is read.
    pub date_format: Option<String>,
    /// Whether it is tried.
    pub active: Option<bool>,
    /// Order of trying.
    pub position: Option<i32>,
}

impl Resource for FilenameRegex {
    const NAME: &'static str = "Filename regex";
    const PATH: &'static str = "/filename_regex";
    const TABLE: &'static str = "filename_regex";
    const COLUMNS: &'static str =
        "id, name, pattern, target, date_format, active, position, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("name", "name"),
            Filter::choice("target", "target"),
            Filter::bool("active", "active"),
            Filter::id("filename_regex_id", "id"),
        ],
        search: &["name", "pattern"],
        sort: &[
            ("id", "id"),
            ("name", "lower(name)"),
            ("target", "target"),
            ("active", "active"),
            ("position", "position"),
            ("created", "created"),
        ],
        order: "position, id",
    };
    type Fields = FilenameRegexFields;

    fn prepare(given: &mut Given<FilenameRegexFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        for (field, text) in [("name", &value.name), ("pattern", &value.pattern), ("target", &value.target)] {
            problems.require(text.is_some() || !(new || given.has(field)), field, check::REQUIRED);
        }
        problems.optional_text("name", value.name.as_deref(), 200);
        problems.optional_text("pattern", value.pattern.as_deref(), 1000);
        if let Some(Err(reason)) = value.pattern.as_deref().map(pattern::compile) {
            problems.add("pattern", reason);
        }
        if let Some(target) = value.target.as_deref() {
            problems.require(
                ["job_import", "proof_file"].contains(&target),
                "target",
                "Value is not one of job_import, proof_file",
            );
        }
        if value.date_format.as_deref() == Some("") {
            given.fields.insert("date_format".to_owned(), Value::Null);
        } else if let Some(format) = value.date_format.as_deref() {
            problems.require(
                format.len() <= 50 && pattern::is_date_format(format),
                "date_format",
                "Value is not a date format (e.g. %Y%m%d)",
            );
        }
        for (field, default) in [("active", Value::from(true)), ("position", Value::from(0))] {
            if given.fields.get(field).is_some_and(Value::is_null) {
                given.fields.insert(field.to_owned(), default);
            }
        }
        problems.finish()
    }
}
