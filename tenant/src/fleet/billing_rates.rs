//! What a vehicle's run costs.

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

const READ: Access = Access::levels(&["billing_rates_read"]);
const WRITE: Access = Access::levels(&["billing_rates_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<BillingRate, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// What a vehicle's run costs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct BillingRate {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Per run.
    pub cost_per_run: f64,
    /// Per kilometre.
    pub cost_per_km: f64,
    /// Per hour.
    pub cost_per_hour: f64,
    /// Per drop.
    pub cost_per_drop: f64,
    /// ISO 4217 code; the organisation's when null.
    pub currency: Option<String>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BillingRateFields {
    /// Name.
    pub name: Option<String>,
    /// Per run.
    pub cost_per_run: Option<f64>,
    /// Per kilometre.
    pub cost_per_km: Option<f64>,
    /// Per hour.
    pub cost_per_hour: Option<f64>,
    /// Per drop.
    pub cost_per_drop: Option<f64>,
    /// ISO 4217 code; the organisation's when null.
    pub currency: Option<String>,
}

impl Resource for BillingRate {
    const NAME: &'static str = "Billing rate";
    const PATH: &'static str = "/billing_rates";
    const TABLE: &'static str = "billing_rates";
    const COLUMNS: &'static str = "id, name, cost_per_run::float8, cost_per_km::float8, cost_per_hour::float8, cost_per_drop::float8, currency, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "name"), Filter::id("billing_rate_id", "id")],
        search: &["name"],
        sort: &[
            ("id", "id"),
            ("name", "lower(name)"),
            ("cost_per_run", "cost_per_run"),
            ("cost_per_km", "cost_per_km"),
            ("cost_per_hour", "cost_per_hour"),
            ("cost_per_drop", "cost_per_drop"),
        ],
        order: "id desc",
    };
    type Fields = BillingRateFields;

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 200);
        for (field, value) in [
            ("cost_per_run", self.cost_per_run),
            ("cost_per_km", self.cost_per_km),
            ("cost_per_hour", self.cost_per_hour),
            ("cost_per_drop", self.cost_per_drop),
        ] {
            problems.require(value >= 0.0, field, "Value cannot be negative");
            problems.require(value <= 1e9, field, "Value must be less than 100000000");
        }
        if let Some(currency) = &self.currency {
            problems.require(
                currency.len() == 3 && currency.chars().all(|c| c.is_ascii_uppercase()),
                "currency",
                "Value is not a currency code (e.g EUR)",
            );
        }
    }
}
