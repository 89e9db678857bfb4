//! Documents: what leaves the product on paper or as a file for another program, and tables that come in as one.
//!
//! Pure functions from plain structs to bytes. Nothing here reads a clock, a file or a database: the caller
//! resolves names, formats nothing, and passes times already in the organisation's timezone.
//!
//! - [`run_sheet`]: the driver's run sheet, one run or a whole scenario, as PDF and as printable Excel manifest;
//! - [`proof`]: proof of delivery as PDF;
//! - [`statement`]: what runs were billed at, for a client or a haulier, as PDF;
//! - [`label`]: labels for units and returns as PDF;
//! - [`exports`]: the columns of the exports (jobs, units, returns, runs, tracking);
//! - [`sheet`]: any table as CSV or Excel, guarded against formula injection;
//! - [`reading`]: tables that come in, CSV in any encoding or Excel;
//! - [`codes`]: QR codes and Code 128 barcodes.

pub mod codes;
pub mod exports;
pub mod label;
pub mod letterhead;
mod paper;
pub mod proof;
pub mod reading;
pub mod run_sheet;
pub mod sheet;
pub mod statement;

pub use letterhead::{DistanceUnit, FuelUnit, LOGO_PIXELS, Letterhead};

/// Why a document could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// There is nothing to print: no runs, no labels, no proof.
    #[error("there is nothing to print: {0}")]
    Nothing(&'static str),
    /// The text does not fit into a QR code or a barcode, or holds characters the barcode cannot carry.
    #[error("{code} cannot carry the text '{text}': {reason}")]
    Code {
        /// `QR code` or `Code 128`.
        code: &'static str,
        /// The text that was to be encoded.
        text: String,
        /// What the encoder said.
        reason: String,
    },
    /// The Excel file could not be written: too many rows, a cell over 32,767 characters.
    #[error("the Excel file could not be written")]
    Excel(#[from] rust_xlsxwriter::XlsxError),
    /// The CSV file could not be written.
    #[error("the CSV file could not be written")]
    Csv(#[from] csv::Error),
    /// A font that is part of the product could not be read or subset.
    #[error("the font {font} could not be embedded: {reason}")]
    Font {
        /// Name of the font.
        font: &'static str,
        /// What the font library said.
        reason: String,
    },
}

/// Result of every function of this crate.
pub type Result<T> = std::result::Result<T, DocumentError>;
