//! Jobs that change between a scenario and the pool while jobs that they are linked to would stay behind. A link names uids
//! of one scenario or of the pool: half of it would lead nowhere, so the planner says what becomes of the other half.

use std::collections::BTreeSet;

use routewright_core::{Error, Result};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{links, store};

/// Code of the refusal that asks what becomes of linked jobs.
pub(crate) const LINKED_JOBS: &str = "LINKED_JOBS";

/// What becomes of jobs that are linked to those that go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Partners {
    /// They go too.
    Take,
    /// They stay, and the links to them end.
    Unlink,
}

/// The jobs that go from a scenario (or from the pool): those that are named, and with [`Partners::Take`] all that is
/// linked to them.
///
/// # Errors
/// 409 `LINKED_JOBS` that names the others, in `linked_jobs` by id and uid, when there are some and nothing is said.
pub(crate) async fn going(
    connection: &mut PgConnection,
    scenario: Option<i64>,
    named: &[i64],
    partners: Option<Partners>,
) -> Result<Vec<i64>> {
    let mut going: BTreeSet<i64> = named.iter().copied().collect();
    let mut jobs = store::linked(connection, scenario, named).await?;
    let others = links::partners(&jobs, &going);
    if others.is_empty() {
        return Ok(going.into_iter().collect());
    }
    match partners {
        Some(Partners::Take) => going.extend(others),
        Some(Partners::Unlink) => {
            links::cut(&mut jobs, &going);
            let touched = links::synchronise(&mut jobs, &going).map_err(store::link_fault)?;
            let touched: BTreeSet<i64> = touched.into_iter().chain(going.iter().copied()).collect();
            jobs.retain(|job| touched.contains(&job.id));
            store::write_links(connection, &jobs).await?;
        }
        None => {
            let others: Vec<&links::Linked> = jobs.iter().filter(|job| others.contains(&job.id)).collect();
            let uids: Vec<&str> = others.iter().map(|job| job.uid.as_str()).collect();
            let told: Vec<Value> = others.iter().map(|job| json!({ "id": job.id, "uid": job.uid })).collect();
            let text = format!(
                "Linked jobs would stay behind: {}. Please take them along (linked: take) or end the links (linked: unlink).",
                uids.join(", ")
            );
            return Err(Error::conflict(text).code(LINKED_JOBS).with("linked_jobs", told));
        }
    }
    Ok(going.into_iter().collect())
}
