//! Tags that planners put on jobs.

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

const READ: Access = Access::levels(&["jobs_read"]);
const WRITE: Access = Access::levels(&["organisation_settings_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Tag, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A tag.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Tag {
    /// Id.
    pub id: i64,
    /// Name, unique in the organisation.
    pub name: String,
    /// Colour `#rrggbb`.
    pub color: String,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of a tag.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TagFields {
    /// Name, unique in the organisation.
    pub name: Option<String>,
    /// Colour `#rrggbb`, default `#34495e`.
    pub color: Option<String>,
}

impl Resource for Tag {
    const NAME: &'static str = "Tag";
    const PATH: &'static str = "/tags";
    const TABLE: &'static str = "tags";
    const COLUMNS: &'static str = "id, name, color, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name"), Filter::id("tag_id", "id")],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("created", "created")],
        order: "id desc",
    };
    type Fields = TagFields;

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 100);
        problems.colour("color", Some(&self.color));
    }
}
