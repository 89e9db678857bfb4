//! Reading, creating and changing. SQL is put together from the resource's constants; values are always bound.

use axum::Json;
use routewright_core::Given;
use routewright_core::check;
use routewright_core::error::{Error, Problems, Result};
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{self, ListQuery, Listed, Where};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;

use super::Resource;
use crate::db::Db;

/// `GET {resource}`.
///
/// # Errors
/// 400 for a wrong filter.
pub async fn list<R: Resource>(mut db: Db, query: ListQuery) -> Result<Listed<R>> {
    let caller = db.caller().clone();
    let listed: Listed<R> = list::page(&mut db, R::COLUMNS, R::FROM, query, &R::SHAPE, |conditions| {
        R::narrow(&caller, conditions);
    })
    .await?;
    Ok(listed.map(|mut row| {
        row.shown_to(&caller);
        row
    }))
}

/// `GET {resource}/{id}`.
///
/// # Errors
/// 404.
pub async fn get<R: Resource>(mut db: Db, Path(id): Path<i64>) -> Result<Json<R>> {
    let caller = db.caller().clone();
    find::<R>(&mut db, &caller, id).await.map(Json)
}

/// `POST {resource}`.
///
/// # Errors
/// 400 naming the field.
pub async fn create<R: Resource>(mut db: Db, given: Given<R::Fields>) -> Result<Created<R>> {
    let caller = db.caller().clone();
    insert::<R>(&mut db, &caller, given).await.map(Created)
}

/// `PATCH {resource}/{id}`.
///
/// # Errors
/// 404; 400 naming the field.
pub async fn patch<R: Resource>(mut db: Db, Path(id): Path<i64>, given: Given<R::Fields>) -> Result<Json<R>> {
    let caller = db.caller().clone();
    update::<R>(&mut db, &caller, id, given).await.map(Json)
}

/// `PATCH {resource}/bulk`: all or nothing.
///
/// # Errors
/// 404; 400 naming the item and field.
pub async fn patch_bulk<R: Resource>(mut db: Db, Body(items): Body<Vec<BulkItem>>) -> Result<Json<Vec<R>>> {
    let caller = db.caller().clone();
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        rows.push(update::<R>(&mut db, &caller, item.id, given).await?);
    }
    Ok(Json(rows))
}

/// One item of a bulk patch.
#[derive(serde::Deserialize, Serialize, JsonSchema)]
pub struct BulkItem {
    /// The row.
    pub id: i64,
    /// Its changed fields.
    #[serde(flatten)]
    pub change: Map<String, Value>,
}

/// Reads one row that the caller may see.
///
/// # Errors
/// 404.
pub async fn find<R: Resource>(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<R> {
    let mut conditions = Where::default();
    conditions.push(&format!("{} = ", R::ID), id);
    R::narrow(caller, &mut conditions);
    let statement = format!("select {} from {}{}", R::COLUMNS, R::FROM, conditions.sql());
    let mut row: R = sqlx::query_as_with(AssertSqlSafe(statement), conditions.arguments()?)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::not_found(R::NAME))?;
    row.shown_to(caller);
    Ok(row)
}

/// Inserts a row and checks it.
///
/// # Errors
/// 400 naming the field.
pub async fn insert<R: Resource>(
    connection: &mut PgConnection,
    caller: &Caller,
    mut given: Given<R::Fields>,
) -> Result<R> {
    R::prepare(&mut given, caller, true)?;
    let mut columns = R::to_columns(given.fields);
    // What is not given takes the table's default.
    columns.retain(|_, value| !value.is_null());
    let statement = if columns.is_empty() {
        format!("insert into {} default values returning id", R::TABLE)
    } else {
        let names = names(&columns);
        format!(
            "insert into {0} ({names}) select {names} from jsonb_populate_record(null::{0}, $1) returning id",
            R::TABLE
        )
    };
    let query = sqlx::query_scalar(AssertSqlSafe(statement));
    let id: i64 = if columns.is_empty() { query } else { query.bind(Value::Object(columns)) }
        .fetch_one(&mut *connection)
        .await
        .map_err(|error| refusal::<R>(error, &given.value, None))?;
    checked::<R>(connection, caller, id).await
}

/// Updates the given fields of a row and checks it.
///
/// # Errors
/// 404; 400 naming the field.
pub async fn update<R: Resource>(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    mut given: Given<R::Fields>,
) -> Result<R> {
    R::prepare(&mut given, caller, false)?;
    let columns = R::to_columns(given.fields);
    let before = find::<R>(connection, caller, id).await?;
    if columns.is_empty() {
        return Ok(before);
    }
    let names = names(&columns);
    let statement = format!(
        "update {0} set ({names}) = (select {names} from jsonb_populate_record(null::{0}, $2)) where id = $1",
        R::TABLE
    );
    sqlx::query(AssertSqlSafe(statement))
        .bind(id)
        .bind(Value::Object(columns))
        .execute(&mut *connection)
        .await
        .map_err(|error| refusal::<R>(error, &given.value, Some(&before)))?;
    checked::<R>(connection, caller, id).await
}

fn refusal<R: Resource>(error: sqlx::Error, given: &R::Fields, before: Option<&R>) -> Error {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    let told =
        constraint.and_then(|name| R::violated(name, given, before).or_else(|| of_text::<R>(name, given)));
    match told {
        Some(refusal) => refusal,
        None => error.into(),
    }
}

/// Names and uids have constraints of their own in the database, which come before [`Resource::check`]: a text that one
/// refuses is blank or too long.
fn of_text<R: Resource>(constraint: &str, given: &R::Fields) -> Option<Error> {
    let field = constraint.strip_prefix(R::TABLE)?.strip_prefix('_')?.strip_suffix("_check")?;
    let given = serde_json::to_value(given).ok()?;
    let text = given.get(field)?.as_str()?;
    match text.chars().count() {
        _ if text.trim().is_empty() => Some(Error::field(field, check::BLANK)),
        101.. => Some(Error::field(field, check::TOO_LONG)),
        _ => None,
    }
}

async fn checked<R: Resource>(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<R> {
    let row = find::<R>(connection, caller, id).await?;
    let mut problems = Problems::default();
    row.check(&mut problems);
    problems.finish()?;
    row.written(connection, caller).await?;
    find::<R>(connection, caller, id).await
}

/// Column names from the keys of a typed body, quoted because some are words of SQL.
fn names(columns: &Map<String, Value>) -> String {
    let quoted: Vec<String> =
        columns.keys().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    quoted.join(", ")
}
