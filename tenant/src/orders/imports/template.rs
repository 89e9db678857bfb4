//! An empty file to fill in: every column that an import reads, under names that people understand.

use routewright_core::http::Query;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result};
use routewright_documents::sheet::{Cell, Column, Csv, Sheet, workbook};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;

/// Most further fields of a template: those that the latest jobs have.
const MOST_EXTRA: i64 = 50;

/// Columns with an example each. Their names are read back whatever their case, blanks and what stands in brackets.
const COLUMNS: [(&str, &str); 31] = [
    ("UID", "A-1001"),
    ("Address", "Rua de Santa Catarina 112, 4000-442 Porto"),
    ("Lat", "41.14961"),
    ("Lon", "-8.60603"),
    ("Duration (minutes)", "5"),
    ("Arrive after (HH:mm)", "09:00"),
    ("Leave by (HH:mm)", "12:30"),
    ("Pickup from (UID)", "A-1000"),
    ("Deliver to (UID)", "A-1002"),
    ("Type (separated by commas)", "cold,dry"),
    ("Customer name", "Padaria Central"),
    ("Phone number (international)", "+351 912 345 678"),
    ("Customer email", "office@example.com"),
    ("Size (name:value, joined by &)", "boxes:3&weight:12"),
    ("Comments (for the driver)", "Ring twice"),
    ("Consignee info", "Senhora Silva"),
    ("Consignor info", "Armazém 2"),
    ("External comments", "Call before arrival"),
    ("Dock location", "Dock 4"),
    ("Priority (true or false)", "false"),
    ("Colour (#rrggbb)", "#34495e"),
    ("Invoice", "F-2031"),
    ("Reference", "PO-77"),
    ("Upload (false leaves the row out)", "true"),
    ("Client UID", "C-12"),
    ("Unit UID", "U-1"),
    ("Unit name", "Box"),
    ("Unit invoice", "F-2031"),
    ("Unit reference", "PO-77"),
    ("Return UID", "R-1"),
    ("Return comments", "Empty crates"),
];

/// Which file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(default)]
    kind: TemplateKind,
}

/// Kind of a file.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TemplateKind {
    Csv,
    #[default]
    Excel,
}

/// `GET /jobs/import_template`: with the further fields that the organisation's jobs have.
pub(super) async fn download(mut db: Db, Query(wanted): Query<Wanted>) -> Result<Download> {
    let extra: Vec<String> = sqlx::query_scalar(
        "select distinct name from (select extra_fields from jobs order by id desc limit 5000) as latest,
             jsonb_object_keys(extra_fields) as name
         order by name limit $1",
    )
    .bind(MOST_EXTRA)
    .fetch_all(&mut *db)
    .await?;
    let columns: Vec<(String, &str)> = COLUMNS
        .iter()
        .map(|(name, example)| ((*name).to_owned(), *example))
        .chain(extra.into_iter().map(|name| (format!("extra_field:{name}"), "")))
        .collect();
    let jobs = Sheet {
        name: "Jobs".to_owned(),
        columns: columns.iter().map(|(name, _)| Column::new(name.clone(), 18.0)).collect(),
        rows: Vec::new(),
    };
    let download = match wanted.kind {
        TemplateKind::Csv => Download {
            content_type: "text/csv; charset=utf-8",
            name: "jobs.csv".to_owned(),
            bytes: Csv { byte_order_mark: true }.write(&jobs).map_err(Error::internal)?,
        },
        TemplateKind::Excel => {
            let examples = Sheet {
                name: "Examples".to_owned(),
                columns: vec![Column::new("Column", 34.0), Column::new("Example", 44.0)],
                rows: columns
                    .iter()
                    .map(|(name, example)| vec![Cell::text(name), Cell::text(*example)])
                    .collect(),
            };
            Download {
                content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                name: "jobs.xlsx".to_owned(),
                bytes: workbook(&[jobs, examples]).map_err(Error::internal)?,
            }
        }
    };
    Ok(download)
}
