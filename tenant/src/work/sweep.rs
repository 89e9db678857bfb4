//! What has to be looked after from time to time, organisation by organisation: jobs whose worker is lost, tasks that
//! nobody works on, rows that have had their time.

use std::time::Duration;

use routewright_bus::queue;
use routewright_core::{OrganisationId, Result};

use crate::app::App;
use crate::{files, gps, optimise, realtime};

/// How long finished jobs are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Looks after all organisations, one after the other.
pub(super) async fn all(app: App, organisations: Vec<OrganisationId>) {
    for organisation in organisations {
        if let Err(error) = one(&app, organisation).await {
            tracing::debug!(%organisation, %error, "an organisation cannot be looked after");
        }
    }
}

async fn one(app: &App, organisation: OrganisationId) -> Result<()> {
    let caller = app.gate.worker(organisation).await?;
    let tenant = app.tenants.of(&caller)?;
    let mut work = tenant.begin().await?;
    queue::reclaim_expired(&mut work).await?;
    queue::purge_finished(&mut work, KEPT).await?;
    realtime::purge(&mut work).await?;
    gps::purge(&mut work).await?;
    sqlx::query("delete from idempotency_keys where created < now() - interval '2 days'")
        .execute(&mut *work)
        .await?;
    work.commit().await?;
    files::tidy(app, &caller).await?;
    optimise::fail_abandoned(&tenant, &caller).await
}
