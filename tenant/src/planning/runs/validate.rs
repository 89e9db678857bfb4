//! Validating a run (S-01), with everything that follows from it.

use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use super::model::Run;
use super::{audit, change, read, tell};
use crate::plan::{self, Touch};

/// What is billed: nobody validates what somebody else has just written there.
const BILLED: [&str; 9] = [
    "billing_start_time",
    "actual_start_time",
    "actual_end_time",
    "start_odometer",
    "end_odometer",
    "additional_billing_kms",
    "min_billing_hours",
    "vehicle_id",
    "billing_rate_id",
];

/// What became of a run that was to be validated.
pub(crate) enum Validation {
    /// It is validated, now or before.
    Done(Box<Run>),
    /// These values are missing.
    Lacking(Box<Run>, Vec<&'static str>),
}

/// Validates a run in the caller's name: the rate that applies now is kept, the change logged and told. One that is
/// validated already stays as it is.
///
/// # Errors
/// 404; 409 when its stops or what is billed have changed since the caller's version of the plan; 401 for callers who are nobody's name.
pub(crate) async fn validate(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    now: DateTime<Utc>,
) -> Result<Validation> {
    let user = caller.user()?.user_id;
    read::find(connection, caller, id).await?;
    // Held against somebody who just changes what is validated.
    sqlx::query("select id from runs where id = $1 for no key update")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    let before = read::find(connection, caller, id).await?;
    if before.validated_at.is_some() {
        return Ok(Validation::Done(Box::new(before)));
    }
    let missing = change::missing_for_validation(&before);
    if !missing.is_empty() {
        return Ok(Validation::Lacking(Box::new(before), missing));
    }
    let fields = BILLED.map(str::to_owned);
    for fields in [None, Some(fields.as_slice())] {
        let touch = Touch { jobs: &[], runs: &[id], with_times: false, fields };
        plan::refuse_stale(connection, caller, before.scenario_id, None, &touch).await?;
    }
    change::mark_validated(connection, &[id], user, now).await?;
    let after = read::find(connection, caller, id).await?;
    audit::write(connection, caller, &before, &after, None).await?;
    change::announce(connection, caller, &before, &after).await?;
    tell::changes(connection, caller, &before, &after).await?;
    Ok(Validation::Done(Box::new(after)))
}
