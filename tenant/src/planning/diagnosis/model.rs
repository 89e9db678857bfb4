//! What is answered about jobs without a good place.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All jobs of a plan that are unserved or late.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Diagnoses {
    /// Version of the plan that was looked at.
    pub(super) version: i64,
    /// Unserved and late jobs.
    pub(super) total: usize,
    /// So many of them were not looked at: there were too many, or it took too long. Ask for them one by one.
    pub(super) left_out: usize,
    /// Drivers without a run who were not tried, as there are too many.
    pub(super) drivers_left_out: usize,
    /// The others, the unserved first.
    pub(super) jobs: Vec<JobDiagnosis>,
}

/// Why a job has no good place, and what would give it one.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct JobDiagnosis {
    /// The job.
    pub(super) job_id: i64,
    /// Its uid.
    pub(super) job_uid: String,
    /// `unserved`, `late`, or `served` when nothing is wrong with it.
    pub(super) state: &'static str,
    /// What keeps it out of the run that is nearest to taking it: `capacity`, `late_arrival`, `outside_shift`,
    /// `type_mismatch`, `territory`, `break`, `unreachable`, `alternatives_group`, `cycle`, `no_run` without any run,
    /// `fits` when a run could take it as it is.
    pub(super) reason: String,
    /// The same in words with figures: `Ana Sousa: 76 of 70 boxes`.
    pub(super) text: String,
    /// Linked jobs that go where it goes.
    pub(super) linked_job_ids: Vec<i64>,
    /// Runs that cannot take it as things are, the nearest to it first. Empty where many jobs are asked about.
    pub(super) runs: Vec<BlockedRun>,
    /// What would serve it without breaking another rule: the cheapest of each kind.
    pub(super) remedies: Vec<Remedy>,
    /// Full runs, further away than others, of which no job was tried elsewhere: `free_capacity` may do there, too.
    pub(super) untried_runs: usize,
    /// Version of the plan that was looked at.
    pub(super) version: i64,
}

/// A run that cannot take a job.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BlockedRun {
    /// The run; null for a driver without one.
    pub(super) run_id: Option<i64>,
    /// Its name, or that of the driver.
    pub(super) run_uid: String,
    /// Rules that it would break at its best position.
    pub(super) reasons: Vec<String>,
    /// The same in words with figures: `76 of 70 boxes`, `arrives 14:37, window ends 14:15`.
    pub(super) text: String,
}

/// The one thing that is changed, and what it costs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Remedy {
    /// Which kind.
    pub(super) kind: RemedyKind,
    /// In words: `Extend the shift of Ana Sousa to 18:12 (12 min)`.
    pub(super) text: String,
    /// The run that takes the job; null where there is none yet.
    pub(super) run_id: Option<i64>,
    /// Its name, or that of the driver or of the other day.
    pub(super) run_uid: String,
    /// Position in the run, from 1.
    pub(super) seq: Option<usize>,
    /// Driver who gets a run, of `add_driver`.
    pub(super) driver_id: Option<i64>,
    /// New end of the shift, `HH:mm`, of `extend_shift`.
    pub(super) shift_end: Option<String>,
    /// New start of the window, `HH:mm`, of `widen_window`.
    pub(super) arrive_after: Option<String>,
    /// New end of the window, `HH:mm`, of `widen_window`.
    pub(super) leave_by: Option<String>,
    /// Job that goes to another run, of `free_capacity`.
    pub(super) moved_job_id: Option<i64>,
    /// The run that it goes to.
    pub(super) moved_to_run_id: Option<i64>,
    /// Scenario that takes the job, of `next_day`.
    pub(super) scenario_id: Option<i64>,
    /// When the job would be reached.
    pub(super) eta: Option<DateTime<Utc>>,
    /// Metres more.
    pub(super) added_distance: i64,
    /// Seconds of work more, from departure to end.
    pub(super) added_time: i64,
    /// Cost more; null without rates, and for those who may not see them.
    pub(super) added_cost: Option<f64>,
}

/// Kinds of remedies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum RemedyKind {
    /// A run has room as it is.
    Insert,
    /// Another job goes to another run.
    FreeCapacity,
    /// A shift ends later.
    ExtendShift,
    /// The window opens earlier or closes later.
    WidenWindow,
    /// A driver without a run gets one.
    AddDriver,
    /// The job needs no type any more.
    DropType,
    /// The job goes to the plan of the next day.
    NextDay,
}
