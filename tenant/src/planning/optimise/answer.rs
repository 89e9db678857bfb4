//! What an optimisation answers.

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

use super::meanwhile::Meanwhile;
use super::summary::{Summary, UnservedJob};
use super::task::Task;
use crate::orders::jobs::Job;
use crate::plan::Violation;
use crate::planning::runs::{self, RunDetail};
use crate::planning::scenarios::Scenario;

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
    /// The plan before and after.
    summary: Summary,
    /// Rules that the run breaks because they were ignored; of a single run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-optional" = true))]
    violations: Vec<Violation>,
    /// Whether the plan became better; false when the one that stood was kept. Of a scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    improved: Option<bool>,
    /// Jobs that were changed while it was under way; of a scenario, when there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    meanwhile: Option<Meanwhile>,
}

/// Scenario, runs and jobs after an optimisation.
#[derive(Debug, Serialize, JsonSchema)]
struct PlanData {
    scenario: Scenario,
    runs: Vec<RunDetail>,
    jobs: Vec<Job>,
}

impl Optimised {
    /// Reads the plan as it is stored now; `runs` are those to be shown.
    pub(super) async fn read(
        connection: &mut PgConnection,
        caller: &Caller,
        scenario: i64,
        runs: &[i64],
        unserved_jobs: Vec<UnservedJob>,
        summary: Summary,
    ) -> Result<Self> {
        let jobs = runs::jobs_of_scenario(connection, scenario).await?;
        Ok(Self {
            success: true,
            unserved_jobs,
            summary: summary.seen_by(caller),
            violations: Vec::new(),
            improved: None,
            meanwhile: None,
            data: PlanData {
                scenario: resource::find(connection, caller, scenario).await?,
                runs: runs::several(connection, caller, runs).await?,
                jobs,
            },
        })
    }

    /// The same with what became of the plan that stood, and of what was changed meanwhile.
    pub(super) fn told(self, improved: bool, meanwhile: Meanwhile) -> Self {
        Self { improved: Some(improved), meanwhile: Some(meanwhile).filter(Meanwhile::any), ..self }
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
    Task(Box<Accepted>),
}

impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        match self {
            Self::Plan(plan) => Json(*plan).into_response(),
            Self::Task(task) => (*task).into_response(),
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
