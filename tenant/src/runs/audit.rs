//! Who changed what of a run's actuals, billing and validation, and from what to what (S-45).

use routewright_core::Result;
use routewright_identity::Caller;
use serde_json::Value;
use sqlx::postgres::PgConnection;

use super::change::different;
use super::model::Run;

/// Fields whose changes are kept.
const KEPT: [&str; 12] = [
    "actual_start_time",
    "actual_end_time",
    "billing_start_time",
    "start_odometer",
    "end_odometer",
    "additional_billing_kms",
    "min_billing_hours",
    "billing_rate_id",
    "device_id",
    "driver_user_id",
    "vehicle_id",
    "validated_by_id",
];

/// One row per changed field.
pub(super) async fn write(
    connection: &mut PgConnection,
    caller: &Caller,
    before: &Run,
    after: &Run,
) -> Result<()> {
    let changed = different(before, after, &KEPT);
    if changed.is_empty() {
        return Ok(());
    }
    let mut fields: Vec<String> = Vec::new();
    let mut old: Vec<Value> = Vec::new();
    let mut new: Vec<Value> = Vec::new();
    for (field, before, after) in changed {
        fields.push(field);
        old.push(before);
        new.push(after);
    }
    sqlx::query(
        "insert into audit_log (user_id, subject, subject_id, field, old, new)
         select $1, 'run', $2, given.field, given.old, given.new
         from unnest($3::text[], $4::jsonb[], $5::jsonb[]) as given (field, old, new)",
    )
    .bind(caller.user_id())
    .bind(after.id)
    .bind(fields)
    .bind(old)
    .bind(new)
    .execute(connection)
    .await?;
    Ok(())
}
