//! Search and export of runs.

use std::collections::{BTreeSet, HashMap};

use chrono::{NaiveTime, Utc};
use chrono_tz::Tz;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Error, Result};
use routewright_documents::exports::{self, RunRow};
use routewright_documents::sheet::Sheet;
use routewright_documents::{DistanceUnit, FuelUnit};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::plan::Status;
use crate::planning::runs::{self, Run};
use crate::setup::excel_exports::{self, From, Wanted, local};
use crate::setup::settings::Settings;

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "r.uid"),
        Filter::id("run_id", "r.id"),
        Filter::id("scenario_id", "r.scenario_id"),
        Filter::id("driver_id", "r.driver_id"),
        Filter::id("vehicle_id", "r.vehicle_id"),
        Filter::bool("dispatched", "r.dispatched"),
        Filter::present("validated", "r.validated_at"),
        Filter::date("scheduled_date", "s.scheduled_date"),
        Filter::among(
            "tag_id",
            "exists (select from jobs fj join job_tags ft on ft.job_id = fj.id where fj.run_id = r.id and ft.tag_id = any({}))",
        ),
    ],
    search: &["r.uid", "d.uid", "v.uid", "s.name", "r.email", "d.email", "r.phone_number", "d.phone_number"],
    sort: &[
        ("id", "r.id"),
        ("uid", "lower(r.uid)"),
        ("scenario.name", "lower(s.name)"),
        ("scenario.scheduled_date", "s.scheduled_date"),
        ("driver.uid", "lower(d.uid)"),
        ("vehicle.uid", "lower(v.uid)"),
        ("planned_start_time", "r.planned_start_time"),
        ("distance", "r.distance"),
        ("validated_at", "r.validated_at"),
        ("created", "r.created"),
    ],
    order: "r.id desc",
};

/// SQL of "started": something was recorded at the start.
const STARTED: &str = "(r.start_odometer is not null or r.actual_start_time is not null)";
/// SQL of "at the end everything was recorded".
const ENDED: &str = "(r.end_odometer is not null and r.actual_end_time is not null)";

/// Takes the filter `status`, as [`Status`] derives it.
fn by_status(query: &mut ListQuery, conditions: &mut Where) -> Result<()> {
    let Some(status) = query.take("status") else { return Ok(()) };
    let closed = "(r.start_odometer is not null and r.actual_start_time is not null)";
    conditions.and(&match status.as_str() {
        "pending" => format!("not {STARTED}"),
        "closed" => format!("{closed} and {ENDED}"),
        "driving" => format!("{STARTED} and not {ENDED}"),
        "started" => format!("{STARTED} and {ENDED} and not {closed}"),
        other => return Err(Error::filters(format!("there is no status `{other}`"))),
    });
    Ok(())
}

/// `GET /search/runs`.
pub(super) async fn search(mut db: Db, mut query: ListQuery) -> Result<Listed<Run>> {
    let caller = db.caller().clone();
    let mut conditions = Where::default();
    Run::narrow(&caller, &mut conditions);
    by_status(&mut query, &mut conditions)?;
    let mut listed: Listed<Run> =
        list::page(&mut db, Run::COLUMNS, Run::FROM, query, &SHAPE, |place| *place = conditions).await?;
    runs::complete(&mut db, &caller, &mut listed.page.data, false).await?;
    Ok(listed)
}

/// Tells what is wrong with filters.
pub(super) async fn check(connection: &mut PgConnection, caller: &Caller, wanted: &Wanted) -> Result<()> {
    found(connection, caller, wanted, 0).await.map(|_| ())
}

async fn found(
    connection: &mut PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Vec<Run>>> {
    let source = From { select: Run::COLUMNS, from: Run::FROM, shape: &SHAPE };
    excel_exports::all(connection, wanted, source, most, |query, conditions| {
        Run::narrow(caller, conditions);
        by_status(query, conditions)
    })
    .await
}

/// The table; none when there are more than `most` runs.
pub(super) async fn table(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    let Some(mut found) = found(connection, caller, wanted, most).await? else { return Ok(None) };
    let policy = caller.policy()?;
    runs::complete(connection, caller, &mut found, false).await?;
    let ids: Vec<i64> = found.iter().map(|run| run.id).collect();
    let units: Vec<(i64, i64)> = sqlx::query_as(
        "select j.run_id, count(*) from units u join jobs j on j.id = u.job_id where j.run_id = any($1) group by j.run_id",
    )
    .bind(&ids)
    .fetch_all(connection)
    .await?;
    let units: HashMap<i64, i64> = units.into_iter().collect();
    let people: BTreeSet<i64> =
        found.iter().flat_map(|run| run.validated_by_id.into_iter().chain(run.driver_user_id)).collect();
    let mut names = HashMap::with_capacity(people.len());
    for person in people {
        if let Some(email) = app.gate.policies.email_of(person).await? {
            names.insert(person, email);
        }
    }
    let rows: Vec<RunRow> = found.into_iter().map(|run| row(run, &units, &names, policy.timezone)).collect();
    let settings = Settings::of(policy);
    let unit = DistanceUnit::of_setting(&settings.distance_unit);
    Ok(Some(exports::runs(&rows, unit, FuelUnit::of_setting(&settings.fuel_consumption_unit))))
}

fn row(run: Run, units: &HashMap<i64, i64>, names: &HashMap<i64, String>, zone: Tz) -> RunRow {
    let at = |at: Option<chrono::DateTime<Utc>>| local(at, zone);
    let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").ok();
    let person = |id: Option<i64>| id.and_then(|id| names.get(&id).cloned());
    let status = match run.status {
        Some(Status::Closed) => "closed",
        Some(Status::Driving) => "driving",
        Some(Status::Started) => "started",
        Some(Status::Pending) | None => "pending",
    };
    RunRow {
        scenario: run.scenario.name.clone(),
        date: run.scenario.scheduled_date,
        status: status.to_owned(),
        driver: Some(run.driver.uid.clone()),
        driver_user: person(run.driver_user_id),
        vehicle: run.vehicle.as_ref().map(|vehicle| vehicle.uid.clone()),
        jobs_count: run.jobs_count,
        units_count: units.get(&run.id).copied().unwrap_or_default(),
        start_location: run.start_location.as_ref().map(|place| place.address.clone()),
        end_location: run.end_location.as_ref().map(|place| place.address.clone()),
        shift_start: time(&run.shift_start),
        shift_end: time(&run.shift_end),
        lunch_time: run.lunch_time.as_deref().and_then(time),
        lunch_latest_start: run.lunch_latest_start.as_deref().and_then(time),
        planned_start_time: at(run.planned_start_time),
        planned_end_time: at(run.planned_end_time),
        actual_start_time: at(run.actual_start_time),
        actual_end_time: at(run.actual_end_time),
        billing_start_time: at(run.billing_start_time),
        dispatched_at: at(run.dispatched_at),
        validated_by: person(run.validated_by_id),
        validated_at: at(run.validated_at),
        created: at(Some(run.created)),
        uid: run.uid,
        route_end: run.route_end,
        preferred_method: run.preferred_method,
        route_colour: run.route_colour,
        capacity: run.capacity,
        alternatives_group: run.alternatives_group,
        email: run.email,
        phone_number: run.phone_number,
        spec_type: run.spec_type,
        lunch_duration: run.lunch_duration,
        speed_multiplier: run.speed_multiplier,
        device_id: run.device_id,
        start_odometer: run.start_odometer,
        end_odometer: run.end_odometer,
        additional_billing_kms: run.additional_billing_kms,
        min_billing_hours: run.min_billing_hours,
        distance: run.distance.into(),
        total_driving_time: run.total_driving_time.into(),
        total_job_duration: run.total_job_duration.into(),
        fuel_consumption: run.fuel_consumption,
        actual_fuel_consumption: run.actual_fuel_consumption,
        co2_emissions: run.co2_emissions,
        actual_co2_emissions: run.actual_co2_emissions,
        dispatched: run.dispatched,
        billing_km: run.billing_km,
        billing_time: run.billing_time,
        vehicle_billing_rate: run.vehicle_billing_rate,
        estimated_cost: run.estimated_cost,
    }
}
