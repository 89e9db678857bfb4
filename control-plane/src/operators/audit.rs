//! The record of the platform.

use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;

/// One row of the record.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct Recorded {
    /// Id.
    id: i64,
    /// When.
    at: DateTime<Utc>,
    /// Who.
    user_id: Option<i64>,
    /// Whose address, as it is now.
    user_email: Option<String>,
    /// Which organisation it concerns.
    organisation_id: Option<i64>,
    /// What was done.
    action: String,
    /// To what.
    subject: String,
    /// What it was.
    old: Option<Value>,
    /// What it became.
    new: Option<Value>,
    /// In which request.
    request_id: Option<String>,
}

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::id("user_id", "a.user_id"),
        Filter::id("organisation_id", "a.organisation_id"),
        Filter::choice("action", "a.action"),
        Filter::text("subject", "a.subject"),
        Filter::date("at", "(a.at at time zone 'utc')::date"),
    ],
    search: &["a.action", "a.subject", "u.email"],
    sort: &[("id", "a.id"), ("at", "a.at")],
    order: "a.id desc",
};

/// `GET /operators/audit`.
pub(super) async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Recorded>> {
    list::page(
        &mut db,
        "a.id, a.at, a.user_id, u.email as user_email, a.organisation_id, a.action, a.subject, a.old, a.new, a.request_id",
        "platform_audit a left join users u on u.id = a.user_id",
        query,
        &SHAPE,
        |_| (),
    )
    .await
}
