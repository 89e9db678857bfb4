//! Where an address is.

mod http;
mod in_turn;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

pub use self::http::{HttpGeocoder, HttpKind};
pub use self::in_turn::InTurn;
use crate::Point;

/// A confidence from which on a place is taken without asking anybody: a house or a name that was found with hardly a word
/// wrong. Below it are streets without their number, towns, and names that only look alike.
pub const SURE: f64 = 0.75;

/// A place found for a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Address as the planner reads it.
    pub address: String,
    /// Where it is.
    pub point: Point,
    /// How sure it is that the text means this place: 0 to 1.
    pub confidence: f64,
    /// What of the text was found.
    pub kind: PlaceKind,
    /// Who knows it.
    pub source: PlaceSource,
}

/// What of an address was found, the most exact first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// Coordinates typed as text.
    Coordinates,
    /// The house number itself.
    House,
    /// The house number's place between its neighbours along the street.
    Interpolated,
    /// A shop, a station or the like, by its name.
    Poi,
    /// The street without the house number.
    Street,
    /// The area of a postcode.
    Postcode,
    /// A town, a suburb or the like.
    Place,
    /// The source does not tell.
    Unknown,
}

impl PlaceKind {
    /// As in the API and the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coordinates => "coordinates",
            Self::House => "house",
            Self::Interpolated => "interpolated",
            Self::Poi => "poi",
            Self::Street => "street",
            Self::Postcode => "postcode",
            Self::Place => "place",
            Self::Unknown => "unknown",
        }
    }

    /// How much of the confidence in a text is left where no more than this of it was found: a street without the number
    /// leaves the driver to look for the door.
    pub fn exactness(self) -> f64 {
        match self {
            Self::Coordinates | Self::House => 1.0,
            Self::Poi => 0.95,
            Self::Interpolated | Self::Unknown => 0.9,
            Self::Street => 0.6,
            Self::Postcode => 0.5,
            Self::Place => 0.4,
        }
    }
}

/// Who knows a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceSource {
    /// Nobody: the text says where it is.
    Coordinates,
    /// The organisation: its locations, clients, jobs and the places that somebody confirmed.
    Organisation,
    /// The map data of this installation.
    Map,
    /// The address server.
    Server,
}

impl PlaceSource {
    /// As in the API and the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coordinates => "coordinates",
            Self::Organisation => "organisation",
            Self::Map => "map",
            Self::Server => "server",
        }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum GeocoderError {
    /// The address of the server is not an http or https URL.
    #[error("'{url}' is not the address of a server: {reason}")]
    Url {
        /// The address as configured.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server cannot be reached, is too slow or answers nonsense.
    #[error("the address server failed: {0}")]
    Server(String),
    /// The index of the map data cannot be read.
    #[error("the index of addresses failed: {0}")]
    Index(String),
}

/// A source of places. The organisation's own locations and clients come before it.
#[async_trait]
pub trait Geocoder: Send + Sync + std::fmt::Debug {
    /// Places for a text, the best first, at most `limit`, those close to `near` preferred. Coordinates typed as
    /// text are a place of their own.
    async fn search(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError>;

    /// The address at a point, or `None` when there is none.
    async fn reverse(&self, point: Point) -> Result<Option<Place>, GeocoderError>;
}

/// Knows no addresses, only coordinates typed as text: what there is when no server is configured.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedCoordinates;

#[async_trait]
impl Geocoder for TypedCoordinates {
    async fn search(
        &self,
        text: &str,
        limit: usize,
        _near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        Ok(typed_place(text).into_iter().take(limit).collect())
    }

    async fn reverse(&self, _point: Point) -> Result<Option<Place>, GeocoderError> {
        Ok(None)
    }
}

fn typed_place(text: &str) -> Option<Place> {
    typed_coordinates(text).map(|point| Place {
        address: format!("{}, {}", point.lat(), point.lon()),
        point,
        confidence: 1.0,
        kind: PlaceKind::Coordinates,
        source: PlaceSource::Coordinates,
    })
}

/// Latitude and longitude typed as text: `41.15, -8.61`, `41.15 -8.61`, `41,15; -8,61`, with or without degree
/// signs, with N, S, E, W instead of signs. `None` when the text is anything else, house numbers included.
pub fn typed_coordinates(text: &str) -> Option<Point> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')').replace('°', " ");
    let (lat, lon) = halves(&text)?;
    let lat = degrees(lat, 'N', 'S')?;
    let lon = degrees(lon, 'E', 'W')?;
    Point::new(lat, lon).ok()
}

fn halves(text: &str) -> Option<(&str, &str)> {
    // A decimal comma leaves `;` or blanks as separator; a comma followed by a blank always separates.
    let separated = text.split_once(';').or_else(|| text.split_once(", "));
    if let Some(halves) = separated {
        return Some(halves);
    }
    if text.matches(',').count() == 1 {
        return text.split_once(',');
    }
    // Blanks separate only two numbers with decimals, so that "12 34" stays a text to look up.
    text.trim()
        .split_once(char::is_whitespace)
        .filter(|(a, b)| a.contains(['.', ',']) && b.contains(['.', ',']))
}

fn degrees(text: &str, plus: char, minus: char) -> Option<f64> {
    let text = text.trim();
    let (number, sign) = match text.chars().last()?.to_ascii_uppercase() {
        c if c == plus => (&text[..text.len() - 1], 1.0),
        c if c == minus => (&text[..text.len() - 1], -1.0),
        _ => (text, 1.0),
    };
    let number = number.trim().replace(',', ".");
    let plain = number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
    number.parse::<f64>().ok().filter(|_| plain).map(|degrees| degrees * sign)
}
