//! The exports of units and returns.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;

use crate::sheet::{Cell, Column, Sheet};

/// When an item was last proved in each mode, in the organisation's timezone.
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the fields are the modes of a proof")]
pub struct ModeDates {
    pub load: Option<NaiveDateTime>,
    pub pickup: Option<NaiveDateTime>,
    pub deliver: Option<NaiveDateTime>,
    pub at_depot: Option<NaiveDateTime>,
    pub returned: Option<NaiveDateTime>,
}

/// What the exports of units and returns share.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the columns of the export")]
pub struct ItemRow {
    pub uid: String,
    /// Code of the job.
    pub job: Option<String>,
    /// Name of the customer.
    pub customer: Option<String>,
    pub dates: ModeDates,
    pub extra_fields: BTreeMap<String, String>,
}

/// One unit.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the columns of the export and the fields of a unit")]
pub struct UnitRow {
    pub item: ItemRow,
    pub name: Option<String>,
    pub invoice: Option<String>,
    pub reference: Option<String>,
    /// Code of the container.
    pub container: Option<String>,
}

/// One return.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the columns of the export and the fields of a return")]
pub struct ReturnRow {
    pub item: ItemRow,
    /// Code of the client.
    pub client: Option<String>,
    pub comments: Option<String>,
}

const DATES: [&str; 5] = ["load", "pickup", "deliver", "at_depot", "return"];

/// Sheet `Units`: uid, name, invoice, reference, job, customer, container, one date per mode, extra fields.
pub fn units(rows: &[UnitRow]) -> Sheet {
    let extra = extra_names(rows.iter().map(|row| &row.item));
    let fixed = [
        ("uid", 18.0),
        ("name", 24.0),
        ("invoice", 14.0),
        ("reference", 14.0),
        ("job", 16.0),
        ("customer", 28.0),
        ("container", 16.0),
    ];
    let cells = |row: &UnitRow| {
        vec![
            Cell::text(&row.item.uid),
            Cell::from(&row.name),
            Cell::from(&row.invoice),
            Cell::from(&row.reference),
            Cell::from(&row.item.job),
            Cell::from(&row.item.customer),
            Cell::from(&row.container),
        ]
    };
    Sheet {
        name: "Units".into(),
        columns: columns(&fixed, &extra),
        rows: rows.iter().map(|row| with_dates(cells(row), &row.item, &extra)).collect(),
    }
}

/// Sheet `Returns`: uid, comments, client, job, customer, one date per mode, extra fields.
pub fn returns(rows: &[ReturnRow]) -> Sheet {
    let extra = extra_names(rows.iter().map(|row| &row.item));
    let fixed = [("uid", 18.0), ("comments", 30.0), ("client", 16.0), ("job", 16.0), ("customer", 28.0)];
    let cells = |row: &ReturnRow| {
        vec![
            Cell::text(&row.item.uid),
            Cell::from(&row.comments),
            Cell::from(&row.client),
            Cell::from(&row.item.job),
            Cell::from(&row.item.customer),
        ]
    };
    Sheet {
        name: "Returns".into(),
        columns: columns(&fixed, &extra),
        rows: rows.iter().map(|row| with_dates(cells(row), &row.item, &extra)).collect(),
    }
}

fn extra_names<'a>(items: impl Iterator<Item = &'a ItemRow>) -> BTreeSet<&'a str> {
    items.flat_map(|item| item.extra_fields.keys().map(String::as_str)).collect()
}

fn columns(fixed: &[(&str, f64)], extra: &BTreeSet<&str>) -> Vec<Column> {
    let fixed = fixed.iter().map(|(heading, width)| Column::new(*heading, *width));
    let dates = DATES.iter().map(|mode| Column::new(*mode, 17.0));
    fixed.chain(dates).chain(extra.iter().map(|name| Column::new(*name, 16.0))).collect()
}

fn with_dates(mut cells: Vec<Cell>, item: &ItemRow, extra: &BTreeSet<&str>) -> Vec<Cell> {
    let dates = item.dates;
    let dates = [dates.load, dates.pickup, dates.deliver, dates.at_depot, dates.returned];
    cells.extend(dates.into_iter().map(|at| Cell::some(at, Cell::DateTime)));
    cells.extend(extra.iter().map(|name| item.extra_fields.get(*name).map_or(Cell::Empty, Cell::text)));
    cells
}
