//! A reason that a driver gives with a proof.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Access, Routes};
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::app::App;

const READ: Access = Access::levels(&["reason_read"]);
const WRITE: Access = Access::levels(&["reason_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Reason, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A reason that a driver gives with a proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Reason {
    /// Id.
    pub id: i64,
    /// Text the driver picks.
    pub name: String,
    /// Whether the stop counts as done well.
    pub ok: bool,
    /// Where it is offered.
    pub applies_to: Vec<String>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReasonFields {
    /// Text the driver picks.
    pub name: Option<String>,
    /// Whether the stop counts as done well (S: proof OK).
    pub ok: Option<bool>,
    /// Where it is offered: `job`, `load`, `deliver`, `pickup`, `at_depot`.
    pub applies_to: Option<Vec<String>>,
}

impl Resource for Reason {
    const NAME: &'static str = "Reason";
    const PATH: &'static str = "/reasons";
    const TABLE: &'static str = "reasons";
    const COLUMNS: &'static str = "id, name, ok, applies_to, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name"), Filter::bool("ok", "ok"), Filter::id("reason_id", "id")],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("ok", "ok")],
        order: "id desc",
    };
    type Fields = ReasonFields;

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 200);
        let known = ["job", "load", "deliver", "pickup", "at_depot"];
        problems.require(
            self.applies_to.iter().all(|at| known.contains(&at.as_str())),
            "applies_to",
            "Value is not one of job, load, deliver, pickup, at_depot",
        );
    }
}
