//! The rates a vehicle may use. Adding one makes it the current rate; removing one makes the first remaining current.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::{Error, Result};
use routewright_tenancy::{Db, resource};
use sqlx::PgConnection;

use super::Vehicle;
use crate::fleet::billing_rates::BillingRate;

pub(super) async fn list(mut db: Db, Path(id): Path<i64>) -> Result<Json<Vec<BillingRate>>> {
    let caller = db.caller().clone();
    let vehicle: Vehicle = resource::find(&mut db, &caller, id).await?;
    Ok(Json(vehicle.billing_rates.0))
}

pub(super) async fn add(mut db: Db, Path((id, rate)): Path<(i64, i64)>) -> Result<Json<Vehicle>> {
    let caller = db.caller().clone();
    resource::find::<Vehicle>(&mut db, &caller, id).await?;
    resource::find::<BillingRate>(&mut db, &caller, rate).await?;
    sqlx::query("delete from vehicle_billing_rates where vehicle_id = $1 and billing_rate_id = $2")
        .bind(id)
        .bind(rate)
        .execute(&mut *db)
        .await?;
    offer(&mut db, id, rate).await?;
    make_current(&mut db, id, Some(rate)).await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}

pub(super) async fn remove(mut db: Db, Path((id, rate)): Path<(i64, i64)>) -> Result<Json<Vehicle>> {
    let caller = db.caller().clone();
    resource::find::<Vehicle>(&mut db, &caller, id).await?;
    let removed =
        sqlx::query("delete from vehicle_billing_rates where vehicle_id = $1 and billing_rate_id = $2")
            .bind(id)
            .bind(rate)
            .execute(&mut *db)
            .await?;
    if removed.rows_affected() == 0 {
        return Err(Error::not_found("Billing rate"));
    }
    let first: Option<i64> = sqlx::query_scalar(
        "select billing_rate_id from vehicle_billing_rates where vehicle_id = $1 order by position limit 1",
    )
    .bind(id)
    .fetch_optional(&mut *db)
    .await?;
    make_current(&mut db, id, first).await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}

/// Puts a rate at the end of a vehicle's list unless it is there.
pub(super) async fn offer(connection: &mut PgConnection, vehicle: i64, rate: i64) -> Result<()> {
    sqlx::query(
        "insert into vehicle_billing_rates (vehicle_id, billing_rate_id, position)
         select $1, $2, coalesce(max(position), 0) + 1 from vehicle_billing_rates where vehicle_id = $1
         on conflict (vehicle_id, billing_rate_id) do nothing",
    )
    .bind(vehicle)
    .bind(rate)
    .execute(connection)
    .await?;
    Ok(())
}

async fn make_current(connection: &mut PgConnection, vehicle: i64, rate: Option<i64>) -> Result<()> {
    sqlx::query("update vehicles set billing_rate_id = $2 where id = $1")
        .bind(vehicle)
        .bind(rate)
        .execute(connection)
        .await?;
    Ok(())
}
