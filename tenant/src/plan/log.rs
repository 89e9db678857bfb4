//! The log of the plan: what every step of a version changed, and by whom. The database keeps it (migration 14), so that no
//! write can pass it by; here it is read, and whoever would undo another's change without having seen it is refused.

use chrono::{DateTime, Utc};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::door::{CHANGED, Planner};

/// One step of a version.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct Entry {
    /// The version that it made.
    pub(crate) version: i64,
    /// When.
    pub(crate) at: DateTime<Utc>,
    /// The user who did it.
    pub(crate) user_id: Option<i64>,
    /// The run whose driver did it.
    pub(crate) run_id: Option<i64>,
    /// Route, or work in the background.
    pub(crate) action: Option<String>,
    /// Every job that looks different.
    pub(crate) jobs: Vec<i64>,
    /// Every run that looks different.
    pub(crate) runs: Vec<i64>,
    /// Units or returns changed.
    pub(crate) items: bool,
    /// The scenario's own row changed.
    pub(crate) scenario: bool,
}

/// The version of a plan.
///
/// # Errors
/// Database faults.
pub(crate) async fn version(connection: &mut PgConnection, scenario: i64) -> Result<i64> {
    Ok(sqlx::query_scalar("select coalesce(max(version), 0) from plan_versions where scenario_id = $1")
        .bind(scenario)
        .fetch_one(connection)
        .await?)
}

/// The versions of several plans, in their order.
///
/// # Errors
/// Database faults.
pub(crate) async fn versions(connection: &mut PgConnection, scenarios: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar(
        "select coalesce(max(v.version), 0) from unnest($1::bigint[]) with ordinality as asked (id, at)
         left join plan_versions v on v.scenario_id = asked.id group by asked.at order by asked.at",
    )
    .bind(scenarios)
    .fetch_all(connection)
    .await?)
}

/// The version of a plan with what this transaction has done to it. To be asked at its end: what it does afterwards is
/// another step.
///
/// # Errors
/// Database faults.
pub(crate) async fn version_after(connection: &mut PgConnection, scenario: i64) -> Result<i64> {
    sqlx::query("set constraints plan_stepped immediate").execute(&mut *connection).await?;
    sqlx::query("set constraints plan_stepped deferred").execute(&mut *connection).await?;
    version(connection, scenario).await
}

/// The steps after a version, oldest first; nothing when they are not all known any more.
///
/// # Errors
/// Database faults.
pub(crate) async fn entries(
    connection: &mut PgConnection,
    scenario: i64,
    since: i64,
) -> Result<Option<Vec<Entry>>> {
    let now = version(connection, scenario).await?;
    let entries: Vec<Entry> = sqlx::query_as(
        "select version, at, user_id, run_id, action, jobs_placed || jobs_edited || jobs_shown || jobs_removed as jobs,
             runs_placed || runs_edited || runs_shown || runs_removed as runs, items, scenario
         from plan_log where scenario_id = $1 and version > $2 and version <= $3 order by version",
    )
    .bind(scenario)
    .bind(since)
    .bind(now)
    .fetch_all(connection)
    .await?;
    let complete = i64::try_from(entries.len()).is_ok_and(|count| now.checked_sub(since) == Some(count));
    Ok(complete.then_some(entries))
}

/// When the office, not a driver, first did something to one of the jobs after a version.
///
/// # Errors
/// Database faults.
pub(crate) async fn changed_since(
    connection: &mut PgConnection,
    scenario: i64,
    version: i64,
    jobs: &[i64],
) -> Result<Option<DateTime<Utc>>> {
    Ok(sqlx::query_scalar(
        "select min(at) from plan_log where scenario_id = $1 and version > $2 and run_id is null
             and (jobs_placed || jobs_edited || jobs_shown || jobs_removed) && $3",
    )
    .bind(scenario)
    .bind(version)
    .bind(jobs)
    .fetch_one(connection)
    .await?)
}

/// Removes what nobody will ask for any more.
///
/// # Errors
/// Database faults.
pub(crate) async fn purge(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("delete from plan_log where at < now() - interval '2 days'")
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "delete from plan_versions v where not exists (select from scenarios s where s.id = v.scenario_id)
             and not exists (select from plan_log l where l.scenario_id = v.scenario_id)",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What a write is about.
pub(crate) struct Touch<'a> {
    /// Jobs that it moves, changes or removes.
    pub(crate) jobs: &'a [i64],
    /// Runs whose stops or fields it changes.
    pub(crate) runs: &'a [i64],
    /// New times of the runs matter too.
    pub(crate) with_times: bool,
    /// The fields that it changes; none means the places of the jobs, and everything.
    pub(crate) fields: Option<&'a [String]>,
}

#[derive(FromRow)]
struct Conflict {
    at: DateTime<Utc>,
    user_id: Option<i64>,
    run_id: Option<i64>,
    action: Option<String>,
    job_id: Option<i64>,
    job: Option<String>,
    placed: bool,
    removed: bool,
    was_on: Option<i64>,
    was: Option<String>,
    is_on: Option<i64>,
    is: Option<String>,
    run: Option<String>,
    run_gone: bool,
}

/// Refuses a write that was made on an older version of the plan (`since`, else the request's `Plan-Version`) when somebody
/// else has changed the same job or run since then.
///
/// # Errors
/// 409 `PLAN_CHANGED` with who changed what, and the version.
pub(crate) async fn refuse_stale(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    since: Option<i64>,
    touch: &Touch<'_>,
) -> Result<()> {
    let row: Option<Conflict> = sqlx::query_as(
        "select l.at, l.user_id, l.run_id, l.action, hit.job_id, j.uid as job,
             coalesce(hit.job_id = any(l.jobs_placed), false) as placed,
             coalesce(hit.job_id = any(l.jobs_removed), false) as removed,
             l.jobs_from[array_position(l.jobs_placed, hit.job_id)] as was_on, o.uid as was,
             j.run_id as is_on, n.uid as is, r.uid as run, coalesce(hit.run_id = any(l.runs_removed), false) as run_gone
         from plan_log l
         cross join lateral (
             select (select x from unnest($3::bigint[]) x where x = any(l.jobs_removed)
                     or $6::text[] is null and (x = any(l.jobs_placed) or x = any(l.jobs_edited) and cardinality($4::bigint[]) = 0)
                     or x = any(l.jobs_edited) and l.job_fields && $6::text[] limit 1) as job_id,
                 (select x from unnest($4::bigint[]) x where x = any(l.runs_removed)
                     or $6::text[] is null and x = any(l.runs_placed) or $5::boolean and (x = any(l.runs_shown) or x = any(l.runs_edited))
                     or x = any(l.runs_edited) and l.run_fields && $6::text[] limit 1) as run_id
         ) hit
         left join jobs j on j.id = hit.job_id
         left join runs n on n.id = j.run_id
         left join runs o on o.id = l.jobs_from[array_position(l.jobs_placed, hit.job_id)]
         left join runs r on r.id = hit.run_id
         where l.scenario_id = $1
             and l.version > coalesce($2::bigint, nullif(current_setting('routewright.plan_version', true), '')::bigint)
             and (l.user_id is null or l.user_id is distinct from $7::bigint)
             and (hit.job_id is not null or hit.run_id is not null)
         order by l.version desc limit 1",
    )
    .bind(scenario)
    .bind(since)
    .bind(touch.jobs)
    .bind(touch.runs)
    .bind(touch.with_times)
    .bind(touch.fields)
    .bind(caller.user_id())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(conflict) = row else { return Ok(()) };
    let who =
        actor(connection, caller, conflict.user_id, conflict.run_id, conflict.action.as_deref()).await?;
    let text = conflict.sentence(&who, caller)?;
    Err(refusal(connection, scenario, text).await?)
}

/// Refuses a write of the scenario's own fields that was made on an older version of the plan than the request's
/// `Plan-Version`, when somebody else has written them since then by one of these routes. What follows by itself, as a stage
/// does, is nobody's write.
///
/// # Errors
/// 409 `PLAN_CHANGED` with who changed it, and the version.
pub(crate) async fn refuse_stale_scenario(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    routes: &[&str],
) -> Result<()> {
    let last: Option<(DateTime<Utc>, i64)> = sqlx::query_as(
        "select at, user_id from plan_log
         where scenario_id = $1 and scenario and action = any($2) and user_id <> $3
             and version > nullif(current_setting('routewright.plan_version', true), '')::bigint
         order by version desc limit 1",
    )
    .bind(scenario)
    .bind(routes)
    .bind(caller.user_id())
    .fetch_optional(&mut *connection)
    .await?;
    let Some((at, user)) = last else { return Ok(()) };
    let who = actor(connection, caller, Some(user), None, None).await?;
    let at = at.with_timezone(&caller.policy()?.timezone).format("%H:%M");
    Err(refusal(connection, scenario, format!("{who} changed the scenario at {at}.")).await?)
}

/// The refusal of a change whose job is not where it was taken to be, with the last who moved it.
pub(super) async fn changed(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    scenario: i64,
    jobs: &[i64],
) -> Result<Error> {
    let last: Option<i64> = sqlx::query_scalar(
        "select max(version) - 1 from plan_log
         where scenario_id = $1 and (jobs_placed && $2 or jobs_removed && $2)",
    )
    .bind(scenario)
    .bind(jobs)
    .fetch_one(&mut *connection)
    .await?;
    let touch = Touch { jobs, runs: &[], with_times: false, fields: None };
    match last {
        Some(last) => outdated(connection, planner.caller, scenario, last, &touch).await,
        None => refusal(connection, scenario, CHANGED.to_owned()).await,
    }
}

/// The refusal of what was worked out for a version of the plan that is no more: with the last who changed this since then,
/// unless it was the caller himself.
///
/// # Errors
/// Database faults.
pub(crate) async fn outdated(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    since: i64,
    touch: &Touch<'_>,
) -> Result<Error> {
    match refuse_stale(connection, caller, scenario, Some(since), touch).await {
        Err(error) => Ok(error),
        Ok(()) => refusal(connection, scenario, CHANGED.to_owned()).await,
    }
}

/// The same for what hangs on the whole plan.
///
/// # Errors
/// Database faults.
pub(crate) async fn outdated_by_any(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: i64,
    since: i64,
) -> Result<Error> {
    let steps = entries(connection, scenario, since).await?.unwrap_or_default();
    let jobs: Vec<i64> = steps.iter().flat_map(|step| step.jobs.iter().copied()).collect();
    let runs: Vec<i64> = steps.iter().flat_map(|step| step.runs.iter().copied()).collect();
    let touch = Touch { jobs: &jobs, runs: &runs, with_times: true, fields: None };
    outdated(connection, caller, scenario, since, &touch).await
}

async fn refusal(connection: &mut PgConnection, scenario: i64, text: String) -> Result<Error> {
    let now = version(connection, scenario).await?;
    Ok(Error::conflict(text).code("PLAN_CHANGED").with("version", now))
}

impl Conflict {
    /// Who changed what, when: `Ana Sousa moved J-12 from R1 to R2 at 14:02.`
    fn sentence(&self, who: &str, caller: &Caller) -> Result<String> {
        let at = self.at.with_timezone(&caller.policy()?.timezone).format("%H:%M");
        let run = self.run.as_deref().or(self.is.as_deref()).unwrap_or("a run");
        let Some(job) = self.job.as_deref().or(self.job_id.map(|_| "the job")) else {
            let what = if self.run_gone { "deleted the run".to_owned() } else { format!("changed {run}") };
            return Ok(format!("{who} {what} at {at}."));
        };
        Ok(match (&self.was, &self.is) {
            _ if self.removed => format!("{who} took {job} out of this plan at {at}."),
            _ if !self.placed => format!("{who} changed {job} at {at}."),
            (Some(was), Some(is)) if self.was_on != self.is_on => {
                format!("{who} moved {job} from {was} to {is} at {at}.")
            }
            (_, Some(is)) if self.was_on != self.is_on => format!("{who} moved {job} to {is} at {at}."),
            (Some(was), None) => format!("{who} took {job} off {was} at {at}."),
            _ => format!("{who} changed the order of {run} at {at}."),
        })
    }
}

/// Who did something, in words.
///
/// # Errors
/// Database faults.
pub(crate) async fn actor(
    connection: &mut PgConnection,
    caller: &Caller,
    user: Option<i64>,
    run: Option<i64>,
    action: Option<&str>,
) -> Result<String> {
    if let Some(user) = user {
        let member = caller.policy()?.member(user);
        return Ok(member.map_or_else(|| "Somebody".to_owned(), |member| member.name.clone()));
    }
    if let Some(run) = run {
        let uid: Option<String> = sqlx::query_scalar("select uid from runs where id = $1")
            .bind(run)
            .fetch_optional(connection)
            .await?;
        return Ok(format!("The driver of {}", uid.as_deref().unwrap_or("a run")));
    }
    let background = match action {
        Some(route) if route.contains("/runsheet/") => "The driver",
        Some("optimise" | "optimise_scenario") => "The background optimisation",
        _ => "Routewright",
    };
    Ok(background.to_owned())
}
