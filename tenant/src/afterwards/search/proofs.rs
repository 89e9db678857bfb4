//! Search of jobs that have a proof.

use chrono::{DateTime, Utc};
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Jsonb, Result};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::orders::items::ItemScenario;
use crate::orders::jobs::Job;

/// A job's latest proof.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct FoundProof {
    job_id: i64,
    uid: String,
    customer_name: Option<String>,
    address: String,
    scenario: Option<Jsonb<ItemScenario>>,
    run_uid: Option<String>,
    proof_time: DateTime<Utc>,
    success: bool,
    /// Name of the reason.
    reason: Option<String>,
    has_signature: bool,
    photos_count: i32,
}

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "j.uid"),
        Filter::text("customer_name", "j.customer_name"),
        Filter::text("address", "j.address"),
        Filter::id("job_id", "j.id"),
        Filter::id("scenario_id", "j.scenario_id"),
        Filter::id("run_id", "j.run_id"),
        Filter::id("driver_id", "r.driver_id"),
        Filter::id("reason_id", "proof.reason_id"),
        Filter::bool("success", "proof.success"),
        Filter::date("scheduled_date", "s.scheduled_date"),
        Filter::date("proof_time", "(proof.record_time at time zone j.timezone)::date"),
    ],
    search: &["j.uid", "j.customer_name", "j.address", "j.invoice", "j.reference"],
    sort: &[
        ("id", "j.id"),
        ("uid", "lower(j.uid)"),
        ("customer_name", "lower(j.customer_name)"),
        ("address", "lower(j.address)"),
        ("proof_time", "proof.record_time"),
        ("success", "proof.success"),
    ],
    order: "proof.record_time desc, j.id desc",
};

/// `GET /jobs/search_pod`.
pub(super) async fn search(mut db: Db, query: ListQuery) -> Result<Listed<FoundProof>> {
    let caller = db.caller().clone();
    let select = "j.id as job_id, j.uid, j.customer_name, j.address,
        case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name, 'scheduled_date', s.scheduled_date,
            'stage', s.stage) end as scenario,
        r.uid as run_uid, proof.record_time as proof_time, proof.success, e.name as reason,
        proof.signature_id is not null as has_signature, cardinality(proof.photo_ids) as photos_count";
    let from = "jobs j join lateral (
            select p.success, p.record_time, p.reason_id, p.signature_id, p.photo_ids from job_proofs p
            where p.job_id = j.id order by p.record_time desc, p.id desc limit 1
        ) proof on true left join scenarios s on s.id = j.scenario_id left join runs r on r.id = j.run_id
            left join reasons e on e.id = proof.reason_id";
    list::page(&mut db, select, from, query, &SHAPE, |conditions| Job::narrow(&caller, conditions)).await
}
