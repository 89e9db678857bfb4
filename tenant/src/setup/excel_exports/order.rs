//! Ordering an export: a row that tells how far it is, and a job that makes it.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as ApiResponse};
use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use routewright_bus::{Job, queue};
use routewright_core::http::respond::Download;
use routewright_core::{Error, Jsonb, Module, OrganisationId, Result};
use routewright_identity::{Caller, Gate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::Kind;

/// What an export is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[schemars(rename = "ExportSource")]
pub(crate) enum Source {
    /// Jobs that a search finds.
    Jobs,
    /// Units that a search finds.
    Units,
    /// Runs that a search finds.
    Runs,
    /// Returns that a search finds.
    Returns,
    /// Costs of runs.
    RunCostCalculator,
    /// Proofs by collection.
    Proofs,
    /// The audit trail.
    Audit,
}

impl Source {
    /// Levels that whoever orders it needs, beside `excel_export`, and still needs when it is made.
    pub(crate) const fn level(self) -> &'static str {
        match self {
            Self::Jobs => "job_search_view",
            Self::Units => "unit_search_view",
            Self::Runs => "run_search_view",
            Self::Returns => "returns_read",
            Self::RunCostCalculator => "billing_rates_read",
            Self::Proofs => "proofs_read",
            Self::Audit => "organisation_settings_write",
        }
    }

    /// Module that the organisation needs.
    pub(crate) const fn module(self) -> Option<Module> {
        match self {
            Self::Units => Some(Module::Units),
            Self::Returns => Some(Module::Returns),
            _ => None,
        }
    }

    /// Name of the file, without its ending.
    const fn file_name(self) -> &'static str {
        match self {
            Self::Jobs => "jobs",
            Self::Units => "units",
            Self::Runs => "runs",
            Self::Returns => "returns",
            Self::RunCostCalculator => "run-costs",
            Self::Proofs => "proofs",
            Self::Audit => "audit",
        }
    }

    /// Refuses callers who may not have it.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn require(self, caller: &Caller) -> Result<()> {
        caller.require("excel_export")?;
        caller.require(self.level())?;
        match self.module() {
            Some(module) if !caller.has(module) => Err(Error::denied()),
            _ => Ok(()),
        }
    }
}

/// The queued job.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ExportJob {
    /// The row in `excel_exports`.
    pub(crate) export_id: i64,
}

impl Job for ExportJob {
    const KIND: &'static str = "excel_export";
    const MAX_ATTEMPTS: u16 = 3;

    fn unique_key(&self) -> Option<String> {
        Some(format!("export/{}", self.export_id))
    }
}

/// An export that was ordered and is not made yet.
pub(crate) struct Order {
    /// Its id.
    pub(crate) id: i64,
    /// What it is made of.
    pub(crate) source: Source,
    /// Filters and kind, as a query string.
    pub(crate) query: String,
    /// Who ordered it, as far as he still may.
    pub(crate) caller: Caller,
}

#[derive(Serialize, Deserialize)]
struct Parameters {
    query: String,
    /// The Master organisation, when one of its users ordered it.
    home: Option<i64>,
}

#[derive(FromRow)]
struct Row {
    source: Source,
    parameters: Jsonb<Parameters>,
    created_by: Option<i64>,
}

/// Answer to an order.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExportQueued")]
pub(crate) struct Queued {
    /// The export, to be asked about at `/excel_exports/{id}`.
    export_id: i64,
    /// `pending`.
    status: &'static str,
}

impl IntoResponse for Queued {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self)).into_response()
    }
}

impl OperationOutput for Queued {
    type Inner = Self;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        <Json<Self> as OperationOutput>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        Self::operation_response(ctx, operation).map(|response| (Some(202), response)).into_iter().collect()
    }
}

/// A file at once, or one that is made in the background because it is large.
pub(crate) enum Exported {
    /// 200.
    File(Download),
    /// 202.
    Later(Queued),
}

impl IntoResponse for Exported {
    fn into_response(self) -> Response {
        match self {
            Self::File(file) => file.into_response(),
            Self::Later(queued) => queued.into_response(),
        }
    }
}

impl OperationOutput for Exported {
    type Inner = Queued;

    fn operation_response(ctx: &mut GenContext, operation: &mut Operation) -> Option<ApiResponse> {
        Download::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, ApiResponse)> {
        let mut responses = Download::inferred_responses(ctx, operation);
        responses.extend(Queued::inferred_responses(ctx, operation));
        responses
    }
}

/// Orders an export; it is made when the transaction has committed.
///
/// # Errors
/// 403 without the source's level or module; 401 for callers who are no user.
pub(crate) async fn order(
    connection: &mut PgConnection,
    caller: &Caller,
    source: Source,
    kind: Kind,
    query: &str,
) -> Result<Queued> {
    source.require(caller)?;
    let user = caller.user()?;
    let parameters = Parameters { query: query.to_owned(), home: user.home.map(OrganisationId::get) };
    let export_id: i64 = sqlx::query_scalar(
        "insert into excel_exports (name, kind, source, parameters, created_by) values ($1, $2, $3, $4, $5)
         returning id",
    )
    .bind(format!("{}.{}", source.file_name(), kind.extension()))
    .bind(kind.name())
    .bind(source)
    .bind(Jsonb(parameters))
    .bind(user.user_id)
    .fetch_one(&mut *connection)
    .await?;
    queue::enqueue(connection, &ExportJob { export_id }).await?;
    Ok(Queued { export_id, status: "pending" })
}

/// An export that is still to be made, in the name of whoever ordered it; none when it is not pending any more.
///
/// # Errors
/// 401 when there is no such user any more, 403 when he may not have it any more.
pub(crate) async fn ordered(
    connection: &mut PgConnection,
    gate: &Gate,
    organisation: OrganisationId,
    id: i64,
) -> Result<Option<Order>> {
    let row: Option<Row> = sqlx::query_as(
        "select source, parameters, created_by from excel_exports where id = $1 and status = 'pending'",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let user = row.created_by.ok_or_else(Error::bad_token)?;
    let home = row.parameters.home.map(OrganisationId::new);
    let caller = gate.on_behalf(organisation, user, home).await?;
    row.source.require(&caller)?;
    Ok(Some(Order { id, source: row.source, query: row.parameters.0.query, caller }))
}
