//! Labels for units and returns, 100 x 150 mm, one per page.

mod pdf;

pub use pdf::pdf;

pub use crate::proof::ItemKind;

/// One label.
#[derive(Debug, Clone, Default)]
pub struct Label {
    /// Unit or return.
    pub kind: ItemKind,
    /// Code of the unit or return; printed big, as Code 128 and as QR code.
    pub uid: String,
    /// Code of the job it belongs to.
    pub job: Option<String>,
    /// Name of the customer.
    pub customer: Option<String>,
    /// Address of the job.
    pub address: Option<String>,
    /// Code of the run, when planned.
    pub run: Option<String>,
    /// Position in the run, when planned.
    pub seq: Option<u32>,
    /// Reference of the unit or the job.
    pub reference: Option<String>,
    /// Which of the job's items this is, from 1.
    pub number: u32,
    /// How many items the job has.
    pub of: u32,
}
