//! What has to be looked after from time to time, organisation by organisation: work that nobody announced or whose
//! announcement was lost, jobs whose worker is lost, tasks that nobody works on, rows that have had their time.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use routewright_bus::queue;
use routewright_core::transaction::watched;
use routewright_core::{OrganisationId, Result};
use routewright_messaging::has_due_message;
use tokio::sync::mpsc::UnboundedSender;

use crate::afterwards::trail;
use crate::app::App;
use crate::bin;
use crate::execution::{gps, seals};
use crate::orders::imports;
use crate::plan;
use crate::planning::optimise;
use crate::realtime;
use crate::setup::{excel_exports, files};

/// How long finished jobs are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Organisations that are looked after at the same time; one whose database is slow keeps one place only.
const AT_ONCE: usize = 4;
/// Shortest time for one organisation: a process asks after fifty in a second, however many there are.
const PACE: Duration = Duration::from_millis(80);

/// Something that waits to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Queued jobs.
    Jobs(OrganisationId),
    /// Messages in the outbox.
    Messages(OrganisationId),
}

/// Looks after all organisations, and tells what was found.
pub(super) async fn all(app: App, kinds: Vec<&'static str>, found: UnboundedSender<Found>) {
    let organisations = match app.gate.policies.organisations().await {
        Ok(organisations) => organisations,
        Err(error) => {
            tracing::warn!(%error, "organisations cannot be listed");
            return;
        }
    };
    stream::iter(organisations)
        .for_each_concurrent(AT_ONCE, |organisation| {
            let (app, kinds, found) = (&app, &kinds, &found);
            async move {
                let (outcome, ()) = tokio::join!(
                    watched("sweep", one(app, organisation, kinds, found)),
                    tokio::time::sleep(PACE)
                );
                if let Err(error) = outcome {
                    tracing::debug!(%organisation, %error, "an organisation cannot be looked after");
                }
            }
        })
        .await;
}

async fn one(
    app: &App,
    organisation: OrganisationId,
    kinds: &[&str],
    found: &UnboundedSender<Found>,
) -> Result<()> {
    let caller = app.gate.worker(organisation).await?;
    let tenant = app.tenants.of(&caller)?;
    let mut work = tenant.begin().await?;
    queue::reclaim_expired(&mut work).await?;
    // The worker is gone together with the process when nobody hears.
    if queue::has_due(&mut work, kinds).await? {
        found.send(Found::Jobs(organisation)).unwrap_or_default();
    }
    if has_due_message(&mut work).await? {
        found.send(Found::Messages(organisation)).unwrap_or_default();
    }
    queue::purge_finished(&mut work, KEPT).await?;
    realtime::purge(&mut work).await?;
    plan::purge(&mut work).await?;
    gps::purge(&mut work).await?;
    imports::purge(&mut work).await?;
    bin::purge(&mut work).await?;
    excel_exports::expire(&mut work).await?;
    sqlx::query("delete from idempotency_keys where created < now() - interval '2 days'")
        .execute(&mut *work)
        .await?;
    work.commit().await?;
    files::tidy(app, &caller).await?;
    seals::retire(app, &caller).await?;
    optimise::fail_abandoned(&tenant, &caller).await?;
    let mut work = tenant.begin().await?;
    trail::unfold(&mut work).await?;
    work.commit().await
}
