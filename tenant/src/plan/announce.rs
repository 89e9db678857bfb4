//! Tells the sockets of a scenario what became of its runs.

use chrono::{DateTime, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::Status;
use super::draft::Draft;
use super::timing::Timed;
use crate::realtime::{self, Event};

#[derive(Serialize)]
struct RunUpdate {
    scenario_id: i64,
    run: RunFields,
    jobs: Vec<JobFields>,
}

#[derive(Serialize)]
struct RunFields {
    id: i64,
    status: Status,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
    distance: i64,
    total_driving_time: i64,
    total_job_duration: i64,
}

#[derive(Serialize)]
struct JobFields {
    id: i64,
    run_id: Option<i64>,
    seq: Option<usize>,
    eta: Option<DateTime<Utc>>,
    etd: Option<DateTime<Utc>>,
    updated_eta: Option<DateTime<Utc>>,
}

/// One event per timed run: its jobs, and those that left it without going to another.
pub(super) async fn runs(
    connection: &mut PgConnection,
    caller: &Caller,
    draft: &Draft,
    timed: &[Timed],
) -> Result<()> {
    let scenario_id = draft.before.scenario.id;
    for run in timed {
        let Some(before) = draft.before.runs.get(&run.run) else { continue };
        let fields = RunFields {
            id: run.run,
            status: before.status(),
            planned_start_time: run.start,
            planned_end_time: run.end,
            distance: run.distance,
            total_driving_time: run.driving,
            total_job_duration: run.service,
        };
        let update = RunUpdate { scenario_id, run: fields, jobs: jobs(draft, run) };
        realtime::record(connection, caller, scenario_id, Event::RunUpdate, &update).await?;
    }
    Ok(())
}

fn jobs(draft: &Draft, run: &Timed) -> Vec<JobFields> {
    let before = |id: i64| draft.before.jobs.get(&id);
    let on_it = run.jobs.iter().enumerate().map(|(at, job)| JobFields {
        id: job.id,
        run_id: Some(run.run),
        seq: Some(at + 1),
        eta: Some(job.eta),
        etd: Some(job.etd),
        updated_eta: before(job.id)
            .filter(|before| before.run_id == Some(run.run))
            .and_then(|before| before.updated_eta),
    });
    let off_it = draft
        .left()
        .filter(|(job, _)| before(*job).is_some_and(|before| before.run_id == Some(run.run)))
        .map(|(id, _)| JobFields { id, run_id: None, seq: None, eta: None, etd: None, updated_eta: None });
    on_it.chain(off_it).collect()
}
