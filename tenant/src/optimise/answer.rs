//! What an optimisation answers.

use std::collections::HashMap;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::task::Task;
use crate::jobs::Job;
use crate::plan::Violation;
use crate::runs::{self, RunDetail};
use crate::scenarios::Scenario;

/// A new plan.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Optimised {
    /// Always true; failures are errors.
    success: bool,
    /// The plan.
    data: PlanData,
    /// Jobs on no run, and why.
    #[serde(rename = "unservedJobs")]
    unserved_jobs: Vec<UnservedJob>,
    /// Rules that the run breaks because they were ignored; of a single run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-optional" = true))]
    violations: Vec<Violation>,
}

/// Scenario, runs and jobs after an optimisation.
#[derive(Debug, Serialize, JsonSchema)]
struct PlanData {
    scenario: Scenario,
    runs: Vec<RunDetail>,
    jobs: Vec<Job>,
}

/// A job on no run.
#[derive(Debug, Serialize, JsonSchema)]
struct UnservedJob {
    /// The job.
    id: i64,
    /// Its uid.
    uid: String,
    /// `no_matching_type`, `capacity`, `time_window`, `shift`, `territory`, `linked_job`, `unreachable`,
    /// `not_enough_drivers`, or `changed` when it was changed while it was planned.
    reason: String,
}

impl Optimised {
    /// Reads the plan as it is stored now; `runs` are those to be shown.
    pub(super) async fn read(
        connection: &mut PgConnection,
        caller: &Caller,
        scenario: i64,
        runs: &[i64],
        left: &[(i64, &'static str)],
    ) -> Result<Self> {
        let jobs = runs::jobs_of_scenario(connection, scenario).await?;
        let uids: HashMap<i64, &str> = jobs.iter().map(|job| (job.id, job.uid.as_str())).collect();
        let unserved_jobs = left
            .iter()
            .filter_map(|(id, reason)| {
                Some(UnservedJob { id: *id, uid: (*uids.get(id)?).to_owned(), reason: (*reason).to_owned() })
            })
            .collect();
        Ok(Self {
            success: true,
            unserved_jobs,
            violations: Vec::new(),
            data: PlanData {
                scenario: resource::find(connection, caller, scenario).await?,
                runs: runs::several(connection, caller, runs).await?,
                jobs,
            },
        })
    }

    /// The same with rules that were broken.
    pub(super) fn with(self, violations: Vec<Violation>) -> Self {
        Self { violations, ..self }
    }
}

/// A task that works on: 202.
pub(super) struct Accepted(pub(super) Task);

impl IntoResponse for Accepted {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

impl OperationOutput for Accepted {
    type Inner = Task;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<Task> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(202), response)).into_iter().collect()
    }
}

/// The plan, or the task that makes it where it takes longer.
pub(super) enum Outcome {
    /// 200.
    Plan(Box<Optimised>),
    /// 202.
    Task(Accepted),
}

impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        match self {
            Self::Plan(plan) => Json(*plan).into_response(),
            Self::Task(task) => task.into_response(),
        }
    }
}

impl OperationOutput for Outcome {
    type Inner = Optimised;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<Optimised> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        let mut responses: Vec<_> = Self::operation_response(ctx, operation)
            .map(|response| (Some(200), response))
            .into_iter()
            .collect();
        responses.extend(<Accepted as OperationOutput>::inferred_responses(ctx, operation));
        responses
    }
}
