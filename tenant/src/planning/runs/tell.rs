//! What happens to runs, told to the organisation's actions (S-16).

use routewright_core::{Module, Result};
use routewright_identity::Caller;
use serde_json::json;
use sqlx::postgres::PgConnection;

use super::model::Run;
use crate::plan::Status;
use crate::setup::udf;

/// Tells that something happened to a run. The key of its sheet stays with us.
///
/// # Errors
/// Database faults.
pub(crate) async fn tell(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
    run: &Run,
) -> Result<()> {
    if !caller.has(Module::Udf) {
        return Ok(());
    }
    let data = json!({
        "id": run.id, "uid": run.uid, "scenario_id": run.scenario_id, "scenario": run.scenario.name,
        "scheduled_date": run.scenario.scheduled_date, "driver_id": run.driver_id, "driver": run.driver.uid,
        "vehicle_id": run.vehicle_id, "spec_type": run.spec_type, "distance": run.distance,
        "dispatched": run.dispatched, "status": run.status, "jobs_count": run.jobs_count,
        "planned_start_time": run.planned_start_time, "planned_end_time": run.planned_end_time,
        "actual_start_time": run.actual_start_time, "actual_end_time": run.actual_end_time,
        "start_odometer": run.start_odometer, "end_odometer": run.end_odometer, "validated_at": run.validated_at,
    });
    // Actions change jobs; those of an event of a run only send.
    let _ = udf::raise(connection, caller, event, &data).await?;
    Ok(())
}

/// Tells what became of a run by a change of its fields.
pub(super) async fn changes(
    connection: &mut PgConnection,
    caller: &Caller,
    before: &Run,
    after: &Run,
) -> Result<()> {
    let pending = |run: &Run| run.status == Some(Status::Pending);
    let closed = |run: &Run| run.status == Some(Status::Closed);
    if pending(before) && !pending(after) {
        tell(connection, caller, "run_started", after).await?;
    }
    if !closed(before) && closed(after) {
        tell(connection, caller, "run_finished", after).await?;
    }
    if before.validated_at.is_none() && after.validated_at.is_some() {
        tell(connection, caller, "run_validated", after).await?;
    }
    Ok(())
}
