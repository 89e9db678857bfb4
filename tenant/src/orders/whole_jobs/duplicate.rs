//! A copy of a job with some of its units (S-29).

use axum::extract::State;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::app::App;
use crate::orders::items;
use crate::orders::jobs::{self, Job};

/// A job and those of its units that are copied too.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DuplicateJobs")]
pub(super) struct Duplicate {
    job_id: i64,
    #[serde(default)]
    unit_ids: Vec<i64>,
}

/// `POST /duplicate_job`: in the same scenario or the pool, unserved, without proofs, with a tracking token of its own. It has no links: a link has
/// two sides, and nobody asked for the others to be changed.
pub(super) async fn duplicate(
    mut db: Db,
    State(app): State<App>,
    Body(body): Body<Duplicate>,
) -> Result<Created<Job>> {
    let caller = db.caller().clone();
    let original: Job = resource::find(&mut db, &caller, body.job_id).await?;
    let mut unit_ids = body.unit_ids;
    unit_ids.sort_unstable();
    unit_ids.dedup();
    let known: Vec<i64> = sqlx::query_scalar("select id from units where id = any($1) and job_id = $2")
        .bind(&unit_ids)
        .bind(original.id)
        .fetch_all(&mut *db)
        .await?;
    if known.len() != unit_ids.len() {
        return Err(Error::field("unit_ids", "Unit not found on this job"));
    }
    if let Some(scenario) = original.scenario_id {
        // Two copies made at once must not get the same uid.
        sqlx::query("select id from scenarios where id = $1 for no key update")
            .bind(scenario)
            .execute(&mut *db)
            .await?;
    }
    let taken: Vec<String> =
        sqlx::query_scalar("select uid from jobs where scenario_id is not distinct from $1")
            .bind(original.scenario_id)
            .fetch_all(&mut *db)
            .await?;
    let token =
        jobs::store::tracking_tokens(&mut db, &app.gate.links, caller.organisation()?, 1).await?.pop();
    let copy: i64 = sqlx::query_scalar(
        "insert into jobs (uid, scenario_id, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, idm, extra_fields)
         select $2, scenario_id, $3, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, idm, extra_fields
         from jobs where id = $1 returning id",
    )
    .bind(original.id)
    .bind(items::next_free(&original.uid, &taken))
    .bind(token)
    .fetch_one(&mut *db)
    .await?;
    copy_attachments(&mut db, original.id, copy, &unit_ids).await?;
    let made: Job = resource::find(&mut db, &caller, copy).await?;
    jobs::store::tell(&mut db, &caller, "job_created", &made).await?;
    resource::find(&mut db, &caller, copy).await.map(Created)
}

async fn copy_attachments(db: &mut Db, original: i64, copy: i64, units: &[i64]) -> Result<()> {
    sqlx::query(
        "insert into job_tags (job_id, tag_id) select $2::bigint, tag_id from job_tags where job_id = $1",
    )
    .bind(original)
    .bind(copy)
    .execute(&mut **db)
    .await?;
    sqlx::query(
        "insert into units (uid, name, invoice, reference, extra_fields, job_id)
         select uid, name, invoice, reference, extra_fields, $2::bigint from units where id = any($1) order by id",
    )
    .bind(units)
    .bind(copy)
    .execute(&mut **db)
    .await?;
    Ok(())
}
