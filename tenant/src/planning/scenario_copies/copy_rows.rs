//! Copies runs, jobs, units and returns.

use std::collections::HashMap;

use routewright_core::Result;
use routewright_tenancy::Db;
use serde_json::Value;

use super::copy::{Ids, Shift, columns};
use super::items::Wanted;
use crate::app::App;
use crate::orders::jobs;

/// Runs with tokens of their own. Without jobs they are empty and have no plan; what was driven, dispatched and
/// validated goes with the proofs only.
pub(super) async fn runs(
    db: &mut Db,
    app: &App,
    from: i64,
    to: i64,
    wanted: Wanted,
    shift: &Shift,
) -> Result<Ids> {
    let organisation = db.caller().organisation()?;
    let old: Vec<i64> = sqlx::query_scalar("select id from runs where scenario_id = $1 order by id")
        .bind(from)
        .fetch_all(&mut **db)
        .await?;
    let tokens: Vec<String> = old.iter().map(|_| app.gate.links.long(organisation)).collect();
    let by_token: HashMap<&String, i64> = tokens.iter().zip(old.iter().copied()).collect();
    let made: Vec<(i64, String)> = sqlx::query_as(
        "insert into runs (uid, token, scenario_id, driver_id, driver_user_id, vehicle_id, billing_rate_id,
             start_location_id, start_address, start_lat, start_lon, end_location_id, end_address, end_lat, end_lon, route_end,
             preferred_method, route_colour, capacity, alternatives_group, email, phone_number, spec_type, shift_start,
             shift_end, lunch_time, lunch_latest_start, lunch_duration, speed_multiplier, device_id, territory_ids,
             min_billing_hours)
         select r.uid, new.token, $3, r.driver_id, r.driver_user_id, r.vehicle_id, r.billing_rate_id,
             r.start_location_id, r.start_address, r.start_lat, r.start_lon, r.end_location_id, r.end_address, r.end_lat,
             r.end_lon, r.route_end, r.preferred_method, r.route_colour, r.capacity, r.alternatives_group, r.email,
             r.phone_number, r.spec_type, r.shift_start, r.shift_end, r.lunch_time, r.lunch_latest_start, r.lunch_duration,
             r.speed_multiplier, r.device_id, r.territory_ids, r.min_billing_hours
         from unnest($1::bigint[], $2::text[]) as new (old_id, token) join runs r on r.id = new.old_id order by r.id
         returning id, token",
    )
    .bind(&old)
    .bind(&tokens)
    .bind(to)
    .fetch_all(&mut **db)
    .await?;
    let ids: Ids = made.iter().filter_map(|(id, token)| Some((*by_token.get(token)?, *id))).collect();
    if wanted.jobs {
        plans(db, &ids, shift).await?;
    }
    if wanted.proofs {
        actuals(db, &ids, shift).await?;
    }
    Ok(ids)
}

async fn plans(db: &mut Db, ids: &Ids, shift: &Shift) -> Result<()> {
    let (old, new) = columns(ids);
    sqlx::query(
        "update runs set distance = r.distance, total_driving_time = r.total_driving_time,
             total_job_duration = r.total_job_duration, fuel_consumption = r.fuel_consumption,
             co2_emissions = r.co2_emissions, route = r.route, roads_source = r.roads_source,
             departure_fixed = r.departure_fixed, planned_start_time = ((r.planned_start_time at time zone $4) + make_interval(days => $3)) at time zone $4,
             planned_end_time = greatest(
                 ((r.planned_start_time at time zone $4) + make_interval(days => $3)) at time zone $4,
                 ((r.planned_end_time at time zone $4) + make_interval(days => $3)) at time zone $4)
         from unnest($1::bigint[], $2::bigint[]) as pair (old_id, new_id) join runs r on r.id = pair.old_id
         where runs.id = pair.new_id",
    )
    .bind(old)
    .bind(new)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// What was driven; never what was billed, which happens once.
async fn actuals(db: &mut Db, ids: &Ids, shift: &Shift) -> Result<()> {
    let (old, new) = columns(ids);
    sqlx::query(
        "update runs set start_odometer = r.start_odometer, end_odometer = r.end_odometer,
             additional_billing_kms = r.additional_billing_kms, actual_fuel_consumption = r.actual_fuel_consumption,
             actual_co2_emissions = r.actual_co2_emissions, dispatched = r.dispatched, dispatched_at = r.dispatched_at,
             actual_start_time = ((r.actual_start_time at time zone $4) + make_interval(days => $3)) at time zone $4,
             actual_end_time = case when r.actual_end_time is not null then greatest(
                 ((r.actual_start_time at time zone $4) + make_interval(days => $3)) at time zone $4,
                 ((r.actual_end_time at time zone $4) + make_interval(days => $3)) at time zone $4) end,
             billing_start_time = ((r.billing_start_time at time zone $4) + make_interval(days => $3)) at time zone $4
         from unnest($1::bigint[], $2::bigint[]) as pair (old_id, new_id) join runs r on r.id = pair.old_id
         where runs.id = pair.new_id",
    )
    .bind(old)
    .bind(new)
    .bind(shift.days)
    .bind(&shift.zone)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// Jobs with their tags and tokens of their own; unserved unless their run is copied too.
pub(super) async fn jobs(
    db: &mut Db,
    app: &App,
    from: i64,
    to: i64,
    runs: &Ids,
    wanted: Wanted,
    shift: &Shift,
) -> Result<Ids> {
    let organisation = db.caller().organisation()?;
    let old: Vec<i64> = sqlx::query_scalar("select id from jobs where scenario_id = $1 order by id")
        .bind(from)
        .fetch_all(&mut **db)
        .await?;
    let tokens = jobs::store::tracking_tokens(db, &app.gate.links, organisation, old.len()).await?;
    let by_token: HashMap<&String, i64> = tokens.iter().zip(old.iter().copied()).collect();
    let (old_runs, new_runs) = columns(runs);
    let made: Vec<(i64, String)> = sqlx::query_as(
        "insert into jobs (uid, scenario_id, run_id, seq, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, customer_instructions,
             customer_safe_place, invoice, reference, pickup_from, deliver_to, idm, extra_fields, eta, etd,
             updated_eta, wait_seconds)
         select j.uid, $3, run.new_id, case when run.new_id is not null then j.seq end, new.token, j.timezone, j.location_id,
             j.address, j.lat, j.lon, j.client_id, j.customer_name, j.customer_email, j.phone_number, j.duration,
             j.arrive_after, j.leave_by, j.size, j.spec_type, j.priority, j.colour, j.comments, j.consignee_info,
             j.consignor_info, j.external_comments, j.dock_location, j.customer_instructions, j.customer_safe_place,
             j.invoice, j.reference, j.pickup_from, j.deliver_to, j.idm, j.extra_fields,
             case when run.new_id is not null then
                 ((j.eta at time zone $7) + make_interval(days => $6)) at time zone $7 end,
             case when run.new_id is not null and j.etd is not null then greatest(
                 ((j.eta at time zone $7) + make_interval(days => $6)) at time zone $7,
                 ((j.etd at time zone $7) + make_interval(days => $6)) at time zone $7) end,
             case when run.new_id is not null and $8 then
                 ((j.updated_eta at time zone $7) + make_interval(days => $6)) at time zone $7 end,
             case when run.new_id is not null then j.wait_seconds else 0 end
         from unnest($1::bigint[], $2::text[]) as new (old_id, token) join jobs j on j.id = new.old_id
             left join unnest($4::bigint[], $5::bigint[]) as run (old_id, new_id) on run.old_id = j.run_id
         order by j.id
         returning id, tracking_token",
    )
    .bind(&old)
    .bind(&tokens)
    .bind(to)
    .bind(old_runs)
    .bind(new_runs)
    .bind(shift.days)
    .bind(&shift.zone)
    .bind(wanted.proofs)
    .fetch_all(&mut **db)
    .await?;
    let ids: Ids = made.iter().filter_map(|(id, token)| Some((*by_token.get(token)?, *id))).collect();
    let (old, new) = columns(&ids);
    sqlx::query(
        "insert into job_tags (job_id, tag_id)
         select pair.new_id, t.tag_id from unnest($1::bigint[], $2::bigint[]) as pair (old_id, new_id)
             join job_tags t on t.job_id = pair.old_id",
    )
    .bind(old)
    .bind(new)
    .execute(&mut **db)
    .await?;
    Ok(ids)
}

/// Units of the copied jobs. A container holds originals only.
pub(super) async fn units(db: &mut Db, jobs: &Ids) -> Result<Ids> {
    let (old_jobs, new_jobs) = columns(jobs);
    let old: Vec<i64> = sqlx::query_scalar("select id from units where job_id = any($1) order by id")
        .bind(&old_jobs)
        .fetch_all(&mut **db)
        .await?;
    let new: Vec<i64> = sqlx::query_scalar(
        "insert into units (uid, name, invoice, reference, extra_fields, job_id)
         select u.uid, u.name, u.invoice, u.reference, u.extra_fields, pair.new_id
         from unnest($1::bigint[], $2::bigint[]) as pair (old_id, new_id) join units u on u.job_id = pair.old_id
         order by u.id returning id",
    )
    .bind(&old_jobs)
    .bind(&new_jobs)
    .fetch_all(&mut **db)
    .await?;
    Ok(old.into_iter().zip(new).collect())
}

/// Returns of the copied jobs.
pub(super) async fn returns(db: &mut Db, jobs: &Ids) -> Result<Ids> {
    let (old_jobs, new_jobs) = columns(jobs);
    let old: Vec<i64> = sqlx::query_scalar("select id from returns where job_id = any($1) order by id")
        .bind(&old_jobs)
        .fetch_all(&mut **db)
        .await?;
    let new: Vec<i64> = sqlx::query_scalar(
        "insert into returns (uid, comments, client_id, extra_fields, job_id)
         select r.uid, r.comments, r.client_id, r.extra_fields, pair.new_id
         from unnest($1::bigint[], $2::bigint[]) as pair (old_id, new_id) join returns r on r.job_id = pair.old_id
         order by r.id returning id",
    )
    .bind(&old_jobs)
    .bind(&new_jobs)
    .fetch_all(&mut **db)
    .await?;
    Ok(old.into_iter().zip(new).collect())
}

/// Legs of routes name jobs: those of the copies name the copies.
pub(super) async fn routes(db: &mut Db, runs: &Ids, jobs: &Ids) -> Result<()> {
    let new: Vec<i64> = runs.values().copied().collect();
    let routes: Vec<(i64, Value)> =
        sqlx::query_as("select id, route from runs where id = any($1) and route is not null")
            .bind(new)
            .fetch_all(&mut **db)
            .await?;
    for (run, mut route) in routes {
        for leg in route["legs"].as_array_mut().into_iter().flatten() {
            for end in ["from_job_id", "to_job_id"] {
                if let Some(copy) = leg[end].as_i64().and_then(|old| jobs.get(&old)) {
                    leg[end] = (*copy).into();
                }
            }
        }
        sqlx::query("update runs set route = $2 where id = $1")
            .bind(run)
            .bind(route)
            .execute(&mut **db)
            .await?;
    }
    Ok(())
}
