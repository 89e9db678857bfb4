//! A mail or text message as the office sees it. Its text is not told: it may hold links that open what they lead to.

use chrono::{DateTime, Utc};
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// A mail or text message.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct Message {
    /// Id.
    pub(super) id: i64,
    /// What it is, such as `run_sheet`.
    pub(super) kind: String,
    /// `email` or `sms`.
    pub(super) channel: String,
    /// Addresses or numbers.
    pub(super) recipients: Vec<String>,
    /// Subject of a mail.
    pub(super) subject: Option<String>,
    /// `pending`, `sending`, `sent`, `failed`, or `unknown` when the service stopped while it was handed over.
    pub(super) state: String,
    /// Attempts made.
    pub(super) attempts: i32,
    /// Why it was not taken.
    pub(super) error: Option<String>,
    /// The scenario of its run or job.
    pub(super) scenario_id: Option<i64>,
    /// The run that it is about.
    pub(super) run_id: Option<i64>,
    /// How the run is called.
    pub(super) run_uid: Option<String>,
    /// The job that it is about.
    pub(super) job_id: Option<i64>,
    /// How the job is called.
    pub(super) job_uid: Option<String>,
    /// When it was taken.
    pub(super) sent_at: Option<DateTime<Utc>>,
    /// When it was written.
    pub(super) created: DateTime<Utc>,
    /// When something last became of it.
    pub(super) modified: DateTime<Utc>,
}

/// Nothing of it can be written.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MessageFields")]
pub(super) struct NoFields {}

impl Resource for Message {
    const NAME: &'static str = "Message";
    const PATH: &'static str = "/messages";
    const TABLE: &'static str = "messages";
    const FROM: &'static str =
        "messages m left join runs r on r.id = m.run_id left join jobs j on j.id = m.job_id";
    const ID: &'static str = "m.id";
    const COLUMNS: &'static str = "m.id, split_part(m.intent, ':', 1) as kind, m.channel, m.recipients, m.subject, m.state,
        m.attempts, m.error, coalesce(r.scenario_id, j.scenario_id) as scenario_id, m.run_id, r.uid as run_uid, m.job_id,
        j.uid as job_uid, m.sent_at, m.created, m.modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("ids", "m.id"),
            Filter::id("scenario_id", "coalesce(r.scenario_id, j.scenario_id)"),
            Filter::id("run_id", "m.run_id"),
            Filter::id("job_id", "m.job_id"),
            Filter::choice("channel", "m.channel"),
            Filter::choice("state", "m.state"),
        ],
        search: &["array_to_string(m.recipients, ' ')", "m.subject", "m.error", "r.uid", "j.uid"],
        sort: &[
            ("id", "m.id"),
            ("subject", "lower(m.subject)"),
            ("state", "m.state"),
            ("channel", "m.channel"),
            ("sent_at", "m.sent_at"),
            ("created", "m.created"),
            ("modified", "m.modified"),
        ],
        order: "m.id desc",
    };
    type Fields = NoFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!(
                "exists (select from runs hr left join drivers hd on hd.id = hr.driver_id left join vehicles hv on hv.id = hr.vehicle_id
                     where hr.id = coalesce(m.run_id, j.run_id) and (hd.haulier_id = {place} or hv.haulier_id = {place}))"
            ));
        }
    }
}
