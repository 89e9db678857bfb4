//! Returns in the pool: on no job, kept for a later one; and copies of a return.

use axum::Json;
use routewright_core::http::respond::Created;
use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Body, Result};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Deserialize;

use super::model::Return;
use crate::orders::items;

/// `GET /returns/pool`.
pub(super) async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Return>> {
    let caller = db.caller().clone();
    list::page(&mut db, Return::COLUMNS, Return::FROM, query, &Return::SHAPE, |conditions| {
        Return::narrow(&caller, conditions);
        items::in_pool("r.job_id")(conditions);
    })
    .await
}

/// Returns by id, and the job they are taken from.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ReturnsOfJob")]
pub(super) struct OfJob {
    return_ids: Vec<i64>,
    /// Only returns of this job are meant.
    job_id: Option<i64>,
}

/// `PATCH /returns/move_to_pool`.
pub(super) async fn move_to_pool(mut db: Db, Body(body): Body<OfJob>) -> Result<Json<Vec<Return>>> {
    let ids = lock(&mut db, &body).await?;
    sqlx::query("update returns set job_id = null where id = any($1)").bind(&ids).execute(&mut *db).await?;
    read(&mut db, &ids).await.map(Json)
}

/// `POST /returns/copy_to_pool`: the originals stay on the job.
pub(super) async fn copy_to_pool(mut db: Db, Body(body): Body<OfJob>) -> Result<Created<Vec<Return>>> {
    let ids = lock(&mut db, &body).await?;
    let copies: Vec<i64> = sqlx::query_scalar(
        "insert into returns (uid, comments, client_id, extra_fields)
         select uid, comments, client_id, extra_fields from returns where id = any($1) order by id
         returning id",
    )
    .bind(&ids)
    .fetch_all(&mut *db)
    .await?;
    read(&mut db, &copies).await.map(Created)
}

/// A return by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct OneReturn {
    return_id: i64,
}

/// `POST /returns/duplicate`: the copy lies where the original does and has the next free `-n` behind its uid.
pub(super) async fn duplicate(mut db: Db, Body(body): Body<OneReturn>) -> Result<Created<Return>> {
    let caller = db.caller().clone();
    let original: Return = resource::find(&mut db, &caller, body.return_id).await?;
    let taken: Vec<String> =
        sqlx::query_scalar("select uid from returns where job_id is not distinct from $1 for update")
            .bind(original.job_id)
            .fetch_all(&mut *db)
            .await?;
    let copy: i64 = sqlx::query_scalar(
        "insert into returns (uid, comments, client_id, extra_fields, job_id)
         select $2, comments, client_id, extra_fields, job_id from returns where id = $1 returning id",
    )
    .bind(original.id)
    .bind(items::next_free(&original.uid, &taken))
    .fetch_one(&mut *db)
    .await?;
    resource::find(&mut db, &caller, copy).await.map(Created)
}

async fn lock(db: &mut Db, body: &OfJob) -> Result<Vec<i64>> {
    let caller = db.caller().clone();
    let mut wanted = body.return_ids.clone();
    wanted.sort_unstable();
    wanted.dedup();
    for id in &wanted {
        resource::find::<Return>(db, &caller, *id).await?;
    }
    let found: Vec<i64> = sqlx::query_scalar(
        "select id from returns where id = any($1) and ($2::bigint is null or job_id = $2) order by id for update",
    )
    .bind(&wanted)
    .bind(body.job_id)
    .fetch_all(&mut **db)
    .await?;
    items::require_all(&wanted, &found, Return::NAME)?;
    Ok(found)
}

async fn read(db: &mut Db, ids: &[i64]) -> Result<Vec<Return>> {
    let caller = db.caller().clone();
    let mut returns = Vec::with_capacity(ids.len());
    for id in ids {
        returns.push(resource::find(db, &caller, *id).await?);
    }
    Ok(returns)
}
