//! A unit's row, fields and checks.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use crate::orders::items::{self, ItemJob, ItemScenario};
use crate::orders::jobs::Job;
use crate::orders::proof_columns::{AttachedProof, proofs};
use crate::organisation_column::{ORGANISATION, organisation};

/// A unit.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Unit {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// What stands on its label.
    pub uid: String,
    /// Name.
    pub name: Option<String>,
    /// Invoice.
    pub invoice: Option<String>,
    /// Reference.
    pub reference: Option<String>,
    /// Further fields by name.
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// Its job; null in the pool.
    pub job_id: Option<i64>,
    /// Container it is in.
    pub container_id: Option<i64>,
    /// Whether it lies in the pool.
    pub is_in_pool: bool,
    /// Its job.
    pub job: Option<Jsonb<ItemJob>>,
    /// Scenario of its job.
    pub scenario: Option<Jsonb<ItemScenario>>,
    /// Its proofs, oldest first.
    pub unit_proofs: Jsonb<Vec<AttachedProof>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UnitFields {
    /// What stands on its label.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Invoice.
    pub invoice: Option<String>,
    /// Reference.
    pub reference: Option<String>,
    /// Further fields by name.
    pub extra_fields: Option<BTreeMap<String, String>>,
    /// Its job; null puts it into the pool.
    pub job_id: Option<i64>,
    /// Container it is in.
    pub container_id: Option<i64>,
}

impl Resource for Unit {
    const NAME: &'static str = "Unit";
    const PATH: &'static str = "/units";
    const TABLE: &'static str = "units";
    const FROM: &'static str =
        "units u left join jobs j on j.id = u.job_id left join scenarios s on s.id = j.scenario_id";
    const ID: &'static str = "u.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", u.id, u.uid, u.name, u.invoice, u.reference, u.extra_fields, u.job_id, u.container_id, u.job_id is null as is_in_pool,
        case when j.id is not null then jsonb_build_object('id', j.id, 'uid', j.uid, 'customer_name', j.customer_name,
            'run_id', j.run_id) end as job,
        case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name, 'scheduled_date', s.scheduled_date,
            'stage', s.stage) end as scenario, ",
        proofs!("unit_proofs", "unit_id", "u.id"),
        ", u.created, u.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "u.uid"),
            Filter::text("name", "u.name"),
            Filter::text("invoice", "u.invoice"),
            Filter::text("reference", "u.reference"),
            Filter::id("job_id", "u.job_id"),
            Filter::id("unit_id", "u.id"),
            Filter::id("container_id", "u.container_id"),
            Filter::id("scenario_id", "j.scenario_id"),
            Filter::id("run_id", "j.run_id"),
            Filter::bool("is_in_pool", "(u.job_id is null)"),
        ],
        search: &["u.uid", "u.name", "u.invoice", "u.reference"],
        sort: &[
            ("id", "u.id"),
            ("uid", "lower(u.uid)"),
            ("name", "lower(u.name)"),
            ("invoice", "u.invoice"),
            ("reference", "u.reference"),
            ("created", "u.created"),
        ],
        order: "u.id desc",
    };
    type Fields = UnitFields;

    fn prepare(given: &mut Given<UnitFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        items::check_texts(
            &[("name", &value.name), ("invoice", &value.invoice), ("reference", &value.reference)],
            &mut problems,
        );
        items::check_fields(&mut given.fields, value.extra_fields.as_ref(), new, &mut problems);
        problems.finish()
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        Job::narrow(caller, conditions);
    }

    async fn written(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        items::check_job(connection, caller, self.job_id).await
    }
}
