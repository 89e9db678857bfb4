//! Sums of what runs cost: per currency, and apart for what is billed and what is not yet.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::RawQuery;
use routewright_core::{Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use super::{BillingStatus, FROM, SHAPE, narrow, status_of};
use crate::fleet::costing;
use crate::setup::excel_exports::{self, From, Wanted};
use crate::setup::settings::Settings;

/// Most runs that are summed at once.
const MOST: i64 = 50_000;

/// The runs of one currency and status.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunCostTotal")]
pub(super) struct Total {
    /// ISO 4217 code.
    currency: String,
    /// `validated` or `pending`.
    billing_status: BillingStatus,
    /// Runs.
    runs: i64,
    /// Those of them without a rate, which cost nothing here.
    without_rate: i64,
    /// Kilometres charged.
    km: f64,
    /// Hours charged.
    hours: f64,
    /// Drops charged.
    drops: i64,
    /// For runs.
    run_amount: f64,
    /// For kilometres.
    km_amount: f64,
    /// For hours.
    hour_amount: f64,
    /// For drops.
    drop_amount: f64,
    /// Together.
    cost: f64,
}

/// `GET /run_cost_calculator/totals`: of all runs that the list's filters find.
pub(super) async fn get(mut db: Db, RawQuery(query): RawQuery) -> Result<Json<Vec<Total>>> {
    let caller = db.caller().clone();
    let wanted = Wanted::parse(query.as_deref())?;
    let source = From { select: "r.id, r.validated_at", from: FROM, shape: &SHAPE };
    let found: Option<Vec<(i64, Option<chrono::DateTime<chrono::Utc>>)>> =
        excel_exports::all(&mut db, &wanted, source, MOST, |query, conditions| {
            narrow(&caller, query, conditions)
        })
        .await?;
    let Some(found) = found else {
        return Err(Error::bad_request(format!("More than {MOST} runs; choose a shorter period")));
    };
    let status: BTreeMap<i64, BillingStatus> =
        found.into_iter().map(|(id, at)| (id, status_of(at))).collect();
    let ids: Vec<i64> = status.keys().copied().collect();
    let own = Settings::of(caller.policy()?).currency;
    let mut totals: BTreeMap<(String, BillingStatus), Total> = BTreeMap::new();
    for run in costing::of_runs(&mut db, &ids).await? {
        let Some(status) = status.get(&run.id).copied() else { continue };
        let currency = run.currency().unwrap_or(&own).to_owned();
        let charge = run.charge();
        let total = totals.entry((currency.clone(), status)).or_insert_with(|| Total::none(currency, status));
        total.runs += 1;
        total.without_rate += i64::from(charge.total.is_none());
        total.drops += charge.drops;
        for (sum, value) in [
            (&mut total.km, Some(charge.km)),
            (&mut total.hours, Some(charge.hours)),
            (&mut total.run_amount, charge.run_amount),
            (&mut total.km_amount, charge.km_amount),
            (&mut total.hour_amount, charge.hour_amount),
            (&mut total.drop_amount, charge.drop_amount),
            (&mut total.cost, charge.total),
        ] {
            *sum += value.unwrap_or_default();
        }
    }
    Ok(Json(totals.into_values().map(Total::rounded).collect()))
}

impl Total {
    fn none(currency: String, billing_status: BillingStatus) -> Self {
        Self {
            currency,
            billing_status,
            runs: 0,
            without_rate: 0,
            km: 0.0,
            hours: 0.0,
            drops: 0,
            run_amount: 0.0,
            km_amount: 0.0,
            hour_amount: 0.0,
            drop_amount: 0.0,
            cost: 0.0,
        }
    }

    /// Without what adding decimals leaves behind.
    fn rounded(mut self) -> Self {
        for sum in [
            &mut self.km,
            &mut self.hours,
            &mut self.run_amount,
            &mut self.km_amount,
            &mut self.hour_amount,
            &mut self.drop_amount,
            &mut self.cost,
        ] {
            *sum = costing::round(*sum);
        }
        self
    }
}
