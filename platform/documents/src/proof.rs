//! Proof of delivery: what happened at one job, with signature and photos.

mod pdf;

pub use pdf::{PHOTO_PIXELS, SIGNATURE_PIXELS, pdf};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// Everything a proof of delivery tells about one job.
#[derive(Debug, Clone, Default)]
pub struct ProofOfDelivery {
    /// Code of the job.
    pub job: String,
    /// Name of the scenario.
    pub scenario: Option<String>,
    /// Day of the scenario.
    pub date: Option<NaiveDate>,
    /// Code of the run.
    pub run: Option<String>,
    /// Name or code of the driver.
    pub driver: Option<String>,
    /// Code of the vehicle.
    pub vehicle: Option<String>,
    /// Name of the customer.
    pub customer: String,
    /// Address of the job.
    pub address: String,
    /// Phone number of the customer.
    pub phone: Option<String>,
    /// Invoice number.
    pub invoice: Option<String>,
    /// Reference of the customer.
    pub reference: Option<String>,
    /// Size as the planner entered it.
    pub size: Option<String>,
    /// Planned arrival in the organisation's timezone.
    pub planned_eta: Option<NaiveDateTime>,
    /// Begin of the time window.
    pub arrive_after: Option<NaiveTime>,
    /// End of the time window.
    pub leave_by: Option<NaiveTime>,
    /// Proofs of the job, the latest first; the first decides the result in the headline.
    pub proofs: Vec<ProofRecord>,
    /// Proofs of the job's units and returns, in the order they are printed.
    pub items: Vec<ItemProof>,
    /// Where anybody can check that nothing of it was altered.
    pub check: Option<Check>,
}

/// Where a proof of delivery can be checked.
#[derive(Debug, Clone, Default)]
pub struct Check {
    /// Address of the page, printed as QR code.
    pub link: String,
    /// The seal of what is printed, in hexadecimal digits.
    pub seal: Option<String>,
}

/// One proof as the driver recorded it.
#[derive(Debug, Clone, Default)]
pub struct ProofRecord {
    /// When it happened, in the organisation's timezone.
    pub recorded_at: NaiveDateTime,
    /// Whether the delivery succeeded.
    pub success: bool,
    /// Name of the reason.
    pub reason: Option<String>,
    /// Comments of the driver.
    pub comments: Option<String>,
    /// Position of the device: latitude and longitude in degrees.
    pub position: Option<(f64, f64)>,
    /// Metres from there to the address.
    pub distance: Option<i32>,
    /// What the device says of itself.
    pub device: Option<String>,
    /// Whether the PIN was the customer's; `None` when none was given.
    pub pin_ok: Option<bool>,
    /// Whether the recipient was old enough; `None` when nobody asked.
    pub age_check: Option<bool>,
    /// What of the size was delivered; `None` means all of it.
    pub delivered_size: Option<String>,
    /// Signature as PNG, JPEG or WebP bytes.
    pub signature: Option<Vec<u8>>,
    /// Name of the person who signed.
    pub signature_name: Option<String>,
    /// Photos as PNG, JPEG or WebP bytes. A photo that cannot be read is printed as a box that says so.
    pub photos: Vec<Vec<u8>>,
}

/// What happened to one unit or return.
#[derive(Debug, Clone, Default)]
pub struct ItemProof {
    /// Unit or return.
    pub kind: ItemKind,
    /// Code of the unit or return.
    pub uid: String,
    /// Name of the unit.
    pub name: Option<String>,
    /// What was done: load, deliver, pickup, at_depot, return. `None` when there is no proof yet.
    pub mode: Option<String>,
    /// When, in the organisation's timezone.
    pub recorded_at: Option<NaiveDateTime>,
    /// Whether it succeeded; `None` when there is no proof yet.
    pub success: Option<bool>,
    /// Name of the reason.
    pub reason: Option<String>,
    /// Comments of the driver.
    pub comments: Option<String>,
}

/// What an item is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ItemKind {
    /// Goods that go to or come from the customer.
    #[default]
    Unit,
    /// Goods or packaging that come back.
    Return,
}

impl ItemKind {
    /// `Unit` or `Return`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "Unit",
            Self::Return => "Return",
        }
    }
}
