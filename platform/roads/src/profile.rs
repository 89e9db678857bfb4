//! What a vehicle is on the road.

use serde::{Deserialize, Serialize};

/// What a vehicle is on the road: it decides which streets it may take and how fast it is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoadProfile {
    /// A car, 2 m high, 2 t.
    #[default]
    Car,
    /// A van, 2.8 m high, 3.5 t.
    Van,
    /// A truck, 4 m high, 12 m long, 18 t.
    Truck,
    /// Such a truck with dangerous goods.
    HazmatTruck,
    /// A bicycle.
    Bicycle,
}

impl RoadProfile {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Car, Self::Van, Self::Truck, Self::HazmatTruck, Self::Bicycle];

    /// As in the API, the database and the profiles of the streets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Car => "car",
            Self::Van => "van",
            Self::Truck => "truck",
            Self::HazmatTruck => "hazmat_truck",
            Self::Bicycle => "bicycle",
        }
    }

    /// The profile of a name; `None` when there is none.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether traffic by the hour holds it up.
    pub fn in_traffic(self) -> bool {
        self != Self::Bicycle
    }
}
