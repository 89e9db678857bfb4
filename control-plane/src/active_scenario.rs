//! The scenario that opens first for a user. It lies in the organisation's schema, maybe in another database, so that no
//! foreign key holds it: it is looked for when it is chosen, and again whenever the user is told.

use std::sync::Arc;
use std::time::Duration;

use routewright_core::error::Kind;
use routewright_core::transaction::watched;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::Policy;
use sqlx::PgConnection;

use crate::app::App;

/// Nobody waits longer for an organisation's database, whose connections are not those of the control schema: a transaction
/// there is open meanwhile.
const WAIT: Duration = Duration::from_secs(2);

/// # Errors
/// 400 when a chosen scenario is not one of the organisation; 503 when its database does not say so in time.
pub(crate) async fn require(app: &App, organisation: OrganisationId, scenario: Option<i64>) -> Result<()> {
    let Some(scenario) = scenario else { return Ok(()) };
    let policy = app.gate.policies.of(organisation).await?;
    if exists(app, &policy, scenario).await? {
        Ok(())
    } else {
        Err(Error::field("active_scenario", "Value does not exist"))
    }
}

/// The scenario if it is still there. One that was deleted is taken from all users of the organisation.
///
/// # Errors
/// Faults of the control schema. While the organisation's database is away, the scenario counts as there.
pub(crate) async fn kept(
    app: &App,
    connection: &mut PgConnection,
    policy: &Arc<Policy>,
    scenario: Option<i64>,
) -> Result<Option<i64>> {
    let Some(id) = scenario else { return Ok(None) };
    match exists(app, policy, id).await {
        Ok(false) => {
            sqlx::query(
                "update users set active_scenario = null where organisation_id = $1 and active_scenario = $2",
            )
            .bind(policy.organisation)
            .bind(id)
            .execute(connection)
            .await?;
            Ok(None)
        }
        Ok(true) => Ok(scenario),
        Err(error) => {
            tracing::warn!(?error, "an active scenario cannot be looked for");
            Ok(scenario)
        }
    }
}

/// # Errors
/// 503 when the organisation's database does not answer in time.
async fn exists(app: &App, policy: &Arc<Policy>, scenario: i64) -> Result<bool> {
    let looking = async {
        let mut work = app.tenants.organisation(policy).begin().await?;
        let there = sqlx::query_scalar("select exists (select from scenarios where id = $1)")
            .bind(scenario)
            .fetch_one(&mut *work)
            .await?;
        work.rollback().await?;
        Ok(there)
    };
    let late = |_| Error::new(Kind::Unavailable, "The organisation's data cannot be reached.").retry_after(1);
    tokio::time::timeout(WAIT, watched("an active scenario", looking)).await.map_err(late)?
}
