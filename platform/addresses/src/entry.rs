//! What the index holds: a street with its houses, a place, a postcode or a point of interest.

use geo::{Distance as _, Haversine};
use routewright_roads::{PlaceKind, Point};
use serde::{Deserialize, Serialize};

use crate::number::House;

/// Latitude and longitude in ten-millionths of a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Spot(pub(crate) i32, pub(crate) i32);

/// Ten-millionths in a degree.
const UNITS: f64 = 1e7;

impl Spot {
    #[expect(clippy::cast_possible_truncation, reason = "180 degrees fit")]
    pub(crate) fn new(lat: f64, lon: f64) -> Self {
        Self((lat * UNITS).round() as i32, (lon * UNITS).round() as i32)
    }

    pub(crate) fn lat(self) -> f64 {
        f64::from(self.0) / UNITS
    }

    pub(crate) fn lon(self) -> f64 {
        f64::from(self.1) / UNITS
    }

    /// `None` where the map data is outside the world.
    pub(crate) fn point(self) -> Option<Point> {
        Point::new(self.lat(), self.lon()).ok()
    }

    /// Metres along the great circle.
    pub(crate) fn metres(self, other: Self) -> f64 {
        Haversine.distance(geo::Point::new(self.lon(), self.lat()), geo::Point::new(other.lon(), other.lat()))
    }

    /// The middle of some spots.
    pub(crate) fn middle(spots: &[Self]) -> Option<Self> {
        let count = i64::try_from(spots.len()).ok().filter(|&count| count > 0)?;
        let mean = |value: fn(&Self) -> i32| {
            i32::try_from(spots.iter().map(|spot| i64::from(value(spot))).sum::<i64>() / count).ok()
        };
        Some(Self(mean(|spot| spot.0)?, mean(|spot| spot.1)?))
    }
}

/// What is common to everything that is found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) kind: PlaceKind,
    /// As it is written on the map.
    pub(crate) name: String,
    /// Further names: in other languages, of old, short ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
    /// Street and number of a point of interest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) postcode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) town: Option<String>,
    /// Parts of the town, and other postcodes of a long street.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) areas: Vec<String>,
    pub(crate) spot: Spot,
}

impl Entry {
    /// Names that it is looked for by.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.names.iter().map(String::as_str))
    }

    /// What else an address may say of it.
    pub(crate) fn surroundings(&self) -> impl Iterator<Item = &str> {
        [&self.address, &self.postcode, &self.town]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .chain(self.areas.iter().map(String::as_str))
    }

    /// The address as a letter has it, of this house if there is one.
    pub(crate) fn label(&self, house: Option<&str>, postcode: Option<&str>) -> String {
        let first = match house {
            Some(number) if number_first(&self.name) => format!("{number} {}", self.name),
            Some(number) => format!("{} {number}", self.name),
            None => self.name.clone(),
        };
        let postcode = postcode.or(self.postcode.as_deref()).filter(|postcode| *postcode != self.name);
        let town = self.town.as_deref().filter(|town| *town != self.name);
        let last = [postcode, town].into_iter().flatten().collect::<Vec<_>>().join(" ");
        [Some(first), self.address.clone(), Some(last)]
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// English and French write the number before the street.
fn number_first(street: &str) -> bool {
    const FRENCH: [&str; 10] =
        ["rue", "avenue", "boulevard", "place", "chemin", "impasse", "allée", "route", "quai", "cours"];
    const ENGLISH: [&str; 14] = [
        "street",
        "road",
        "avenue",
        "lane",
        "drive",
        "court",
        "square",
        "terrace",
        "crescent",
        "close",
        "parade",
        "way",
        "boulevard",
        "gardens",
    ];
    let street = street.to_lowercase();
    let first = street.split_whitespace().next().unwrap_or_default();
    let last = street.split_whitespace().next_back().unwrap_or_default();
    FRENCH.contains(&first) || ENGLISH.contains(&last)
}

/// What only a street has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Street {
    /// By number.
    pub(crate) houses: Vec<House>,
    /// Its pieces, each from end to end.
    pub(crate) lines: Vec<Vec<Spot>>,
}
