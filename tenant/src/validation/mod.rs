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
const TOLERANCE_PERCENT: i64 = 15;

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
#[schemars(rename = "RunsToValidate")]
enum Runs {
    /// `[1, 2]`.
    Bare(Vec<i64>),
    /// `{"run_ids": [1, 2]}`.
    Named { run_ids: Vec<i64> },
}

/// What became of the runs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ValidatedRuns")]
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
#[schemars(rename = "RunNotValidated")]
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

/// Seconds or metres: whole numbers, so that exactly 15 % above the plan still passes.
fn within(actual: i64, planned: i64) -> bool {
    actual * 100 <= planned * (100 + TOLERANCE_PERCENT)
}

fn time_ok(run: &Run) -> bool {
    let planned = i64::from(run.total_driving_time) + i64::from(run.total_job_duration);
    match run.actual_start_time.zip(run.actual_end_time) {
        Some((start, end)) => within((end - start).num_seconds(), planned),
        None => false,
    }
}

fn distance_ok(run: &Run) -> bool {
    match run.start_odometer.zip(run.end_odometer) {
        Some((start, end)) => {
            within(metres(end - start + run.additional_billing_kms), i64::from(run.distance))
        }
        None => false,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an odometer in metres is far below 2^53")]
fn metres(kilometres: f64) -> i64 {
    (kilometres * 1000.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::{metres, within};

    /// X-391 ff.: up to 15 % above the plan passes.
    #[test]
    fn fifteen_percent_pass() {
        assert!(within(115, 100) && within(80, 100) && within(0, 0));
        assert!(!within(116, 100) && !within(1, 0));
        assert!(within(metres(100_115.3 - 100_000.3), 100_000));
    }
}
