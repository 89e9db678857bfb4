//! Broken rules in the words of the plan.

use routewright_solver::ViolationKind;
use routewright_solver::problem::parse_types;
use routewright_solver::size::{DEFAULT_KEY, format_amount};
use schemars::JsonSchema;
use serde::Serialize;

use super::problem::Posed;
use super::snapshot::{PlanJob, PlanRun, Snapshot};

/// A broken rule.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Violation {
    /// The run.
    pub(crate) run_id: i64,
    /// Its name.
    pub(crate) run_uid: String,
    /// The job; null when it is the run as a whole.
    pub(crate) job_id: Option<i64>,
    /// Its uid.
    pub(crate) job_uid: Option<String>,
    /// `capacity`, `type_mismatch`, `late_arrival`, `outside_shift`, `break`, `link_order`, `link_other_run`,
    /// `territory`, `alternatives_group`, `cycle` or `unreachable`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// `error`, or `warning` for what is only to be avoided.
    pub(crate) severity: &'static str,
    /// What was found.
    pub(crate) value: Option<String>,
    /// What is allowed.
    pub(crate) limit: Option<String>,
    /// For people.
    pub(crate) message: String,
}

/// A violation in the words of the plan.
pub(crate) fn describe(
    violation: &routewright_solver::Violation,
    posed: &Posed,
    snapshot: &Snapshot,
) -> Violation {
    let run_id = posed.runs[violation.vehicle];
    let run = snapshot.runs.get(&run_id);
    let run_uid = run.map(|run| run.uid.clone()).unwrap_or_default();
    let job = violation.stop.and_then(|stop| snapshot.jobs.get(&posed.jobs[stop]));
    let (value, limit, message) = words(violation, posed, snapshot, run, job);
    Violation {
        run_id,
        run_uid,
        job_id: job.map(|job| job.id),
        job_uid: job.map(|job| job.uid.clone()),
        kind: violation.kind.as_str(),
        severity: "error",
        value,
        limit,
        message,
    }
}

type Words = (Option<String>, Option<String>, String);

/// `22 min`, `1 h 05 min`; what is too much is at least a minute.
pub(crate) fn minutes(seconds: i64) -> String {
    let minutes = (seconds / 60).max(1);
    if minutes < 60 {
        format!("{minutes} min")
    } else {
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    }
}

/// `76 of 70 boxes`; sizes without a name have none.
pub(crate) fn amounts(violation: &routewright_solver::Violation) -> String {
    let key = violation.key.as_deref().filter(|key| *key != DEFAULT_KEY);
    let (value, limit) = (format_amount(violation.value), format_amount(violation.limit));
    key.map_or_else(|| format!("{value} of {limit}"), |key| format!("{value} of {limit} {key}"))
}

fn words(
    violation: &routewright_solver::Violation,
    posed: &Posed,
    snapshot: &Snapshot,
    run: Option<&PlanRun>,
    job: Option<&PlanJob>,
) -> Words {
    let types = |text: Option<&str>| text.map(parse_types).unwrap_or_default();
    let served = types(run.and_then(|run| run.spec_type.as_deref()));
    let run = run.map(|run| run.uid.as_str()).unwrap_or_default();
    let uid = job.map(|job| job.uid.as_str()).unwrap_or_default();
    let index = usize::try_from(violation.value).unwrap_or(usize::MAX);
    let other_job = || {
        let job = posed.jobs.get(index).and_then(|id| snapshot.jobs.get(id));
        job.map(|job| job.uid.clone()).unwrap_or_default()
    };
    let other_run = || {
        let run = posed.runs.get(index).and_then(|id| snapshot.runs.get(id));
        run.map(|run| run.uid.clone()).unwrap_or_default()
    };
    let (at, limit) = (|| posed.day.clock(violation.value), || posed.day.clock(violation.limit));
    let over = || minutes(violation.value - violation.limit);
    match violation.kind {
        ViolationKind::Capacity => {
            let key = violation.key.as_deref().unwrap_or(DEFAULT_KEY);
            let (value, limit) = (format_amount(violation.value), format_amount(violation.limit));
            let message = format!("Run {run} carries {}", amounts(violation));
            (Some(format!("{key}:{value}")), Some(format!("{key}:{limit}")), message)
        }
        ViolationKind::TypeMismatch => {
            let needed = types(job.and_then(|job| job.spec_type.as_deref()));
            let serves = if served.is_empty() { "no types".to_owned() } else { served.join(", ") };
            let message = format!("Job {uid} needs {}, run {run} serves {serves}", needed.join(", "));
            (Some(needed.join(",")), Some(served.join(",")).filter(|text| !text.is_empty()), message)
        }
        ViolationKind::LateArrival => {
            (None, None, format!("Job {uid} is reached at {}, {} after {}", at(), over(), limit()))
        }
        ViolationKind::OutsideShift => {
            (None, None, format!("Run {run} ends at {}, {} after its shift ({})", at(), over(), limit()))
        }
        ViolationKind::Break => {
            (None, None, format!("Run {run} leaves no time for the break: {}, latest {}", at(), limit()))
        }
        ViolationKind::LinkOrder => {
            let other = other_job();
            (Some(other.clone()), None, format!("Job {uid} is visited before its pickup {other}"))
        }
        ViolationKind::LinkOtherRun => {
            let other = other_job();
            (Some(other.clone()), None, format!("Job {uid} is not on the same run as job {other}"))
        }
        ViolationKind::Territory => {
            (None, None, format!("Job {uid} lies outside the territories of run {run}"))
        }
        ViolationKind::AlternativesGroup => {
            let other = other_run();
            (Some(other.clone()), None, format!("Run {run} and run {other} exclude each other"))
        }
        ViolationKind::Unreachable => (None, None, format!("There is no way to job {uid} of run {run}")),
    }
}
