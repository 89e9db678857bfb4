//! Writes a timed draft: jobs, runs, the scenario's version and stage, the history.

use chrono::{DateTime, Utc};
use routewright_core::{Error, Result};
use sqlx::postgres::PgConnection;
use sqlx::types::Json;

use super::draft::Draft;
use super::timing::Timed;
use crate::audit;

/// Stores jobs and runs.
pub(super) async fn store(
    connection: &mut PgConnection,
    kind: &str,
    user: Option<i64>,
    draft: &Draft,
    timed: &[Timed],
) -> Result<()> {
    let scenario = draft.before.scenario.id;
    let (change, mut inverse) = draft.record();
    unserve(connection, scenario, draft).await?;
    for run in timed {
        run_times(connection, run).await?;
    }
    serve(connection, scenario, timed).await?;
    if !draft.removed().is_empty() {
        // Runs come back as they were, so the inverse keeps their whole rows.
        let rows: Vec<serde_json::Value> =
            sqlx::query_scalar("delete from runs where id = any($1) returning to_jsonb(runs)")
                .bind(draft.removed())
                .fetch_all(&mut *connection)
                .await?;
        inverse["removed_runs"] = rows.into();
    }
    sqlx::query(
        "insert into plan_changes (scenario_id, user_id, kind, change, inverse) values ($1, $2, $3, $4, $5)",
    )
    .bind(scenario)
    .bind(user)
    .bind(kind)
    .bind(change)
    .bind(inverse)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "update scenarios set version = version + 1,
             stage = case when stage = 'planning' and $2 then 'routing' else stage end
         where id = $1",
    )
    .bind(scenario)
    .bind(draft.is_routed() || timed.iter().any(|run| !run.jobs.is_empty()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes in the audit trail why the stops of runs were changed by hand, with the stops before and after.
pub(super) async fn explain(connection: &mut PgConnection, draft: &Draft, reason: &str) -> Result<()> {
    let stops = |sequence: Option<&[i64]>| serde_json::json!(sequence.unwrap_or_default());
    let changes = draft.touched().map(|run| audit::Change {
        id: run,
        field: "stops".to_owned(),
        old: stops(draft.before.sequences.get(&run).map(Vec::as_slice)),
        new: stops(Some(draft.sequence(run))),
    });
    audit::record(connection, "run", changes, Some(reason)).await
}

async fn unserve(connection: &mut PgConnection, scenario: i64, draft: &Draft) -> Result<()> {
    let (jobs, reasons): (Vec<i64>, Vec<Option<&str>>) = draft.left().unzip();
    sqlx::query(
        "update jobs set scenario_id = $1, run_id = null, seq = null, eta = null, etd = null, updated_eta = null,
             wait_seconds = 0, unserved_reason = given.reason
         from unnest($2::bigint[], $3::text[]) as given (id, reason)
         where jobs.id = given.id",
    )
    .bind(scenario)
    .bind(jobs)
    .bind(reasons)
    .execute(connection)
    .await?;
    Ok(())
}

async fn serve(connection: &mut PgConnection, scenario: i64, timed: &[Timed]) -> Result<()> {
    let mut ids = Vec::new();
    let mut runs = Vec::new();
    let mut seqs = Vec::new();
    let mut etas: Vec<DateTime<Utc>> = Vec::new();
    let mut etds: Vec<DateTime<Utc>> = Vec::new();
    let mut waits = Vec::new();
    for run in timed {
        for (at, job) in run.jobs.iter().enumerate() {
            ids.push(job.id);
            runs.push(run.run);
            seqs.push(i32::try_from(at + 1).map_err(Error::internal)?);
            etas.push(job.eta);
            etds.push(job.etd);
            waits.push(i32::try_from(job.wait).unwrap_or(i32::MAX));
        }
    }
    sqlx::query(
        "update jobs set scenario_id = $1, run_id = given.run_id, seq = given.seq, eta = given.eta, etd = given.etd,
             wait_seconds = given.wait, unserved_reason = null,
             updated_eta = case when jobs.run_id = given.run_id then jobs.updated_eta end
         from unnest($2::bigint[], $3::bigint[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::integer[])
             as given (id, run_id, seq, eta, etd, wait)
         where jobs.id = given.id",
    )
    .bind(scenario)
    .bind(ids)
    .bind(runs)
    .bind(seqs)
    .bind(etas)
    .bind(etds)
    .bind(waits)
    .execute(connection)
    .await?;
    Ok(())
}

async fn run_times(connection: &mut PgConnection, run: &Timed) -> Result<()> {
    let whole = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    sqlx::query(
        "update runs set planned_start_time = $2, planned_end_time = $3, distance = $4, total_driving_time = $5,
             total_job_duration = $6, fuel_consumption = $7, co2_emissions = $8, route = $9, roads_source = $10,
             departure_fixed = $11
         where id = $1",
    )
    .bind(run.run)
    .bind(run.start)
    .bind(run.end)
    .bind(whole(run.distance))
    .bind(whole(run.driving))
    .bind(whole(run.service))
    .bind(run.fuel)
    .bind(run.co2)
    .bind(run.route.as_ref().map(Json))
    .bind(run.source)
    .bind(run.departure_fixed)
    .execute(connection)
    .await?;
    Ok(())
}
