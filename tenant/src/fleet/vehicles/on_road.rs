//! A vehicle on the road: which streets it may take.

use routewright_core::error::Problems;
use routewright_roads::{RoadProfile, RoadVehicle, Tolls};
use sqlx::FromRow;

/// Sizes that a vehicle may have: the field, and the least and the most, in metres and tonnes.
pub(crate) const SIZES: [(&str, f64, f64); 4] =
    [("height", 0.5, 6.0), ("width", 0.3, 5.0), ("length", 0.5, 40.0), ("weight", 0.01, 150.0)];

/// What decides which streets a vehicle takes, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, FromRow)]
pub(crate) struct OnRoad {
    /// What it is; a car without.
    pub(crate) road_profile: Option<String>,
    /// Metres.
    pub(crate) height: Option<f64>,
    /// Metres.
    pub(crate) width: Option<f64>,
    /// Metres.
    pub(crate) length: Option<f64>,
    /// Tonnes.
    pub(crate) weight: Option<f64>,
    pub(crate) hazardous_goods: Option<bool>,
    /// `avoid` or `accept`.
    pub(crate) tolls: Option<String>,
}

impl OnRoad {
    /// As the roads know it.
    pub(crate) fn vehicle(&self) -> RoadVehicle {
        // Sizes are bounded when they are entered.
        let parts = |size: Option<f64>, parts: f64| size.map(|size| (size * parts).round() as u32);
        RoadVehicle {
            profile: self.road_profile.as_deref().and_then(RoadProfile::of).unwrap_or_default(),
            height: parts(self.height, 100.0),
            width: parts(self.width, 100.0),
            length: parts(self.length, 100.0),
            weight: parts(self.weight, 1_000.0),
            hazardous_goods: self.hazardous_goods,
            tolls: self.tolls.as_deref().and_then(Tolls::of),
            hour: None,
        }
    }
}

/// A vehicle is of a kind that the roads know.
pub(crate) fn check_profile(field: &str, profile: Option<&str>, problems: &mut Problems) {
    if let Some(name) = profile {
        let known = RoadProfile::ALL.map(RoadProfile::name).join(", ");
        problems.require(RoadProfile::of(name).is_some(), field, &format!("Value must be one of: {known}"));
    }
}

/// It does something about tolls that the roads know.
pub(crate) fn check_tolls(field: &str, tolls: Option<&str>, problems: &mut Problems) {
    if let Some(name) = tolls {
        let known = Tolls::ALL.map(Tolls::name).join(", ");
        problems.require(Tolls::of(name).is_some(), field, &format!("Value must be one of: {known}"));
    }
}

/// Sizes are within their bounds, in the order of [`SIZES`].
pub(crate) fn check_sizes(sizes: [Option<f64>; 4], problems: &mut Problems) {
    for ((field, least, most), size) in SIZES.into_iter().zip(sizes) {
        if let Some(size) = size {
            let told = format!("Value must be between {least} and {most}");
            problems.require((least..=most).contains(&size), field, &told);
        }
    }
}
