//! The way through some places, with its line.

use crate::graph::{Cost, Graph};
use crate::hierarchy::PathSearch;
use crate::osm::Place;
use crate::snap::Snap;
use crate::streets::{Drive, Network, Streets, Way};
use crate::{Position, graph};

/// The way from one place to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// Seconds and metres.
    pub way: Way,
    /// Its line, from street to street.
    pub line: Vec<Position>,
}

impl Streets {
    /// Legs of the way through the places, one less than places; `None` where there is no way.
    pub fn route(&self, positions: &[Position], drive: &Drive) -> Vec<Option<Leg>> {
        let (network, driver) = self.network(drive);
        let mut search = PathSearch::new(network.view(drive));
        let snaps: Vec<Option<Snap>> =
            positions.iter().map(|position| network.graph.snap(*position, &driver)).collect();
        snaps
            .windows(2)
            .map(|pair| {
                let (from, to) = (pair[0].as_ref()?, pair[1].as_ref()?);
                network.leg(from, to, &driver, &mut search)
            })
            .collect()
    }
}

impl Network {
    fn leg(&self, from: &Snap, to: &Snap, driver: &graph::Driver, search: &mut PathSearch) -> Option<Leg> {
        let direct = self.direct(from, to, driver);
        let (own, starts) = self.starts(from, driver);
        let found = search.find(&starts, &self.ends(to, driver));
        let (cost, edges) = match (direct, found) {
            (Some((cost, edge)), found) if found.as_ref().is_none_or(|found| cost <= found.cost) => {
                (cost, vec![edge])
            }
            (_, found) => {
                let found = found?;
                let mut edges = vec![own[found.start]];
                edges.extend(found.edges);
                (found.cost, edges)
            }
        };
        Some(Leg { way: Way::of(cost), line: self.line(from, to, &edges, cost) })
    }

    /// The line along edges, cut at both places.
    fn line(&self, from: &Snap, to: &Snap, edges: &[u32], cost: Cost) -> Vec<Position> {
        let mut line: Vec<Place> = vec![from.position.place()];
        if cost.length > 0 || edges.len() > 1 {
            for (at, edge) in edges.iter().enumerate() {
                let (piece, against) = self.graph.piece(*edge);
                let ahead = |along: f64| if against { 1.0 - along } else { along };
                let start = if at == 0 { ahead(from.along) } else { 0.0 };
                let end = if at + 1 == edges.len() { ahead(to.along) } else { 1.0 };
                line.extend(within(&self.graph, piece, against, start, end));
            }
        }
        line.push(to.position.place());
        line.dedup();
        line.into_iter().map(Position::of).collect()
    }
}

/// Points of a piece between two shares of its length, in the direction of travel.
fn within(graph: &Graph, piece: u32, against: bool, start: f64, end: f64) -> Vec<Place> {
    let mut points = graph.points(piece).to_vec();
    if against {
        points.reverse();
    }
    let total: f64 = points.windows(2).map(|pair| graph::shape::metres(pair[0], pair[1])).sum();
    let mut along = 0.0;
    let mut before = points[0];
    points
        .into_iter()
        .filter(|point| {
            along += graph::shape::metres(before, *point);
            before = *point;
            // A millimetre, so that the ends of the piece stay.
            along >= start * total - 1e-3 && along <= end * total + 1e-3
        })
        .collect()
}
