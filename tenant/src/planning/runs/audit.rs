//! Who changed what of a run's actuals, billing and validation, and from what to what (S-45); with a reason, also what was
//! changed of its plan (S-22).

use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use super::change::different;
use super::model::Run;
use crate::audit;

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
    let changes =
        changed.into_iter().map(|(field, old, new)| audit::Change { id: after.id, field, old, new });
    audit::record(connection, caller.user_id(), "run", changes, reason).await
}
