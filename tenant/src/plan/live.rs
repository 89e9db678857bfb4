//! Delaying a run that is on the road: the plan stays, only what is expected of the remaining jobs moves.

use chrono::{DateTime, Duration, Utc};
use routewright_core::Result;
use serde_json::json;
use sqlx::postgres::PgConnection;

use super::day::Day;
use super::door::Planner;
use super::draft::Draft;
use super::snapshot::{self, Snapshot};
use crate::realtime::{self, Event};

/// Moves the expected arrival at every job of the run that was not visited yet; never before its window opens.
pub(crate) async fn shift(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    run: i64,
    minutes: i64,
) -> Result<()> {
    snapshot::lock(connection, scenario).await?;
    let draft = Draft::new(Snapshot::load(connection, scenario, &[]).await?);
    draft.require_open(run)?;
    let day = Day::new(draft.before.scenario.scheduled_date, planner.zone);
    let mut ids = Vec::new();
    let mut times: Vec<DateTime<Utc>> = Vec::new();
    for id in draft.sequence(run) {
        let job = draft.job(*id)?;
        let Some(expected) = job.updated_eta.or(job.eta).filter(|_| !job.has_proof) else { continue };
        let opens = job.arrive_after.map(|time| day.moment(day.at(time)));
        let shifted = expected + Duration::minutes(minutes);
        ids.push(*id);
        times.push(opens.map_or(shifted, |opens| shifted.max(opens)));
    }
    sqlx::query(
        "update jobs set updated_eta = given.time from unnest($1::bigint[], $2::timestamptz[]) as given (id, time)
         where jobs.id = given.id",
    )
    .bind(&ids)
    .bind(&times)
    .execute(&mut *connection)
    .await?;
    let before: Vec<_> =
        ids.iter().map(|id| json!({ "id": id, "updated_eta": draft.before.jobs[id].updated_eta })).collect();
    sqlx::query(
        "insert into plan_changes (scenario_id, user_id, kind, change, inverse) values ($1, $2, 'delay', $3, $4)",
    )
    .bind(scenario)
    .bind(planner.caller.user_id())
    .bind(json!({ "run_id": run, "minutes": minutes }))
    .bind(json!({ "jobs": before }))
    .execute(&mut *connection)
    .await?;
    let jobs: Vec<_> = ids
        .iter()
        .zip(&times)
        .map(|(id, time)| {
            let job = &draft.before.jobs[id];
            json!({ "id": id, "run_id": run, "seq": job.seq, "eta": job.eta, "etd": job.etd, "updated_eta": time })
        })
        .collect();
    let status = draft.run(run)?.status();
    let payload = json!({ "scenario_id": scenario, "run": { "id": run, "status": status }, "jobs": jobs });
    realtime::record(connection, planner.caller, scenario, Event::RunUpdate, &payload).await
}
