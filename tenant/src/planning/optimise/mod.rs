//! Optimisation: from jobs and drivers to runs. Directly (the answer is the plan) or in the background (the answer is a
//! task to be asked about); of a whole scenario or of one run.
//!
//! ```text
//! prepare (short transaction) -> solve (no connection, a turn at the processors) -> write back through the plan's door
//! ```
//!
//! While a scenario is optimised its plan may be changed; what changed meanwhile has precedence on write-back.

mod answer;
mod background;
mod direct;
mod meanwhile;
mod one_run;
mod prepare;
mod scope;
mod search;
mod summary;
mod task;
mod write_back;

pub(crate) use background::{OptimiseScenario, fail_abandoned, run as run_background};

use routewright_core::error::Problems;
use routewright_core::{Error, Result, Routes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::planning::runs::{READ, WRITE};

/// Text without jobs.
const NO_JOBS: &str = "You must add at least one job.";
/// Text without drivers.
const NO_DRIVERS: &str = "You must select at least one driver.";
/// Text while another one is on its way.
const RUNNING: &str = "This scenario is being optimised already";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/optimise/scenarios/{id}", WRITE, direct::scenario)
        .post("/optimise/background/scenarios/{id}", WRITE, background::start)
        .get("/optimise/background/scenarios/{id}", READ, background::status)
        .delete("/optimise/background/scenarios/{id}", WRITE, background::cancel)
        .post("/optimise/runs/{id}", WRITE, one_run::optimise)
}

/// What shall be optimised.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Wanted {
    /// Drivers who may get a run.
    #[serde(default)]
    pub(crate) driver_ids: Vec<i64>,
    /// How.
    #[serde(default)]
    pub(crate) options: Options,
}

/// How a scenario is optimised.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "OptimiseOptions")]
pub(crate) struct Options {
    /// Only these jobs; the others stay where they are. All when null.
    pub(crate) job_ids: Option<Vec<i64>>,
    /// Types do not bind.
    pub(crate) ignore_type: bool,
    /// Time windows do not bind.
    pub(crate) ignore_time_window: bool,
    /// Capacities do not bind.
    pub(crate) ignore_capacity: bool,
    /// `fewest_runs`, `shortest_time`, `shortest_distance` or `balanced`; the organisation's when null.
    pub(crate) objective: Option<String>,
    /// Longest search, seconds of processor time, 1 to 600.
    pub(crate) max_seconds: Option<u32>,
    /// Jobs that have a run keep it; only their order may change.
    pub(crate) keep_assigned: bool,
    /// In the background however small it is.
    pub(crate) polling: bool,
    /// Goes on from the plan that stands, where an earlier search left it; without `driver_ids` with the drivers of its runs.
    pub(crate) improve: bool,
    /// Runs keep to areas of their own, even where that costs some way; the summary tells what it cost.
    pub(crate) compact: bool,
}

impl Wanted {
    fn check(&self) -> Result<()> {
        if self.driver_ids.is_empty() && !self.options.improve {
            return Err(Error::field("driver_ids", NO_DRIVERS));
        }
        if self.options.job_ids.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::field("options.job_ids", NO_JOBS));
        }
        let mut problems = Problems::default();
        if let Some(objective) = &self.options.objective {
            let known = ["fewest_runs", "shortest_time", "shortest_distance", "balanced"];
            problems.require(
                known.contains(&objective.as_str()),
                "options.objective",
                "Value is not one of fewest_runs, shortest_time, shortest_distance, balanced",
            );
        }
        if let Some(seconds) = self.options.max_seconds {
            problems.require(
                (1..=600).contains(&seconds),
                "options.max_seconds",
                "Value must be between 1 and 600",
            );
        }
        problems.finish()
    }
}
