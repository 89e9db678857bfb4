//! A place on earth as it travels on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Problems;

/// Address and WGS84 coordinates in decimal degrees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// Id of the stored location it was taken from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Postal address as one line.
    pub address: String,
    /// Latitude, -90 to 90.
    pub lat: f64,
    /// Longitude, -180 to 180.
    pub lon: f64,
}

impl Location {
    /// Notes what is wrong with the place under the field name `field`.
    pub fn check(&self, field: &str, problems: &mut Problems) {
        if self.address.trim().is_empty() {
            problems.add(format!("{field}.address"), "Value cannot be blank");
        }
        if self.address.chars().count() > crate::check::LONG_TEXT {
            problems.add(format!("{field}.address"), crate::check::TOO_LONG);
        }
        if !(-90.0..=90.0).contains(&self.lat) {
            problems.add(format!("{field}.lat"), "Latitude must be between -90 and 90");
        }
        if !(-180.0..=180.0).contains(&self.lon) {
            problems.add(format!("{field}.lon"), "Longitude must be between -180 and 180");
        }
    }
}
