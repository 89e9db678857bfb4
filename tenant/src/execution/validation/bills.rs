//! The bill of a validated run: what it says, what is different by now, and what becomes of that. A difference is billed
//! when somebody with the right to validate accepts it, which makes the next version; or it is dismissed.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result, check};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::fleet::costing;
use crate::fleet::costing::bill::{self, Bill, Charge, Concern, Difference, Making};
use crate::planning::runs::{self, Run};
use crate::setup::settings::Settings;

/// Most characters of a reason.
const LONGEST: usize = 500;

/// A run's bill beside what it would be now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunBilling")]
pub(super) struct Billing {
    /// The run.
    run_id: i64,
    /// The bill in force; null unless the run is validated.
    bill: Option<Bill>,
    /// What it would be charged if it was validated now.
    now: Charge,
    /// Names what it would be charged now; to be sent with what is decided about it.
    key: String,
    /// What is different now from the bill.
    differences: Vec<Difference>,
    /// Who dismissed just this difference, if somebody did.
    dismissed: Option<Dismissal>,
    /// What to ask about before it is billed as it stands now.
    concerns: Vec<Concern>,
    /// Currency of what names none.
    currency: String,
}

/// A difference that is not billed.
#[derive(Serialize, JsonSchema, FromRow)]
#[schemars(rename = "RunBillDismissal")]
struct Dismissal {
    /// When.
    at: DateTime<Utc>,
    /// By whom.
    user_id: i64,
    /// Why.
    reason: String,
}

/// `GET /runs/{id}/bill`.
pub(super) async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<Billing>> {
    let caller = db.caller().clone();
    let run = runs::find(&mut db, &caller, id).await?;
    billing(&mut db, &caller, &run).await.map(Json)
}

/// `GET /runs/{id}/bills`: every version, the first one first.
pub(super) async fn versions(mut db: Db, Path(id): Path<i64>) -> Result<Json<Vec<Bill>>> {
    let caller = db.caller().clone();
    runs::find(&mut db, &caller, id).await?;
    bill::of_run(&mut db, id).await.map(Json)
}

async fn billing(connection: &mut PgConnection, caller: &Caller, run: &Run) -> Result<Billing> {
    let currency = Settings::of(caller.policy()?).currency;
    let costed =
        costing::of_runs(connection, &[run.id]).await?.pop().ok_or_else(|| Error::not_found("Run"))?;
    let now = costed.charge_now();
    let key = now.key()?;
    let bill = costed.bill.map(|bill| bill.0);
    let differences = bill.as_ref().map(|bill| bill.charge.differences(&now, &currency)).unwrap_or_default();
    let dismissed = sqlx::query_as(
        "select at, user_id, reason from run_bill_dismissals where bill_id = $1 and seen = $2 order by id desc limit 1",
    )
    .bind(bill.as_ref().map(|bill| bill.id))
    .bind(&key)
    .fetch_optional(&mut *connection)
    .await?;
    let concerns = now.concerns(bill::any_rates(connection).await?);
    Ok(Billing { run_id: run.id, bill, now, key, differences, dismissed, concerns, currency })
}

/// What is decided about a difference.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RunBillDecision")]
pub(super) struct Decision {
    /// Version of the bill that was looked at.
    version: i32,
    /// `key` of what was looked at: nobody accepts another difference than he has seen.
    key: String,
    /// Why.
    reason: String,
}

/// Why a run is opened again.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RunReopening")]
pub(super) struct Reopening {
    /// Why.
    reason: String,
}

/// `POST /runs/{id}/bill/accept`: the run is billed as it stands now; the next version of its bill.
pub(super) async fn accept(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(decision): Body<Decision>,
) -> Result<Json<Billing>> {
    let caller = db.caller().clone();
    let user = caller.user()?.user_id;
    let reason = given(&decision.reason)?;
    let (run, before, bill) = decided_on(&mut db, &caller, id, &decision).await?;
    let making = Making {
        kind: "accepted",
        user,
        at: caller.now(&app.clock),
        reason: Some(reason),
        currency: &before.currency,
    };
    bill::make(&mut db, id, &making).await?;
    let after = billing(&mut db, &caller, &run).await?;
    let new = after.bill.as_ref().map(|bill| json!({"version": bill.version, "total": bill.charge.total}));
    let old = json!({"version": bill.version, "total": bill.charge.total});
    runs::decided(&mut db, id, ("bill", old, json!(new)), reason).await?;
    Ok(Json(after))
}

/// `POST /runs/{id}/bill/dismiss`: the bill stays; just this difference is told no more.
pub(super) async fn dismiss(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(decision): Body<Decision>,
) -> Result<Json<Billing>> {
    let caller = db.caller().clone();
    let user = caller.user()?.user_id;
    let reason = given(&decision.reason)?;
    let (run, before, bill) = decided_on(&mut db, &caller, id, &decision).await?;
    sqlx::query(
        "insert into run_bill_dismissals (bill_id, seen, at, user_id, reason) values ($1, $2, $3, $4, $5)",
    )
    .bind(bill.id)
    .bind(&decision.key)
    .bind(caller.now(&app.clock))
    .bind(user)
    .bind(reason)
    .execute(&mut *db)
    .await?;
    let (old, new) = (json!(bill.charge.total), json!(before.now.total));
    runs::decided(&mut db, id, ("bill_difference_dismissed", old, new), reason).await?;
    billing(&mut db, &caller, &run).await.map(Json)
}

/// `POST /runs/{id}/reopen`: takes the validation back, so that what is billed can be changed.
pub(super) async fn reopen(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Reopening>,
) -> Result<Json<Run>> {
    let caller = db.caller().clone();
    let reason = given(&body.reason)?;
    runs::reopen(&mut db, &caller, id, reason).await.map(Json)
}

fn given(reason: &str) -> Result<&str> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::field("reason", check::REQUIRED));
    }
    if reason.chars().count() > LONGEST {
        return Err(Error::field("reason", format!("Value must have at most {LONGEST} characters")));
    }
    Ok(reason)
}

/// The run, held, with the difference that was looked at.
///
/// # Errors
/// 409 when the run is not validated, nothing is different, or something else than was looked at.
async fn decided_on(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    decision: &Decision,
) -> Result<(Run, Billing, Bill)> {
    runs::find(connection, caller, id).await?;
    let run = runs::held(connection, caller, id).await?;
    let before = billing(connection, caller, &run).await?;
    let Some(bill) = before.bill.clone() else {
        return Err(Error::conflict(format!("Run {} is not validated", run.uid)));
    };
    if bill.version != decision.version || before.key != decision.key {
        let text =
            format!("The bill of run {} or what differs from it has changed. Look at it again", run.uid);
        return Err(Error::conflict(text).code("BILL_CHANGED"));
    }
    if before.differences.is_empty() {
        return Err(Error::conflict(format!("Nothing differs from the bill of run {}", run.uid)));
    }
    Ok((run, before, bill))
}
