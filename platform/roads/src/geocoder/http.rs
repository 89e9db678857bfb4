//! Nominatim and Photon over HTTP.

use std::time::Duration;

use async_trait::async_trait;
use routewright_outbound::{Client, Limits, Unanswered};
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

use super::{Geocoder, GeocoderError, Place, PlaceKind, PlaceSource, typed_place};
use crate::Point;

/// Time for one look-up: longer than that and the planner has typed on.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Redirects that are followed: from http to https, to another name.
const REDIRECTS: usize = 3;

/// What the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpKind {
    /// `/search?format=jsonv2&q=` and `/reverse`.
    Nominatim,
    /// `/api?q=` and `/reverse`, answers in GeoJSON.
    Photon,
}

impl std::str::FromStr for HttpKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "nominatim" => Ok(Self::Nominatim),
            "photon" => Ok(Self::Photon),
            _ => Err(format!("'{text}' is neither nominatim nor photon")),
        }
    }
}

/// A Nominatim- or Photon-compatible server.
#[derive(Debug, Clone)]
pub struct HttpGeocoder {
    base: Url,
    kind: HttpKind,
    client: Client,
}

impl HttpGeocoder {
    /// A geocoder for the server at this address, for example `https://nominatim.example.org`.
    pub fn new(url: &str, kind: HttpKind) -> Result<Self, GeocoderError> {
        let wrong = |reason: String| GeocoderError::Url { url: url.to_owned(), reason };
        let mut base = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong(format!("the scheme is {}, not http or https", base.scheme())));
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        // Nominatim refuses callers that do not say who they are; this one does.
        let limits = Limits { time: TIMEOUT, redirects: REDIRECTS, ..Limits::default() };
        let client = Client::new(limits).map_err(|error| GeocoderError::Server(error.to_string()))?;
        Ok(Self { base, kind, client })
    }

    async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<T, GeocoderError> {
        let failed = |error: Unanswered| GeocoderError::Server(error.to_string());
        let url = self.base.join(path).map_err(|error| GeocoderError::Server(error.to_string()))?;
        let answer = self.client.send(self.client.get(url).query(query)).await.map_err(failed)?;
        answer.json().map_err(failed)
    }

    async fn nominatim(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        let mut query =
            vec![("q", text.to_owned()), ("format", "jsonv2".to_owned()), ("limit", limit.to_string())];
        if let Some(near) = near {
            // A box of about 50 km prefers what is close without hiding the rest.
            let (lat, lon) = (near.lat(), near.lon());
            query.push(("viewbox", format!("{},{},{},{}", lon - 0.5, lat + 0.5, lon + 0.5, lat - 0.5)));
        }
        let found: Vec<NominatimPlace> = self.get("search", &query).await?;
        Ok(found.into_iter().filter_map(|place| place.place(Some(text))).collect())
    }

    async fn photon(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        let mut query = vec![("q", text.to_owned()), ("limit", limit.to_string())];
        if let Some(near) = near {
            query.extend([("lat", near.lat().to_string()), ("lon", near.lon().to_string())]);
        }
        let found: PhotonAnswer = self.get("api", &query).await?;
        Ok(found.features.into_iter().filter_map(|place| place.place(Some(text))).collect())
    }
}

#[async_trait]
impl Geocoder for HttpGeocoder {
    async fn search(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        if let Some(place) = typed_place(text) {
            return Ok(vec![place]);
        }
        let mut places = match self.kind {
            HttpKind::Nominatim => self.nominatim(text, limit, near).await?,
            HttpKind::Photon => self.photon(text, limit, near).await?,
        };
        places.truncate(limit);
        Ok(places)
    }

    async fn reverse(&self, point: Point) -> Result<Option<Place>, GeocoderError> {
        let mut query = vec![("lat", point.lat().to_string()), ("lon", point.lon().to_string())];
        match self.kind {
            HttpKind::Nominatim => {
                query.push(("format", "jsonv2".to_owned()));
                let found: NominatimReverse = self.get("reverse", &query).await?;
                Ok(match found {
                    NominatimReverse::Found(place) => place.place(None),
                    NominatimReverse::Nothing { .. } => None,
                })
            }
            HttpKind::Photon => {
                let found: PhotonAnswer = self.get("reverse", &query).await?;
                Ok(found.features.into_iter().find_map(|place| place.place(None)))
            }
        }
    }
}

#[derive(Deserialize)]
struct NominatimPlace {
    /// Degrees as text.
    lat: String,
    lon: String,
    display_name: String,
    /// `house`, `building`, `road`, `suburb` and the like.
    addresstype: Option<String>,
}

impl NominatimPlace {
    fn place(self, asked: Option<&str>) -> Option<Place> {
        let point = Point::new(self.lat.parse().ok()?, self.lon.parse().ok()?).ok()?;
        let kind = match self.addresstype.as_deref() {
            None => PlaceKind::Unknown,
            Some("house" | "building" | "place") => PlaceKind::House,
            Some("road") => PlaceKind::Street,
            Some("postcode") => PlaceKind::Postcode,
            Some("amenity" | "shop" | "office" | "tourism" | "leisure" | "craft" | "railway") => {
                PlaceKind::Poi
            }
            Some(_) => PlaceKind::Place,
        };
        Some(found(asked, self.display_name, point, kind))
    }
}

/// A place as the server told it. Servers do not say how sure they are: the share of the asked words that the answer has
/// stands for it.
fn found(asked: Option<&str>, address: String, point: Point, kind: PlaceKind) -> Place {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let told = words(&address);
    let asked = asked.map(words).unwrap_or_default();
    let known = asked.iter().filter(|word| told.contains(word)).count();
    // A word that differs may be an abbreviation that the server has understood: half of it counts.
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let share = if asked.is_empty() { 1.0 } else { 0.5 + 0.5 * known as f64 / asked.len() as f64 };
    Place { address, point, confidence: share * kind.exactness(), kind, source: PlaceSource::Server }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NominatimReverse {
    Found(NominatimPlace),
    Nothing {
        #[expect(dead_code, reason = "names the answer that means nothing was found")]
        error: String,
    },
}

#[derive(Deserialize)]
struct PhotonAnswer {
    features: Vec<PhotonPlace>,
}

#[derive(Deserialize)]
struct PhotonPlace {
    geometry: PhotonPoint,
    properties: PhotonAddress,
}

#[derive(Deserialize)]
struct PhotonPoint {
    /// Longitude and latitude.
    coordinates: [f64; 2],
}

#[derive(Deserialize)]
struct PhotonAddress {
    /// `house`, `street`, `city` and the like.
    #[serde(rename = "type")]
    layer: Option<String>,
    name: Option<String>,
    street: Option<String>,
    housenumber: Option<String>,
    postcode: Option<String>,
    city: Option<String>,
    country: Option<String>,
}

impl PhotonPlace {
    fn place(self, asked: Option<&str>) -> Option<Place> {
        let [lon, lat] = self.geometry.coordinates;
        let point = Point::new(lat, lon).ok()?;
        let PhotonAddress { layer, name, street, housenumber, postcode, city, country } = self.properties;
        let kind = match layer.as_deref() {
            None => PlaceKind::Unknown,
            Some("house") if housenumber.is_some() => PlaceKind::House,
            Some("house") => PlaceKind::Poi,
            Some("street") => PlaceKind::Street,
            Some(_) => PlaceKind::Place,
        };
        let together = |parts: [Option<String>; 2]| {
            let parts: Vec<_> = parts.into_iter().flatten().collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        };
        let parts = [name, together([street, housenumber]), together([postcode, city]), country];
        let address = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        (!address.is_empty()).then(|| found(asked, address, point, kind))
    }
}
