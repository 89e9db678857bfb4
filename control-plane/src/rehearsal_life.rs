//! What happens to rehearsals by itself: their time begins when their day is planned, they are removed when they are old or
//! whoever rehearsed in them is gone, and what was removed is discarded. Any number of replicas may do it at once.

use std::time::Duration;

use chrono::TimeDelta;
use routewright_core::transaction::watched;
use routewright_core::{OrganisationId, Result};
use routewright_tenancy::migration;
use sqlx::{FromRow, PgConnection};

use crate::app::App;
use crate::scope;

/// Pause between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// So long after its removal a rehearsal is discarded: by then the files of it are gone as well.
const DISCARDED_AFTER: TimeDelta = TimeDelta::minutes(2);
/// A day that is not planned by then never will be.
const PATIENCE: TimeDelta = TimeDelta::minutes(15);

/// Looks after rehearsals for the life of the process.
pub(crate) async fn work(app: App) {
    loop {
        if let Err(error) = once(&app).await {
            tracing::warn!(?error, "rehearsals cannot be looked after");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn once(app: &App) -> Result<()> {
    begin_times(app).await?;
    remove_old(app).await?;
    discard_removed(app).await
}

/// How far the planning of a day is, as the tenant service notes it in the rehearsal's own schema.
#[derive(FromRow)]
struct Prepared {
    step: String,
    ready: bool,
    failure: Option<String>,
}

/// What is being prepared, in words; none while that cannot be read.
pub(crate) async fn step(app: &App, organisation: OrganisationId) -> Option<String> {
    prepared(app, organisation).await.ok().flatten().map(|prepared| prepared.step)
}

/// Marks a rehearsal as on its way out: nobody gets in from the commit on.
///
/// # Errors
/// Database faults.
pub(crate) async fn out_of_use(connection: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    scope::lock(connection, organisation).await?;
    sqlx::query("update rehearsals set removing = true where organisation_id = $1")
        .bind(organisation)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "update organisations set state = 'deleting', deleted_at = coalesce(deleted_at, now()) where id = $1",
    )
    .bind(organisation)
    .execute(&mut *connection)
    .await?;
    migration::announce_policy(connection, organisation).await
}

async fn prepared(app: &App, organisation: OrganisationId) -> Result<Option<Prepared>> {
    let policy = app.gate.policies.of(organisation).await?;
    policy.ready()?;
    watched("a rehearsal's preparation", async {
        let mut work = app.tenants.organisation(&policy).begin().await?;
        let found = sqlx::query_as("select step, ready_at is not null as ready, failure from rehearsal")
            .fetch_optional(&mut *work)
            .await?;
        work.rollback().await?;
        Ok(found)
    })
    .await
}

/// Lets the time of each rehearsal begin whose day is planned.
async fn begin_times(app: &App) -> Result<()> {
    let now = app.clock.now();
    let waiting: Vec<(OrganisationId, bool)> = sqlx::query_as(
        "select r.organisation_id, r.created < $1 from rehearsals r join organisations o on o.id = r.organisation_id
         where r.started_at is null and r.failure is null and not r.removing and o.state = 'ready'",
    )
    .bind(now - PATIENCE)
    .fetch_all(&app.control)
    .await?;
    for (organisation, late) in waiting {
        let found = match prepared(app, organisation).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%organisation, ?error, "a rehearsal's preparation cannot be read");
                continue;
            }
        };
        let ready = found.as_ref().is_some_and(|found| found.ready);
        let failure = found
            .and_then(|found| found.failure)
            .or_else(|| (late && !ready).then(|| "The day was not planned in time.".to_owned()));
        if ready || failure.is_some() {
            begin_time(app, organisation, failure).await?;
        }
    }
    Ok(())
}

async fn begin_time(app: &App, organisation: OrganisationId, failure: Option<String>) -> Result<()> {
    let mut work = app.begin().await?;
    scope::lock(&mut work, organisation).await?;
    let now = app.clock.now();
    sqlx::query(
        "update rehearsals set began = $2, failure = $3, started_at = case when $3::text is null then $2::timestamptz end
         where organisation_id = $1 and started_at is null",
    )
    .bind(organisation)
    .bind(now)
    .bind(failure)
    .execute(&mut *work)
    .await?;
    scope::announce(&mut work, organisation).await?;
    work.commit().await
}

/// Takes out of use what is old, and what nobody can enter any more.
async fn remove_old(app: &App) -> Result<()> {
    let old: Vec<OrganisationId> = sqlx::query_scalar(
        "select r.organisation_id from rehearsals r join organisations o on o.id = r.organisation_id
             join organisations h on h.id = r.made_from
         where not r.removing and (r.remove_at <= $1 or o.state = 'deleting' or h.deleted_at is not null)",
    )
    .bind(app.clock.now())
    .fetch_all(&app.control)
    .await?;
    for organisation in old {
        let mut work = app.begin().await?;
        out_of_use(&mut work, organisation).await?;
        work.commit().await?;
        tracing::info!(%organisation, "a rehearsal is removed by itself");
    }
    Ok(())
}

/// Discards what was removed a while ago.
async fn discard_removed(app: &App) -> Result<()> {
    let gone: Vec<OrganisationId> =
        sqlx::query_scalar("select organisation_id from rehearsals where removing and modified < $1 limit 5")
            .bind(app.clock.now() - DISCARDED_AFTER)
            .fetch_all(&app.control)
            .await?;
    for organisation in gone {
        if let Err(error) = app.provisioning.discard_rehearsal(organisation).await {
            tracing::warn!(%organisation, ?error, "a removed rehearsal cannot be discarded");
        }
    }
    Ok(())
}
