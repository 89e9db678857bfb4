//! Validating a run (S-01), with everything that follows from it: what is billed is kept and stays; only its driver's
//! evidence may differ from it later, and who wants to change more reopens the run.

use chrono::{DateTime, Utc};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use serde_json::Value;
use sqlx::postgres::PgConnection;

use super::change::different;
use super::model::Run;
use super::{change, read, tell};
use crate::audit;
use crate::fleet::costing;
use crate::fleet::costing::bill::{self, Concern, Making};
use crate::plan::{self, Touch};
use crate::setup::settings::Settings;

/// What is billed: nobody validates what somebody else has just written there, nobody changes it afterwards.
const BILLED: [&str; 9] = [
    "billing_start_time",
    "actual_start_time",
    "actual_end_time",
    "start_odometer",
    "end_odometer",
    "additional_billing_kms",
    "min_billing_hours",
    "vehicle_id",
    "billing_rate_id",
];

/// What became of a run that was to be validated.
pub(crate) enum Validation {
    /// It is validated, now or before.
    Done(Box<Run>),
    /// These values are missing.
    Lacking(Box<Run>, Vec<&'static str>),
    /// Somebody has to confirm that it is billed so.
    Asking(Box<Run>, Vec<Concern>),
}

/// Validates a run in the caller's name: what is billed is kept, the change logged and told. One that is validated already
/// stays as it is. What looks like a mistake on the bill is asked about unless `force`.
///
/// # Errors
/// 404; 409 when its stops or what is billed have changed since the caller's version of the plan; 401 for callers who are nobody's name.
pub(crate) async fn validate(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    force: bool,
    now: DateTime<Utc>,
) -> Result<Validation> {
    let user = caller.user()?.user_id;
    read::find(connection, caller, id).await?;
    let before = held(connection, caller, id).await?;
    if before.validated_at.is_some() {
        return Ok(Validation::Done(Box::new(before)));
    }
    let missing = missing_for_validation(&before);
    if !missing.is_empty() {
        return Ok(Validation::Lacking(Box::new(before), missing));
    }
    if !force {
        let concerns = concerns(connection, id).await?;
        if !concerns.is_empty() {
            return Ok(Validation::Asking(Box::new(before), concerns));
        }
    }
    let fields = BILLED.map(str::to_owned);
    for fields in [None, Some(fields.as_slice())] {
        let touch = Touch { jobs: &[], runs: &[id], with_times: false, fields };
        plan::refuse_stale(connection, caller, before.scenario_id, None, &touch).await?;
    }
    mark_validated(connection, caller, id, user, now).await?;
    let after = read::find(connection, caller, id).await?;
    follow(connection, caller, &before, &after, None).await?;
    Ok(Validation::Done(Box::new(after)))
}

/// Takes a validation back, with its reason; the bill stays on record and is in force no more.
///
/// # Errors
/// 404; 409 for a run that is not validated.
pub(crate) async fn reopen(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    reason: &str,
) -> Result<Run> {
    read::find(connection, caller, id).await?;
    let before = held(connection, caller, id).await?;
    if before.validated_at.is_none() {
        return Err(Error::conflict(format!("Run {} is not validated", before.uid)));
    }
    clear_validation(connection, id).await?;
    let after = read::find(connection, caller, id).await?;
    follow(connection, caller, &before, &after, Some(reason)).await?;
    Ok(after)
}

/// The run, held against somebody who just changes what is validated.
///
/// # Errors
/// 404.
pub(crate) async fn held(connection: &mut PgConnection, caller: &Caller, id: i64) -> Result<Run> {
    sqlx::query("select id from runs where id = $1 for no key update")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    read::find(connection, caller, id).await
}

async fn follow(
    connection: &mut PgConnection,
    caller: &Caller,
    before: &Run,
    after: &Run,
    reason: Option<&str>,
) -> Result<()> {
    audit::explain(connection, "run", after.id, reason).await?;
    change::announce(connection, caller, before, after).await?;
    tell::changes(connection, caller, before, after).await
}

/// What becomes of the validation when fields of a run were changed: sets or clears it where the change says so
/// (`validation`), else refuses a change of what was billed. Evidence of the driver is taken, and differs from the bill.
pub(super) async fn settle(
    connection: &mut PgConnection,
    caller: &Caller,
    (before, changed): (&Run, &Run),
    validation: Option<Option<i64>>,
    force: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    let validated = before.validated_at.is_some();
    let billed = !different(before, changed, &BILLED).is_empty();
    match validation {
        None if validated && billed && caller.run_id().is_none() => Err(plan::validated(&before.uid)),
        None => Ok(()),
        Some(None) => clear_validation(connection, before.id).await,
        Some(Some(user)) => {
            if validated && !billed && before.validated_by_id == Some(user) {
                return Ok(());
            }
            if validated {
                caller.require("billing_rates_write")?;
            }
            if let Some(missing) = missing_for_validation(changed).first() {
                return Err(Error::field(*missing, "A validated run needs this value"));
            }
            let concerns = if force { Vec::new() } else { concerns(connection, before.id).await? };
            if !concerns.is_empty() {
                return Err(asking(&concerns)?);
            }
            mark_validated(connection, caller, before.id, user, now).await
        }
    }
}

/// The question that `force` answers, with what there is to confirm.
fn asking(concerns: &[Concern]) -> Result<Error> {
    let texts: Vec<&str> = concerns.iter().map(|concern| concern.text.as_str()).collect();
    let what: Value = serde_json::to_value(concerns)?;
    Ok(Error::conflict(texts.join(". ")).code("BILL_CONCERNS").with("concerns", what))
}

/// What there is to ask before a run is billed as it stands.
async fn concerns(connection: &mut PgConnection, run: i64) -> Result<Vec<Concern>> {
    let has_rates = bill::any_rates(connection).await?;
    let costed = costing::of_runs(connection, &[run]).await?;
    Ok(costed.iter().flat_map(|run| run.charge_now().concerns(has_rates)).collect())
}

/// What a run lacks before it can be validated (S-01).
fn missing_for_validation(run: &Run) -> Vec<&'static str> {
    [
        ("billing_start_time", run.billing_start_time.is_none()),
        ("actual_start_time", run.actual_start_time.is_none()),
        ("actual_end_time", run.actual_end_time.is_none()),
        ("start_odometer", run.start_odometer.is_none()),
        ("end_odometer", run.end_odometer.is_none()),
    ]
    .into_iter()
    .filter_map(|(field, missing)| missing.then_some(field))
    .collect()
}

/// Marks a run as validated and keeps its bill.
async fn mark_validated(
    connection: &mut PgConnection,
    caller: &Caller,
    run: i64,
    user: i64,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update runs set validated_by_id = $2, validated_at = $3, bill_id = null, rate_name = null,
             rate_cost_per_run = null, rate_cost_per_km = null, rate_cost_per_hour = null, rate_cost_per_drop = null,
             rate_currency = null
         where id = $1",
    )
        .bind(run)
        .bind(user)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let currency = Settings::of(caller.policy()?).currency;
    // Whoever does it makes the bill, in whose name ever it is validated.
    let user = caller.user_id().unwrap_or(user);
    let making = Making { kind: "validated", user, at: now, reason: None, currency: &currency };
    bill::make(connection, run, &making).await?;
    Ok(())
}

async fn clear_validation(connection: &mut PgConnection, run: i64) -> Result<()> {
    sqlx::query(
        "update runs set validated_by_id = null, validated_at = null, bill_id = null, rate_name = null,
             rate_cost_per_run = null, rate_cost_per_km = null, rate_cost_per_hour = null, rate_cost_per_drop = null,
             rate_currency = null
         where id = $1",
    )
    .bind(run)
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes in the audit trail what was decided about the bill of a run.
///
/// # Errors
/// Database faults.
pub(crate) async fn decided(
    connection: &mut PgConnection,
    run: i64,
    (field, old, new): (&str, Value, Value),
    reason: &str,
) -> Result<()> {
    let change = audit::Change { id: run, field: field.to_owned(), old, new };
    audit::record(connection, "run", [change], Some(reason)).await
}
