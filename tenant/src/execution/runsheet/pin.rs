//! Whether what the customer told the driver is the PIN of the delivery, while the driver is at the door. Without a connection
//! it is compared when the record arrives.

use axum::Json;
use axum::extract::State;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::orders::customers;

/// A PIN that a driver was told.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DeliveryPin")]
pub(super) struct Told {
    /// The job.
    job_id: i64,
    /// Its digits.
    pin: String,
}

/// What became of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ComparedPin")]
pub(super) struct Answer {
    /// Whether it is the customer's.
    ok: bool,
    /// Wrong ones that are still taken.
    tries_left: i32,
}

/// `POST /v2/runsheet/pin`.
pub(super) async fn compare(
    mut db: Db,
    State(app): State<App>,
    Body(told): Body<Told>,
) -> Result<Json<Answer>> {
    let caller = db.caller().clone();
    let run = caller.run_id().ok_or_else(Error::bad_token)?;
    let own: bool = sqlx::query_scalar(
        "select exists (select from jobs where id = $2 and run_id = $1)
             or exists (select from runsheet_jobs where run_id = $1 and job_id = $2)",
    )
    .bind(run)
    .bind(told.job_id)
    .fetch_one(&mut *db)
    .await?;
    if !own {
        return Err(Error::not_found("Job"));
    }
    let compared = customers::compare_pin(&mut db, &app, &caller, told.job_id, &told.pin)
        .await?
        .ok_or_else(|| Error::not_found("Job"))?;
    Ok(Json(Answer { ok: compared.ok, tries_left: compared.left }))
}
