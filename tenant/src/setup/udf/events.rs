//! What can happen, and what is known of it.

use schemars::JsonSchema;
use serde::Serialize;

/// Something that can happen.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct UdfEvent {
    /// Its key.
    pub key: &'static str,
    /// What planners read.
    pub label: &'static str,
    /// What conditions can ask about.
    pub fields: &'static [&'static str],
}

const JOB: &[&str] = &[
    "uid",
    "scenario_id",
    "run_id",
    "seq",
    "location.address",
    "customer_name",
    "customer_email",
    "phone_number",
    "duration",
    "arrive_after",
    "leave_by",
    "size",
    "spec_type",
    "priority",
    "comments",
    "dock_location",
    "invoice",
    "reference",
];
const PROOF: &[&str] = &["job_id", "run_id", "success", "reason", "mode", "signature_name", "comments"];
const RUN: &[&str] =
    &["uid", "scenario_id", "driver_id", "vehicle_id", "spec_type", "distance", "dispatched"];
const SCENARIO: &[&str] = &["name", "stage", "scheduled_date", "jobs_count"];
const RETURN: &[&str] = &["uid", "comments", "job_id", "client_id"];
const LATE: &[&str] = &["uid", "customer_name", "run_id", "minutes_late", "eta", "updated_eta"];

const fn event(key: &'static str, label: &'static str, fields: &'static [&'static str]) -> UdfEvent {
    UdfEvent { key, label, fields }
}

/// All events.
pub(super) const EVENTS: [UdfEvent; 13] = [
    event("job_created", "Job created", JOB),
    event("job_updated", "Job updated", JOB),
    event("job_moved", "Job moved", JOB),
    event("job_proof_created", "Job proof recorded", PROOF),
    event("unit_proof_created", "Unit proof recorded", PROOF),
    event("run_dispatched", "Run dispatched", RUN),
    event("run_started", "Run started", RUN),
    event("run_finished", "Run finished", RUN),
    event("run_validated", "Run validated", RUN),
    event("eta_late", "ETA late", LATE),
    event("scenario_created", "Scenario created", SCENARIO),
    event("scenario_optimised", "Scenario optimised", SCENARIO),
    event("return_created", "Return created", RETURN),
];

/// The event of a key.
pub(super) fn find(key: &str) -> Option<&'static UdfEvent> {
    EVENTS.iter().find(|event| event.key == key)
}

/// Whether conditions of the event can ask about a field; extra fields are asked for as `extra_fields.{name}`.
pub(super) fn knows(event: &UdfEvent, field: &str) -> bool {
    event.fields.contains(&field)
        || (event.key.starts_with("job_")
            && field.strip_prefix("extra_fields.").is_some_and(|name| !name.is_empty()))
}
