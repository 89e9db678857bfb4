//! A vehicle on the road.

use serde::{Deserialize, Serialize};

use crate::RoadProfile;

/// What a vehicle does about tolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tolls {
    /// It goes round them where the way round takes less than ten times as long.
    Avoid,
    /// It pays them wherever that is quicker.
    Accept,
}

impl Tolls {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Avoid, Self::Accept];

    /// As in the API and the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avoid => "avoid",
            Self::Accept => "accept",
        }
    }

    /// That of a name; `None` when there is none.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tolls| tolls.name() == name)
    }
}

/// A vehicle on the road: what it is and, where it is told, what is different with this one. In whole centimetres and kilograms, so
/// that vehicles that are alike are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RoadVehicle {
    /// What it is.
    pub profile: RoadProfile,
    /// Centimetres.
    pub height: Option<u32>,
    /// Centimetres.
    pub width: Option<u32>,
    /// Centimetres.
    pub length: Option<u32>,
    /// Kilograms.
    pub weight: Option<u32>,
    /// Whether it carries dangerous goods.
    pub hazardous_goods: Option<bool>,
    /// What it does about tolls.
    pub tolls: Option<Tolls>,
    /// Hour of the week at which it leaves, 0 to 167 from Monday's first of local time: it takes the ways that are quickest in the
    /// traffic of then. Those of free streets without.
    pub hour: Option<u8>,
}

impl From<RoadProfile> for RoadVehicle {
    fn from(profile: RoadProfile) -> Self {
        Self { profile, ..Self::default() }
    }
}

impl RoadVehicle {
    /// As the streets know it.
    pub(crate) fn on_streets(&self) -> routewright_streets::Vehicle {
        let whole = |size: Option<u32>, parts: f64| size.map(|size| f64::from(size) / parts);
        routewright_streets::Vehicle {
            height: whole(self.height, 100.0),
            width: whole(self.width, 100.0),
            length: whole(self.length, 100.0),
            weight: whole(self.weight, 1_000.0),
            hazmat: self.hazardous_goods,
            avoids_tolls: self.tolls.map(|tolls| tolls == Tolls::Avoid),
        }
    }
}
