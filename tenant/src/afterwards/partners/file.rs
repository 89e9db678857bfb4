//! A scenario as the freight partner reads it: one row per job, in the order of runs and stops (S-15).

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use routewright_core::{Error, Jsonb, Result};
use routewright_documents::sheet::{Cell, Column, Csv, Sheet};
use routewright_identity::Caller;
use routewright_tenancy::resource;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::planning::scenarios::Scenario;

/// A file for a partner.
pub(super) struct PartnerFile {
    /// `{partner}_{scenario name}_{YYYYMMDD}.csv`.
    pub(super) name: String,
    /// UTF-8 with a byte order mark, comma, CRLF.
    pub(super) bytes: Vec<u8>,
}

#[derive(FromRow)]
struct Row {
    run: Option<String>,
    driver: Option<String>,
    vehicle: Option<String>,
    seq: Option<i32>,
    uid: String,
    reference: Option<String>,
    invoice: Option<String>,
    customer_name: Option<String>,
    address: String,
    lat: f64,
    lon: f64,
    phone_number: Option<String>,
    eta: Option<DateTime<Utc>>,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
    size: Option<String>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    units: Vec<String>,
    comments: Option<String>,
    success: Option<bool>,
    at: Option<DateTime<Utc>>,
    signature_name: Option<String>,
}

const COLUMNS: [&str; 26] = [
    "scenario",
    "date",
    "run",
    "driver",
    "vehicle",
    "seq",
    "job_uid",
    "reference",
    "invoice",
    "customer_name",
    "address",
    "lat",
    "lon",
    "phone_number",
    "planned_eta",
    "arrive_after",
    "leave_by",
    "size",
    "weight_kg",
    "volume_m3",
    "units_count",
    "unit_uids",
    "comments",
    "status",
    "actual_time",
    "signature_name",
];

/// The file of a scenario.
///
/// # Errors
/// 404 without the scenario.
pub(super) async fn of_scenario(
    connection: &mut PgConnection,
    caller: &Caller,
    partner: &str,
    id: i64,
) -> Result<PartnerFile> {
    let scenario: Scenario = resource::find(connection, caller, id).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select r.uid as run, d.uid as driver, v.uid as vehicle, j.seq, j.uid, j.reference, j.invoice, j.customer_name,
             j.address, j.lat, j.lon, j.phone_number, j.eta, j.arrive_after, j.leave_by, j.size, j.extra_fields,
             array(select u.uid from units u where u.job_id = j.id order by u.id) as units, j.comments, latest.success,
             latest.at, latest.signature_name
         from jobs j left join runs r on r.id = j.run_id left join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
             left join lateral (
                 select p.success, p.record_time as at, p.signature_name from job_proofs p where p.job_id = j.id
                 order by p.record_time desc, p.id desc limit 1
             ) latest on true
         where j.scenario_id = $1 and ($2::bigint is null or d.haulier_id = $2 or v.haulier_id = $2)
         order by lower(r.uid) nulls last, r.id, j.seq, j.id",
    )
    .bind(id)
    .bind(caller.haulier_id())
    .fetch_all(connection)
    .await?;
    let zone = caller.policy()?.timezone;
    let clock = |at: Option<DateTime<Utc>>| Cell::some(at, |at| Cell::Time(at.with_timezone(&zone).time()));
    let rows = rows.into_iter().map(|job| {
        let status = match (job.success, &job.run) {
            (Some(true), _) => "delivered",
            (Some(false), _) => "failed",
            (None, Some(_)) => "planned",
            (None, None) => "unserved",
        };
        vec![
            Cell::text(&scenario.name),
            Cell::Date(scenario.scheduled_date),
            Cell::from(&job.run),
            Cell::from(&job.driver),
            Cell::from(&job.vehicle),
            Cell::some(job.seq, |seq| Cell::Whole(seq.into())),
            Cell::text(&job.uid),
            Cell::from(&job.reference),
            Cell::from(&job.invoice),
            Cell::from(&job.customer_name),
            Cell::text(&job.address),
            Cell::Decimal(job.lat, 6),
            Cell::Decimal(job.lon, 6),
            Cell::from(&job.phone_number),
            clock(job.eta),
            Cell::some(job.arrive_after, Cell::Time),
            Cell::some(job.leave_by, Cell::Time),
            Cell::from(&job.size),
            measure(&job.extra_fields, "real_weight", 1000.0),
            measure(&job.extra_fields, "parcel_volume", 1e6),
            Cell::Whole(i64::try_from(job.units.len()).unwrap_or(i64::MAX)),
            Cell::text(job.units.join(";")),
            Cell::from(&job.comments),
            Cell::text(status),
            Cell::some(job.at, |at| Cell::DateTime(at.with_timezone(&zone).naive_local())),
            Cell::from(&job.signature_name),
        ]
    });
    let sheet = Sheet {
        name: scenario.name.clone(),
        columns: COLUMNS.map(|heading| Column::new(heading, 16.0)).into(),
        rows: rows.collect(),
    };
    let bytes = Csv { byte_order_mark: true }.write(&sheet).map_err(Error::internal)?;
    Ok(PartnerFile { name: name(partner, &scenario.name, scenario.scheduled_date), bytes })
}

/// A measure that jobs carry in their extra fields, in the larger unit; nothing for what is no number.
fn measure(fields: &BTreeMap<String, String>, name: &str, divisor: f64) -> Cell {
    let value = fields.get(name).and_then(|text| text.trim().parse::<f64>().ok());
    Cell::some(value.filter(|value| value.is_finite()), |value| Cell::Decimal(value / divisor, 6))
}

/// Slashes and control characters of a scenario's name do not lead out of a folder.
fn name(partner: &str, scenario: &str, date: NaiveDate) -> String {
    let plain: String = scenario
        .chars()
        .map(|c| {
            if c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') {
                '_'
            } else {
                c
            }
        })
        .collect();
    format!("{partner}_{plain}_{}.csv", date.format("%Y%m%d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// the documented name, which leads nowhere else.
    #[test]
    fn the_name_is_the_documented_one() {
        let date = NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date");
        assert_eq!(
            name("all_purpose_transport", "Porto north", date),
            "all_purpose_transport_Porto north_20261123.csv"
        );
        assert_eq!(name("p", "../a/b\n", date), "p_.._a_b__20261123.csv");
    }
}
