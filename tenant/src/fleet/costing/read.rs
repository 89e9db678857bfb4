//! Reads runs together with the rate that applies to them: the snapshot of a validated run, else the run's own rate,
//! else the vehicle's.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::Result;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::postgres::PgConnection;

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
    uid: String,
    date: NaiveDate,
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
    pub(crate) rate_name: Option<String>,
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
        self.usage().billing_km().and_then(|km| km.to_f64())
    }

    /// `billing_time` of the contract, hours.
    pub(crate) fn billing_hours(&self) -> Option<f64> {
        self.usage().billing_hours().and_then(|hours| hours.round_dp(4).to_f64())
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
        self.usage().cost(&self.rate()?).to_f64()
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
        let usage = self.usage();
        let (km, hours) = usage.charged();
        RunCost {
            run_id: self.id,
            uid: self.uid.clone(),
            date: self.date,
            km: km.round_dp(3).to_f64(),
            hours: hours.round_dp(4).to_f64(),
            drops: usage.drops,
            cost: self.cost(),
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
        "select r.id, r.uid, s.scheduled_date as date, r.start_odometer, r.end_odometer, r.additional_billing_kms,
             r.min_billing_hours, r.billing_start_time, r.actual_start_time, r.actual_end_time, r.distance,
             r.total_driving_time + r.total_job_duration as planned_seconds,
             (select count(*) from jobs j where j.run_id = r.id) as jobs,
             (select count(*) from jobs j where j.run_id = r.id
                and exists (select from job_proofs p where p.job_id = j.id)) as proven,
             coalesce(r.rate_name, own.name, vehicle.name) as rate_name,
             coalesce(r.rate_cost_per_run, own.cost_per_run, vehicle.cost_per_run) as cost_per_run,
             coalesce(r.rate_cost_per_km, own.cost_per_km, vehicle.cost_per_km) as cost_per_km,
             coalesce(r.rate_cost_per_hour, own.cost_per_hour, vehicle.cost_per_hour) as cost_per_hour,
             coalesce(r.rate_cost_per_drop, own.cost_per_drop, vehicle.cost_per_drop) as cost_per_drop
         from runs r
         join scenarios s on s.id = r.scenario_id
         left join billing_rates own on own.id = r.billing_rate_id
         left join vehicles v on v.id = r.vehicle_id
         left join billing_rates vehicle on vehicle.id = v.billing_rate_id
         where r.id = any($1)
         order by s.scheduled_date, r.id",
    )
    .bind(runs)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
