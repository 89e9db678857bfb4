//! The hours of a driver: one run at a time in a scenario, unless somebody means it so.

use routewright_core::{Error, Result};
use sqlx::postgres::PgConnection;

/// Refuses a run whose shift overlaps that of another run of the driver in the same scenario. Shifts that end before they
/// start end on the next day.
///
/// # Errors
/// 409 naming the other run, with its id as `run_id`.
pub(super) async fn require_free(connection: &mut PgConnection, run: i64) -> Result<()> {
    // Both shifts begin on the scenario's day.
    let other: Option<(i64, String, String, String)> = sqlx::query_as(
        "with hours as (
             select id, uid, scenario_id, driver_id, extract(epoch from shift_start) as begins,
                 extract(epoch from shift_end) + case when shift_end <= shift_start then 86400 else 0 end as ends,
                 to_char(shift_start, 'HH24:MI') as first, to_char(shift_end, 'HH24:MI') as last
             from runs where scenario_id = (select scenario_id from runs where id = $1)
         )
         select o.id, o.uid, o.first, o.last
         from hours r join hours o on o.driver_id = r.driver_id and o.id <> r.id
             and o.begins < r.ends and r.begins < o.ends
         where r.id = $1 order by o.id limit 1",
    )
    .bind(run)
    .fetch_optional(connection)
    .await?;
    match other {
        None => Ok(()),
        Some((id, uid, first, last)) => {
            let text = format!("The driver has run {uid} from {first} to {last} in this scenario already");
            Err(Error::conflict(text).code("DRIVER_BUSY").with("run_id", id))
        }
    }
}
