//! Copies of a scenario on one day.

use axum::Json;
use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::{Body, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;

use super::copy::{Made, copy, source};
use super::items::{CopyItem, Wanted};
use super::names::{self, MOST};
use crate::app::App;
use crate::planning::runs;
use crate::planning::scenarios::check_day;

/// What is copied, how often and to which day.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DuplicateScenario")]
pub(super) struct Duplicate {
    copy_items: Vec<CopyItem>,
    scheduled_date: NaiveDate,
    #[serde(default = "one")]
    number_of_copies: i64,
    /// The name of the original without.
    scenario_name: Option<String>,
    /// Also where a driver would have two runs over the same hours.
    #[serde(default)]
    force: bool,
}

pub(super) fn one() -> i64 {
    1
}

/// `POST /scenarios/{id}/duplicate`. Runs of a driver over the same hours are refused with 409 unless `force` is given.
pub(super) async fn duplicate(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Duplicate>,
) -> Result<Json<Vec<Made>>> {
    let mut problems = Problems::default();
    let copies = number_of_copies(body.number_of_copies, &mut problems);
    check_day("scheduled_date", Some(body.scheduled_date), &mut problems);
    names::check("scenario_name", body.scenario_name.as_deref(), &mut problems);
    problems.finish()?;
    let source = source(&mut db, id).await?;
    let wanted = Wanted::of(&body.copy_items);
    let name = body.scenario_name.unwrap_or_else(|| source.name.clone());
    let mut made = Vec::with_capacity(copies);
    for number in 1..=copies {
        let name = names::numbered(&name, number);
        let copied = copy(&mut db, &app, &source, wanted, &name, body.scheduled_date).await?;
        if !body.force {
            runs::require_all_free(&mut db, copied.id).await?;
        }
        made.push(copied);
    }
    Ok(Json(made))
}

/// Reads a number of copies.
pub(super) fn number_of_copies(number: i64, problems: &mut Problems) -> usize {
    problems.require(number >= 1, "number_of_copies", "Number of copies must be at least 1");
    let copies = usize::try_from(number).unwrap_or_default();
    problems.require(copies <= MOST, "number_of_copies", "At most 366 scenarios can be made at once");
    copies
}
