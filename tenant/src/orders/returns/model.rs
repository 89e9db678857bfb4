//! A return's row, fields and checks.

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

/// A return.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Return {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// What stands on its label.
    pub uid: String,
    /// Comments.
    pub comments: Option<String>,
    /// Client it comes from.
    pub client_id: Option<i64>,
    /// Further fields by name.
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// Its job; null in the pool.
    pub job_id: Option<i64>,
    /// Whether it lies in the pool.
    pub is_in_pool: bool,
    /// Its job.
    pub job: Option<Jsonb<ItemJob>>,
    /// Scenario of its job.
    pub scenario: Option<Jsonb<ItemScenario>>,
    /// Its proofs, oldest first.
    pub return_proofs: Jsonb<Vec<AttachedProof>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReturnFields {
    /// What stands on its label.
    pub uid: Option<String>,
    /// Comments.
    pub comments: Option<String>,
    /// Client it comes from.
    pub client_id: Option<i64>,
    /// Further fields by name.
    pub extra_fields: Option<BTreeMap<String, String>>,
    /// Its job; null puts it into the pool.
    pub job_id: Option<i64>,
}

impl Resource for Return {
    const NAME: &'static str = "Return";
    const PATH: &'static str = "/returns";
    const TABLE: &'static str = "returns";
    const FROM: &'static str =
        "returns r left join jobs j on j.id = r.job_id left join scenarios s on s.id = j.scenario_id";
    const ID: &'static str = "r.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", r.id, r.uid, r.comments, r.client_id, r.extra_fields, r.job_id, r.job_id is null as is_in_pool,
        case when j.id is not null then jsonb_build_object('id', j.id, 'uid', j.uid, 'customer_name', j.customer_name,
            'run_id', j.run_id) end as job,
        case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name, 'scheduled_date', s.scheduled_date,
            'stage', s.stage) end as scenario, ",
        proofs!("return_proofs", "return_id", "r.id"),
        ", r.created, r.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "r.uid"),
            Filter::text("comments", "r.comments"),
            Filter::id("job_id", "r.job_id"),
            Filter::id("return_id", "r.id"),
            Filter::id("client_id", "r.client_id"),
            Filter::id("scenario_id", "j.scenario_id"),
            Filter::id("run_id", "j.run_id"),
            Filter::bool("is_in_pool", "(r.job_id is null)"),
        ],
        search: &["r.uid", "r.comments"],
        sort: &[
            ("id", "r.id"),
            ("uid", "lower(r.uid)"),
            ("comments", "lower(r.comments)"),
            ("created", "r.created"),
        ],
        order: "r.id desc",
    };
    type Fields = ReturnFields;

    fn prepare(given: &mut Given<ReturnFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        items::check_texts(&[("comments", &value.comments)], &mut problems);
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
