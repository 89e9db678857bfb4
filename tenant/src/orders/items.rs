//! What units, returns and containers share: the checks of their fields, and moving them to their pool.

use std::collections::BTreeMap;

use routewright_core::check::{self, TOO_LONG};
use routewright_core::error::Problems;
use routewright_core::list::Where;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use crate::orders::jobs::Job;
use crate::setup::extra_fields;

/// Text for an item without a uid.
const UID_REQUIRED: &str = "UID is required";

/// Checks the fields that every item has. `fields` are the given ones.
pub(crate) fn check_fields(
    fields: &mut Map<String, Value>,
    extra: Option<&BTreeMap<String, String>>,
    new: bool,
    problems: &mut Problems,
) {
    match fields.get("uid") {
        None => problems.require(!new, "uid", UID_REQUIRED),
        Some(uid) => {
            let uid = uid.as_str().unwrap_or_default();
            problems.require(!uid.trim().is_empty(), "uid", UID_REQUIRED);
            problems.require(uid.chars().count() <= 100, "uid", TOO_LONG);
            problems.require(!check::has_special(uid), "uid", check::SPECIAL);
        }
    }
    match extra {
        Some(extra) => extra_fields::check(extra, problems),
        None => {
            // Cleared extra fields are no extra fields.
            if fields.get("extra_fields").is_some_and(Value::is_null) {
                fields.insert("extra_fields".to_owned(), Value::Object(Map::new()));
            }
        }
    }
}

/// Refuses an item on a job that the caller does not see.
pub(crate) async fn check_job(
    connection: &mut PgConnection,
    caller: &Caller,
    job: Option<i64>,
) -> Result<()> {
    let Some(job) = job else { return Ok(()) };
    match resource::find::<Job>(connection, caller, job).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == routewright_core::Kind::NotFound => {
            Err(Error::field("job_id", "Job not found"))
        }
        Err(error) => Err(error),
    }
}

/// Takes the texts of an item: blank ones are refused, overlong ones too.
pub(crate) fn check_texts(texts: &[(&str, &Option<String>)], problems: &mut Problems) {
    for (field, text) in texts {
        problems.require(
            text.as_ref().is_none_or(|text| text.chars().count() <= check::LONG_TEXT),
            field,
            TOO_LONG,
        );
    }
}

/// The ids among `wanted` that are not among `found`, as a refusal.
pub(crate) fn require_all(wanted: &[i64], found: &[i64], noun: &str) -> Result<()> {
    if wanted.iter().all(|id| found.contains(id)) { Ok(()) } else { Err(Error::not_found(noun)) }
}

/// Keeps only what lies in the pool.
pub(crate) fn in_pool(column: &str) -> impl FnOnce(&mut Where) {
    let condition = format!("{column} is null");
    move |conditions| conditions.and(&condition)
}

/// A job as items name it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ItemJob {
    /// Id.
    pub id: i64,
    /// Number of the job.
    pub uid: String,
    /// Customer.
    pub customer_name: Option<String>,
    /// Its run.
    pub run_id: Option<i64>,
}

/// A scenario as items name it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ItemScenario {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Its day.
    pub scheduled_date: chrono::NaiveDate,
    /// `planning`, `routing` or `tracking`.
    pub stage: String,
}

/// Longest uid.
const LONGEST_UID: usize = 100;

/// The uid with the first `-n` behind it that is not taken; a uid that would become too long is cut first.
pub(crate) fn next_free(uid: &str, taken: &[String]) -> String {
    let mut number = 1_usize;
    loop {
        let suffix = format!("-{number}");
        let kept: String = uid.chars().take(LONGEST_UID - suffix.len()).collect();
        let candidate = format!("{kept}{suffix}");
        if !taken.contains(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::next_free;

    #[test]
    fn copies_take_the_next_free_number() {
        let taken: Vec<String> = ["A", "A-1", "A-3"].map(str::to_owned).into();
        assert_eq!(next_free("A", &taken), "A-2");
        assert_eq!(next_free("A-1", &taken), "A-1-1");
        assert_eq!(next_free(&"x".repeat(100), &[]).len(), 100);
    }
}
