//! The run sheet: what the driver takes along, one row per stop.

mod manifest;
mod pdf;

pub use manifest::manifest;
pub use pdf::{pdf, scenario_pdf};

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

impl RunSheet {
    fn vehicle_or_dash(&self) -> &str {
        self.vehicle.as_deref().unwrap_or("–")
    }

    fn shift(&self) -> String {
        window(self.shift_start, self.shift_end)
    }
}

impl Stop {
    /// `09:15`, with `+1` when it is the day after `date`.
    fn eta_on(&self, date: NaiveDate) -> String {
        let Some(eta) = self.eta else { return String::new() };
        let days = (eta.date() - date).num_days();
        let day = if days == 0 { String::new() } else { format!(" {days:+}") };
        format!("{}{day}", eta.format("%H:%M"))
    }

    fn window(&self) -> String {
        window(self.arrive_after, self.leave_by)
    }
}

/// `09:00–12:00`, or its open half in words.
pub(crate) fn window(from: Option<NaiveTime>, to: Option<NaiveTime>) -> String {
    let time = |time: NaiveTime| time.format("%H:%M").to_string();
    match (from, to) {
        (Some(from), Some(to)) => format!("{}–{}", time(from), time(to)),
        (Some(from), None) => format!("from {}", time(from)),
        (None, Some(to)) => format!("until {}", time(to)),
        (None, None) => String::new(),
    }
}

/// A size as it reads on paper: one measure per line.
pub(crate) fn size_lines(size: &str) -> String {
    size.replace('&', "\n").replace('|', "\nor ").replace(':', ": ")
}
