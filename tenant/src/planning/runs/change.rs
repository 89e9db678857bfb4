//! Changing a run: planning fields, actuals, billing. Jobs stay where they are; when a change moves their times, the plan
//! tells the new ones.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::resource::{self, BulkItem};
use routewright_tenancy::{Db, Resource};
use serde_json::{Map, Value, json};
use sqlx::postgres::PgConnection;

use super::model::{Run, RunFields};
use super::{hours, read, sanity, tell, validate};
use crate::app::App;
use crate::audit;
use crate::plan::{self, Departure, Planner, Touch};
use crate::realtime::{self, Event};
use crate::setup::scenario_reasons;

/// Fields of what is billed; only for those who may see rates.
const BILLING: [&str; 2] = ["billing_rate_id", "min_billing_hours"];
/// Fields that decide when a run is where, and what it burns on the way.
const TIMING: [&str; 10] = [
    "start_location",
    "end_location",
    "route_end",
    "shift_start",
    "lunch_time",
    "lunch_latest_start",
    "lunch_duration",
    "speed_multiplier",
    "vehicle_id",
    "planned_start_time",
];
/// Text where a run would go to another scenario or driver.
const MADE_WITH: &str = "This field is set when the run is made and cannot be changed";
/// Text of a method that the organisation has not set up.
const SMS_OFF: &str = "SMS configuration is disabled in Organisation Settings.";

/// `PATCH /runs/{id}`.
pub(super) async fn patch(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    given: Given<RunFields>,
) -> Result<Json<Run>> {
    one(&mut db, &app, id, given).await.map(Json)
}

/// `PATCH /runs/bulk`: all or nothing.
pub(super) async fn patch_bulk(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<Run>>> {
    let mut runs = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        runs.push(one(&mut db, &app, item.id, given).await?);
    }
    Ok(Json(runs))
}

/// Changes a run by hand. When something changed that decides when it is where, its jobs get new times.
async fn one(db: &mut Db, app: &App, id: i64, given: Given<RunFields>) -> Result<Run> {
    let caller = db.caller().clone();
    let scenario = read::find(db, &caller, id).await?.scenario_id;
    // First the plan, then what is in it, as every change of a plan does.
    plan::lock(db, scenario).await?;
    let before = read::find(db, &caller, id).await?;
    refuse_another_place(&before, &given)?;
    if let Some(since) = db.plan_version() {
        let fields: Vec<String> = given.fields.keys().cloned().collect();
        // Whoever decides on times has seen those that there are.
        let with_times = given.has("planned_start_time") || given.has("planned_end_time");
        let touch = Touch { jobs: &[], runs: &[id], with_times, fields: Some(&fields) };
        plan::refuse_stale(db, &caller, scenario, Some(since), &touch).await?;
    }
    // Who gives the end by hand means what he says.
    let by_hand = given.has("planned_end_time");
    let starts = given.has("planned_start_time");
    let force = given.value.force == Some(true);
    let after = change(db, &caller, id, given, caller.now(&app.clock)).await?;
    if !force && !different(&before, &after, &["shift_start", "shift_end"]).is_empty() {
        hours::require_free(db, id).await?;
    }
    if starts && before.planned_start_time != after.planned_start_time {
        fix_departure(db, id, after.planned_start_time.is_some()).await?;
    }
    if by_hand || different(&before, &after, &TIMING).is_empty() {
        return Ok(after);
    }
    let moved = before.shift_start != after.shift_start && !starts;
    let departure = if moved { Departure::Usual } else { Departure::Kept };
    let planner = Planner::new(app, &caller)?;
    plan::time_again(db, &planner, after.scenario_id, "edit_run", &[(id, departure)]).await?;
    read::find(db, &caller, id).await
}

/// What a run is made of stays: only what it already has may be sent back.
fn refuse_another_place(before: &Run, given: &Given<RunFields>) -> Result<()> {
    let mut problems = Problems::default();
    for (field, present) in [
        ("scenario_id", Some(before.scenario_id)),
        ("driver_id", Some(before.driver_id)),
        ("config_id", None),
    ] {
        let same = given.fields.get(field).is_none_or(|value| present.is_some_and(|id| *value == id));
        problems.require(same, field, MADE_WITH);
    }
    problems.finish()
}

/// Notes whether somebody decided when a run leaves.
async fn fix_departure(connection: &mut PgConnection, run: i64, fixed: bool) -> Result<()> {
    sqlx::query("update runs set departure_fixed = $2 where id = $1")
        .bind(run)
        .bind(fixed)
        .execute(connection)
        .await?;
    Ok(())
}

/// Changes a run with all consequences and answers it.
///
/// # Errors
/// 404; 400 naming the field, also for actuals that cannot be true; 409 for those that have to be meant; 403 for billing fields without the level; 409 for what is billed of a validated run, which only
/// its driver's evidence may change.
pub(crate) async fn change(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    mut given: Given<RunFields>,
    now: DateTime<Utc>,
) -> Result<Run> {
    let before = read::find(connection, caller, id).await?;
    sqlx::query("select id from runs where id = $1 for no key update")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    check_references(connection, caller, &given).await?;
    check_proposed(&before, &mut given, caller)?;
    let reason = scenario_reasons::chosen(connection, given.value.scenario_reason_id).await?;
    require_levels(caller, &before, &given)?;
    // Validation is its own step below, after the other fields.
    let validation = given.fields.remove("validated_by_id").map(|user| user.as_i64());
    let force = given.value.force == Some(true);
    let changed = resource::update::<Run>(connection, caller, id, given.clone()).await?;
    if given.has("vehicle_id") && changed.vehicle_id != before.vehicle_id {
        fill_from_vehicle(connection, &before, &changed, &given).await?;
    }
    refuse_doubtful(caller, &before, &changed, force, now)?;
    actual_fuel(connection, id).await?;
    validate::settle(connection, caller, (&before, &changed), validation, force, now).await?;
    let after = read::find(connection, caller, id).await?;
    audit::explain(connection, "run", after.id, reason.as_deref()).await?;
    announce(connection, caller, &before, &after).await?;
    tell::changes(connection, caller, &before, &after).await?;
    Ok(after)
}

/// Checks the run as it would be, so that the texts are those of the forms and not the database's.
pub(super) fn check_proposed(before: &Run, given: &mut Given<RunFields>, caller: &Caller) -> Result<()> {
    Run::prepare(given, caller, false)?;
    let mut row = serde_json::to_value(before)?;
    for (field, value) in &given.fields {
        row[field] = value.clone();
    }
    let proposed: Run = serde_json::from_value(row)?;
    let mut problems = Problems::default();
    proposed.check(&mut problems);
    problems.finish()
}

/// Refuses recorded values that cannot be true, and of the office also unusual ones that it does not mean (`force`). What
/// was recorded before is no matter.
fn refuse_doubtful(
    caller: &Caller,
    before: &Run,
    changed: &Run,
    force: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    let mut doubts = sanity::doubts(changed, caller.policy()?.timezone, now);
    doubts.retain(|doubt| !different(before, changed, doubt.of).is_empty());
    let mut problems = Problems::default();
    for doubt in doubts.iter().filter(|doubt| doubt.impossible) {
        problems.add(doubt.field, &doubt.text);
    }
    problems.finish()?;
    // A driver says what he read.
    if doubts.is_empty() || force || caller.run_id().is_some() {
        return Ok(());
    }
    let texts: Vec<&str> = doubts.iter().map(|doubt| doubt.text.as_str()).collect();
    let fields: Map<String, Value> =
        doubts.iter().map(|doubt| (doubt.field.to_owned(), doubt.text.clone().into())).collect();
    Err(Error::conflict(texts.join(". ")).code("ACTUALS_UNUSUAL").with("fields", fields))
}

/// Whoever is named must exist, and a method must be set up.
pub(super) async fn check_references(
    connection: &mut PgConnection,
    caller: &Caller,
    given: &Given<RunFields>,
) -> Result<()> {
    let missing = |field: &str| Err(Error::field(field, "Value does not exist"));
    let member = |user: Option<i64>| -> Result<bool> {
        Ok(match user {
            Some(user) => caller.policy()?.member(user).is_some(),
            None => true,
        })
    };
    if !member(given.value.driver_user_id)? {
        return missing("driver_user_id");
    }
    if !member(given.value.validated_by_id)? {
        return missing("validated_by_id");
    }
    if given.value.preferred_method.as_deref() == Some("sms") && !sms_is_on(connection).await? {
        return Err(Error::field("preferred_method", SMS_OFF));
    }
    if let Some(territories) = &given.value.territory_ids {
        let known: i64 = sqlx::query_scalar(
            "select count(*) from (select distinct unnest($1::bigint[]) as id) wanted join territories using (id)",
        )
        .bind(territories)
        .fetch_one(connection)
        .await?;
        let wanted: std::collections::BTreeSet<i64> = territories.iter().copied().collect();
        if usize::try_from(known) != Ok(wanted.len()) {
            return Err(Error::field("territory_ids", "Territory not found"));
        }
    }
    Ok(())
}

async fn sms_is_on(connection: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from secrets where name = 'sms_configuration')")
        .fetch_one(connection)
        .await?)
}

fn require_levels(caller: &Caller, before: &Run, given: &Given<RunFields>) -> Result<()> {
    if BILLING.iter().any(|field| given.has(field)) {
        caller.require("billing_rates_read")?;
    }
    if given.has("validated_by_id") && given.value.validated_by_id != before.validated_by_id {
        caller.require("billing_rates_write")?;
    }
    Ok(())
}

/// The given fields whose value is another than before.
pub(super) fn different(before: &Run, after: &Run, fields: &[&str]) -> Vec<(String, Value, Value)> {
    let row = |run: &Run| match serde_json::to_value(run) {
        Ok(Value::Object(row)) => row,
        _ => Map::new(),
    };
    let (before, after) = (row(before), row(after));
    let value = |row: &Map<String, Value>, field: &str| row.get(field).cloned().unwrap_or(Value::Null);
    fields
        .iter()
        .map(|field| ((*field).to_owned(), value(&before, field), value(&after, field)))
        .filter(|(_, old, new)| old != new)
        .collect()
}

/// Choosing a vehicle fills what is still the default or was the former vehicle's (S-40).
async fn fill_from_vehicle(
    connection: &mut PgConnection,
    before: &Run,
    after: &Run,
    given: &Given<RunFields>,
) -> Result<()> {
    sqlx::query(
        "update runs r set
             capacity = case when $3 or r.capacity not in ('0', coalesce(o.capacity, '0')) then r.capacity
                 else coalesce(n.capacity, '0') end,
             spec_type = case when $4 or r.spec_type is distinct from o.spec_type and r.spec_type is not null
                 then r.spec_type else coalesce(n.spec_type, r.spec_type) end,
             speed_multiplier = case when $5 or r.speed_multiplier not in (1, coalesce(o.speed_multiplier, 1))
                 then r.speed_multiplier else coalesce(n.speed_multiplier, 1) end
         from vehicles n left join vehicles o on o.id = $2
         where r.id = $1 and n.id = r.vehicle_id",
    )
    .bind(after.id)
    .bind(before.vehicle_id)
    .bind(given.has("capacity"))
    .bind(given.has("spec_type"))
    .bind(given.has("speed_multiplier"))
    .execute(connection)
    .await?;
    Ok(())
}

/// Fuel and CO2 by the odometers; nothing without both, or without a vehicle that says what it burns.
pub(super) async fn actual_fuel(connection: &mut PgConnection, run: i64) -> Result<()> {
    sqlx::query(
        "update runs r set actual_fuel_consumption = burnt.litres,
             actual_co2_emissions = burnt.litres * burnt.co2_per_litre
         from (select (o.end_odometer - o.start_odometer)::float8 * v.fuel_consumption / 100 as litres, v.co2_per_litre
               from runs o left join vehicles v on v.id = o.vehicle_id where o.id = $1) burnt
         where r.id = $1",
    )
    .bind(run)
    .execute(connection)
    .await?;
    Ok(())
}

/// Tells the sockets which fields changed.
pub(super) async fn announce(
    connection: &mut PgConnection,
    caller: &Caller,
    before: &Run,
    after: &Run,
) -> Result<()> {
    // Tokens and rates are not for everybody who listens.
    const TOLD: [&str; 24] = [
        "uid",
        "route_end",
        "route_colour",
        "preferred_method",
        "capacity",
        "spec_type",
        "shift_start",
        "shift_end",
        "lunch_time",
        "lunch_latest_start",
        "lunch_duration",
        "vehicle_id",
        "driver_user_id",
        "planned_start_time",
        "planned_end_time",
        "actual_start_time",
        "actual_end_time",
        "start_odometer",
        "end_odometer",
        "territory_ids",
        "dispatched",
        "validated_at",
        "start_location",
        "end_location",
    ];
    let changed = different(before, after, &TOLD);
    if changed.is_empty() {
        return Ok(());
    }
    let mut run = json!({ "id": after.id, "status": after.status });
    for (field, _, new) in changed {
        run[field] = new;
    }
    let payload = json!({ "scenario_id": after.scenario_id, "run": run, "jobs": [] });
    realtime::record(connection, caller, after.scenario_id, Event::RunUpdate, &payload).await
}
