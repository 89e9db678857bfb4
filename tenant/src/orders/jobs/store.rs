//! SQL on jobs that several use cases share.

use std::collections::{BTreeSet, HashSet};

use routewright_core::list::{self, ListQuery};
use routewright_core::{Error, Given, Module, OrganisationId, Result};
use routewright_identity::{Caller, LinkKeys};
use routewright_tenancy::{Db, Resource, resource};
use sqlx::PgConnection;

use super::links::{self, LinkFault, Linked};
use super::model::{Job, JobFields};
use crate::app::App;
use crate::plan;
use crate::setup::settings::Settings;
use crate::setup::udf;

/// Refuses to touch a job of a validated run: what was billed must stay as it was.
pub(crate) async fn refuse_validated(connection: &mut PgConnection, jobs: &[i64]) -> Result<()> {
    let uid: Option<String> = sqlx::query_scalar(
        "select r.uid from jobs j join runs r on r.id = j.run_id
         where j.id = any($1) and r.validated_at is not null order by r.id limit 1",
    )
    .bind(jobs)
    .fetch_optional(connection)
    .await?;
    match uid {
        None => Ok(()),
        Some(uid) => Err(plan::validated(&uid)),
    }
}

/// `count` tracking tokens that no job has yet.
pub(crate) async fn tracking_tokens(
    connection: &mut PgConnection,
    links: &LinkKeys,
    organisation: OrganisationId,
    count: usize,
) -> Result<Vec<String>> {
    let mut fresh: HashSet<String> = HashSet::with_capacity(count);
    while fresh.len() < count {
        let missing = count - fresh.len();
        let made: Vec<String> = (0..missing).map(|_| links.short(organisation)).collect();
        let taken: Vec<String> =
            sqlx::query_scalar("select tracking_token from jobs where tracking_token = any($1)")
                .bind(&made)
                .fetch_all(&mut *connection)
                .await?;
        fresh.extend(made.into_iter().filter(|token| !taken.contains(token)));
    }
    Ok(fresh.into_iter().collect())
}

/// Inserts a job with its token, time zone and default service time, and keeps links in step.
pub(crate) async fn insert(db: &mut Db, app: &App, given: Given<JobFields>) -> Result<Job> {
    let caller = db.caller().clone();
    insert_for(db, &caller, app, given).await
}

/// The same on any connection of the caller's organisation.
pub(crate) async fn insert_for(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
    mut given: Given<JobFields>,
) -> Result<Job> {
    let policy = caller.policy()?;
    if let Some(scenario) = given.value.scenario_id {
        scenario_exists(connection, scenario).await?;
    }
    let token = tracking_tokens(connection, &app.gate.links, policy.organisation, 1).await?.pop();
    given.fields.insert("tracking_token".to_owned(), token.into());
    given.fields.insert("timezone".to_owned(), policy.timezone.name().into());
    if given.value.duration.is_none() {
        given.fields.insert("duration".to_owned(), Settings::of(policy).job_duration.into());
    }
    let linked = given.value.pickup_from.is_some() || given.value.deliver_to.is_some();
    let job = resource::insert::<Job>(connection, caller, given).await?;
    if linked {
        follow_links(connection, job.scenario_id, &BTreeSet::from([job.id])).await?;
    }
    let changed = tell(connection, caller, "job_created", &job).await?;
    if linked || changed { resource::find(connection, caller, job.id).await } else { Ok(job) }
}

/// Tells that something happened to a job and does to it what the organisation wants done. Answers whether the job was
/// changed by that; such a change is no event of its own.
pub(crate) async fn tell(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
    job: &Job,
) -> Result<bool> {
    if !caller.has(Module::Udf) {
        return Ok(false);
    }
    let effects = udf::raise(connection, caller, event, &serde_json::to_value(job)?).await?;
    carry_out(connection, job.id, &effects).await?;
    Ok(!effects.is_empty())
}

/// Does to a job what actions want done.
pub(crate) async fn carry_out(
    connection: &mut PgConnection,
    job: i64,
    effects: &[udf::Effect],
) -> Result<()> {
    for effect in effects {
        match effect {
            udf::Effect::AddTag(name) => add_tag(connection, job, name).await?,
            udf::Effect::SetExtraField(name, value) => {
                sqlx::query(
                    "update jobs set extra_fields = extra_fields || jsonb_build_object($2::text, $3::text) where id = $1",
                )
                .bind(job)
                .bind(name)
                .bind(value)
                .execute(&mut *connection)
                .await?;
            }
        }
    }
    Ok(())
}

/// Tells the same of several jobs. Jobs that the caller may not see any more, because they left his haulier's runs, are
/// told of too.
///
/// # Errors
/// Database faults.
pub(crate) async fn tell_of(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
    ids: &[i64],
) -> Result<()> {
    if ids.is_empty() || !udf::wanted(connection, caller, event).await? {
        return Ok(());
    }
    for ids in ids.chunks(200) {
        let query = ListQuery::parse("per_page=200")?;
        let found =
            list::page::<Job>(connection, Job::COLUMNS, Job::FROM, query, &Job::SHAPE, |conditions| {
                conditions.any("j.id", ids.to_vec());
            });
        for job in found.await?.page.data {
            tell(connection, caller, event, &job).await?;
        }
    }
    Ok(())
}

/// Puts a tag on a job; a tag that there is not yet is made.
pub(crate) async fn add_tag(connection: &mut PgConnection, job: i64, name: &str) -> Result<()> {
    sqlx::query("insert into tags (name) values ($1) on conflict (lower(name)) do nothing")
        .bind(name)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into job_tags (job_id, tag_id) select $1::bigint, id from tags where lower(name) = lower($2)
         on conflict do nothing",
    )
    .bind(job)
    .bind(name)
    .execute(connection)
    .await?;
    Ok(())
}

/// 404 unless the scenario is there.
pub(crate) async fn scenario_exists(connection: &mut PgConnection, scenario: i64) -> Result<()> {
    let found: bool = sqlx::query_scalar("select exists (select from scenarios where id = $1)")
        .bind(scenario)
        .fetch_one(connection)
        .await?;
    if found { Ok(()) } else { Err(Error::not_found("Scenario")) }
}

/// Brings links of a scenario (or of the pool) in step after the lists of `changed` jobs were written.
pub(crate) async fn follow_links(
    connection: &mut PgConnection,
    scenario: Option<i64>,
    changed: &BTreeSet<i64>,
) -> Result<()> {
    follow(connection, scenario, changed).await?.map_err(link_fault)
}

/// Links a restored job again with those of its partners that are there.
///
/// # Errors
/// Database faults.
pub(crate) async fn restored(connection: &mut PgConnection, job: i64) -> Result<()> {
    let scenario: Option<i64> = sqlx::query_scalar(
        "update jobs j set
             pickup_from = (
                 select string_agg(uid, ',' order by n) from unnest(string_to_array(j.pickup_from, ',')) with ordinality as g (uid, n)
                 where exists (select from jobs o where o.scenario_id is not distinct from j.scenario_id and o.uid = g.uid)
             ),
             deliver_to = (
                 select string_agg(uid, ',' order by n) from unnest(string_to_array(j.deliver_to, ',')) with ordinality as g (uid, n)
                 where exists (select from jobs o where o.scenario_id is not distinct from j.scenario_id and o.uid = g.uid)
             )
         where j.id = $1 returning j.scenario_id",
    )
    .bind(job)
    .fetch_one(&mut *connection)
    .await?;
    if follow(connection, scenario, &BTreeSet::from([job])).await?.is_err() {
        // The others were linked otherwise meanwhile.
        sqlx::query("update jobs set pickup_from = null, deliver_to = null where id = $1")
            .bind(job)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// A link fault as the refusal of a request.
pub(crate) fn link_fault(fault: LinkFault) -> Error {
    match &fault {
        LinkFault::Unknown { field, .. } => Error::field(*field, fault.text()),
        LinkFault::Cycle(_) => Error::bad_request(fault.text()),
    }
}

/// The same for many jobs at once, where the caller says which row is at fault.
pub(crate) async fn follow(
    connection: &mut PgConnection,
    scenario: Option<i64>,
    changed: &BTreeSet<i64>,
) -> Result<Result<(), LinkFault>> {
    let ids: Vec<i64> = changed.iter().copied().collect();
    let mut jobs = linked(connection, scenario, &ids).await?;
    let touched = match links::synchronise(&mut jobs, changed) {
        Ok(touched) => touched,
        Err(fault) => return Ok(Err(fault)),
    };
    let touched: BTreeSet<i64> = touched.into_iter().chain(ids).collect();
    jobs.retain(|job| touched.contains(&job.id));
    write_links(connection, &jobs).await?;
    Ok(Ok(()))
}

/// Jobs of a scenario (or of the pool) as far as links go: these, all that have links, and those that these name.
pub(crate) async fn linked(
    connection: &mut PgConnection,
    scenario: Option<i64>,
    ids: &[i64],
) -> Result<Vec<Linked>> {
    let rows: Vec<(i64, String, Option<String>, Option<String>)> = sqlx::query_as(
        "select id, uid, pickup_from, deliver_to from jobs
         where scenario_id is not distinct from $1
             and (id = any($2) or pickup_from is not null or deliver_to is not null
                 or uid in (select unnest(string_to_array(coalesce(pickup_from, '') || ',' || coalesce(deliver_to, ''), ','))
                     from jobs where id = any($2)))
         order by id",
    )
    .bind(scenario)
    .bind(ids)
    .fetch_all(connection)
    .await?;
    let read = |(id, uid, pickup_from, deliver_to): (i64, String, Option<String>, Option<String>)| Linked {
        id,
        uid,
        pickup_from: links::uids(pickup_from.as_deref()),
        deliver_to: links::uids(deliver_to.as_deref()),
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Writes the links of jobs where they differ.
pub(crate) async fn write_links(connection: &mut PgConnection, jobs: &[Linked]) -> Result<()> {
    if jobs.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = jobs.iter().map(|job| job.id).collect();
    let pickups: Vec<Option<String>> = jobs.iter().map(|job| links::text(&job.pickup_from)).collect();
    let deliveries: Vec<Option<String>> = jobs.iter().map(|job| links::text(&job.deliver_to)).collect();
    sqlx::query(
        "update jobs set pickup_from = new.pickup_from, deliver_to = new.deliver_to
         from unnest($1::bigint[], $2::text[], $3::text[]) as new (id, pickup_from, deliver_to)
         where jobs.id = new.id
             and (jobs.pickup_from is distinct from new.pickup_from or jobs.deliver_to is distinct from new.deliver_to)",
    )
    .bind(ids)
    .bind(pickups)
    .bind(deliveries)
    .execute(connection)
    .await?;
    Ok(())
}
