//! Paged lists: the envelope, the query conventions of the contract (§1.3) and their translation to SQL.

mod filter;
mod query;

pub use filter::{Filter, Shape, Where};
pub use query::ListQuery;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::Json;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, FromRow};

use crate::error::Result;

/// Default number of items on a page.
pub const PER_PAGE: i64 = 25;
/// Largest number of items on a page.
pub const MAX_PER_PAGE: i64 = 300;

/// One page of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Page<T> {
    /// The items.
    pub data: Vec<T>,
    /// Items per page.
    pub per_page: i64,
    /// This page, from 1.
    pub page: i64,
    /// Number of pages.
    pub total_pages: i64,
    /// Number of items on all pages.
    pub total_count: i64,
}

/// A page as answered: with `LOOKUP-FIELDS: id;name` its items carry only these fields.
#[derive(Debug)]
pub struct Listed<T> {
    /// The page.
    pub page: Page<T>,
    /// Fields to keep, or all.
    pub lookup: Option<Vec<String>>,
}

impl<T> Listed<T> {
    /// Changes every item.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Listed<U> {
        let Page { data, per_page, page, total_pages, total_count } = self.page;
        let data = data.into_iter().map(change).collect();
        Listed { page: Page { data, per_page, page, total_pages, total_count }, lookup: self.lookup }
    }
}

impl<T: Serialize> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        let Some(fields) = self.lookup else { return Json(self.page).into_response() };
        match serde_json::to_value(&self.page) {
            Ok(mut value) => {
                if let Some(items) = value["data"].as_array_mut() {
                    for item in items.iter_mut().filter_map(serde_json::Value::as_object_mut) {
                        item.retain(|key, _| fields.iter().any(|field| field == key));
                    }
                }
                Json(value).into_response()
            }
            Err(error) => crate::Error::internal(error).into_response(),
        }
    }
}

impl<T: JsonSchema> OperationOutput for Listed<T> {
    type Inner = Page<T>;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<Page<T>> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(200), response)).into_iter().collect()
    }
}

/// Reads one page. `select` and `from` are fixed SQL texts of the noun (`j.id, j.uid`, `jobs j left join …`); `fixed`
/// adds conditions that the caller cannot influence, such as "not deleted".
///
/// # Errors
/// 400 for an unknown or wrong filter, sort column or page; database faults.
pub async fn page<T>(
    connection: &mut PgConnection,
    select: &str,
    from: &str,
    query: ListQuery,
    shape: &Shape,
    fixed: impl FnOnce(&mut Where),
) -> Result<Listed<T>>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let lookup = query.lookup.clone();
    let (page, per_page) = (query.page, query.per_page);
    let order = query.order(shape)?;
    let mut conditions = Where::default();
    fixed(&mut conditions);
    query.conditions(shape, &mut conditions)?;

    let statement = format!(
        "select {select} from {from}{} order by {order} limit {per_page} offset {}",
        conditions.sql(),
        (page - 1) * per_page
    );
    let rows: Vec<T> = sqlx::query_as_with(AssertSqlSafe(statement), conditions.arguments()?)
        .fetch_all(&mut *connection)
        .await?;
    let complete = page == 1 && i64::try_from(rows.len()).is_ok_and(|count| count < per_page);
    let total_count = if complete {
        i64::try_from(rows.len()).unwrap_or(i64::MAX)
    } else {
        let statement = format!("select count(*) from {from}{}", conditions.sql());
        sqlx::query_scalar_with(AssertSqlSafe(statement), conditions.arguments()?)
            .fetch_one(connection)
            .await?
    };
    let total_pages = (total_count + per_page - 1) / per_page;
    Ok(Listed { page: Page { data: rows, per_page, page, total_pages, total_count }, lookup })
}
