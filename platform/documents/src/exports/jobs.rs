//! The jobs export.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::sheet::{Cell, Column, Sheet};

/// One job; names are resolved, times are in the organisation's timezone.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the columns of the export and the fields of a job")]
pub struct JobRow {
    pub uid: String,
    pub scenario: Option<String>,
    pub date: Option<NaiveDate>,
    pub run: Option<String>,
    pub driver: Option<String>,
    pub seq: Option<i64>,
    pub customer_name: Option<String>,
    pub address: String,
    pub lat: f64,
    pub lon: f64,
    pub phone_number: Option<String>,
    pub customer_email: Option<String>,
    /// Minutes.
    pub duration: f64,
    pub arrive_after: Option<NaiveTime>,
    pub leave_by: Option<NaiveTime>,
    pub size: Option<String>,
    pub spec_type: Option<String>,
    pub priority: bool,
    /// Names of the tags.
    pub tags: Vec<String>,
    pub eta: Option<NaiveDateTime>,
    pub etd: Option<NaiveDateTime>,
    pub proof_time: Option<NaiveDateTime>,
    /// `None` while there is no proof.
    pub success: Option<bool>,
    pub reason: Option<String>,
    pub comments: Option<String>,
    pub invoice: Option<String>,
    pub reference: Option<String>,
    pub extra_fields: BTreeMap<String, String>,
}

const COLUMNS: [(&str, f64); 27] = [
    ("uid", 16.0),
    ("scenario", 20.0),
    ("date", 12.0),
    ("run", 14.0),
    ("driver", 16.0),
    ("seq", 6.0),
    ("customer_name", 28.0),
    ("address", 40.0),
    ("lat", 11.0),
    ("lon", 11.0),
    ("phone_number", 17.0),
    ("customer_email", 26.0),
    ("duration", 9.0),
    ("arrive_after", 12.0),
    ("leave_by", 10.0),
    ("size", 20.0),
    ("spec_type", 14.0),
    ("priority", 9.0),
    ("tags", 18.0),
    ("eta", 17.0),
    ("etd", 17.0),
    ("proof time", 17.0),
    ("success", 9.0),
    ("reason", 18.0),
    ("comments", 30.0),
    ("invoice", 14.0),
    ("reference", 14.0),
];

/// Sheet `Jobs`. The extra fields of all jobs follow the fixed columns in alphabetical order.
pub fn jobs(rows: &[JobRow]) -> Sheet {
    let extra: BTreeSet<&str> =
        rows.iter().flat_map(|row| row.extra_fields.keys().map(String::as_str)).collect();
    let fixed = COLUMNS.iter().map(|(heading, width)| Column::new(*heading, *width));
    Sheet {
        name: "Jobs".into(),
        columns: fixed.chain(extra.iter().map(|name| Column::new(*name, 16.0))).collect(),
        rows: rows.iter().map(|row| cells(row, &extra)).collect(),
    }
}

fn cells(row: &JobRow, extra: &BTreeSet<&str>) -> Vec<Cell> {
    let mut cells = vec![
        Cell::text(&row.uid),
        Cell::from(&row.scenario),
        Cell::some(row.date, Cell::Date),
        Cell::from(&row.run),
        Cell::from(&row.driver),
        Cell::some(row.seq, Cell::Whole),
        Cell::from(&row.customer_name),
        Cell::text(&row.address),
        Cell::Decimal(row.lat, 6),
        Cell::Decimal(row.lon, 6),
        Cell::from(&row.phone_number),
        Cell::from(&row.customer_email),
        Cell::Decimal(row.duration, 0),
        Cell::some(row.arrive_after, Cell::Time),
        Cell::some(row.leave_by, Cell::Time),
        Cell::from(&row.size),
        Cell::from(&row.spec_type),
        Cell::YesNo(row.priority),
        Cell::text(row.tags.join(", ")),
        Cell::some(row.eta, Cell::DateTime),
        Cell::some(row.etd, Cell::DateTime),
        Cell::some(row.proof_time, Cell::DateTime),
        Cell::some(row.success, Cell::YesNo),
        Cell::from(&row.reason),
        Cell::from(&row.comments),
        Cell::from(&row.invoice),
        Cell::from(&row.reference),
    ];
    cells.extend(extra.iter().map(|name| row.extra_fields.get(*name).map_or(Cell::Empty, Cell::text)));
    cells
}
