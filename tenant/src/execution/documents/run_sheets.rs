//! Reading what stands on run sheets.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use routewright_core::Result;
use routewright_documents::run_sheet::{RunSheet, Stop};
use routewright_identity::Caller;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::letterhead::local;
use crate::app::App;

/// Where the driver opens a run sheet (G-31).
pub(crate) fn link(app: &App, token: &str) -> String {
    format!("{}/runsheet?runsheet=true&token={token}", app.deployment.public_url)
}

#[derive(FromRow)]
struct Row {
    id: i64,
    uid: String,
    token: String,
    scenario: String,
    scheduled_date: NaiveDate,
    driver: String,
    vehicle: Option<String>,
    registration: Option<String>,
    shift_start: NaiveTime,
    shift_end: NaiveTime,
    start_address: Option<String>,
    end_address: Option<String>,
    distance: i32,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
}

#[derive(FromRow)]
struct StopRow {
    run_id: i64,
    seq: i32,
    uid: String,
    eta: Option<DateTime<Utc>>,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
    customer_name: Option<String>,
    address: String,
    phone_number: Option<String>,
    size: Option<String>,
    units: Vec<String>,
    comments: Option<String>,
    dock_location: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
    priority: bool,
}

/// The sheets of these runs, in this order.
///
/// # Errors
/// Database faults.
pub(crate) async fn run_sheets(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    runs: &[i64],
) -> Result<Vec<RunSheet>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select r.id, r.uid, r.token, s.name as scenario, s.scheduled_date, d.uid as driver, v.uid as vehicle,
             v.registration, r.shift_start, r.shift_end, r.start_address,
             case r.route_end when 'end_location' then coalesce(r.end_address, r.start_address)
                 when 'start' then r.start_address end as end_address,
             r.distance, r.planned_start_time, r.planned_end_time
         from unnest($1::bigint[]) with ordinality as given (id, position) join runs r on r.id = given.id
             join scenarios s on s.id = r.scenario_id join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
         order by given.position",
    )
    .bind(runs)
    .fetch_all(&mut *connection)
    .await?;
    let mut stops = stops(connection, caller, runs).await?;
    // Whoever has the link can act as the driver.
    let dispatches = caller.holds("runs_write");
    Ok(rows
        .into_iter()
        .map(|row| RunSheet {
            stops: stops.remove(&row.id).unwrap_or_default(),
            link: dispatches.then(|| link(app, &row.token)),
            ..sheet(row)
        })
        .collect())
}

fn sheet(row: Row) -> RunSheet {
    let vehicle = row.vehicle.map(|uid| match row.registration {
        Some(registration) if registration != uid => format!("{uid} ({registration})"),
        _ => uid,
    });
    let planned = row.planned_start_time.zip(row.planned_end_time);
    RunSheet {
        scenario: row.scenario,
        date: row.scheduled_date,
        run: row.uid,
        driver: row.driver,
        vehicle,
        shift_start: Some(row.shift_start),
        shift_end: Some(row.shift_end),
        start_address: row.start_address,
        end_address: row.end_address,
        distance: Some(i64::from(row.distance)).filter(|metres| *metres > 0),
        duration: planned.map(|(start, end)| (end - start).num_seconds()),
        ..RunSheet::default()
    }
}

async fn stops(
    connection: &mut PgConnection,
    caller: &Caller,
    runs: &[i64],
) -> Result<HashMap<i64, Vec<Stop>>> {
    let rows: Vec<StopRow> = sqlx::query_as(
        "select j.run_id, j.seq, j.uid, j.eta, j.arrive_after, j.leave_by, j.customer_name, j.address, j.phone_number,
             j.size, array(select u.uid from units u where u.job_id = j.id order by u.id) as units,
             nullif(concat_ws(e'\\n', j.comments, 'Customer: ' || j.customer_instructions,
                 'Leave it: ' || j.customer_safe_place), '') as comments,
             j.dock_location, j.invoice, j.reference, j.priority
         from jobs j where j.run_id = any($1) order by j.run_id, j.seq",
    )
    .bind(runs)
    .fetch_all(connection)
    .await?;
    let mut stops: HashMap<i64, Vec<Stop>> = HashMap::new();
    for row in rows {
        let stop = Stop {
            seq: u32::try_from(row.seq).unwrap_or_default(),
            job: row.uid,
            eta: row.eta.map(|eta| local(caller, eta)).transpose()?,
            arrive_after: row.arrive_after,
            leave_by: row.leave_by,
            customer: row.customer_name.unwrap_or_default(),
            address: row.address,
            phone: row.phone_number,
            size: row.size,
            units: row.units,
            comments: row.comments,
            dock_location: row.dock_location,
            invoice: row.invoice,
            reference: row.reference,
            priority: row.priority,
        };
        stops.entry(row.run_id).or_default().push(stop);
    }
    Ok(stops)
}
