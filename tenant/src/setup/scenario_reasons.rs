//! Why a scenario was changed after dispatch or deleted.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Access, Error, Result, Routes};
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use crate::app::App;

const READ: Access = Access::levels(&["reason_read"]);
const WRITE: Access = Access::levels(&["reason_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<ScenarioReason, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// Why a scenario was changed after dispatch or deleted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct ScenarioReason {
    /// Id.
    pub id: i64,
    /// Text that is offered.
    pub name: String,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScenarioReasonFields {
    /// Text that is offered.
    pub name: Option<String>,
}

impl Resource for ScenarioReason {
    const NAME: &'static str = "Scenario reason";
    const PATH: &'static str = "/scenario_reasons";
    const TABLE: &'static str = "scenario_reasons";
    const COLUMNS: &'static str = "id, name, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name")],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)")],
        order: "id desc",
    };
    type Fields = ScenarioReasonFields;

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 200);
    }
}

/// The text of a reason that somebody chose; none when none was chosen.
///
/// # Errors
/// 400 when there is no such reason.
pub(crate) async fn chosen(connection: &mut PgConnection, id: Option<i64>) -> Result<Option<String>> {
    let Some(id) = id else { return Ok(None) };
    let name: Option<String> = sqlx::query_scalar("select name from scenario_reasons where id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    match name {
        None => Err(Error::field("scenario_reason_id", "Value does not exist")),
        name => Ok(name),
    }
}
