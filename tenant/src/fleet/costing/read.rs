//! Reads runs together with what they are charged: the bill of a validated run, else by the run's own rate, else by the
//! vehicle's. Whoever tells what a run costs reads it here.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::{Jsonb, Result};
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

use super::bill::{Bill, Charge, Evidence};
use super::formula::{Rate, Usage};

/// One run's cost as lists show it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunCost {
    /// The run.
    pub run_id: i64,
    /// Its uid.
    pub uid: String,
    /// Its day.
    pub date: NaiveDate,
    /// Kilometres charged.
    pub km: Option<f64>,
    /// Hours charged.
    pub hours: Option<f64>,
    /// Drops charged.
    pub drops: i64,
    /// Cost; none without a rate.
    pub cost: Option<f64>,
}

/// A run with everything its cost depends on.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct CostedRun {
    pub(crate) id: i64,
    pub(crate) uid: String,
    pub(crate) date: NaiveDate,
    pub(crate) driver: String,
    start_odometer: Option<Decimal>,
    end_odometer: Option<Decimal>,
    additional_billing_kms: Decimal,
    min_billing_hours: Decimal,
    billing_start_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    distance: i32,
    planned_seconds: i32,
    jobs: i64,
    proven: i64,
    vehicle: Option<String>,
    /// The haulier of its driver, else of its vehicle.
    pub(crate) haulier_id: Option<i64>,
    rate_id: Option<i64>,
    rate_source: Option<String>,
    rate_name: Option<String>,
    currency: Option<String>,
    /// Name of the rate of its vehicle, be it in force or not.
    pub(crate) vehicle_rate: Option<String>,
    /// In force, of a validated run.
    pub(crate) bill: Option<Jsonb<Bill>>,
    cost_per_run: Option<Decimal>,
    cost_per_km: Option<Decimal>,
    cost_per_hour: Option<Decimal>,
    cost_per_drop: Option<Decimal>,
}

impl CostedRun {
    fn usage(&self) -> Usage {
        let closed = self.start_odometer.is_some()
            && self.end_odometer.is_some()
            && self.actual_start_time.is_some()
            && self.actual_end_time.is_some();
        let billed_seconds = self
            .billing_start_time
            .zip(self.actual_end_time)
            .map(|(start, end)| (end - start).num_seconds().max(0));
        Usage {
            start_odometer: self.start_odometer,
            end_odometer: self.end_odometer,
            additional_km: self.additional_billing_kms,
            min_hours: self.min_billing_hours,
            billed_seconds,
            closed,
            planned_metres: self.distance.into(),
            planned_seconds: self.planned_seconds.into(),
            drops: if closed { self.proven } else { self.jobs },
        }
    }

    /// `billing_km` of the contract.
    pub(crate) fn billing_km(&self) -> Option<f64> {
        match &self.bill {
            Some(bill) => Some(bill.charge.km),
            None => self.usage().billing_km().and_then(|km| km.to_f64()),
        }
    }

    /// `billing_time` of the contract, hours.
    pub(crate) fn billing_hours(&self) -> Option<f64> {
        match &self.bill {
            Some(bill) => Decimal::from_f64(bill.charge.hours).and_then(|hours| hours.round_dp(4).to_f64()),
            None => self.usage().billing_hours().and_then(|hours| hours.round_dp(4).to_f64()),
        }
    }

    fn rate(&self) -> Option<Rate> {
        Some(Rate {
            run: self.cost_per_run?,
            km: self.cost_per_km?,
            hour: self.cost_per_hour?,
            drop: self.cost_per_drop?,
        })
    }

    /// `estimated_cost` of the contract; none without a rate.
    pub(crate) fn cost(&self) -> Option<f64> {
        match &self.bill {
            Some(bill) => bill.charge.total,
            None => self.usage().cost(&self.rate()?).to_f64(),
        }
    }

    /// Currency of the cost; none for the organisation's.
    pub(crate) fn currency(&self) -> Option<&str> {
        match &self.bill {
            Some(bill) => bill.charge.currency.as_deref(),
            None => self.currency.as_deref(),
        }
    }

    /// What it is charged: by its bill, else as it stands.
    pub(crate) fn charge(&self) -> Charge {
        self.bill.as_ref().map_or_else(|| self.charge_now(), |bill| bill.charge.clone())
    }

    /// What it would be charged if it was validated now.
    pub(crate) fn charge_now(&self) -> Charge {
        let usage = self.usage();
        let (km, hours) = usage.charged();
        let amounts = self.rate().map(|rate| usage.amounts(&rate));
        let number = |value: Decimal| value.to_f64().unwrap_or_default();
        let amount = |of: fn(&super::formula::Amounts) -> Decimal| amounts.as_ref().map(of).map(number);
        Charge {
            vehicle: self.vehicle.clone(),
            rate_id: self.rate_id,
            rate: self.rate_name.clone(),
            rate_source: self.rate_source.clone(),
            currency: self.currency.clone(),
            cost_per_run: self.cost_per_run.map(number),
            cost_per_km: self.cost_per_km.map(number),
            cost_per_hour: self.cost_per_hour.map(number),
            cost_per_drop: self.cost_per_drop.map(number),
            km: number(km.round_dp(3)),
            hours: number(hours.round_dp(6)),
            drops: usage.drops,
            stops: self.jobs,
            run_amount: amount(|told| told.run),
            km_amount: amount(|told| told.km),
            hour_amount: amount(|told| told.hour),
            drop_amount: amount(|told| told.drop),
            total: amount(|told| told.total),
        }
    }

    /// What is counted now, without the proofs.
    pub(super) fn evidence(&self) -> Evidence {
        let number = |value: Decimal| value.to_f64().unwrap_or_default();
        Evidence {
            start_odometer: self.start_odometer.map(number),
            end_odometer: self.end_odometer.map(number),
            additional_billing_kms: number(self.additional_billing_kms),
            min_billing_hours: number(self.min_billing_hours),
            billing_start_time: self.billing_start_time,
            actual_start_time: self.actual_start_time,
            actual_end_time: self.actual_end_time,
            billed_seconds: self.usage().billed_seconds,
            job_proof_ids: Vec::new(),
        }
    }

    /// What its cost changes by when so many metres, seconds of driving and service, and stops are added to its plan; none
    /// without a rate.
    pub(crate) fn cost_of_more(&self, metres: i64, seconds: i64, drops: i64) -> Option<f64> {
        let rate = self.rate()?;
        let usage = self.usage();
        let more = Usage {
            planned_metres: (usage.planned_metres + metres).max(0),
            planned_seconds: (usage.planned_seconds + seconds).max(0),
            drops: (usage.drops + drops).max(0),
            ..usage
        };
        (more.cost(&rate) - usage.cost(&rate)).to_f64()
    }

    pub(crate) fn summary(&self) -> RunCost {
        let charge = self.charge();
        let hours = Decimal::from_f64(charge.hours).and_then(|hours| hours.round_dp(4).to_f64());
        RunCost {
            run_id: self.id,
            uid: self.uid.clone(),
            date: self.date,
            km: Some(charge.km),
            hours,
            drops: charge.drops,
            cost: charge.total,
        }
    }
}

/// The runs of a vehicle on scenarios scheduled in the range, both ends included.
pub(crate) async fn of_vehicle(
    connection: &mut PgConnection,
    vehicle: i64,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Vec<RunCost>> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "select r.id from runs r join scenarios s on s.id = r.scenario_id
         where r.vehicle_id = $1 and s.scheduled_date between $2 and $3 order by s.scheduled_date, r.id",
    )
    .bind(vehicle)
    .bind(from)
    .bind(to)
    .fetch_all(&mut *connection)
    .await?;
    Ok(of_runs(connection, &ids).await?.iter().map(CostedRun::summary).collect())
}

/// The given runs, in the order of their dates.
pub(crate) async fn of_runs(connection: &mut PgConnection, runs: &[i64]) -> Result<Vec<CostedRun>> {
    let rows = sqlx::query_as(
        "select r.id, r.uid, s.scheduled_date as date, d.uid as driver, r.start_odometer, r.end_odometer, r.additional_billing_kms,
             r.min_billing_hours, r.billing_start_time, r.actual_start_time, r.actual_end_time, r.distance,
             r.total_driving_time + r.total_job_duration as planned_seconds,
             (select count(*) from jobs j where j.run_id = r.id) as jobs,
             (select count(*) from jobs j where j.run_id = r.id
                and exists (select from job_proofs p where p.job_id = j.id)) as proven,
             v.uid as vehicle, coalesce(d.haulier_id, v.haulier_id) as haulier_id,
             coalesce(own.id, vehicle.id) as rate_id,
             case when own.id is not null then 'run' when vehicle.id is not null then 'vehicle' end as rate_source,
             coalesce(kept.name, own.name, vehicle.name) as rate_name,
             case when kept.name is not null then kept.currency
                 when own.id is not null then own.currency else vehicle.currency end as currency,
             vehicle.name as vehicle_rate,
             coalesce(kept.per_run, own.cost_per_run, vehicle.cost_per_run) as cost_per_run,
             coalesce(kept.per_km, own.cost_per_km, vehicle.cost_per_km) as cost_per_km,
             coalesce(kept.per_hour, own.cost_per_hour, vehicle.cost_per_hour) as cost_per_hour,
             coalesce(kept.per_drop, own.cost_per_drop, vehicle.cost_per_drop) as cost_per_drop,
             to_jsonb(b) as bill
         from runs r
         join scenarios s on s.id = r.scenario_id
         join drivers d on d.id = r.driver_id
         left join billing_rates own on own.id = r.billing_rate_id
         left join vehicles v on v.id = r.vehicle_id
         left join billing_rates vehicle on vehicle.id = v.billing_rate_id
         left join run_bills b on b.id = r.bill_id
         -- Of a run that a former release validates while this one is rolled out.
         left join lateral (select r.rate_name as name, r.rate_currency as currency, r.rate_cost_per_run as per_run,
             r.rate_cost_per_km as per_km, r.rate_cost_per_hour as per_hour, r.rate_cost_per_drop as per_drop
             where r.bill_id is null) kept on true
         where r.id = any($1)
         order by s.scheduled_date, r.id",
    )
    .bind(runs)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
