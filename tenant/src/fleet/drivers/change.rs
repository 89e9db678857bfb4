//! What drivers do differently from a plain resource: soft deletion, contact data in bulk, territories.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::list::{self, Filter, ListQuery, Listed};
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::resource::{self, BulkItem, DeleteMany, Deleted, DeletedMany};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::model::Driver;

/// Fields that dispatchers without `drivers_write` may change.
const CONTACT_FIELDS: [&str; 3] = ["email", "phone_number", "preferred_method"];

/// The filters, for the API document.
pub(super) fn filters() -> impl Iterator<Item = &'static Filter> {
    const MORE: &[Filter] = &[Filter::bool("include_deleted", "")];
    Driver::SHAPE.filters.iter().chain(MORE)
}

/// `GET /drivers`: without the deleted ones unless `include_deleted`.
pub(super) async fn list(mut db: Db, mut query: ListQuery) -> Result<Listed<Driver>> {
    let caller = db.caller().clone();
    let deleted = query.take_bool("include_deleted")?.unwrap_or(false);
    list::page(&mut db, Driver::COLUMNS, Driver::FROM, query, &Driver::SHAPE, |conditions| {
        Driver::narrow(&caller, conditions);
        if !deleted {
            conditions.and("d.deleted_at is null");
        }
    })
    .await
}

/// `PATCH /drivers/bulk`.
pub(super) async fn patch_bulk(mut db: Db, Body(items): Body<Vec<BulkItem>>) -> Result<Json<Vec<Driver>>> {
    let caller = db.caller().clone();
    let all = caller.holds("drivers_write");
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        if !all && item.change.keys().any(|field| !CONTACT_FIELDS.contains(&field.as_str())) {
            return Err(Error::denied());
        }
        let given = Given::parse(Value::Object(item.change))?;
        rows.push(resource::update::<Driver>(&mut db, &caller, item.id, given).await?);
    }
    Ok(Json(rows))
}

/// `DELETE /drivers/{id}`.
pub(super) async fn delete(mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE /drivers/bulk`: all or nothing.
pub(super) async fn delete_bulk(mut db: Db, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &(), async |db: &mut Db, (): &(), id| remove(db, id).await).await
}

/// The driver's past runs keep their driver.
async fn remove(db: &mut Db, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    resource::find::<Driver>(db, &caller, id).await?;
    sqlx::query("update drivers set deleted_at = coalesce(deleted_at, now()) where id = $1")
        .bind(id)
        .execute(&mut **db)
        .await?;
    Ok(())
}

/// `PATCH /drivers/{id}/restore`.
pub(super) async fn restore(mut db: Db, Path(id): Path<i64>) -> Result<Json<Driver>> {
    let caller = db.caller().clone();
    resource::find::<Driver>(&mut db, &caller, id).await?;
    sqlx::query("update drivers set deleted_at = null where id = $1").bind(id).execute(&mut *db).await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}

/// The territories that a driver shall serve.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DriverTerritories")]
pub(super) struct Territories {
    territory_ids: Vec<i64>,
}

/// `PUT /drivers/{id}/territories`.
pub(super) async fn territories(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Territories>,
) -> Result<Json<Driver>> {
    let caller = db.caller().clone();
    resource::find::<Driver>(&mut db, &caller, id).await?;
    sqlx::query("delete from driver_territories where driver_id = $1").bind(id).execute(&mut *db).await?;
    sqlx::query(
        "insert into driver_territories (driver_id, territory_id) select distinct $1::bigint, unnest($2::bigint[])",
    )
    .bind(id)
    .bind(&body.territory_ids)
    .execute(&mut *db)
    .await
    .map_err(|error| match Error::from(error) {
        error if error.kind() == routewright_core::Kind::BadRequest => {
            Error::field("territory_ids", "Territory not found")
        }
        error => error,
    })?;
    resource::find(&mut db, &caller, id).await.map(Json)
}
