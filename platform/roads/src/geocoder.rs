//! Where an address is.

mod http;

use async_trait::async_trait;

pub use self::http::{HttpGeocoder, HttpKind};
use crate::Point;

/// A place found for a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Address as the planner reads it.
    pub address: String,
    /// Where it is.
    pub point: Point,
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
    typed_coordinates(text).map(|point| Place { address: format!("{}, {}", point.lat(), point.lon()), point })
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
