//! An export that was asked for.

use chrono::{DateTime, Utc};
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// An export that was asked for; its file is kept for 7 days.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct ExcelExport {
    /// Id.
    pub id: i64,
    /// Name of the file.
    pub name: String,
    /// `csv` or `excel`.
    pub kind: String,
    /// `jobs`, `units`, `runs`, `returns`, `run_cost_calculator`, `proofs` or `audit`.
    pub source: String,
    /// `pending`, `ready` or `failed`.
    pub status: String,
    /// Why it failed.
    pub error: Option<String>,
    /// The file, when ready.
    pub file_id: Option<i64>,
    /// Where the file is, when ready; for who signed in.
    pub link: Option<String>,
    /// When the file is deleted.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was asked for.
    pub created: DateTime<Utc>,
    /// Who asked for it.
    pub created_by: Option<i64>,
}

/// Nothing of it can be written.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct NoFields {}

impl Resource for ExcelExport {
    const NAME: &'static str = "Export";
    const PATH: &'static str = "/excel_exports";
    const TABLE: &'static str = "excel_exports";
    const FROM: &'static str = "excel_exports e left join files f on f.id = e.file_id and f.state = 'ready'";
    const ID: &'static str = "e.id";
    const COLUMNS: &'static str = "e.id, e.name, e.kind, e.source, e.status, e.error, f.id as file_id,
        case when f.id is not null then '/excel_exports/' || e.id || '/file' end as link, e.expires_at, e.created, e.created_by";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::choice("source", "e.source"),
            Filter::choice("status", "e.status"),
            Filter::choice("kind", "e.kind"),
            Filter::id("excel_export_id", "e.id"),
        ],
        search: &["e.name"],
        sort: &[("id", "e.id"), ("name", "lower(e.name)"), ("created", "e.created")],
        order: "e.id desc",
    };
    type Fields = NoFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        // Costs are for those who may see rates, and for whoever ordered them when that was so.
        if !caller.holds("billing_rates_read") {
            let place = conditions.bind(caller.user_id());
            conditions.and(&format!("(e.source <> 'run_cost_calculator' or e.created_by = {place})"));
        }
        // So is the trail, for those who set the organisation up.
        if !caller.holds("organisation_settings_write") {
            conditions.and("e.source <> 'audit'");
        }
        // A haulier's people see what they asked for themselves.
        if caller.haulier_id().is_some() {
            conditions.push("e.created_by = ", caller.user_id());
        }
    }
}
