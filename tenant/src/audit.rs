//! The record of who changed what, from what to what, and why (S-22, S-45).

use routewright_core::Result;
use serde_json::Value;
use sqlx::postgres::PgConnection;

/// What became of one field of one row.
pub(crate) struct Change {
    /// Id of the row.
    pub(crate) id: i64,
    /// Name of the field, or of what was done.
    pub(crate) field: String,
    /// Before.
    pub(crate) old: Value,
    /// After.
    pub(crate) new: Value,
}

/// Keeps changes of one kind of row.
pub(crate) async fn record(
    connection: &mut PgConnection,
    user: Option<i64>,
    subject: &str,
    changes: impl IntoIterator<Item = Change>,
    reason: Option<&str>,
) -> Result<()> {
    let (mut ids, mut fields, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        ids.push(change.id);
        fields.push(change.field);
        old.push(change.old);
        new.push(change.new);
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into audit_log (user_id, subject, subject_id, field, old, new, reason)
         select $1, $2, given.id, given.field, given.old, given.new, $7
         from unnest($3::bigint[], $4::text[], $5::jsonb[], $6::jsonb[]) as given (id, field, old, new)",
    )
    .bind(user)
    .bind(subject)
    .bind(ids)
    .bind(fields)
    .bind(old)
    .bind(new)
    .bind(reason)
    .execute(connection)
    .await?;
    Ok(())
}
