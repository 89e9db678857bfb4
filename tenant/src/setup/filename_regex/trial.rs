//! Trying patterns on a sample name, without storing anything.

use std::collections::BTreeMap;

use axum::Json;
use chrono::NaiveDate;
use routewright_core::error::Problems;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{matching, pattern};

/// A sample name, and the pattern that is tried; without one all active patterns are tried in their order.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Trial {
    file_name: String,
    pattern: Option<String>,
    date_format: Option<String>,
}

/// What was found.
#[derive(Default, Serialize, JsonSchema)]
#[schemars(rename = "FilenameMatch")]
pub(super) struct Found {
    matched: bool,
    /// The stored pattern that matched.
    filename_regex_id: Option<i64>,
    /// `job_import` or `proof_file` of the stored pattern.
    target: Option<String>,
    /// What the named groups hold.
    groups: BTreeMap<String, String>,
    /// The group `date`, read.
    date: Option<NaiveDate>,
}

/// `POST /filename_regex/test`.
pub(super) async fn test(mut db: Db, Body(trial): Body<Trial>) -> Result<Json<Found>> {
    let mut problems = Problems::default();
    problems.text("file_name", &trial.file_name, 1000);
    problems.finish()?;
    if let Some(text) = &trial.pattern {
        let regex = pattern::compile(text).map_err(|reason| Error::field("pattern", reason))?;
        let format = trial.date_format.as_deref().filter(|format| !format.is_empty());
        if format.is_some_and(|format| !pattern::is_date_format(format)) {
            return Err(Error::field("date_format", "Value is not a date format (e.g. %Y%m%d)"));
        }
        let found = pattern::find(&regex, &trial.file_name, format);
        return Ok(Json(found.map_or_else(Found::default, |(groups, date)| Found {
            matched: true,
            groups,
            date,
            ..Found::default()
        })));
    }
    let found = matching::first_match(&mut db, &trial.file_name).await?;
    Ok(Json(found.map_or_else(Found::default, |found| Found {
        matched: true,
        filename_regex_id: Some(found.id),
        target: Some(found.target),
        groups: found.groups,
        date: found.date,
    })))
}
