//! Making and changing territories together with the drivers that serve them.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Given, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, BulkItem};
use serde_json::Value;

use super::model::{Territory, TerritoryFields};

/// `POST /territories`.
pub(super) async fn create(mut db: Db, given: Given<TerritoryFields>) -> Result<Created<Territory>> {
    let caller = db.caller().clone();
    let drivers = given.value.driver_ids.clone();
    let territory: Territory = resource::insert(&mut db, &caller, given).await?;
    set_drivers(&mut db, territory.id, drivers).await?;
    resource::find(&mut db, &caller, territory.id).await.map(Created)
}

/// `PATCH /territories/{id}`.
pub(super) async fn patch(
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<TerritoryFields>,
) -> Result<Json<Territory>> {
    change(&mut db, id, given).await.map(Json)
}

/// `PATCH /territories/bulk`: all or nothing.
pub(super) async fn patch_bulk(mut db: Db, Body(items): Body<Vec<BulkItem>>) -> Result<Json<Vec<Territory>>> {
    let mut territories = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        territories.push(change(&mut db, item.id, given).await?);
    }
    Ok(Json(territories))
}

async fn change(db: &mut Db, id: i64, given: Given<TerritoryFields>) -> Result<Territory> {
    let caller = db.caller().clone();
    let drivers = given.has("driver_ids").then(|| given.value.driver_ids.clone().unwrap_or_default());
    resource::update::<Territory>(db, &caller, id, given).await?;
    set_drivers(db, id, drivers).await?;
    resource::find(db, &caller, id).await
}

async fn set_drivers(db: &mut Db, territory: i64, drivers: Option<Vec<i64>>) -> Result<()> {
    let Some(drivers) = drivers else { return Ok(()) };
    let unknown: Option<i64> = sqlx::query_scalar(
        "select wanted from unnest($1::bigint[]) as wanted where not exists (select from drivers where id = wanted) limit 1",
    )
    .bind(&drivers)
    .fetch_optional(&mut **db)
    .await?;
    if unknown.is_some() {
        return Err(Error::field("driver_ids", "Driver not found"));
    }
    sqlx::query("delete from driver_territories where territory_id = $1 and driver_id <> all($2)")
        .bind(territory)
        .bind(&drivers)
        .execute(&mut **db)
        .await?;
    sqlx::query(
        "insert into driver_territories (driver_id, territory_id) select distinct unnest($2::bigint[]), $1::bigint
         on conflict do nothing",
    )
    .bind(territory)
    .bind(&drivers)
    .execute(&mut **db)
    .await?;
    Ok(())
}
