//! What the freight forwarder's route codes stand for (S-17).

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Access, Given, Module, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::app::App;

const READ: Access = Access::levels(&["run_code_maps_read"]).module(Module::Gefco);
const WRITE: Access = Access::levels(&["run_code_maps_write"]).module(Module::Gefco);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<RunCodeMap, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A route code and what it stands for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct RunCodeMap {
    /// Id.
    pub id: i64,
    /// The forwarder's code, unique in the organisation.
    pub run_code: String,
    /// Driver.
    pub driver_id: Option<i64>,
    /// The forwarder's code of the depot.
    pub depot_code: Option<String>,
    /// Vehicle.
    pub vehicle_id: Option<i64>,
    /// Description.
    pub description: Option<String>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunCodeMapFields {
    /// The forwarder's code.
    pub run_code: Option<String>,
    /// Driver.
    pub driver_id: Option<i64>,
    /// The forwarder's code of the depot.
    pub depot_code: Option<String>,
    /// Vehicle.
    pub vehicle_id: Option<i64>,
    /// Description.
    pub description: Option<String>,
}

impl Resource for RunCodeMap {
    const NAME: &'static str = "Run code map";
    const PATH: &'static str = "/gefco/run_code_maps";
    const TABLE: &'static str = "run_code_maps";
    const COLUMNS: &'static str =
        "id, run_code, driver_id, depot_code, vehicle_id, description, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("run_code", "run_code"),
            Filter::text("depot_code", "depot_code"),
            Filter::id("driver_id", "driver_id"),
            Filter::id("vehicle_id", "vehicle_id"),
            Filter::id("run_code_map_id", "id"),
        ],
        search: &["run_code", "depot_code", "description"],
        sort: &[("id", "id"), ("run_code", "lower(run_code)"), ("created", "created")],
        order: "id desc",
    };
    type Fields = RunCodeMapFields;

    fn prepare(given: &mut Given<RunCodeMapFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        problems.require(
            value.run_code.is_some() || !(new || given.has("run_code")),
            "run_code",
            check::REQUIRED,
        );
        problems.optional_text("run_code", value.run_code.as_deref(), 100);
        problems.optional_text("depot_code", value.depot_code.as_deref(), 100);
        problems.optional_text("description", value.description.as_deref(), check::LONG_TEXT);
        problems.finish()
    }
}
