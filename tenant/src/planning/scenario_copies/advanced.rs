//! A scenario from a template, from another scenario, from jobs of the pool, or all of them at once (S-26).

use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::Deserialize;

use super::copy::{copy, source};
use super::items::{CopyItem, Wanted};
use super::names;
use super::templates::Template;
use crate::app::App;
use crate::orders::jobs;
use crate::orders::jobs::partners::Partners;
use crate::planning::runs;
use crate::planning::scenarios::{self, Scenario, ScenarioFields};
use crate::setup::settings::Settings;

/// What the scenario is made of. What is given wins over the template.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "AdvancedScenario")]
pub(super) struct Advanced {
    name: Option<String>,
    scheduled_date: Option<NaiveDate>,
    template_id: Option<i64>,
    copy_from_scenario_id: Option<i64>,
    copy_items: Option<Vec<CopyItem>>,
    /// Jobs that are taken from the pool.
    job_ids: Option<Vec<i64>>,
    /// Drivers that get an empty run.
    driver_ids: Option<Vec<i64>>,
    /// Drivers that are selected for optimisation; those with a run without.
    default_active_driver_ids: Option<Vec<i64>>,
    territory_group_ids: Option<Vec<i64>>,
    /// Also where a driver would have two runs over the same hours.
    force: bool,
}

/// `POST /scenarios/advanced`: all or nothing. Runs of a driver over the same hours are refused with 409 unless `force` is
/// given.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<Advanced>,
) -> Result<Created<Scenario>> {
    let caller = db.caller().clone();
    let template: Option<Template> = match body.template_id {
        Some(id) => Some(resource::find(&mut db, &caller, id).await?),
        None => None,
    };
    let mut problems = Problems::default();
    names::check("name", body.name.as_deref(), &mut problems);
    problems.require(body.scheduled_date.is_some(), "scheduled_date", check::REQUIRED);
    scenarios::check_day("scheduled_date", body.scheduled_date, &mut problems);
    problems.require(body.name.is_some() || template.is_some(), "name", check::REQUIRED);
    problems.finish()?;
    let date = body.scheduled_date.unwrap_or_default();
    let name = name(&body, template.as_ref(), date);
    let scenario = base(&mut db, &app, &body, template.as_ref(), &name, date).await?;

    let drivers = body
        .default_active_driver_ids
        .clone()
        .or_else(|| body.driver_ids.clone())
        .or_else(|| template.as_ref().map(|template| template.default_active_driver_ids.clone()));
    if let Some(drivers) = drivers {
        let fields = ScenarioFields { default_active_driver_ids: Some(drivers), ..ScenarioFields::default() };
        resource::update::<Scenario>(&mut db, &caller, scenario, Given::of(fields)?).await?;
    }
    sqlx::query("update scenarios set template_id = $2 where id = $1")
        .bind(scenario)
        .bind(body.template_id)
        .execute(&mut *db)
        .await?;
    let groups = body.territory_group_ids.clone().or_else(|| {
        template
            .as_ref()
            .map(|template| template.territory_group_ids.clone())
            .filter(|groups| !groups.is_empty())
    });
    if let Some(groups) = groups {
        scenarios::set_groups(&mut db, scenario, &groups).await?;
    }
    take_jobs(&mut db, &body, template.as_ref(), scenario).await?;
    add_runs(&mut db, &app, body.driver_ids.unwrap_or_default(), scenario, date).await?;
    if !body.force {
        runs::require_all_free(&mut db, scenario).await?;
    }
    resource::find(&mut db, &caller, scenario).await.map(Created)
}

fn name(body: &Advanced, template: Option<&Template>, date: NaiveDate) -> String {
    let given = body.name.as_ref().map(|name| name.trim().to_owned());
    let made = given.or_else(|| {
        let template = template?;
        let day = date.to_string();
        Some(template.name_pattern.replace("{date}", &day).replace("{template}", &template.name))
    });
    names::numbered(&made.unwrap_or_default(), 1)
}

/// The scenario itself: a copy, or an empty one.
async fn base(
    db: &mut Db,
    app: &App,
    body: &Advanced,
    template: Option<&Template>,
    name: &str,
    date: NaiveDate,
) -> Result<i64> {
    let of_template = template.and_then(|template| template.copy_of_scenario_id);
    let Some(original) = body.copy_from_scenario_id.or(of_template) else {
        let fields = ScenarioFields {
            name: Some(name.to_owned()),
            scheduled_date: Some(date),
            ..ScenarioFields::default()
        };
        return Ok(scenarios::insert(db, app, Given::of(fields)?).await?.id);
    };
    let items = match (&body.copy_items, template) {
        (Some(items), _) => items.clone(),
        (None, Some(template)) => template.items(),
        (None, None) => Vec::new(),
    };
    let source = source(db, original).await?;
    Ok(copy(db, app, &source, Wanted::of(&items), name, date).await?.id)
}

/// Jobs that are named must be in the pool; of a template's jobs those that still are. What is linked to
/// them comes along.
async fn take_jobs(db: &mut Db, body: &Advanced, template: Option<&Template>, scenario: i64) -> Result<()> {
    let jobs = match (&body.job_ids, template) {
        (Some(jobs), _) => jobs.clone(),
        (None, Some(template)) => {
            sqlx::query_scalar("select id from jobs where id = any($1) and scenario_id is null order by id")
                .bind(&template.job_ids)
                .fetch_all(&mut **db)
                .await?
        }
        (None, None) => Vec::new(),
    };
    jobs::take(db, &jobs, scenario, Some(Partners::Take)).await?;
    Ok(())
}

async fn add_runs(db: &mut Db, app: &App, drivers: Vec<i64>, scenario: i64, date: NaiveDate) -> Result<()> {
    let caller = db.caller().clone();
    let settings = Settings::of(caller.policy()?);
    let mut wanted = Vec::with_capacity(drivers.len());
    for driver in drivers {
        if !wanted.contains(&driver) {
            wanted.push(driver);
        }
    }
    let defaults = runs::of_drivers(db, &wanted, date).await?;
    for driver in wanted {
        // A driver with several variants gets a run of the first.
        let new = defaults
            .iter()
            .find(|defaults| defaults.driver_id == driver)
            .ok_or_else(|| Error::field("driver_ids", "Driver not found"))?;
        let token = app.gate.links.long(caller.organisation()?);
        runs::insert(db, scenario, new, token, &settings).await?;
    }
    Ok(())
}
