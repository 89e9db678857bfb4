//! Which of the active patterns knows a name.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use routewright_core::Result;
use sqlx::PgConnection;

use super::pattern;

/// A pattern that knows a name, and what it says about it.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// The pattern.
    pub(crate) id: i64,
    /// `job_import` or `proof_file`.
    pub(crate) target: String,
    /// What the named groups hold.
    pub(crate) groups: BTreeMap<String, String>,
    /// The group `date`, read.
    pub(crate) date: Option<NaiveDate>,
}

/// The first active pattern, in their order, that knows the name.
///
/// # Errors
/// Database faults.
pub(crate) async fn first_match(connection: &mut PgConnection, name: &str) -> Result<Option<Match>> {
    let patterns: Vec<(i64, String, String, Option<String>)> = sqlx::query_as(
        "select id, pattern, target, date_format from filename_regex where active order by position, id",
    )
    .fetch_all(connection)
    .await?;
    for (id, text, target, format) in patterns {
        let Ok(regex) = pattern::compile(&text) else { continue };
        if let Some((groups, date)) = pattern::find(&regex, name, format.as_deref()) {
            return Ok(Some(Match { id, target, groups, date }));
        }
    }
    Ok(None)
}
