//! A document for the forwarder as the office sees it.

use chrono::{DateTime, Utc};
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;

/// A document for the forwarder.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct ForwarderMessage {
    /// Id.
    pub(super) id: i64,
    /// `run_load`, `model_update`, `delivery_out` or `delivery_execution`.
    pub(super) kind: String,
    /// The scenario.
    pub(super) scenario_id: Option<i64>,
    /// The run.
    pub(super) run_id: Option<i64>,
    /// The job.
    pub(super) job_id: Option<i64>,
    /// What is said.
    pub(super) document: Option<Value>,
    /// `pending`, `sending`, `sent` or `failed`.
    pub(super) state: String,
    /// Attempts made.
    pub(super) attempts: i32,
    /// Why it was not taken.
    pub(super) error: Option<String>,
    /// When it was taken.
    pub(super) sent_at: Option<DateTime<Utc>>,
    /// Who sent it.
    pub(super) created_by: Option<i64>,
    /// When it was made.
    pub(super) created: DateTime<Utc>,
}

/// Nothing of it can be written.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ForwarderMessageFields")]
pub(super) struct NoFields {}

impl Resource for ForwarderMessage {
    const NAME: &'static str = "Message";
    const PATH: &'static str = "/gefco/messages";
    const TABLE: &'static str = "partner_messages";
    const FROM: &'static str = "partner_messages m";
    const ID: &'static str = "m.id";
    const COLUMNS: &'static str =
        "m.id, m.kind, m.scenario_id, m.run_id, m.job_id, m.document, m.state, m.attempts,
        m.error, m.sent_at, m.created_by, m.created";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("message_id", "m.id"),
            Filter::id("scenario_id", "m.scenario_id"),
            Filter::id("run_id", "m.run_id"),
            Filter::id("job_id", "m.job_id"),
            Filter::choice("kind", "m.kind"),
            Filter::choice("state", "m.state"),
        ],
        search: &["m.kind", "m.error"],
        sort: &[("id", "m.id"), ("created", "m.created"), ("sent_at", "m.sent_at")],
        order: "m.id desc",
    };
    type Fields = NoFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        conditions.and("m.partner = 'gefco'");
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!(
                "exists (select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                     where r.id = m.run_id and (d.haulier_id = {place} or v.haulier_id = {place}))"
            ));
        }
    }
}
