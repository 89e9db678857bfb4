//! Search of jobs.

use routewright_core::list::{self, Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Error, Jsonb, Result};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::orders::items::ItemScenario;
use crate::orders::jobs::Job;

/// A job with where it is planned.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct FoundJob {
    #[serde(flatten)]
    #[sqlx(flatten)]
    job: Job,
    scenario: Option<Jsonb<ItemScenario>>,
    run: Option<Jsonb<Named>>,
    driver: Option<Jsonb<Named>>,
}

/// Something by its uid.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NamedByUid")]
pub(super) struct Named {
    id: i64,
    uid: String,
}

/// Filters, search and order; over what [`from`] reads.
pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "j.uid"),
        Filter::text("customer_name", "j.customer_name"),
        Filter::text("customer_email", "j.customer_email"),
        Filter::text("address", "j.address"),
        Filter::text("phone_number", "j.phone_number"),
        Filter::text("invoice", "j.invoice"),
        Filter::text("reference", "j.reference"),
        Filter::id("job_id", "j.id"),
        Filter::id("scenario_id", "j.scenario_id"),
        Filter::id("run_id", "j.run_id"),
        Filter::id("driver_id", "r.driver_id"),
        Filter::id("client_id", "j.client_id"),
        Filter::bool("priority", "j.priority"),
        Filter::present("served", "j.run_id"),
        Filter::date("scheduled_date", "s.scheduled_date"),
        Filter::among(
            "tag_id",
            "exists (select from job_tags ft where ft.job_id = j.id and ft.tag_id = any({}))",
        ),
    ],
    search: &["j.uid", "j.customer_name", "j.address", "j.invoice", "j.reference"],
    sort: &[
        ("id", "j.id"),
        ("uid", "lower(j.uid)"),
        ("customer_name", "lower(j.customer_name)"),
        ("location.address", "lower(j.address)"),
        ("scenario.name", "lower(s.name)"),
        ("scenario.scheduled_date", "s.scheduled_date"),
        ("run.uid", "lower(r.uid)"),
        ("driver.uid", "lower(d.uid)"),
        ("eta", "j.eta"),
        ("invoice", "j.invoice"),
        ("reference", "j.reference"),
        ("created", "j.created"),
    ],
    order: "j.id desc",
};

/// What is searched.
pub(super) fn from() -> String {
    format!(
        "{} left join scenarios s on s.id = j.scenario_id left join runs r on r.id = j.run_id
            left join drivers d on d.id = r.driver_id",
        Job::FROM
    )
}

/// Takes the filter `status`: `pool`, `unserved`, `served`, `visited`, `successful` or `unsuccessful`.
pub(super) fn by_status(query: &mut ListQuery, conditions: &mut Where) -> Result<()> {
    let Some(status) = query.take("status") else { return Ok(()) };
    conditions.and(match status.as_str() {
        "pool" => "j.scenario_id is null",
        "unserved" => "j.scenario_id is not null and j.run_id is null",
        "served" => "j.run_id is not null and proof.success is null",
        "visited" => "proof.success is not null",
        "successful" => "proof.success",
        "unsuccessful" => "not proof.success",
        other => return Err(Error::filters(format!("there is no status `{other}`"))),
    });
    Ok(())
}

/// `GET /search/jobs`.
pub(super) async fn search(mut db: Db, mut query: ListQuery) -> Result<Listed<FoundJob>> {
    let caller = db.caller().clone();
    let mut conditions = Where::default();
    Job::narrow(&caller, &mut conditions);
    by_status(&mut query, &mut conditions)?;
    let select = format!(
        "{},
        case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name, 'scheduled_date', s.scheduled_date,
            'stage', s.stage) end as scenario,
        case when r.id is not null then jsonb_build_object('id', r.id, 'uid', r.uid) end as run,
        case when d.id is not null then jsonb_build_object('id', d.id, 'uid', d.uid) end as driver",
        Job::COLUMNS
    );
    list::page(&mut db, &select, &from(), query, &SHAPE, |place| *place = conditions).await
}
