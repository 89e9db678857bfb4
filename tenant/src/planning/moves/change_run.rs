//! A run as a whole: earlier, later, the other way round.

use axum::Json;
use axum::extract::State;
use routewright_core::http::{Path, Query};
use routewright_core::{Body, Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::app::App;
use crate::audit;
use crate::plan::{self, Departure, Expected, Planner, Request};
use crate::planning::runs::{self, RunDetail};
use crate::setup::scenario_reasons;

/// Largest delay or advance, minutes.
const FARTHEST: i64 = 1000;

/// By how much.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Delay {
    /// Minutes; negative advances.
    delay: i64,
    /// Why, by id of a scenario reason; kept in the record.
    #[serde(default)]
    scenario_reason_id: Option<i64>,
    /// Only says what would become of the run; nothing is changed.
    #[serde(default)]
    dry_run: bool,
    /// What the planner takes the plan to be.
    #[serde(flatten)]
    expected: Expected,
}

/// `POST /runs/{id}/delay`: waiting absorbs it. A run on the road keeps its plan; only what is expected moves.
pub(super) async fn delay(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Delay>,
) -> Result<Json<RunDetail>> {
    if body.delay == 0 || !(-FARTHEST..=FARTHEST).contains(&body.delay) {
        return Err(Error::field("delay", "Value must be between -1000 and 1000 and not 0"));
    }
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, id).await?;
    let reason = scenario_reasons::chosen(&mut db, body.scenario_reason_id).await?;
    let planner = Planner::new(&app, &caller)?;
    if run.actual_start_time.is_some() || run.start_odometer.is_some() {
        plan::shift_live(&mut db, &planner, run.scenario_id, id, body.delay).await?;
    } else {
        let request = Request {
            scenario: run.scenario_id,
            kind: "delay",
            expected: body.expected,
            jobs: &[],
            pool_jobs: &[],
            reason: None,
        };
        plan::change(&mut db, &planner, request, |draft| {
            draft.require_open(id)?;
            if draft.sequence(id).is_empty() {
                return Err(Error::bad_request("Run has no jobs"));
            }
            draft.depart(id, Departure::Shifted(body.delay * 60));
            Ok(())
        })
        .await?;
    }
    if let Some(reason) = reason {
        let change = audit::Change { id, field: "delay".into(), old: Value::Null, new: body.delay.into() };
        audit::record(&mut db, "run", [change], Some(&reason)).await?;
    }
    let delayed = runs::one(&mut db, &caller, id).await?;
    if body.dry_run {
        db.undo().await?;
    }
    Ok(Json(delayed))
}

/// What is said about a change that needs no body.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Why {
    /// Why, by id of a scenario reason; kept in the record.
    scenario_reason_id: Option<i64>,
}

/// `POST /runs/{id}/reverse_sequence`.
pub(super) async fn reverse_sequence(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Query(why): Query<Why>,
) -> Result<Json<RunDetail>> {
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, id).await?;
    let reason = scenario_reasons::chosen(&mut db, why.scenario_reason_id).await?;
    let planner = Planner::new(&app, &caller)?;
    let request = Request {
        scenario: run.scenario_id,
        kind: "reverse",
        expected: Expected::default(),
        jobs: &[],
        pool_jobs: &[],
        reason,
    };
    plan::change(&mut db, &planner, request, |draft| {
        draft.require_open(id)?;
        let mut reversed = draft.sequence(id).to_vec();
        reversed.reverse();
        for job in &reversed {
            draft.require_movable(*job)?;
        }
        if !draft.before.links.holds(&reversed) {
            return Err(Error::bad_request("Reversed order breaks pickup and delivery links"));
        }
        draft.replace(id, &reversed);
        Ok(())
    })
    .await?;
    runs::one(&mut db, &caller, id).await.map(Json)
}
