//! What the audit trail (migration 31) is told beside what the tables show it: what was done, and why (S-22, S-45).

use std::collections::BTreeMap;

use routewright_core::Result;
use serde_json::{Map, Value};
use sqlx::postgres::PgConnection;

/// What was done to one object beyond its columns.
pub(crate) struct Change {
    /// Id of the object.
    pub(crate) id: i64,
    /// Name of what was done.
    pub(crate) field: String,
    /// Before.
    pub(crate) old: Value,
    /// After.
    pub(crate) new: Value,
}

/// Notes what was done to objects of one kind in this transaction, and why.
///
/// # Errors
/// Database faults.
pub(crate) async fn record(
    connection: &mut PgConnection,
    kind: &str,
    changes: impl IntoIterator<Item = Change>,
    reason: Option<&str>,
) -> Result<()> {
    let mut objects: BTreeMap<i64, [Map<String, Value>; 2]> = BTreeMap::new();
    for Change { id, field, old, new } in changes {
        let [before, after] = objects.entry(id).or_default();
        before.insert(field.clone(), old);
        after.insert(field, new);
    }
    let (ids, fields): (Vec<i64>, Vec<_>) = objects.into_iter().unzip();
    let (before, after): (Vec<Value>, Vec<Value>) =
        fields.into_iter().map(|[before, after]| (Value::Object(before), Value::Object(after))).unzip();
    note(connection, kind, ids, before, after, reason).await
}

/// Notes why an object was changed in this transaction, where somebody said so.
///
/// # Errors
/// Database faults.
pub(crate) async fn explain(
    connection: &mut PgConnection,
    kind: &str,
    id: i64,
    reason: Option<&str>,
) -> Result<()> {
    if reason.is_none() {
        return Ok(());
    }
    let nothing = || vec![Value::Object(Map::new())];
    note(connection, kind, vec![id], nothing(), nothing(), reason).await
}

async fn note(
    connection: &mut PgConnection,
    kind: &str,
    ids: Vec<i64>,
    before: Vec<Value>,
    after: Vec<Value>,
    reason: Option<&str>,
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query("select audit_note($1, $2, $3, $4, $5)")
        .bind(kind)
        .bind(ids)
        .bind(before)
        .bind(after)
        .bind(reason)
        .execute(connection)
        .await?;
    Ok(())
}
