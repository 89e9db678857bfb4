//! A secret as it is shown.

use chrono::{DateTime, Utc};
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// A secret without its value.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Secret {
    /// Id.
    pub id: i64,
    /// Name, unique in the organisation; what uses the secret finds it by its name.
    pub name: String,
    /// `****`.
    pub masked: String,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SecretFields {
    /// Name, unique in the organisation.
    pub name: Option<String>,
    /// The secret itself; never shown again.
    pub value: Option<String>,
}

impl Resource for Secret {
    const NAME: &'static str = "Secret";
    const PATH: &'static str = "/secrets";
    const TABLE: &'static str = "secrets";
    const COLUMNS: &'static str = "id, name, '****' as masked, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name"), Filter::id("secret_id", "id")],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("created", "created")],
        order: "id desc",
    };
    type Fields = SecretFields;

    fn narrow(_caller: &Caller, conditions: &mut Where) {
        // The SMS account has calls of its own.
        conditions.and("name <> 'sms_configuration'");
    }
}
