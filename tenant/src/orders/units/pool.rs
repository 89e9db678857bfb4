//! Units in the pool: on no job, kept for a later one.

use axum::Json;
use routewright_core::http::respond::Created;
use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Body, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::Unit;
use crate::orders::items;

/// `GET /units/pool`.
pub(super) async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Unit>> {
    let caller = db.caller().clone();
    list::page(&mut db, Unit::COLUMNS, Unit::FROM, query, &Unit::SHAPE, |conditions| {
        Unit::narrow(&caller, conditions);
        items::in_pool("u.job_id")(conditions);
    })
    .await
}

/// Units by id, and the job they are taken from.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "UnitsOfJob")]
pub(super) struct OfJob {
    unit_ids: Vec<i64>,
    /// Only units of this job are meant.
    job_id: Option<i64>,
}

/// `PATCH /units/move_to_pool`.
pub(super) async fn move_to_pool(mut db: Db, Body(body): Body<OfJob>) -> Result<Json<Vec<Unit>>> {
    let ids = lock(&mut db, &body).await?;
    sqlx::query("update units set job_id = null where id = any($1)").bind(&ids).execute(&mut *db).await?;
    read(&mut db, &ids).await.map(Json)
}

/// `POST /units/copy_to_pool`: the originals stay on the job. A container holds originals only.
pub(super) async fn copy_to_pool(mut db: Db, Body(body): Body<OfJob>) -> Result<Created<Vec<Unit>>> {
    let ids = lock(&mut db, &body).await?;
    let copies: Vec<i64> = sqlx::query_scalar(
        "insert into units (uid, name, invoice, reference, extra_fields)
         select uid, name, invoice, reference, extra_fields from units where id = any($1) order by id
         returning id",
    )
    .bind(&ids)
    .fetch_all(&mut *db)
    .await?;
    read(&mut db, &copies).await.map(Created)
}

async fn lock(db: &mut Db, body: &OfJob) -> Result<Vec<i64>> {
    let caller = db.caller().clone();
    let mut wanted = body.unit_ids.clone();
    wanted.sort_unstable();
    wanted.dedup();
    for id in &wanted {
        resource::find::<Unit>(db, &caller, *id).await?;
    }
    let found: Vec<i64> = sqlx::query_scalar(
        "select id from units where id = any($1) and ($2::bigint is null or job_id = $2) order by id for update",
    )
    .bind(&wanted)
    .bind(body.job_id)
    .fetch_all(&mut **db)
    .await?;
    items::require_all(&wanted, &found, Unit::NAME)?;
    Ok(found)
}

async fn read(db: &mut Db, ids: &[i64]) -> Result<Vec<Unit>> {
    let caller = db.caller().clone();
    let mut units = Vec::with_capacity(ids.len());
    for id in ids {
        units.push(resource::find(db, &caller, *id).await?);
    }
    Ok(units)
}
