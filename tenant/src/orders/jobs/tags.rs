//! Tags on jobs: PUT replaces, POST adds, DELETE removes; adding and removing twice changes nothing more.

use axum::Json;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::JobTag;
use routewright_core::Jsonb;

/// Tags by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TagIds {
    tag_ids: Vec<i64>,
}

/// Jobs and tags by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct JobsAndTags {
    job_ids: Vec<i64>,
    tag_ids: Vec<i64>,
}

/// A job's tags after the change.
#[derive(Serialize, JsonSchema, sqlx::FromRow)]
pub(super) struct Tagged {
    id: i64,
    tags: Jsonb<Vec<JobTag>>,
}

#[derive(Clone, Copy)]
enum How {
    Replace,
    Add,
    Remove,
}

macro_rules! handlers {
    ($one:ident, $bulk:ident, $how:expr) => {
        pub(super) async fn $one(
            mut db: Db,
            Path(id): Path<i64>,
            Body(body): Body<TagIds>,
        ) -> Result<Json<Tagged>> {
            let mut tagged = assign(&mut db, &[id], &body.tag_ids, $how).await?;
            tagged.pop().map(Json).ok_or_else(|| Error::not_found("Job"))
        }

        pub(super) async fn $bulk(mut db: Db, Body(body): Body<JobsAndTags>) -> Result<Json<Vec<Tagged>>> {
            assign(&mut db, &body.job_ids, &body.tag_ids, $how).await.map(Json)
        }
    };
}

handlers!(replace, replace_bulk, How::Replace);
handlers!(add, add_bulk, How::Add);
handlers!(remove, remove_bulk, How::Remove);

async fn assign(db: &mut Db, jobs: &[i64], tags: &[i64], how: How) -> Result<Vec<Tagged>> {
    let known: i64 = sqlx::query_scalar("select count(*) from jobs where id = any($1)")
        .bind(jobs)
        .fetch_one(&mut **db)
        .await?;
    let mut distinct = jobs.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if usize::try_from(known).is_ok_and(|known| known != distinct.len()) {
        return Err(Error::not_found("Job"));
    }
    let unknown: Option<i64> =
        sqlx::query_scalar("select wanted from unnest($1::bigint[]) as wanted where not exists (select from tags where id = wanted) limit 1")
            .bind(tags)
            .fetch_optional(&mut **db)
            .await?;
    if unknown.is_some() {
        return Err(Error::field("tag_ids", "Tag not found"));
    }
    match how {
        How::Replace => {
            sqlx::query("delete from job_tags where job_id = any($1) and tag_id <> all($2)")
                .bind(jobs)
                .bind(tags)
                .execute(&mut **db)
                .await?;
        }
        How::Remove => {
            sqlx::query("delete from job_tags where job_id = any($1) and tag_id = any($2)")
                .bind(jobs)
                .bind(tags)
                .execute(&mut **db)
                .await?;
        }
        How::Add => {}
    }
    if matches!(how, How::Replace | How::Add) {
        sqlx::query(
            "insert into job_tags (job_id, tag_id) select j, t from unnest($1::bigint[]) j cross join unnest($2::bigint[]) t
             on conflict do nothing",
        )
        .bind(jobs)
        .bind(tags)
        .execute(&mut **db)
        .await?;
    }
    let rows = sqlx::query_as(
        "select j.id, coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by lower(t.name))
             from job_tags jt join tags t on t.id = jt.tag_id where jt.job_id = j.id), '[]') as tags
         from jobs j where j.id = any($1) order by j.id",
    )
    .bind(jobs)
    .fetch_all(&mut **db)
    .await?;
    Ok(rows)
}
