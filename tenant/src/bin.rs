//! The bin: what was deleted stays whole for a while. Whoever deletes puts it here first; restoring is a noun of its own
//! (`afterwards::bin`).

use routewright_core::Result;
use routewright_identity::Caller;
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

/// Days after which a deleted thing is gone for good.
const DAYS: i32 = 30;

/// Puts a row of `table` with everything that is deleted with it into the bin.
///
/// # Errors
/// Database faults.
pub(crate) async fn put(
    connection: &mut PgConnection,
    caller: &Caller,
    table: &str,
    id: i64,
    name: &str,
) -> Result<()> {
    put_all(connection, caller, (table, id), name, &json!({table: [id]}), &json!([])).await
}

/// Puts rows that are one thing to people. `roots`: ids by table; `emptied`: what the deletion empties beside references,
/// a list of `{table, id, columns}`.
///
/// # Errors
/// Database faults.
pub(crate) async fn put_all(
    connection: &mut PgConnection,
    caller: &Caller,
    (table, id): (&str, i64),
    name: &str,
    roots: &Value,
    emptied: &Value,
) -> Result<()> {
    sqlx::query(
        "insert into bin (kind, object_id, name, deleted_by_id, purged_at, rows, emptied)
         select $1, $2, $3, $4, now() + make_interval(days => $7), g.rows, g.emptied || $6 from bin_gather($5) g",
    )
    .bind(table)
    .bind(id)
    .bind(name)
    .bind(caller.user_id())
    .bind(roots)
    .bind(emptied)
    .bind(DAYS)
    .execute(connection)
    .await?;
    Ok(())
}

/// Lets go of what was here long enough.
///
/// # Errors
/// Database faults.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("delete from bin where purged_at < now()").execute(connection).await?;
    Ok(())
}
