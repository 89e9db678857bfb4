//! Who changed what of a run's actuals, billing and validation, and from what to what (S-45); with a reason, also what was
//! changed of its plan (S-22).

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

/// Fields of the plan, whose changes are kept when somebody says why.
const PLANNED: [&str; 20] = [
    "uid",
    "start_location",
    "end_location",
    "route_end",
    "preferred_method",
    "route_colour",
    "capacity",
    "alternatives_group",
    "email",
    "phone_number",
    "spec_type",
    "shift_start",
    "shift_end",
    "lunch_time",
    "lunch_latest_start",
    "lunch_duration",
    "speed_multiplier",
    "territory_ids",
    "planned_start_time",
    "planned_end_time",
];

/// One row per changed field.
pub(super) async fn write(
    connection: &mut PgConnection,
    caller: &Caller,
    before: &Run,
    after: &Run,
    reason: Option<&str>,
) -> Result<()> {
    let mut changed = different(before, after, &KEPT);
    if reason.is_some() {
        changed.append(&mut different(before, after, &PLANNED));
    }
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
        "insert into audit_log (user_id, subject, subject_id, field, old, new, reason)
         select $1, 'run', $2, given.field, given.old, given.new, $6
         from unnest($3::text[], $4::jsonb[], $5::jsonb[]) as given (field, old, new)",
    )
    .bind(caller.user_id())
    .bind(after.id)
    .bind(fields)
    .bind(old)
    .bind(new)
    .bind(reason)
    .execute(connection)
    .await?;
    Ok(())
}
