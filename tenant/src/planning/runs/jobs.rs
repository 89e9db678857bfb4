//! Whole jobs for the answers about runs, however many.

use routewright_core::Result;
use routewright_core::list::{self, ListQuery, Where};
use routewright_tenancy::Resource;
use sqlx::postgres::PgConnection;

use crate::orders::jobs::Job;

/// Jobs of these runs, in the order of runs and positions.
pub(crate) async fn jobs_of_runs(connection: &mut PgConnection, runs: &[i64]) -> Result<Vec<Job>> {
    let mut jobs = all(connection, |conditions| conditions.any("j.run_id", runs.to_vec())).await?;
    jobs.sort_by_key(|job| (job.run_id, job.seq));
    Ok(jobs)
}

/// Jobs by id, in the order of their ids. Absent ones are left out.
pub(crate) async fn jobs_by_ids(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Job>> {
    let mut jobs = all(connection, |conditions| conditions.any("j.id", ids.to_vec())).await?;
    jobs.sort_by_key(|job| job.id);
    Ok(jobs)
}

/// All jobs of a scenario, served ones first in the order of runs and positions.
pub(crate) async fn jobs_of_scenario(connection: &mut PgConnection, scenario: i64) -> Result<Vec<Job>> {
    let mut jobs = all(connection, |conditions| conditions.push("j.scenario_id = ", scenario)).await?;
    jobs.sort_by_key(|job| (job.run_id.is_none(), job.run_id, job.seq, job.id));
    Ok(jobs)
}

async fn all(connection: &mut PgConnection, fixed: impl Fn(&mut Where)) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for page in 1.. {
        let query = ListQuery::parse(&format!("per_page={}&page={page}", list::MAX_PER_PAGE))?;
        let mut found =
            list::page::<Job>(connection, Job::COLUMNS, Job::FROM, query, &Job::SHAPE, &fixed).await?;
        jobs.append(&mut found.page.data);
        if page >= found.page.total_pages {
            break;
        }
    }
    Ok(jobs)
}
