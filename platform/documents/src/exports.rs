//! The columns of the exports. Each function makes a [`Sheet`](crate::sheet::Sheet) that goes to
//! [`workbook`](crate::sheet::workbook) or [`Csv`](crate::sheet::Csv).

mod items;
mod jobs;
mod runs;
mod tracking;

pub use items::{ItemRow, ModeDates, ReturnRow, UnitRow, returns, units};
pub use jobs::{JobRow, jobs};
pub use runs::{RunRow, runs};
pub use tracking::{TrackingRow, tracking_data};
