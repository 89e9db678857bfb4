//! A scenario's row, fields and checks.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use crate::organisation_column::{ORGANISATION, organisation};

/// Years that a plan can be for.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=2199;

/// A scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Scenario {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Name.
    pub name: String,
    /// `planning`, `routing` or `tracking`.
    pub stage: String,
    /// Its day.
    pub scheduled_date: NaiveDate,
    /// Marked by the planner.
    pub starred: bool,
    /// Number of jobs.
    pub jobs_count: i64,
    /// Number of units.
    pub units_count: i64,
    /// Territory groups that are shown and used.
    pub territory_group_ids: Vec<i64>,
    /// Opens sockets, QR codes and header of this scenario, and with the codes every run sheet: for those who may dispatch
    /// all runs.
    pub ws_token: Option<String>,
    /// Drivers that are selected for optimisation.
    pub default_active_driver_ids: Vec<i64>,
    /// Whether any proof was recorded; then it cannot be deleted.
    pub has_proofs: bool,
    /// Template it was made from.
    pub template_id: Option<i64>,
    /// State of the background optimisation: null, `queued`, `running`, `done`, `failed`.
    pub background_status: Option<String>,
    /// Grows with every change of what the plan shows, one by one.
    pub version: i64,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScenarioFields {
    /// Name.
    pub name: Option<String>,
    /// Its day.
    pub scheduled_date: Option<NaiveDate>,
    /// `planning`, `routing` or `tracking`.
    pub stage: Option<String>,
    /// Marked by the planner.
    pub starred: Option<bool>,
    /// Drivers that are selected for optimisation.
    pub default_active_driver_ids: Option<Vec<i64>>,
}

impl Resource for Scenario {
    const NAME: &'static str = "Scenario";
    const PATH: &'static str = "/scenarios";
    const TABLE: &'static str = "scenarios";
    const FROM: &'static str = "scenarios s";
    const ID: &'static str = "s.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", s.id, s.name, s.stage, s.scheduled_date, s.starred,
        (select count(*) from jobs j where j.scenario_id = s.id) as jobs_count,
        (select count(*) from units u join jobs j on j.id = u.job_id where j.scenario_id = s.id) as units_count,
        coalesce((select array_agg(g.territory_group_id order by g.territory_group_id) from scenario_territory_groups g
            where g.scenario_id = s.id), '{}') as territory_group_ids,
        s.ws_token, s.default_active_driver_ids,
        exists (select from job_proofs p join jobs j on j.id = p.job_id where j.scenario_id = s.id)
            or exists (select from run_proofs p join runs r on r.id = p.run_id where r.scenario_id = s.id) as has_proofs,
        s.template_id,
        (select t.status from optimisation_tasks t where t.scenario_id = s.id order by t.id desc limit 1) as background_status,
        coalesce((select v.version from plan_versions v where v.scenario_id = s.id), 0) as version, s.created, s.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::date("scheduled_date", "s.scheduled_date"),
            Filter::bool("starred", "s.starred"),
            Filter::choice("stage", "s.stage"),
            Filter::text("name", "s.name"),
            Filter::id("scenario_id", "s.id"),
        ],
        search: &["s.name"],
        sort: &[
            ("id", "s.id"),
            ("name", "lower(s.name)"),
            ("scheduled_date", "s.scheduled_date"),
            ("stage", "s.stage"),
            ("starred", "s.starred"),
            ("created", "s.created"),
        ],
        order: "s.id desc",
    };
    type Fields = ScenarioFields;

    fn shown_to(&mut self, caller: &Caller) {
        let dispatches = caller.holds("runs_write") && caller.haulier_id().is_none();
        self.ws_token = self.ws_token.take().filter(|_| dispatches);
    }

    fn prepare(given: &mut Given<ScenarioFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        if new {
            problems.require(given.value.name.is_some(), "name", routewright_core::check::REQUIRED);
            problems.require(
                given.value.scheduled_date.is_some(),
                "scheduled_date",
                routewright_core::check::REQUIRED,
            );
            given.fields.remove("stage");
        }
        problems.optional_text("name", given.value.name.as_deref(), 200);
        check_day("scheduled_date", given.value.scheduled_date, &mut problems);
        if let Some(stage) = given.value.stage.as_deref() {
            let stages = ["planning", "routing", "tracking"];
            problems.require(
                stages.contains(&stage),
                "stage",
                "Value is not one of planning, routing, tracking",
            );
        }
        problems.finish()
    }

    async fn written(&self, connection: &mut PgConnection, _caller: &Caller) -> Result<()> {
        let mut problems = Problems::default();
        let unknown: Option<i64> = sqlx::query_scalar(
            "select wanted from unnest($1::bigint[]) as wanted where not exists (select from drivers where id = wanted) limit 1",
        )
        .bind(&self.default_active_driver_ids)
        .fetch_optional(&mut *connection)
        .await?;
        problems.require(unknown.is_none(), "default_active_driver_ids", "Driver not found");
        // S-21: back to planning only while no run has a proof.
        problems.require(
            self.stage != "planning" || !self.has_proofs,
            "stage",
            "A scenario with proofs cannot go back to planning",
        );
        problems.finish()
    }
}

/// Notes a day that no plan can have: calendars know days long before and after any delivery.
pub(crate) fn check_day(field: &str, day: Option<NaiveDate>, problems: &mut Problems) {
    problems.require(
        day.is_none_or(|day| YEARS.contains(&day.year())),
        field,
        "Value is not a possible date (1970 to 2199)",
    );
}
