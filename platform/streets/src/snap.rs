//! The nearest place on a street.

use geo_index::rtree::{NeighborsOptions, RTreeIndex, RTreeRef};

use crate::Position;
use crate::graph::shape::Flat;
use crate::graph::{Driver, Graph, NONE};
use crate::osm::Place;

/// A place farther from the next street than this, in metres, is on none.
pub const FARTHEST: f64 = 5_000.0;
/// A place so many metres from the middle of a street is on neither side of it.
const ON_STREET: f64 = 1.0;
/// A street that leads nowhere is taken when it is nearer by so many metres than one that does.
const NEARER: f64 = 500.0;

/// A place on a street.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snap {
    /// Where it is.
    pub position: Position,
    /// Metres from the place that was asked for.
    pub metres: f64,
    /// Piece of a street.
    pub(crate) piece: u32,
    /// How far along the piece, 0 to 1.
    pub(crate) along: f64,
    /// Whether it is reached against the points of the piece only, or along them; `None` when both ways.
    pub(crate) only_against: Option<bool>,
}

impl Graph {
    /// The nearest place on a street that this driver can reach.
    pub(crate) fn snap(&self, position: Position, driver: &Driver) -> Option<Snap> {
        let connected = self.nearest(position, driver, FARTHEST, |edge| self.connected(edge, driver));
        let most = connected.map_or(FARTHEST, |snap| snap.metres - NEARER);
        if most <= 0.0 {
            return connected;
        }
        self.nearest(position, driver, most, |edge| self.driven(edge, driver)).or(connected)
    }

    /// Whether a place lies in the rectangle around all streets.
    pub(crate) fn covers(&self, position: Position) -> bool {
        let [lat, lon] = position.place();
        RTreeRef::<i32>::try_new(&self.tree).is_ok_and(|tree| {
            let root = tree.root();
            (root.min_y()..=root.max_y()).contains(&lat) && (root.min_x()..=root.max_x()).contains(&lon)
        })
    }

    fn nearest(
        &self,
        position: Position,
        driver: &Driver,
        most: f64,
        reached: impl Fn(usize) -> bool,
    ) -> Option<Snap> {
        let place = position.place();
        let tree = RTreeRef::<i32>::try_new(&self.tree).ok()?;
        let around = Flat::around(place);
        let box_distance = |[west, south, east, north]: [i32; 4]| {
            let nearest = [place[0].clamp(south, north), place[1].clamp(west, east)];
            around.metres(nearest)
        };
        let piece_distance = |piece: u32, bounds: [i32; 4]| {
            let edges = self.piece_edges[piece as usize].into_iter().filter(|edge| *edge != NONE);
            if !edges.clone().any(|edge| reached(edge as usize)) || box_distance(bounds) > most {
                return None;
            }
            Some(closest(self.points(piece), &around).metres)
        };
        let options = NeighborsOptions::k(1).max_distance(most);
        let (piece, _) =
            tree.neighbors_with_callbacks(options, box_distance, piece_distance).into_iter().next()?;
        let found = closest(self.points(piece), &around);
        let beside = found.metres > ON_STREET && self.divided(piece, driver);
        Some(Snap {
            position: Position::of(found.place),
            metres: found.metres,
            piece,
            along: found.along,
            // Vehicles stop at the side that they drive on.
            only_against: beside.then_some(found.left != self.left_hand),
        })
    }
}

/// The nearest point of a line.
struct Closest {
    place: Place,
    metres: f64,
    /// Share of the length of the line before it.
    along: f64,
    /// Whether the place lies left of the line there.
    left: bool,
}

fn closest(line: &[Place], around: &Flat) -> Closest {
    let mut best = Closest { place: line[0], metres: f64::INFINITY, along: 0.0, left: false };
    let mut best_at = 0.0;
    let mut length = 0.0;
    let mut start = around.offset(line[0]);
    for pair in line.windows(2) {
        let end = around.offset(pair[1]);
        let (east, north) = (end.0 - start.0, end.1 - start.1);
        let squared = east * east + north * north;
        let share =
            if squared > 0.0 { (-(start.0 * east + start.1 * north) / squared).clamp(0.0, 1.0) } else { 0.0 };
        let (off_east, off_north) = (start.0 + share * east, start.1 + share * north);
        let metres = (off_east * off_east + off_north * off_north).sqrt();
        let long = squared.sqrt();
        if metres < best.metres {
            let between = |axis: usize| {
                let (from, to) = (f64::from(pair[0][axis]), f64::from(pair[1][axis]));
                (from + share * (to - from)).round() as i32
            };
            best.place = [between(0), between(1)];
            best.metres = metres;
            best.left = north * start.0 - east * start.1 > 0.0;
            best_at = length + share * long;
        }
        length += long;
        start = end;
    }
    best.along = if length > 0.0 { (best_at / length).clamp(0.0, 1.0) } else { 0.0 };
    best
}
