//! One row per job, without costs and without anything private of drivers.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use routewright_core::Result;
use routewright_documents::sheet::{Cell, Column, Sheet};
use routewright_tenancy::Db;
use sqlx::FromRow;

use super::Range;
use crate::app::App;
use crate::orders::customers;

#[derive(FromRow)]
struct Row {
    date: NaiveDate,
    uid: String,
    customer: Option<String>,
    address: String,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
    eta: Option<DateTime<Utc>>,
    at: Option<DateTime<Utc>>,
    on_time: Option<bool>,
    ordered: i64,
    delivered: i64,
    returned: i64,
    success: Option<bool>,
    reason: Option<String>,
    signature_name: Option<String>,
    tracking_token: String,
}

/// Sheet `Jobs`.
pub(super) async fn sheet(db: &mut Db, app: &App, range: Range) -> Result<Sheet> {
    let caller = db.caller().clone();
    let zone = caller.policy()?.timezone;
    let rows: Vec<Row> = sqlx::query_as(
        "select s.scheduled_date as date, j.uid, j.customer_name as customer, j.address, j.arrive_after, j.leave_by, j.eta,
             latest.at, latest.at <= coalesce((s.scheduled_date + j.leave_by) at time zone $3, j.eta + interval '15 minutes',
                 latest.at) as on_time,
             (select count(*) from units u where u.job_id = j.id) as ordered,
             (select count(*) from units u where u.job_id = j.id and exists (
                 select from unit_proofs p where p.unit_id = u.id and p.mode = 'deliver' and p.success)) as delivered,
             (select count(*) from returns t where t.job_id = j.id and exists (
                 select from return_proofs p where p.return_id = t.id and p.success)) as returned,
             latest.success, latest.reason, latest.signature_name, j.tracking_token
         from jobs j join scenarios s on s.id = j.scenario_id left join runs r on r.id = j.run_id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
             left join lateral (
                 select p.record_time as at, p.success, e.name as reason, p.signature_name
                 from job_proofs p left join reasons e on e.id = p.reason_id
                 where p.job_id = j.id order by p.record_time desc, p.id desc limit 1
             ) latest on true
         where s.scheduled_date between $1 and $2 and ($4::bigint is null or d.haulier_id = $4 or v.haulier_id = $4)
         order by s.scheduled_date, j.eta nulls last, j.id",
    )
    .bind(range.start_date)
    .bind(range.end_date)
    .bind(zone.name())
    .bind(caller.haulier_id())
    .fetch_all(&mut **db)
    .await?;
    let columns = [
        ("date", 12.0),
        ("job", 16.0),
        ("customer", 26.0),
        ("address", 34.0),
        ("arrive after", 11.0),
        ("leave by", 11.0),
        ("planned ETA", 17.0),
        ("actual time", 17.0),
        ("on time", 9.0),
        ("units ordered", 13.0),
        ("units delivered", 14.0),
        ("returned", 9.0),
        ("success", 9.0),
        ("reason", 20.0),
        ("signature name", 20.0),
        ("proof of delivery", 60.0),
    ];
    let at = |at: Option<DateTime<Utc>>| {
        Cell::some(at, |at| Cell::DateTime(at.with_timezone(&zone).naive_local()))
    };
    let rows = rows.into_iter().map(|job| {
        vec![
            Cell::Date(job.date),
            Cell::text(job.uid),
            Cell::from(&job.customer),
            Cell::text(job.address),
            Cell::some(job.arrive_after, Cell::Time),
            Cell::some(job.leave_by, Cell::Time),
            at(job.eta),
            at(job.at),
            Cell::some(job.on_time, Cell::YesNo),
            Cell::Whole(job.ordered),
            Cell::Whole(job.delivered),
            Cell::Whole(job.returned),
            Cell::some(job.success, Cell::YesNo),
            Cell::from(&job.reason),
            Cell::from(&job.signature_name),
            Cell::some(job.at, |_| Cell::text(customers::link(app, &job.tracking_token))),
        ]
    });
    Ok(Sheet {
        name: "Jobs".to_owned(),
        columns: columns.map(|(heading, width)| Column::new(heading, width)).into(),
        rows: rows.collect(),
    })
}
