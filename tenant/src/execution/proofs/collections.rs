//! All proofs of jobs or of a run together.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::list::{self, ListQuery, Where};
use routewright_core::{Module, Result};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::model::{ContainerProof, JobProof, ReturnProof, UnitProof};
use super::routes_of_runs::RunProof;
use crate::app::App;
use crate::execution::seals;
use crate::orders::jobs::Job;

/// Proofs by kind, the newest first.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Collections {
    /// Of jobs.
    pub(crate) job_proofs: Vec<JobProof>,
    /// Of their units.
    pub(crate) unit_proofs: Vec<UnitProof>,
    /// Of their returns.
    pub(crate) return_proofs: Vec<ReturnProof>,
    /// Of containers with their units.
    pub(crate) container_proofs: Vec<ContainerProof>,
    /// Of the runs they are on.
    pub(crate) run_proofs: Vec<RunProof>,
    /// Where anybody can check that nothing of it was altered; of one job for the office only.
    pub(crate) check_link: Option<String>,
}

/// `GET /jobs/{id}/proofs`.
pub(super) async fn of_job(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Json<Collections>> {
    let caller = db.caller().clone();
    let job: Job = resource::find(&mut db, &caller, id).await?;
    let mut found = of_jobs(&mut db, &caller, &[job.id]).await?;
    if let Some(run) = job.run_id {
        found.run_proofs = of_run(&mut db, run).await?;
    }
    found.check_link = seals::link(&mut db, &app, job.id).await?;
    Ok(Json(found))
}

/// Everything recorded about these jobs and what hangs on them. Collections whose module is off stay empty.
///
/// # Errors
/// Database faults.
pub(crate) async fn of_jobs(
    connection: &mut PgConnection,
    caller: &Caller,
    jobs: &[i64],
) -> Result<Collections> {
    let mut found = Collections {
        job_proofs: all(connection, |conditions| conditions.any("p.job_id", jobs.to_vec())).await?,
        ..Collections::default()
    };
    if caller.has(Module::Units) {
        found.unit_proofs = all(connection, |conditions| conditions.any("j.id", jobs.to_vec())).await?;
    }
    if caller.has(Module::Returns) {
        found.return_proofs = all(connection, |conditions| conditions.any("j.id", jobs.to_vec())).await?;
    }
    if caller.has(Module::Containers) {
        found.container_proofs = all(connection, |conditions| {
            let place = conditions.bind(jobs.to_vec());
            conditions.and(&format!(
                "exists (select from units u where u.container_id = p.container_id
                     and u.job_id = coalesce(p.job_id, u.job_id) and u.job_id = any({place}))"
            ));
        })
        .await?;
    }
    Ok(found)
}

/// Start and end of a run, the newest first.
///
/// # Errors
/// Database faults.
pub(crate) async fn of_run(connection: &mut PgConnection, run: i64) -> Result<Vec<RunProof>> {
    all(connection, |conditions| conditions.push("p.run_id = ", run)).await
}

async fn all<R: Resource>(connection: &mut PgConnection, fixed: impl Fn(&mut Where)) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    for page in 1.. {
        let query = ListQuery::parse(&format!("per_page={}&page={page}", list::MAX_PER_PAGE))?;
        let mut found = list::page::<R>(connection, R::COLUMNS, R::FROM, query, &R::SHAPE, &fixed).await?;
        rows.append(&mut found.page.data);
        if page >= found.page.total_pages {
            break;
        }
    }
    Ok(rows)
}
