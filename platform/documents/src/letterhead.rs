//! What stands on every document of an organisation.

use chrono::NaiveDateTime;

/// The sender of a document.
#[derive(Debug, Clone, Default)]
pub struct Letterhead {
    /// Name of the organisation.
    pub organisation: String,
    /// Logo as PNG, JPEG or WebP bytes. A picture that cannot be read is left out and the name stands alone.
    pub logo: Option<Vec<u8>>,
    /// When the document is made, in the organisation's timezone; printed in the footer.
    pub printed_at: NaiveDateTime,
    /// Unit of the distances in print.
    pub distance_unit: DistanceUnit,
}

/// The organisation's unit of distance. Values are passed in metres and converted in print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DistanceUnit {
    /// Kilometres, 1,000 m.
    #[default]
    Kilometres,
    /// International miles, 1,609.344 m.
    Miles,
}

impl DistanceUnit {
    /// `km` or `mi`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Kilometres => "km",
            Self::Miles => "mi",
        }
    }

    /// Length of one unit in metres.
    pub fn metres(self) -> f64 {
        match self {
            Self::Kilometres => 1_000.0,
            Self::Miles => 1_609.344,
        }
    }

    /// Metres in this unit.
    pub fn of_metres(self, metres: f64) -> f64 {
        metres / self.metres()
    }
}
