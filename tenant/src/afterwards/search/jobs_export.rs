//! Export of jobs.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use routewright_core::{Jsonb, Result};
use routewright_documents::exports::{self, JobRow};
use routewright_documents::sheet::Sheet;
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::jobs::{SHAPE, by_status, from};
use crate::orders::jobs::Job;
use crate::setup::excel_exports::{self, From, Wanted, local};

#[derive(FromRow)]
struct Exported {
    uid: String,
    scenario: Option<String>,
    date: Option<NaiveDate>,
    run: Option<String>,
    driver: Option<String>,
    seq: Option<i32>,
    customer_name: Option<String>,
    address: String,
    lat: f64,
    lon: f64,
    phone_number: Option<String>,
    customer_email: Option<String>,
    duration: f64,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
    size: Option<String>,
    spec_type: Option<String>,
    priority: bool,
    tags: Vec<String>,
    eta: Option<DateTime<Utc>>,
    etd: Option<DateTime<Utc>>,
    proof_time: Option<DateTime<Utc>>,
    success: Option<bool>,
    reason: Option<String>,
    comments: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
}

const SELECT: &str = "j.uid, s.name as scenario, s.scheduled_date as date, r.uid as run, d.uid as driver, j.seq,
    j.customer_name, j.address, j.lat, j.lon, j.phone_number, j.customer_email, j.duration, j.arrive_after, j.leave_by,
    j.size, j.spec_type, j.priority,
    array(select t.name from job_tags jt join tags t on t.id = jt.tag_id where jt.job_id = j.id order by lower(t.name)) as tags,
    j.eta, j.etd, proof.record_time as proof_time, proof.success,
    (select e.name from job_proofs p join reasons e on e.id = p.reason_id where p.job_id = j.id
        and p.record_time = proof.record_time) as reason,
    j.comments, j.invoice, j.reference, j.extra_fields";

impl Exported {
    fn row(self, zone: Tz) -> JobRow {
        JobRow {
            uid: self.uid,
            scenario: self.scenario,
            date: self.date,
            run: self.run,
            driver: self.driver,
            seq: self.seq.map(i64::from),
            customer_name: self.customer_name,
            address: self.address,
            lat: self.lat,
            lon: self.lon,
            phone_number: self.phone_number,
            customer_email: self.customer_email,
            duration: self.duration,
            arrive_after: self.arrive_after,
            leave_by: self.leave_by,
            size: self.size,
            spec_type: self.spec_type,
            priority: self.priority,
            tags: self.tags,
            eta: local(self.eta, zone),
            etd: local(self.etd, zone),
            proof_time: local(self.proof_time, zone),
            success: self.success,
            reason: self.reason,
            comments: self.comments,
            invoice: self.invoice,
            reference: self.reference,
            extra_fields: self.extra_fields.0,
        }
    }
}

/// The table; none when there are more than `most` jobs.
pub(super) async fn table(
    connection: &mut PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    let zone = caller.policy()?.timezone;
    let from = from();
    let source = From { select: SELECT, from: &from, shape: &SHAPE };
    let found: Option<Vec<Exported>> =
        excel_exports::all(connection, wanted, source, most, |query, conditions| {
            Job::narrow(caller, conditions);
            by_status(query, conditions)
        })
        .await?;
    Ok(found.map(|found| {
        let rows: Vec<JobRow> = found.into_iter().map(|job| job.row(zone)).collect();
        exports::jobs(&rows)
    }))
}
