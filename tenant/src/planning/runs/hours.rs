//! The hours of a driver: one run at a time in a scenario, unless somebody means it so.

use routewright_core::{Error, Result};
use sqlx::postgres::PgConnection;

/// Hours of a run: its id, its name, its driver, and its shift.
type Hours = (i64, String, String, String, String);

/// Refuses a run whose shift overlaps that of another run of the driver in the same scenario. Shifts that end before they
/// start end on the next day.
///
/// # Errors
/// 409 naming the other run, with its id as `run_id`.
pub(super) async fn require_free(connection: &mut PgConnection, run: i64) -> Result<()> {
    match overlapping(connection, None, Some(run)).await? {
        None => Ok(()),
        Some((id, uid, _, first, last)) => {
            let text = format!("The driver has run {uid} from {first} to {last} in this scenario already");
            Err(Error::conflict(text).code("DRIVER_BUSY").with("run_id", id))
        }
    }
}

/// The same of all runs of a scenario that is being made.
///
/// # Errors
/// 409 naming the driver and one of his runs.
pub(crate) async fn require_all_free(connection: &mut PgConnection, scenario: i64) -> Result<()> {
    match overlapping(connection, Some(scenario), None).await? {
        None => Ok(()),
        Some((_, uid, driver, first, last)) => {
            let text = format!(
                "{driver} would have run {uid} from {first} to {last} and another over the same hours"
            );
            Err(Error::conflict(text).code("DRIVER_BUSY"))
        }
    }
}

/// The first run that overlaps another of its driver: of a scenario, or beside one run.
async fn overlapping(
    connection: &mut PgConnection,
    scenario: Option<i64>,
    run: Option<i64>,
) -> Result<Option<Hours>> {
    // All shifts begin on the scenario's day.
    Ok(sqlx::query_as(
        "with hours as (
             select id, uid, driver_id, extract(epoch from shift_start) as begins,
                 extract(epoch from shift_end) + case when shift_end <= shift_start then 86400 else 0 end as ends,
                 to_char(shift_start, 'HH24:MI') as first, to_char(shift_end, 'HH24:MI') as last
             from runs where scenario_id = coalesce($1, (select scenario_id from runs where id = $2))
         )
         select o.id, o.uid, d.uid, o.first, o.last
         from hours r join hours o on o.driver_id = r.driver_id and o.id <> r.id
             and o.begins < r.ends and r.begins < o.ends
             join drivers d on d.id = o.driver_id
         where $2::bigint is null or r.id = $2 order by o.id limit 1",
    )
    .bind(scenario)
    .bind(run)
    .fetch_optional(connection)
    .await?)
}
