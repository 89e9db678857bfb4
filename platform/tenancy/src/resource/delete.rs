//! Deleting: one row, or many at once as one piece of work.

use std::collections::BTreeSet;

use axum::Json;
use routewright_core::error::{Error, Kind, Result};
use routewright_core::http::{Body, Path};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;

use super::{Resource, find};
use crate::db::Db;

/// Most rows of one bulk delete.
const MOST: usize = 1_000;

/// Answer of a delete.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Deleted {
    /// What was deleted.
    pub id: i64,
}

/// Body of a bulk delete.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DeleteMany {
    /// What to delete, at most 1,000.
    pub ids: Vec<i64>,
}

/// Answer of a bulk delete.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedMany {
    /// What was deleted: everything that was asked for.
    pub ids: Vec<i64>,
}

/// Why one row of a bulk delete stays.
#[derive(Debug, Serialize)]
struct Refused {
    id: i64,
    reason: String,
}

impl DeleteMany {
    /// Deletes one after the other by `remove`, which is given `context`, each beneath a savepoint, so that everything that stands in the way is
    /// told at once; one refusal refuses all. Ids that are given twice count once.
    ///
    /// # Errors
    /// 400 for no ids or too many; 409 `BULK_DELETE_REFUSED` with `refused`, a list of `{id, reason}`, when anything
    /// stays; then everything does.
    pub async fn each<C>(
        self,
        db: &mut Db,
        context: &C,
        remove: impl AsyncFn(&mut Db, &C, i64) -> Result<()>,
    ) -> Result<Json<DeletedMany>> {
        let ids: BTreeSet<i64> = self.ids.into_iter().collect();
        if ids.is_empty() || ids.len() > MOST {
            return Err(Error::field("ids", format!("Must name between 1 and {MOST}")));
        }
        let mut refused = Vec::new();
        for id in &ids {
            sqlx::query("savepoint removal").execute(&mut **db).await?;
            let end = match remove(db, context, *id).await {
                Ok(()) => "release savepoint removal",
                Err(error) if is_refusal(&error) => {
                    refused.push(Refused { id: *id, reason: error.description() });
                    "rollback to savepoint removal"
                }
                Err(error) => return Err(error),
            };
            sqlx::query(end).execute(&mut **db).await?;
        }
        if refused.is_empty() {
            return Ok(Json(DeletedMany { ids: ids.into_iter().collect() }));
        }
        let text = format!("{} of {} cannot be deleted, so nothing was", refused.len(), ids.len());
        Err(Error::conflict(text).code("BULK_DELETE_REFUSED").with("refused", serde_json::to_value(refused)?))
    }
}

/// Whether it is about this row alone.
fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), Kind::BadRequest | Kind::Forbidden | Kind::NotFound | Kind::Conflict)
}

/// `DELETE {resource}/{id}`.
///
/// # Errors
/// 404; 409 while others refer to it.
pub async fn delete<R: Resource>(mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove::<R>(&mut db, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE {resource}/bulk`: all or nothing.
///
/// # Errors
/// 400 naming the field; 409 with everything that stands in the way.
pub async fn delete_bulk<R: Resource>(
    mut db: Db,
    Body(asked): Body<DeleteMany>,
) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &(), async |db: &mut Db, (): &(), id| remove::<R>(db, id).await).await
}

async fn remove<R: Resource>(db: &mut Db, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    let row = find::<R>(db, &caller, id).await?;
    row.before_delete(db, &caller).await?;
    let statement = format!("delete from {} where id = $1", R::TABLE);
    sqlx::query(AssertSqlSafe(statement)).bind(id).execute(&mut **db).await?;
    Ok(())
}
