//! The tracking export, `tracking_data.csv` and `tracking_data.xlsx`.

use crate::sheet::{Cell, Column, Sheet};

/// One job a customer can track.
#[derive(Debug, Clone, Default)]
pub struct TrackingRow {
    /// Code of the job.
    pub job_uid: String,
    /// Name of the customer.
    pub customer_name: Option<String>,
    /// Phone number of the customer.
    pub phone_number: Option<String>,
    /// Addresses of the customer.
    pub email: Option<String>,
    /// Token of the tracking page.
    pub tracking_token: String,
    /// Link of the tracking page.
    pub tracking_url: String,
}

/// Sheet `Tracking` with the columns the customer's mail merge expects.
pub fn tracking_data(rows: &[TrackingRow]) -> Sheet {
    let columns = [
        ("Job uid", 16.0),
        ("Customer name", 28.0),
        ("Phone number", 18.0),
        ("Email", 28.0),
        ("Tracking token", 18.0),
        ("Tracking url", 60.0),
    ];
    let cells = |row: &TrackingRow| {
        vec![
            Cell::text(&row.job_uid),
            Cell::from(&row.customer_name),
            Cell::from(&row.phone_number),
            Cell::from(&row.email),
            Cell::text(&row.tracking_token),
            Cell::text(&row.tracking_url),
        ]
    };
    Sheet {
        name: "Tracking".into(),
        columns: columns.map(|(heading, width)| Column::new(heading, width)).into(),
        rows: rows.iter().map(cells).collect(),
    }
}
