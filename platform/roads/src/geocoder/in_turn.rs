//! Several sources of places, one after the other.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Geocoder, GeocoderError, Place, SURE};
use crate::Point;

/// Asks sources of places in turn: the next one only where those before it are not sure.
#[derive(Debug)]
pub struct InTurn(Vec<Arc<dyn Geocoder>>);

impl InTurn {
    /// The sources in their order.
    pub fn new(sources: Vec<Arc<dyn Geocoder>>) -> Self {
        Self(sources)
    }
}

#[async_trait]
impl Geocoder for InTurn {
    async fn search(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        let mut places: Vec<Place> = Vec::new();
        let mut failure = None;
        for source in &self.0 {
            match source.search(text, limit, near).await {
                Ok(found) => {
                    for place in found {
                        if !places.iter().any(|known| known.address == place.address) {
                            places.push(place);
                        }
                    }
                }
                Err(error) => failure = Some(error),
            }
            if places.first().is_some_and(|place| place.confidence >= SURE) {
                break;
            }
        }
        if let Some(failure) = failure {
            if places.is_empty() {
                return Err(failure);
            }
            tracing::warn!(error = %failure, "a source of addresses did not answer");
        }
        // Stable: besides that, the order of the sources stays, and of each what it takes to be meant first.
        places.sort_by_key(|place| place.confidence < SURE);
        places.truncate(limit);
        Ok(places)
    }

    async fn reverse(&self, point: Point) -> Result<Option<Place>, GeocoderError> {
        let mut failure = None;
        for source in &self.0 {
            match source.reverse(point).await {
                Ok(Some(place)) => return Ok(Some(place)),
                Ok(None) => {}
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(None), Err)
    }
}
