//! A vehicle that is not as its profile is.

use super::Profile;

/// Speed that a way with a toll counts with for who avoids tolls.
const AVOIDED: f64 = 0.1;

/// What a vehicle says about itself; the rest is as its profile says.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Vehicle {
    /// Metres.
    pub height: Option<f64>,
    /// Metres.
    pub width: Option<f64>,
    /// Metres.
    pub length: Option<f64>,
    /// Tonnes.
    pub weight: Option<f64>,
    /// Whether it carries dangerous goods.
    pub hazmat: Option<bool>,
    /// Whether it goes round tolls where the way round takes less than ten times as long.
    pub avoids_tolls: Option<bool>,
}

impl Profile {
    /// This profile with what a vehicle says; `None` when that is the same.
    pub(crate) fn of_vehicle(&self, vehicle: &Vehicle) -> Option<Self> {
        let (mut own, mut other) = (self.clone(), false);
        for (size, told) in [
            (&mut own.size.height, vehicle.height),
            (&mut own.size.width, vehicle.width),
            (&mut own.size.length, vehicle.length),
            (&mut own.size.weight, vehicle.weight),
        ] {
            if let Some(told) = told.filter(|told| told != size) {
                (*size, other) = (told, true);
            }
        }
        if let Some(hazmat) = vehicle.hazmat.filter(|hazmat| *hazmat != own.hazmat) {
            (own.hazmat, other) = (hazmat, true);
        }
        let tolls = vehicle.avoids_tolls.map(|avoids| if avoids { self.tolls.min(AVOIDED) } else { 1.0 });
        if let Some(tolls) = tolls.filter(|tolls| tolls.total_cmp(&self.tolls).is_ne()) {
            (own.tolls, other) = (tolls, true);
        }
        other.then_some(own)
    }
}
