//! What a vehicle's runs cost in a range of dates (S-02).

use axum::Json;
use chrono::NaiveDate;
use routewright_core::http::{Path, Query};
use routewright_core::{Error, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Vehicle;
use crate::fleet::costing;

/// The range, both ends included.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CostRange")]
pub(super) struct Range {
    start_date: NaiveDate,
    end_date: NaiveDate,
}

/// The vehicle's cost.
#[derive(Serialize, JsonSchema)]
pub(super) struct VehicleCost {
    vehicle_id: i64,
    runs_count: usize,
    km: f64,
    hours: f64,
    drops: i64,
    total_cost: f64,
    runs: Vec<costing::RunCost>,
}

/// `GET /vehicles/{id}/cost`.
pub(super) async fn cost(
    mut db: Db,
    Path(id): Path<i64>,
    Query(range): Query<Range>,
) -> Result<Json<VehicleCost>> {
    if range.start_date > range.end_date {
        return Err(Error::filters("start_date must not be after end_date"));
    }
    let caller = db.caller().clone();
    resource::find::<Vehicle>(&mut db, &caller, id).await?;
    let runs = costing::of_vehicle(&mut db, id, range.start_date, range.end_date).await?;
    Ok(Json(VehicleCost {
        vehicle_id: id,
        runs_count: runs.len(),
        km: runs.iter().filter_map(|run| run.km).sum(),
        hours: runs.iter().filter_map(|run| run.hours).sum(),
        drops: runs.iter().map(|run| run.drops).sum(),
        total_cost: costing::round(runs.iter().filter_map(|run| run.cost).sum()),
        runs,
    }))
}
