//! The stage of a scenario follows what happens on the road (S-21).

use routewright_core::Result;
use sqlx::postgres::PgConnection;

use crate::setup::information::{self, Dispatch};

/// Takes a scenario to tracking: a run sheet was sent, a run started, a proof recorded. Unless the organisation wants
/// to do so itself.
///
/// # Errors
/// Database faults.
pub(crate) async fn begin_tracking(connection: &mut PgConnection, scenario: i64) -> Result<()> {
    let settings: Dispatch = information::of(connection).await?;
    if settings.auto_set_tracking_stage {
        sqlx::query("update scenarios set stage = 'tracking' where id = $1 and stage <> 'tracking'")
            .bind(scenario)
            .execute(connection)
            .await?;
    }
    Ok(())
}
