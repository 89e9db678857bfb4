//! Filters as data: a noun lists what can be filtered, this turns requests into bound SQL conditions.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use schemars::{Schema, json_schema};
use sqlx::Arguments;
use sqlx::postgres::PgArguments;

use crate::error::{Error, Result};

/// What a list can be searched, filtered and sorted by.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The filters.
    pub filters: &'static [Filter],
    /// Columns that `search` looks into.
    pub search: &'static [&'static str],
    /// Wire names that can be sorted by, and their SQL expression.
    pub sort: &'static [(&'static str, &'static str)],
    /// Order when none is asked for, and tie-breaker: newest first is `id desc`.
    pub order: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum How {
    Text,
    Number,
    Choice,
    Bool,
    Date,
    Present,
    Among,
}

/// One filterable column.
#[derive(Debug, Clone, Copy)]
pub struct Filter {
    name: &'static str,
    column: &'static str,
    how: How,
}

impl Filter {
    /// Text: `{name}` contains (case-insensitive), `{name}_exact` equals.
    #[must_use]
    pub const fn text(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Text }
    }

    /// An id or number: `{name}` equals, `{name}s` is a list (`scenario_id`, `scenario_ids`).
    #[must_use]
    pub const fn id(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Number }
    }

    /// A text out of few: `{name}` equals, comma-joined or repeated values mean any of them.
    #[must_use]
    pub const fn choice(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Choice }
    }

    /// A yes/no column.
    #[must_use]
    pub const fn bool(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Bool }
    }

    /// A date: `{name}` equals, `{name}_start` and `{name}_end` bound an inclusive range.
    #[must_use]
    pub const fn date(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Date }
    }

    /// Yes/no whether a nullable column has a value (`served` over `run_id`).
    #[must_use]
    pub const fn present(name: &'static str, column: &'static str) -> Self {
        Self { name, column, how: How::Present }
    }

    /// Ids of what a row has several of: `{name}` and `{name}s` are put into the condition in place of `{}`, e.g.
    /// `exists (select from job_tags t where t.job_id = j.id and t.tag_id = any({}))`.
    #[must_use]
    pub const fn among(name: &'static str, condition: &'static str) -> Self {
        Self { name, column: condition, how: How::Among }
    }

    /// The query parameters that it reads, for the API document.
    pub(crate) fn parameters(&self) -> Vec<(String, Schema)> {
        let name = self.name;
        let text = || json_schema!({"type": "string"});
        let ids = || json_schema!({"type": "array", "items": {"type": "integer", "format": "int64"}});
        match self.how {
            How::Text => vec![(name.to_owned(), text()), (format!("{name}_exact"), text())],
            How::Number | How::Among => vec![
                (name.to_owned(), json_schema!({"type": "integer", "format": "int64"})),
                (format!("{name}s"), ids()),
            ],
            How::Choice => vec![(name.to_owned(), text())],
            How::Bool | How::Present => vec![(name.to_owned(), json_schema!({"type": "boolean"}))],
            How::Date => ["", "_start", "_end"]
                .map(|suffix| (format!("{name}{suffix}"), json_schema!({"type": "string", "format": "date"})))
                .into(),
        }
    }

    pub(super) fn apply(&self, parameters: &mut BTreeMap<String, Vec<String>>, to: &mut Where) -> Result<()> {
        let (name, column) = (self.name, self.column);
        match self.how {
            How::Text => {
                if let Some(text) = last(parameters, name) {
                    to.search(&[column], &text);
                }
                if let Some(text) = last(parameters, &format!("{name}_exact")) {
                    to.push(&format!("{column} = "), text);
                }
            }
            How::Number => {
                if let Some(values) = parameters.remove(name) {
                    to.any(column, integers(name, &values)?);
                }
                let plural = format!("{name}s");
                if let Some(values) = parameters.remove(&plural) {
                    to.any(column, integers(&plural, &values)?);
                }
            }
            How::Among => {
                for parameter in [name.to_owned(), format!("{name}s")] {
                    if let Some(values) = parameters.remove(&parameter) {
                        let place = to.bind(integers(&parameter, &values)?);
                        to.and(&column.replace("{}", &place));
                    }
                }
            }
            How::Choice => {
                if let Some(values) = parameters.remove(name) {
                    let texts: Vec<String> = values
                        .iter()
                        .flat_map(|value| value.split(','))
                        .map(|value| value.trim().to_owned())
                        .collect();
                    to.any(column, texts);
                }
            }
            How::Bool => {
                if let Some(text) = last(parameters, name) {
                    to.push(&format!("{column} = "), boolean(name, &text)?);
                }
            }
            How::Present => {
                if let Some(text) = last(parameters, name) {
                    to.push(&format!("({column} is not null) = "), boolean(name, &text)?);
                }
            }
            How::Date => {
                for (suffix, operator) in [("", "="), ("_start", ">="), ("_end", "<=")] {
                    let parameter = format!("{name}{suffix}");
                    if let Some(text) = last(parameters, &parameter) {
                        to.push(&format!("{column} {operator} "), date(&parameter, &text)?);
                    }
                }
            }
        }
        Ok(())
    }
}

fn last(parameters: &mut BTreeMap<String, Vec<String>>, name: &str) -> Option<String> {
    parameters.remove(name).and_then(|mut values| values.pop())
}

pub(super) fn integers(name: &str, values: &[String]) -> Result<Vec<i64>> {
    values
        .iter()
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(|value| value.parse().map_err(|_| Error::filters(format!("{name} `{value}` is not a number"))))
        .collect()
}

/// Parses a yes/no filter: `true`, `1`, `t` and their opposites.
pub(super) fn boolean(name: &str, text: &str) -> Result<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "t" => Ok(true),
        "false" | "0" | "f" => Ok(false),
        other => Err(Error::filters(format!("{name} `{other}` is neither true nor false"))),
    }
}

fn date(name: &str, text: &str) -> Result<NaiveDate> {
    text.parse().map_err(|_| Error::filters(format!("{name} `{text}` is not a date (YYYY-MM-DD)")))
}

type Bind = Box<dyn Fn(&mut PgArguments) -> Result<(), sqlx::error::BoxDynError> + Send + Sync>;

/// Conditions joined by `and`, with bound values.
#[derive(Default)]
pub struct Where {
    sql: String,
    count: usize,
    binds: Vec<Bind>,
}

impl Where {
    /// Adds `{before}$n` with a bound value, e.g. `push("scenario_id = ", 7)`.
    pub fn push<V>(&mut self, before: &str, value: V)
    where
        V: for<'q> sqlx::Encode<'q, sqlx::Postgres>
            + sqlx::Type<sqlx::Postgres>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        let place = self.bind(value);
        self.and(&format!("{before}{place}"));
    }

    /// Adds a condition without values.
    pub fn and(&mut self, condition: &str) {
        self.sql.push_str(if self.sql.is_empty() { " where " } else { " and " });
        self.sql.push_str(condition);
    }

    /// Binds a value and answers its place (`$3`), for conditions built with [`Where::and`].
    pub fn bind<V>(&mut self, value: V) -> String
    where
        V: for<'q> sqlx::Encode<'q, sqlx::Postgres>
            + sqlx::Type<sqlx::Postgres>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        self.count += 1;
        self.binds.push(Box::new(move |arguments| arguments.add(value.clone())));
        format!("${}", self.count)
    }

    /// Adds `column = any(values)`.
    pub fn any<V>(&mut self, column: &str, values: Vec<V>)
    where
        Vec<V>: for<'q> sqlx::Encode<'q, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
        V: Clone + Send + Sync + 'static,
    {
        let place = self.bind(values);
        self.and(&format!("{column} = any({place})"));
    }

    /// Adds "one of the columns contains the text", ignoring case; `%` and `_` are taken literally.
    pub fn search(&mut self, columns: &[&str], text: &str) {
        if columns.is_empty() {
            return;
        }
        let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let place = self.bind(format!("%{escaped}%"));
        let alternatives: Vec<String> =
            columns.iter().map(|column| format!("{column} ilike {place}")).collect();
        self.and(&format!("({})", alternatives.join(" or ")));
    }

    /// The `where` clause, or nothing.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The bound values.
    ///
    /// # Errors
    /// When a value cannot be encoded.
    pub fn arguments(&self) -> Result<PgArguments> {
        let mut arguments = PgArguments::default();
        for bind in &self.binds {
            bind(&mut arguments).map_err(Error::internal)?;
        }
        Ok(arguments)
    }
}
