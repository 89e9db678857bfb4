//! Validation of finished runs (S-01): eligibility is required, the 15 % tolerance is told for the supervisor's question.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Access, Body, Result, Routes};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::runs::{self, Run};

const VALIDATE: Access = Access::levels(&["runs_write", "billing_rates_read"]);
/// An excess within this share of the plan needs no question.
const TOLERANCE: f64 = 0.15;

/// The routes: one handler under two paths (C-13).
pub(crate) fn routes() -> Routes<App> {
    Routes::new().patch("/runs/validate", VALIDATE, validate).patch(
        "/run_cost_calculator/validate",
        VALIDATE,
        validate,
    )
}

/// Run ids, bare or named.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Runs {
    /// `[1, 2]`.
    Bare(Vec<i64>),
    /// `{"run_ids": [1, 2]}`.
    Named { run_ids: Vec<i64> },
}

/// What became of the runs.
#[derive(Serialize, JsonSchema)]
struct Checked {
    validated: Vec<Validated>,
    failed: Vec<Failed>,
}

/// A validated run and whether it kept to its plan.
#[derive(Serialize, JsonSchema)]
struct Validated {
    id: i64,
    validated_at: Option<DateTime<Utc>>,
    validated_by_id: Option<i64>,
    time_ok: bool,
    distance_ok: bool,
}

/// A run that lacks values.
#[derive(Serialize, JsonSchema)]
struct Failed {
    id: i64,
    uid: String,
    missing: Vec<&'static str>,
}

/// `PATCH /runs/validate`. A run that is validated already stays as it is.
async fn validate(mut db: Db, State(app): State<App>, Body(body): Body<Runs>) -> Result<Json<Checked>> {
    let caller = db.caller().clone();
    let user = caller.user()?.user_id;
    let ids = match body {
        Runs::Bare(ids) | Runs::Named { run_ids: ids } => ids,
    };
    let mut checked = Checked { validated: Vec::new(), failed: Vec::new() };
    for id in ids {
        let run = runs::find(&mut db, &caller, id).await?;
        let missing = runs::missing_for_validation(&run);
        if run.validated_at.is_none() && !missing.is_empty() {
            checked.failed.push(Failed { id, uid: run.uid, missing });
            continue;
        }
        if run.validated_at.is_none() {
            runs::mark_validated(&mut db, &[id], user, app.clock.now()).await?;
        }
        let run = runs::find(&mut db, &caller, id).await?;
        checked.validated.push(Validated {
            id,
            validated_at: run.validated_at,
            validated_by_id: run.validated_by_id,
            time_ok: time_ok(&run),
            distance_ok: distance_ok(&run),
        });
    }
    Ok(Json(checked))
}

fn within(actual: f64, planned: f64) -> bool {
    actual <= planned * (1.0 + TOLERANCE)
}

fn time_ok(run: &Run) -> bool {
    let planned = f64::from(run.total_driving_time + run.total_job_duration);
    match run.actual_start_time.zip(run.actual_end_time) {
        // Seconds of a working day fit a float exactly.
        Some((start, end)) => within((end - start).as_seconds_f64(), planned),
        None => false,
    }
}

fn distance_ok(run: &Run) -> bool {
    match run.start_odometer.zip(run.end_odometer) {
        Some((start, end)) => {
            within(end - start + run.additional_billing_kms, f64::from(run.distance) / 1000.0)
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::within;

    /// X-391 ff.: up to 15 % above the plan passes.
    #[test]
    fn fifteen_percent_pass() {
        assert!(within(115.0, 100.0) && within(80.0, 100.0));
        assert!(!within(115.1, 100.0) && !within(1.0, 0.0));
    }
}
