//! A place on the globe.

/// Latitude and longitude in degrees, WGS 84. A point holds finite values within -90..90 and -180..180.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    lat: f64,
    lon: f64,
}

/// Why a pair of numbers is no place.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PointError {
    /// Latitude outside -90..90.
    #[error("latitude {0} is not between -90 and 90")]
    Latitude(f64),
    /// Longitude outside -180..180.
    #[error("longitude {0} is not between -180 and 180")]
    Longitude(f64),
}

impl Point {
    /// Checks the ranges.
    pub fn new(lat: f64, lon: f64) -> Result<Self, PointError> {
        // A comparison with NaN is false, so NaN is refused here as well.
        if !(-90.0..=90.0).contains(&lat) {
            return Err(PointError::Latitude(lat));
        }
        if !(-180.0..=180.0).contains(&lon) {
            return Err(PointError::Longitude(lon));
        }
        Ok(Self { lat, lon })
    }

    /// Latitude in degrees, north positive.
    pub fn lat(self) -> f64 {
        self.lat
    }

    /// Longitude in degrees, east positive.
    pub fn lon(self) -> f64 {
        self.lon
    }

    /// The point rounded to 5 decimals (about a metre), in 1/100,000 degrees: the grain of the matrix cache.
    pub(crate) fn rounded(self) -> (i32, i32) {
        ((self.lat * 1e5).round() as i32, (self.lon * 1e5).round() as i32)
    }
}
