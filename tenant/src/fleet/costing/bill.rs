//! What a run is charged, and the bill that keeps it from the moment of validation on: a later change of what it was made of
//! is a difference to it, never another bill.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::{Error, Jsonb, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;

use super::read::{self, CostedRun};

/// How amounts are rounded, as bills name it: the total once, half up to 2 decimals; the parts so that they add up to it.
const ROUNDING: &str = "total_half_up_2";

/// What a run is charged: the rate with its terms, the quantities, the amount of each part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunCharge")]
pub(crate) struct Charge {
    /// Number of the vehicle.
    pub(crate) vehicle: Option<String>,
    /// The rate; none when the run has none.
    pub(crate) rate_id: Option<i64>,
    /// Its name.
    pub(crate) rate: Option<String>,
    /// `run`: the run's own rate; `vehicle`: that of its vehicle.
    pub(crate) rate_source: Option<String>,
    /// ISO 4217 code; null: the organisation's.
    pub(crate) currency: Option<String>,
    /// Per run.
    pub(crate) cost_per_run: Option<f64>,
    /// Per kilometre.
    pub(crate) cost_per_km: Option<f64>,
    /// Per hour.
    pub(crate) cost_per_hour: Option<f64>,
    /// Per drop.
    pub(crate) cost_per_drop: Option<f64>,
    /// Kilometres charged, 3 decimals.
    pub(crate) km: f64,
    /// Hours charged, 6 decimals.
    pub(crate) hours: f64,
    /// Drops charged: stops with a proof once the run is closed, else all stops.
    pub(crate) drops: i64,
    /// Stops on the run.
    pub(crate) stops: i64,
    /// For the run.
    pub(crate) run_amount: Option<f64>,
    /// For the kilometres.
    pub(crate) km_amount: Option<f64>,
    /// For the hours.
    pub(crate) hour_amount: Option<f64>,
    /// For the drops.
    pub(crate) drop_amount: Option<f64>,
    /// Together; null without a rate.
    pub(crate) total: Option<f64>,
}

/// What was counted for a bill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunBillEvidence")]
pub(crate) struct Evidence {
    /// Kilometres.
    pub(crate) start_odometer: Option<f64>,
    /// Kilometres.
    pub(crate) end_odometer: Option<f64>,
    /// Kilometres beyond the odometers.
    pub(crate) additional_billing_kms: f64,
    /// Hours that are billed at least.
    pub(crate) min_billing_hours: f64,
    /// From when it is billed.
    pub(crate) billing_start_time: Option<DateTime<Utc>>,
    /// When it started.
    pub(crate) actual_start_time: Option<DateTime<Utc>>,
    /// When it ended.
    pub(crate) actual_end_time: Option<DateTime<Utc>>,
    /// From the start of billing to the end, seconds.
    pub(crate) billed_seconds: Option<i64>,
    /// Proofs of its stops.
    pub(crate) job_proof_ids: Vec<i64>,
}

/// The bill of a validated run. It is never changed; a difference that is accepted is the next version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunBill")]
pub(crate) struct Bill {
    /// Id.
    pub(crate) id: i64,
    /// The run.
    pub(crate) run_id: i64,
    /// Counts from 1, also over reopening.
    pub(crate) version: i32,
    /// `validated`, `accepted` (a difference) or `taken_over` (validated before bills were kept).
    pub(crate) kind: String,
    /// Name of the run.
    pub(crate) run_uid: String,
    /// Its day.
    pub(crate) date: NaiveDate,
    /// Its driver.
    pub(crate) driver: String,
    /// What is charged.
    #[serde(flatten)]
    pub(crate) charge: Charge,
    /// How amounts are rounded: `total_half_up_2`, the total once, its parts so that they add up to it.
    pub(crate) rounding: String,
    /// What was counted.
    pub(crate) evidence: Evidence,
    /// When it was made.
    pub(crate) made_at: DateTime<Utc>,
    /// By whom.
    pub(crate) made_by_id: i64,
    /// Why, of an accepted difference.
    pub(crate) reason: Option<String>,
}

/// A value that is another now than on the bill.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunBillDifference")]
pub(crate) struct Difference {
    /// Name of the field.
    pub(crate) field: &'static str,
    /// On the bill.
    pub(crate) billed: Value,
    /// As it would be billed now.
    pub(crate) now: Value,
}

/// Something to ask about before a run is billed so.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "RunBillConcern")]
pub(crate) struct Concern {
    /// `no_rate`, `zero`, `no_km`, `no_hours`, `no_drops` or `drops_without_proof`.
    pub(crate) code: &'static str,
    /// In words.
    pub(crate) text: String,
}

impl Charge {
    /// What names this charge, so that nobody accepts another than he has seen.
    pub(crate) fn key(&self) -> Result<String> {
        let digest = Sha256::digest(serde_json::to_vec(self).map_err(Error::internal)?);
        Ok(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// What is another now. An organisation's own currency is the same with its name and without.
    pub(crate) fn differences(&self, now: &Self, own_currency: &str) -> Vec<Difference> {
        const FIELDS: [&str; 17] = [
            "vehicle",
            "rate",
            "rate_source",
            "currency",
            "cost_per_run",
            "cost_per_km",
            "cost_per_hour",
            "cost_per_drop",
            "km",
            "hours",
            "drops",
            "stops",
            "run_amount",
            "km_amount",
            "hour_amount",
            "drop_amount",
            "total",
        ];
        let values = |charge: &Self| {
            let mut charge = charge.clone();
            let currency = charge.currency.take().unwrap_or_else(|| own_currency.to_owned());
            charge.currency = charge.rate.is_some().then_some(currency);
            serde_json::to_value(charge).unwrap_or_default()
        };
        let (billed, now) = (values(self), values(now));
        FIELDS
            .into_iter()
            .map(|field| Difference { field, billed: billed[field].clone(), now: now[field].clone() })
            .filter(|part| part.billed != part.now)
            .collect()
    }

    /// What to ask about before it is billed. An organisation without rates bills nothing here.
    pub(crate) fn concerns(&self, has_rates: bool) -> Vec<Concern> {
        let mut found = Vec::new();
        let mut ask = |code, text: String| found.push(Concern { code, text });
        let expects = |rate: Option<f64>| rate.is_some_and(|rate| rate > 0.0);
        match self.total {
            None if has_rates => ask("no_rate", "No billing rate applies, nothing is charged".to_owned()),
            Some(total) if total <= 0.0 => ask("zero", format!("The total is {total:.2}")),
            _ => {}
        }
        if expects(self.cost_per_km) && self.km <= 0.0 {
            ask("no_km", "The rate charges kilometres, but none were driven".to_owned());
        }
        if expects(self.cost_per_hour) && self.hours <= 0.0 {
            ask("no_hours", "The rate charges hours, but there are none".to_owned());
        }
        if expects(self.cost_per_drop) {
            let missing = self.stops - self.drops;
            if self.drops == 0 {
                let stops = self.stops;
                ask("no_drops", format!("The rate charges drops, but none of {stops} stops has a proof"));
            } else if missing > 0 {
                let text = format!("{missing} of {} stops have no proof and are not charged", self.stops);
                ask("drops_without_proof", text);
            }
        }
        found
    }
}

/// Whether the organisation has rates at all.
///
/// # Errors
/// Database faults.
pub(crate) async fn any_rates(connection: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from billing_rates)").fetch_one(connection).await?)
}

/// What decides about a new bill.
pub(crate) struct Making<'a> {
    /// `validated` or `accepted`.
    pub(crate) kind: &'static str,
    /// By whom.
    pub(crate) user: i64,
    /// When.
    pub(crate) at: DateTime<Utc>,
    /// Why.
    pub(crate) reason: Option<&'a str>,
    /// Currency of rates that name none.
    pub(crate) currency: &'a str,
}

/// Keeps what a run is charged now as its bill in force, the next version.
///
/// # Errors
/// 404 without the run.
pub(crate) async fn make(connection: &mut PgConnection, run: i64, making: &Making<'_>) -> Result<i64> {
    let costed = read::of_runs(connection, &[run]).await?.pop().ok_or_else(|| Error::not_found("Run"))?;
    let mut charge = costed.charge_now();
    charge.currency.get_or_insert_with(|| making.currency.to_owned());
    let mut row = serde_json::to_value(&charge)?;
    row["run_id"] = run.into();
    row["run_uid"] = costed.uid.clone().into();
    row["date"] = serde_json::to_value(costed.date)?;
    row["kind"] = making.kind.into();
    row["rounding"] = ROUNDING.into();
    row["evidence"] = serde_json::to_value(evidence(connection, &costed).await?)?;
    row["made_at"] = serde_json::to_value(making.at)?;
    row["made_by_id"] = making.user.into();
    row["reason"] = making.reason.into();
    let bill: i64 = sqlx::query_scalar(
        "insert into run_bills (run_id, version, kind, run_uid, date, driver, vehicle, rate_id, rate, rate_source, currency,
             cost_per_run, cost_per_km, cost_per_hour, cost_per_drop, km, hours, drops, stops, run_amount, km_amount,
             hour_amount, drop_amount, total, rounding, evidence, made_at, made_by_id, reason)
         select b.run_id, coalesce((select max(version) from run_bills o where o.run_id = b.run_id), 0) + 1, b.kind, b.run_uid,
             b.date, d.uid, b.vehicle, b.rate_id, b.rate, b.rate_source, b.currency, b.cost_per_run, b.cost_per_km,
             b.cost_per_hour, b.cost_per_drop, b.km, b.hours, b.drops, b.stops, b.run_amount, b.km_amount, b.hour_amount,
             b.drop_amount, b.total, b.rounding, b.evidence, b.made_at, b.made_by_id, b.reason
         from jsonb_populate_record(null::run_bills, $1) b join runs r on r.id = b.run_id
             join drivers d on d.id = r.driver_id
         returning id",
    )
    .bind(row)
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query("update runs set bill_id = $2 where id = $1")
        .bind(run)
        .bind(bill)
        .execute(connection)
        .await?;
    Ok(bill)
}

async fn evidence(connection: &mut PgConnection, run: &CostedRun) -> Result<Evidence> {
    let job_proof_ids = sqlx::query_scalar(
        "select p.id from job_proofs p join jobs j on j.id = p.job_id where j.run_id = $1 order by p.id",
    )
    .bind(run.id)
    .fetch_all(connection)
    .await?;
    Ok(Evidence { job_proof_ids, ..run.evidence() })
}

/// All bills of a run, the first one first.
///
/// # Errors
/// Database faults.
pub(crate) async fn of_run(connection: &mut PgConnection, run: i64) -> Result<Vec<Bill>> {
    let rows: Vec<Jsonb<Bill>> =
        sqlx::query_scalar("select to_jsonb(b) from run_bills b where b.run_id = $1 order by b.version")
            .bind(run)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
