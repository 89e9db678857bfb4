//! The graph that ways are looked for in. Its nodes are *edges*: pieces of streets between junctions, one for each direction
//! they are driven in. Its arcs are turns from one edge into the next, so that a turn can be forbidden and has a cost.

mod components;
mod file;
mod pieces;
pub(crate) mod shape;
mod turns;
mod via_ways;

pub(crate) use components::large;
pub(crate) use pieces::number;

use std::collections::BTreeMap;

use crate::Error;
use crate::mapped::Array;
use crate::osm::{Class, Extract, Place};
use crate::own::OwnWays;
use crate::profile::{GROUPS, OwnedTags, Profile, Profiles, Way};

/// No edge.
pub(crate) const NONE: u32 = u32::MAX;
/// What is not reachable: twice that still fits into 31 bits.
pub(crate) const FAR: u32 = 0x3fff_ffff;
/// Tenths of a second that it takes, when ways are chosen, to enter a street that is for those who live there: it is passed only
/// to reach a place in it.
const TRESPASS: u32 = 30_000;

/// Streets of a network.
#[derive(Default)]
pub(crate) struct Graph {
    /// First point of every piece in `line`, and the end of the last.
    pub(crate) line_first: Array<u32>,
    /// Points of all pieces.
    pub(crate) line: Array<Place>,
    /// Length of every piece in decimetres.
    pub(crate) length: Array<u32>,
    /// Class of every piece.
    pub(crate) class: Array<u32>,
    /// Edges of every piece, along and against its points; [`NONE`] where it is not driven.
    pub(crate) piece_edges: Array<[u32; 2]>,
    /// Piece of every edge, shifted by one; the lowest bit is set against its points.
    pub(crate) edge_piece: Array<u32>,
    /// Tenths of a second for signals and gates along every edge.
    pub(crate) edge_delay: Array<u16>,
    /// Profiles that drive every edge, one bit each.
    pub(crate) edge_driven: Array<u8>,
    /// Profiles for which every edge is part of the connected network, one bit each.
    pub(crate) edge_connected: Array<u8>,
    /// First arc of every edge, and the end of the last.
    pub(crate) arc_first: Array<u32>,
    /// Edge that every arc turns into.
    pub(crate) arc_head: Array<u32>,
    /// Tenths of a second that a car needs for every turn.
    pub(crate) arc_turn: Array<u16>,
    /// Profiles that may not take every turn, one bit each.
    pub(crate) arc_blocked: Array<u8>,
    /// Arcs through gates that vehicles of different sizes pass differently, and the gate of each.
    pub(crate) arc_gates: Array<[u32; 2]>,
    /// Classes of ways.
    pub(crate) classes: Vec<Class>,
    /// Tags of the classes that vehicles of different sizes drive differently.
    pub(crate) by_size: BTreeMap<u32, OwnedTags>,
    /// Tags of gates.
    pub(crate) gates: Vec<OwnedTags>,
    /// Whether traffic keeps left.
    pub(crate) left_hand: bool,
    /// Boxes around all pieces, an R-tree as bytes.
    pub(crate) tree: Array<u8>,
}

/// What a way costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// Tenths of a second, those of streets that are a nuisance counted more: what is minimised.
    pub(crate) weight: u32,
    /// Tenths of a second.
    pub(crate) duration: u32,
    /// Decimetres.
    pub(crate) length: u32,
}

/// Seconds of tenths of a second, or metres of decimetres.
pub(crate) fn rounded(tenths: u32) -> u32 {
    (tenths + 5) / 10
}

/// [`Cost`] of a whole edge before it is rounded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Along {
    weight: f64,
    duration: f64,
    length: f64,
}

impl Along {
    /// What a share of it costs.
    pub(crate) fn part(&self, share: f64) -> Cost {
        let rounded = |number: f64| ((number * share + 0.5) as u32).min(FAR / 4);
        Cost {
            // A tenth at least for a whole edge, so that no way is free.
            weight: rounded(self.weight).max(u32::from(share >= 1.0)),
            duration: rounded(self.duration),
            length: rounded(self.length),
        }
    }
}

/// A profile at some hours.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Driver<'a> {
    /// Index of the profile.
    pub(crate) index: usize,
    pub(crate) profile: &'a Profile,
    /// Index of the metric of the hours.
    pub(crate) metric: usize,
    /// Share of the free speed by group of roads.
    pub(crate) shares: [f64; GROUPS.len()],
    /// What a vehicle drives differently from its profile.
    pub(crate) own: Option<&'a OwnWays>,
}

impl Driver<'_> {
    pub(crate) fn bit(&self) -> u8 {
        1 << self.index
    }
}

impl Graph {
    /// Makes the graph of a network.
    pub(crate) fn new(extract: &Extract, profiles: &Profiles, network: &str) -> Result<Self, Error> {
        let members: Vec<usize> = profiles.members(network).map(|(index, _)| index).collect();
        let pieces = pieces::Pieces::cut(extract, &members)?;
        turns::graph(extract, pieces, &members)
    }

    /// Number of edges.
    pub(crate) fn edges(&self) -> usize {
        self.edge_piece.len()
    }

    /// Arcs of an edge.
    pub(crate) fn arcs(&self, edge: u32) -> std::ops::Range<usize> {
        self.arc_first[edge as usize] as usize..self.arc_first[edge as usize + 1] as usize
    }

    /// Points of a piece.
    pub(crate) fn points(&self, piece: u32) -> &[Place] {
        let piece = piece as usize;
        &self.line[self.line_first[piece] as usize..self.line_first[piece + 1] as usize]
    }

    /// Piece of an edge, and whether the edge runs against its points.
    pub(crate) fn piece(&self, edge: u32) -> (u32, bool) {
        let piece = self.edge_piece[edge as usize];
        (piece >> 1, piece & 1 == 1)
    }

    /// What an edge costs from end to end; `None` where it is not driven.
    pub(crate) fn cost(&self, edge: u32, driver: &Driver) -> Option<Cost> {
        self.rest(edge, driver, 1.0)
    }

    /// What the last share of an edge costs, with what happens at its end.
    pub(crate) fn rest(&self, edge: u32, driver: &Driver, share: f64) -> Option<Cost> {
        let Cost { weight, duration, length } = self.part(edge, driver, share)?;
        let delay = u32::from(self.edge_delay[edge as usize]);
        Some(Cost { weight: weight + delay, duration: duration + delay, length })
    }

    /// What a share of an edge costs; `None` where it is not driven.
    pub(crate) fn part(&self, edge: u32, driver: &Driver, share: f64) -> Option<Cost> {
        Some(self.along(edge, driver)?.part(share))
    }

    /// What it costs to drive along an edge, without what happens at its end; `None` where it is not driven.
    pub(crate) fn along(&self, edge: u32, driver: &Driver) -> Option<Along> {
        let (piece, against) = self.piece(edge);
        let way = self.way(piece, driver)?;
        let drive = way.drives[usize::from(against)]?;
        let length = f64::from(self.length[piece as usize]);
        let metres_per_second = drive.speed_at(driver.metric) * driver.shares[usize::from(way.group)] / 3.6;
        let duration = length / metres_per_second;
        Some(Along { weight: duration / drive.rate, duration, length })
    }

    /// What an arc costs: the turn and the edge that it leads into; `None` where it is not driven.
    pub(crate) fn arc_cost(&self, tail: u32, arc: usize, driver: &Driver) -> Option<Cost> {
        if self.blocked(arc, driver) || !self.driven(tail as usize, driver) {
            return None;
        }
        let head = self.arc_head[arc];
        let cost = self.cost(head, driver)?;
        let turn = (f64::from(self.arc_turn[arc]) * driver.profile.turns).round() as u32;
        let trespass = !self.restricted(tail, driver) && self.restricted(head, driver);
        Some(Cost {
            weight: cost.weight + turn + if trespass { TRESPASS } else { 0 },
            duration: cost.duration + turn,
            length: cost.length,
        })
    }

    /// Tells tail, head and cost of every arc that is driven.
    pub(crate) fn each_cost(&self, driver: &Driver, mut tell: impl FnMut(u32, u32, Cost)) {
        for tail in 0..self.edges() as u32 {
            for arc in self.arcs(tail) {
                if let Some(cost) = self.arc_cost(tail, arc, driver) {
                    tell(tail, self.arc_head[arc], cost);
                }
            }
        }
    }

    /// Whether a piece cannot be crossed.
    pub(crate) fn divided(&self, piece: u32, driver: &Driver) -> bool {
        self.way(piece, driver).is_some_and(|way| way.divided)
    }

    /// How a piece is driven.
    fn way(&self, piece: u32, driver: &Driver) -> Option<Way> {
        let class = self.class[piece as usize];
        let own = driver.own.and_then(|own| own.ways.get(&class));
        own.copied().unwrap_or_else(|| self.classes[class as usize][driver.index])
    }

    /// Whether an arc may not be taken.
    pub(crate) fn blocked(&self, arc: usize, driver: &Driver) -> bool {
        let own = driver.own.and_then(|own| own.blocked.get(&(arc as u32)));
        own.copied().unwrap_or(self.arc_blocked[arc] & driver.bit() != 0)
    }

    /// Whether an edge is driven.
    pub(crate) fn driven(&self, edge: usize, driver: &Driver) -> bool {
        driver.own.map_or(self.edge_driven[edge] & driver.bit() != 0, |own| own.driven.has(edge))
    }

    /// Whether an edge is part of the connected network.
    pub(crate) fn connected(&self, edge: usize, driver: &Driver) -> bool {
        driver.own.map_or(self.edge_connected[edge] & driver.bit() != 0, |own| own.connected.has(edge))
    }

    /// Whether an edge only leads to places.
    fn restricted(&self, edge: u32, driver: &Driver) -> bool {
        let (piece, against) = self.piece(edge);
        let way = self.way(piece, driver);
        way.and_then(|way| way.drives[usize::from(against)])
            .is_some_and(|drive| drive.restricted_at(driver.metric))
    }
}
