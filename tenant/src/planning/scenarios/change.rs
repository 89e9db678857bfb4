//! Making and deleting scenarios, and what a ws_token shows of one.

use axum::Json;
use axum::extract::State;
use chrono::NaiveDate;
use routewright_core::http::respond::Created;
use routewright_core::http::{Path, Query};
use routewright_core::list::{ListQuery, Listed};
use routewright_core::{Body, Error, Given, Link, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, DeleteMany, Deleted, DeletedMany};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use super::model::{Scenario, ScenarioFields};
use crate::app::App;
use crate::audit;
use crate::bin;
use crate::plan;
use crate::setup::{scenario_reasons, udf};

/// A scenario as selects show it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ScenarioChoice")]
pub(super) struct Choice {
    id: i64,
    name: String,
    scheduled_date: NaiveDate,
}

/// `GET /scenarios_select`.
pub(super) async fn select(db: Db, query: ListQuery) -> Result<Listed<Choice>> {
    let listed: Listed<Scenario> = resource::list(db, query).await?;
    Ok(listed.map(|Scenario { id, name, scheduled_date, .. }| Choice { id, name, scheduled_date }))
}

/// A new scenario with its territory groups.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct NewScenario {
    /// Name.
    name: Option<String>,
    /// Its day.
    scheduled_date: Option<NaiveDate>,
    /// Marked by the planner.
    starred: Option<bool>,
    /// Drivers that are selected for optimisation.
    default_active_driver_ids: Option<Vec<i64>>,
    /// Territory groups that are shown and used.
    territory_group_ids: Option<Vec<i64>>,
}

/// `POST /scenarios`: always begins in planning.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    given: Given<NewScenario>,
) -> Result<Created<Scenario>> {
    let NewScenario { name, scheduled_date, starred, default_active_driver_ids, territory_group_ids: groups } =
        given.value;
    let value = ScenarioFields { name, scheduled_date, starred, default_active_driver_ids, stage: None };
    let mut fields = Given { value, fields: given.fields };
    fields.fields.remove("territory_group_ids");
    let scenario = insert(&mut db, &app, fields).await?;
    if let Some(groups) = groups {
        set_groups(&mut db, scenario.id, &groups).await?;
    }
    let caller = db.caller().clone();
    resource::find(&mut db, &caller, scenario.id).await.map(Created)
}

/// Inserts a scenario with a token of its own.
pub(crate) async fn insert(db: &mut Db, app: &App, mut given: Given<ScenarioFields>) -> Result<Scenario> {
    let caller = db.caller().clone();
    given.fields.insert("ws_token".to_owned(), app.gate.links.long(caller.organisation()?).into());
    let scenario: Scenario = resource::insert(db, &caller, given).await?;
    tell(db, &caller, "scenario_created", &scenario).await?;
    Ok(scenario)
}

/// Tells that something happened to a scenario (S-16). Nothing of it is changed by actions; its token stays with us.
///
/// # Errors
/// Database faults.
pub(crate) async fn tell(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
    scenario: &Scenario,
) -> Result<()> {
    let mut data = serde_json::to_value(scenario)?;
    data["ws_token"] = serde_json::Value::Null;
    let _ = udf::raise(connection, caller, event, &data).await?;
    Ok(())
}

/// Territory groups by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Groups {
    territory_group_ids: Vec<i64>,
}

/// `PUT /scenarios/{id}/territory_groups`: replaces.
pub(super) async fn territory_groups(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Groups>,
) -> Result<Json<Scenario>> {
    let caller = db.caller().clone();
    resource::find::<Scenario>(&mut db, &caller, id).await?;
    if db.plan_version().is_some() {
        plan::lock(&mut db, id).await?;
        plan::refuse_stale_scenario(&mut db, &caller, id, &["PUT /scenarios/{id}/territory_groups"]).await?;
    }
    set_groups(&mut db, id, &body.territory_group_ids).await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}

pub(crate) async fn set_groups(db: &mut Db, scenario: i64, groups: &[i64]) -> Result<()> {
    let unknown: Option<i64> = sqlx::query_scalar(
        "select wanted from unnest($1::bigint[]) as wanted where not exists (select from territory_groups where id = wanted) limit 1",
    )
    .bind(groups)
    .fetch_optional(&mut **db)
    .await?;
    if unknown.is_some() {
        return Err(Error::field("territory_group_ids", "Territory group not found"));
    }
    sqlx::query("delete from scenario_territory_groups where scenario_id = $1")
        .bind(scenario)
        .execute(&mut **db)
        .await?;
    sqlx::query(
        "insert into scenario_territory_groups (scenario_id, territory_group_id) select distinct $1::bigint, unnest($2::bigint[])",
    )
    .bind(scenario)
    .bind(groups)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// Whether the jobs go with the scenario.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteOptions {
    #[serde(default)]
    delete_jobs: bool,
    /// Why, by id of a scenario reason; kept in the record.
    scenario_reason_id: Option<i64>,
}

/// `DELETE /scenarios/{id}`: its jobs go to the pool unless `delete_jobs=true`.
pub(super) async fn delete(
    mut db: Db,
    Path(id): Path<i64>,
    Query(options): Query<DeleteOptions>,
) -> Result<Json<Deleted>> {
    remove(&mut db, &options, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE /scenarios/bulk`: all or nothing.
pub(super) async fn delete_bulk(
    mut db: Db,
    Query(options): Query<DeleteOptions>,
    Body(asked): Body<DeleteMany>,
) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &options, remove).await
}

async fn remove(db: &mut Db, options: &DeleteOptions, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    if options.delete_jobs {
        caller.require("jobs_delete")?;
    }
    let reason = scenario_reasons::chosen(db, options.scenario_reason_id).await?;
    // Locks all scenarios, so that two planners cannot delete the last two at once.
    let ids: Vec<i64> = sqlx::query_scalar("select id from scenarios order by id for no key update")
        .fetch_all(&mut **db)
        .await?;
    let scenario: Scenario = resource::find(db, &caller, id).await?;
    if scenario.has_proofs {
        return Err(Error::bad_request("Cannot delete scenario with proofs"));
    }
    let billed: Option<String> = sqlx::query_scalar(
        "select uid from runs where scenario_id = $1 and validated_at is not null order by id limit 1",
    )
    .bind(id)
    .fetch_optional(&mut **db)
    .await?;
    if let Some(run) = billed {
        return Err(plan::validated(&run));
    }
    if ids.len() < 2 {
        return Err(Error::bad_request("Cannot delete last scenario"));
    }
    keep(db, &caller, &scenario, options.delete_jobs).await?;
    sqlx::query(
        "update jobs set run_id = null, seq = null, eta = null, etd = null, updated_eta = null, unserved_reason = null
         where scenario_id = $1",
    )
    .bind(id)
    .execute(&mut **db)
    .await?;
    if options.delete_jobs {
        sqlx::query("delete from jobs where scenario_id = $1").bind(id).execute(&mut **db).await?;
    } else {
        sqlx::query("update jobs set scenario_id = null where scenario_id = $1")
            .bind(id)
            .execute(&mut **db)
            .await?;
    }
    sqlx::query("delete from scenarios where id = $1").bind(id).execute(&mut **db).await?;
    audit::explain(db, "scenario", id, reason.as_deref()).await
}

/// Puts it into the bin, with its jobs or with the places that they had.
async fn keep(
    connection: &mut PgConnection,
    caller: &Caller,
    scenario: &Scenario,
    with_jobs: bool,
) -> Result<()> {
    let (ids, places): (Vec<i64>, Value) = sqlx::query_as(
        "select coalesce(array_agg(id), '{}'), coalesce(jsonb_agg(jsonb_build_object('table', 'jobs', 'id', id, 'columns',
             jsonb_build_object('scenario_id', scenario_id, 'run_id', run_id, 'seq', seq, 'eta', eta, 'etd', etd,
                 'updated_eta', updated_eta, 'unserved_reason', unserved_reason))), '[]')
         from jobs where scenario_id = $1",
    )
    .bind(scenario.id)
    .fetch_one(&mut *connection)
    .await?;
    let thing = ("scenarios", scenario.id);
    if with_jobs {
        let roots = json!({"scenarios": [scenario.id], "jobs": ids});
        bin::put_all(connection, caller, thing, &scenario.name, &roots, &json!([])).await
    } else {
        let roots = json!({"scenarios": [scenario.id]});
        bin::put_all(connection, caller, thing, &scenario.name, &roots, &places).await
    }
}

/// What the holder of a ws_token sees of a scenario.
#[derive(Serialize, JsonSchema)]
pub(super) struct Header {
    id: i64,
    name: String,
    scheduled_date: NaiveDate,
    stage: String,
    organisation: OrganisationHeader,
}

/// The organisation as others see it.
#[derive(Serialize, JsonSchema)]
pub(super) struct OrganisationHeader {
    name: String,
    logo: Option<String>,
    timezone: String,
}

/// `GET /scenarios/token/{token}`.
pub(super) async fn by_token(mut db: Db) -> Result<Json<Header>> {
    let caller = db.caller().clone();
    let row: Option<(i64, String, NaiveDate, String)> =
        sqlx::query_as("select id, name, scheduled_date, stage from scenarios where ws_token = $1")
            .bind(caller.link(Link::Scenario)?)
            .fetch_optional(&mut *db)
            .await?;
    let (id, name, scheduled_date, stage) = row.ok_or_else(Error::bad_token)?;
    let policy = caller.policy()?;
    let organisation = OrganisationHeader {
        name: policy.name.clone(),
        logo: policy.logo_file_uid.as_ref().map(|uid| format!("/files/uid/{uid}")),
        timezone: policy.timezone.name().to_owned(),
    };
    Ok(Json(Header { id, name, scheduled_date, stage, organisation }))
}
