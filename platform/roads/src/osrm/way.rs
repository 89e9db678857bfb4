//! The route of an OSRM server, in chunks.

use super::{Osrm, Place, partly, server::NoAnswer};
use crate::lines::{decode, encode};
use crate::{GreatCircle, Leg, Point, Route, Source};

impl Osrm {
    /// The way through the points; the error is the reason the server failed.
    pub(super) async fn way_through(&self, points: &[Point]) -> Result<Route, String> {
        if points.len() < 2 {
            return Ok(GreatCircle::route_of(points, Source::Osrm));
        }
        let mut legs = Vec::with_capacity(points.len());
        let mut estimated = 0;
        // Chunks overlap in one point: the end of one is the start of the next. The stack holds chunks still to be
        // asked for, the first on top; a chunk without a way is cut in two until the leg without one is found.
        let mut chunks: Vec<&[Point]> = Vec::new();
        let step = self.options.chunk.max(2) - 1;
        let starts: Vec<usize> = (0..points.len() - 1).step_by(step).collect();
        chunks.extend(starts.iter().rev().map(|start| &points[*start..(start + step + 1).min(points.len())]));
        while let Some(chunk) = chunks.pop() {
            match self.chunk(chunk).await {
                Ok((chunk_legs, chunk_estimated)) => {
                    legs.extend(chunk_legs);
                    estimated += chunk_estimated;
                }
                Err(NoAnswer::NoWay) if chunk.len() == 2 => {
                    legs.push(GreatCircle::leg(chunk[0], chunk[1]));
                    estimated += 1;
                }
                Err(NoAnswer::NoWay) => {
                    let middle = chunk.len() / 2;
                    chunks.push(&chunk[middle..]);
                    chunks.push(&chunk[..=middle]);
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        let geometry = joined(&legs).ok_or("unreadable geometry")?;
        Ok(Route { legs, geometry, source: partly(estimated) })
    }

    /// Legs of one chunk and how many of them are estimated.
    async fn chunk(&self, points: &[Point]) -> Result<(Vec<Leg>, usize), NoAnswer> {
        let places: Vec<Place> = points.iter().map(|point| point.rounded()).collect();
        let (wire, snapped) = self.server.route(&places).await?;
        let far = |i: usize| snapped[i].distance > self.options.farthest_road;
        let mut estimated = 0;
        let mut legs = Vec::with_capacity(wire.len());
        for (i, leg) in wire.into_iter().enumerate() {
            if far(i) || far(i + 1) {
                estimated += 1;
                legs.push(GreatCircle::leg(points[i], points[i + 1]));
                continue;
            }
            let line = polyline_of(leg.steps.iter().map(|step| step.geometry.as_str()));
            let geometry = line.and_then(|line| encode(&line));
            legs.push(Leg {
                duration: leg.duration.round() as u32,
                distance: leg.distance.round() as u32,
                geometry: geometry.ok_or_else(|| NoAnswer::Refused("unreadable geometry".into()))?,
            });
        }
        Ok((legs, estimated))
    }
}

/// The legs' lines as one.
fn joined(legs: &[Leg]) -> Option<String> {
    encode(&polyline_of(legs.iter().map(|leg| leg.geometry.as_str()))?)
}

/// Lines that begin where the one before ends, as one line without repeated points.
fn polyline_of<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Vec<(f64, f64)>> {
    let mut all = Vec::new();
    for line in lines {
        all.extend(decode(line)?);
    }
    all.dedup();
    Some(all)
}
