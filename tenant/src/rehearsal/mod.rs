//! Rehearsals (issue 13.5): an organisation that is marked as one gets a planned day, and drivers who drive it.
//!
//! ```text
//! prepare   the day of `data/day.json`, through the public API: imported, optimised, dispatched
//! script    what drivers do, by the seed; pure
//! turn      what is due now is done, through the public API; where a driver has nothing left to do, his next leg follows
//! ```
//!
//! Everything that a turn goes by lies in the organisation's own schema: a process that is lost is followed by another one, and
//! each act names itself, so that it is done once. One process at a time has the turn of a rehearsal.

mod chance;
mod day;
mod picture;
mod prepare;
mod public_api;
mod script;
mod sheet;
mod turn;
mod way;

use std::collections::HashMap;
use std::time::Duration;

use routewright_core::transaction::watched;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::Caller;
use tokio_util::task::AbortOnDropHandle;

use crate::app::App;
use public_api::PublicApi;

/// How often new rehearsals are looked for.
const LOOK: Duration = Duration::from_secs(1);
/// Pause between two turns: a quarter of a minute of simulated time where it runs fastest.
const PAUSE: Duration = Duration::from_millis(250);
/// The same while time stands, or after a fault.
const LONG_PAUSE: Duration = Duration::from_secs(1);
/// How long a process keeps the turn without a sign of life.
const LEASE: Duration = Duration::from_secs(15);

/// Takes part in all rehearsals for the life of the process.
pub(crate) async fn work(app: App) {
    let api = match PublicApi::new(&app.config.api_url) {
        Ok(api) => api,
        Err(error) => {
            tracing::error!(%error, "rehearsals have no way to the API");
            return;
        }
    };
    let name = format!("{}/{}", std::process::id(), routewright_core::token::random(8));
    let mut under_way: HashMap<i64, AbortOnDropHandle<()>> = HashMap::new();
    loop {
        match app.gate.policies.rehearsals().await {
            Ok(found) => {
                for (organisation, removing) in found {
                    let known = under_way.get(&organisation.get()).is_some_and(|task| !task.is_finished());
                    if !known {
                        let (app, api, name) = (app.clone(), api.clone(), name.clone());
                        let task = tokio::spawn(async move {
                            if removing {
                                tidy(&app, organisation).await
                            } else {
                                rehearse(app, api, name, organisation).await
                            }
                        });
                        under_way.insert(organisation.get(), AbortOnDropHandle::new(task));
                    }
                }
            }
            Err(error) => tracing::debug!(%error, "rehearsals cannot be listed"),
        }
        under_way.retain(|_, task| !task.is_finished());
        tokio::time::sleep(LOOK).await;
    }
}

/// Takes part in one rehearsal until it is over.
async fn rehearse(app: App, api: PublicApi, name: String, organisation: OrganisationId) {
    let mut company = turn::Company::default();
    loop {
        let caller = match app.gate.worker(organisation).await {
            Ok(caller) => caller,
            // It is removed, or suspended.
            Err(_) => return,
        };
        let pause = match watched("rehearsal", one(&app, &api, &name, &caller, &mut company)).await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::warn!(%organisation, ?error, "a rehearsal's turn failed");
                LONG_PAUSE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// One turn, if it is this process's; answers when to look again.
async fn one(
    app: &App,
    api: &PublicApi,
    name: &str,
    caller: &Caller,
    company: &mut turn::Company,
) -> Result<Duration> {
    let policy = caller.policy()?;
    let rehearsal = policy.rehearsal.ok_or_else(|| Error::internal("no rehearsal"))?;
    let tenant = app.tenants.of(caller)?.named("rehearsal");
    let mut work = tenant.begin().await?;
    let mine = hold(&mut work, name).await?;
    work.commit().await?;
    if !mine {
        return Ok(LONG_PAUSE);
    }
    if !rehearsal.started {
        prepare::go_on(app, api, caller, &rehearsal, &tenant, name).await?;
        return Ok(LONG_PAUSE);
    }
    let now = policy.now(&app.clock);
    let more = turn::take(api, &tenant, &rehearsal, name, now, company).await?;
    let idle = rehearsal.time.paused || rehearsal.time.is_over(app.clock.now());
    Ok(if idle && !more { LONG_PAUSE } else { PAUSE })
}

/// Takes the turn, or keeps it; false when it is another process's.
async fn hold(connection: &mut sqlx::PgConnection, name: &str) -> Result<bool> {
    sqlx::query("insert into rehearsal (step) values ($1) on conflict do nothing")
        .bind(prepare::FIRST_STEP)
        .execute(&mut *connection)
        .await?;
    let held = sqlx::query(
        "update rehearsal set held_by = $1, held_until = now() + make_interval(secs => $2)
         where held_by is null or held_by = $1 or held_until < now()",
    )
    .bind(name)
    .bind(LEASE.as_secs_f64())
    .execute(connection)
    .await?;
    Ok(held.rows_affected() > 0)
}

/// Says that this process still has the turn, in the transaction of what it does.
///
/// # Errors
/// 409 when another one has taken it over.
async fn still_hold(connection: &mut sqlx::PgConnection, name: &str) -> Result<()> {
    if hold(connection, name).await? { Ok(()) } else { Err(Error::conflict("another process has the turn")) }
}

/// Removes the files of a rehearsal that was removed.
async fn tidy(app: &App, organisation: OrganisationId) {
    let folder = app.storage.organisation(organisation.get());
    let removed = async {
        for key in folder.keys().await? {
            folder.delete(&key).await?;
        }
        Ok::<_, routewright_storage::StorageError>(())
    };
    if let Err(error) = removed.await {
        tracing::warn!(%organisation, %error, "files of a removed rehearsal are left");
    }
    // They come once; the rehearsal is discarded soon.
    tokio::time::sleep(LEASE).await;
}
