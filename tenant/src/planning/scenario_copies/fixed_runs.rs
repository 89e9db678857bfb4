//! Recurring copies of a scenario: one for each of the chosen weekdays in a period.

use axum::Json;
use axum::extract::State;
use chrono::{NaiveDate, Weekday};
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::{Body, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;

use super::copy::{Made, copy, source};
use super::duplicate::{number_of_copies, one};
use super::items::{CopyItem, Wanted};
use super::names::{self, MOST};
use crate::app::App;
use crate::planning::runs;
use crate::planning::scenarios::check_day;

/// What is copied, how often and to which days.
#[derive(Deserialize, JsonSchema)]
pub(super) struct FixedRuns {
    copy_items: Vec<CopyItem>,
    from_date: NaiveDate,
    to_date: NaiveDate,
    /// Copies per day.
    #[serde(default = "one")]
    number_of_copies: i64,
    /// `monday` to `sunday`.
    days: Vec<String>,
    /// The name of the original without.
    scenario_name: Option<String>,
    /// Also where a driver would have two runs over the same hours.
    #[serde(default)]
    force: bool,
}

/// `POST /scenarios/{id}/create_fixed_runs`: all or none. Runs of a driver over the same hours are refused with 409 unless `force` is given.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<FixedRuns>,
) -> Result<Json<Vec<Made>>> {
    let mut problems = Problems::default();
    let copies = number_of_copies(body.number_of_copies, &mut problems);
    let weekdays: Vec<Weekday> = body.days.iter().filter_map(|day| names::weekday(day)).collect();
    problems.require(!body.days.is_empty(), "days", "You must select at least one day.");
    problems.require(
        weekdays.len() == body.days.len(),
        "days",
        "Value is not a day of the week (monday to sunday)",
    );
    check_day("from_date", Some(body.from_date), &mut problems);
    check_day("to_date", Some(body.to_date), &mut problems);
    problems.require(body.from_date <= body.to_date, "to_date", "Value must not be before from_date");
    names::check("scenario_name", body.scenario_name.as_deref(), &mut problems);
    let days = names::days(body.from_date, body.to_date, &weekdays);
    problems.require(
        days.len().saturating_mul(copies) <= MOST,
        "to_date",
        "At most 366 scenarios can be made at once",
    );
    problems.finish()?;
    let source = source(&mut db, id).await?;
    let wanted = Wanted::of(&body.copy_items);
    let name = body.scenario_name.unwrap_or_else(|| source.name.clone());
    let mut made = Vec::with_capacity(days.len() * copies);
    for day in days {
        for number in 1..=copies {
            // The day must stay readable, so that the name gives way.
            let short: String = name.trim().chars().take(180).collect();
            let name = names::numbered(&format!("{short} {day}"), number);
            let copied = copy(&mut db, &app, &source, wanted, &name, day).await?;
            if !body.force {
                runs::require_all_free(&mut db, copied.id).await?;
            }
            made.push(copied);
        }
    }
    Ok(Json(made))
}
