//! The run sheet: what the driver takes along, one row per stop.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// One run with its stops in the order they are driven.
#[derive(Debug, Clone, Default)]
pub struct RunSheet {
    /// Name of the scenario.
    pub scenario: String,
    /// Day of the run; an ETA on a later day is marked `+1`.
    pub date: NaiveDate,
    /// Code of the run.
    pub run: String,
    /// Name or code of the driver.
    pub driver: String,
    /// Code of the vehicle, with its registration when known.
    pub vehicle: Option<String>,
    /// Begin of the shift.
    pub shift_start: Option<NaiveTime>,
    /// End of the shift.
    pub shift_end: Option<NaiveTime>,
    /// Address the run starts at.
    pub start_address: Option<String>,
    /// Address the run ends at.
    pub end_address: Option<String>,
    /// Planned distance in metres.
    pub distance: Option<i64>,
    /// Planned time from start to end in seconds.
    pub duration: Option<i64>,
    /// Link that opens the run sheet on the driver's phone; printed as QR code.
    pub link: Option<String>,
    /// The stops.
    pub stops: Vec<Stop>,
}

/// One stop of a run.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// Position in the run, from 1.
    pub seq: u32,
    /// Code of the job.
    pub job: String,
    /// Planned arrival in the organisation's timezone.
    pub eta: Option<NaiveDateTime>,
    /// Begin of the time window.
    pub arrive_after: Option<NaiveTime>,
    /// End of the time window.
    pub leave_by: Option<NaiveTime>,
    /// Name of the customer.
    pub customer: String,
    /// Address of the stop.
    pub address: String,
    /// Phone number of the customer.
    pub phone: Option<String>,
    /// Size as the planner entered it, for example `boxes:8&weight:72`.
    pub size: Option<String>,
    /// Codes of the units to deliver or pick up.
    pub units: Vec<String>,
    /// Delivery instructions.
    pub comments: Option<String>,
    /// Dock or door.
    pub dock_location: Option<String>,
    /// Invoice number.
    pub invoice: Option<String>,
    /// Reference of the customer.
    pub reference: Option<String>,
    /// Marked as priority by the planner.
    pub priority: bool,
}
