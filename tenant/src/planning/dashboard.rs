//! Scenarios as lists and selects show them.

use routewright_core::list::{self, ListQuery, Listed};
use routewright_core::{Result, Routes};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::app::App;
use crate::planning::scenarios::{READ, Scenario};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().list("/dashboard/scenarios", READ, resource::filters::<Scenario>(), scenarios)
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    scenario: Scenario,
    runs_count: i64,
    dispatched_count: i64,
    visited_count: i64,
}

/// A scenario with how far it is.
#[derive(Serialize, JsonSchema)]
struct DashboardScenario {
    #[serde(flatten)]
    scenario: Scenario,
    runs_count: i64,
    /// Runs that were dispatched.
    dispatched_count: i64,
    /// Jobs with a proof.
    visited_count: i64,
    organisation: OrganisationName,
}

/// The organisation by name.
#[derive(Clone, Serialize, JsonSchema)]
struct OrganisationName {
    id: i64,
    name: String,
}

/// `GET /dashboard/scenarios`.
async fn scenarios(mut db: Db, query: ListQuery) -> Result<Listed<DashboardScenario>> {
    let caller = db.caller().clone();
    let policy = caller.policy()?;
    let organisation = OrganisationName { id: policy.organisation.get(), name: policy.name.clone() };
    let select = format!(
        "{}, (select count(*) from runs r where r.scenario_id = s.id) as runs_count,
        (select count(*) from runs r where r.scenario_id = s.id and r.dispatched) as dispatched_count,
        (select count(*) from jobs j where j.scenario_id = s.id
            and exists (select from job_proofs p where p.job_id = j.id)) as visited_count",
        Scenario::COLUMNS
    );
    let listed: Listed<Row> =
        list::page(&mut db, &select, Scenario::FROM, query, &Scenario::SHAPE, |_| ()).await?;
    Ok(listed.map(|mut row| {
        row.scenario.shown_to(&caller);
        DashboardScenario {
            scenario: row.scenario,
            runs_count: row.runs_count,
            dispatched_count: row.dispatched_count,
            visited_count: row.visited_count,
            organisation: organisation.clone(),
        }
    }))
}
