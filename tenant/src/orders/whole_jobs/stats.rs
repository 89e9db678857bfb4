//! Numbers over many jobs.

use std::collections::BTreeMap;

use axum::Json;
use routewright_core::http::Query;
use routewright_core::{Error, Result};
use routewright_solver::Size;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// Which jobs are counted; all of the organisation without.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "JobsToCount")]
pub(super) struct Which {
    /// Ids of scenarios, comma-joined.
    scenario_ids: Option<String>,
    /// Ids of runs, comma-joined.
    run_ids: Option<String>,
    /// Only the pool.
    pool: Option<bool>,
}

/// The numbers.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Stats {
    total: usize,
    served: usize,
    unserved: usize,
    visited: usize,
    successful: usize,
    unsuccessful: usize,
    priority: usize,
    units_count: i64,
    returns_count: i64,
    /// Sum by key of the size; of alternative measures the first.
    total_size: BTreeMap<String, f64>,
    /// Grams, from the extra field `real_weight`.
    total_weight: f64,
    /// Cubic centimetres, from the extra field `parcel_volume`.
    total_volume: f64,
}

#[derive(FromRow)]
struct Counted {
    served: bool,
    success: Option<bool>,
    priority: bool,
    size: Option<String>,
    real_weight: Option<String>,
    parcel_volume: Option<String>,
    units_count: i64,
    returns_count: i64,
}

/// `GET /jobs/stats`.
pub(super) async fn stats(mut db: Db, Query(which): Query<Which>) -> Result<Json<Stats>> {
    let scenarios = ids("scenario_ids", which.scenario_ids.as_deref())?;
    let runs = ids("run_ids", which.run_ids.as_deref())?;
    let haulier = db.caller().haulier_id();
    let jobs: Vec<Counted> = sqlx::query_as(
        "select j.run_id is not null as served, j.priority, j.size, j.extra_fields ->> 'real_weight' as real_weight,
             j.extra_fields ->> 'parcel_volume' as parcel_volume,
             (select p.success from job_proofs p where p.job_id = j.id order by p.record_time desc, p.id desc limit 1) as success,
             (select count(*) from units u where u.job_id = j.id) as units_count,
             (select count(*) from returns r where r.job_id = j.id) as returns_count
         from jobs j
         where ($1::bigint[] is null or j.scenario_id = any($1)) and ($2::bigint[] is null or j.run_id = any($2))
             and ($3::boolean is null or (j.scenario_id is null) = $3)
             and ($4::bigint is null or exists (select from runs hr left join drivers hd on hd.id = hr.driver_id
                 left join vehicles hv on hv.id = hr.vehicle_id
                 where hr.id = j.run_id and (hd.haulier_id = $4 or hv.haulier_id = $4)))",
    )
    .bind(scenarios)
    .bind(runs)
    .bind(which.pool)
    .bind(haulier)
    .fetch_all(&mut *db)
    .await?;
    let mut stats = Stats::default();
    for job in &jobs {
        stats.count(job);
    }
    Ok(Json(stats))
}

impl Stats {
    fn count(&mut self, job: &Counted) {
        self.total += 1;
        self.served += usize::from(job.served);
        self.unserved += usize::from(!job.served);
        self.visited += usize::from(job.success.is_some());
        self.successful += usize::from(job.success == Some(true));
        self.unsuccessful += usize::from(job.success == Some(false));
        self.priority += usize::from(job.priority);
        self.units_count += job.units_count;
        self.returns_count += job.returns_count;
        let size = job.size.as_deref().and_then(|size| size.parse::<Size>().ok()).unwrap_or_default();
        for part in size.0.first().map(|clause| clause.0.as_slice()).unwrap_or_default() {
            // Sizes are held in thousandths.
            *self.total_size.entry(part.key.clone()).or_default() += part.amount as f64 / 1000.0;
        }
        self.total_weight += number(job.real_weight.as_deref());
        self.total_volume += number(job.parcel_volume.as_deref());
    }
}

/// A number typed into an extra field; what is none counts as 0.
fn number(text: Option<&str>) -> f64 {
    text.and_then(|text| text.trim().replace(',', ".").parse::<f64>().ok())
        .filter(|number| number.is_finite())
        .unwrap_or_default()
}

fn ids(name: &str, text: Option<&str>) -> Result<Option<Vec<i64>>> {
    text.map(|text| {
        text.split(',')
            .map(str::trim)
            .filter(|id| !id.is_empty())
            .map(|id| id.parse().map_err(|_| Error::filters(format!("{name} `{id}` is not a number"))))
            .collect()
    })
    .transpose()
}
