//! Edges and the turns between them.

use std::collections::{HashMap, HashSet};

use geo_index::rtree::RTreeBuilder;
use geo_index::rtree::sort::HilbertSort;

use super::pieces::{Pieces, number};
use super::{Graph, NONE, components, shape, via_ways};
use crate::Error;
use crate::osm::{Extract, Place, Restriction, Via};

/// Seconds of the sharpest turn.
const TURN: f64 = 7.5;
/// How much easier a turn towards the near side is.
const BIAS: f64 = 1.075;
/// Seconds more for a turn across oncoming traffic.
const ONCOMING: f64 = 2.0;
/// Seconds more for turning round.
const U_TURN: f64 = 20.0;

/// A turn while the graph is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) tail: u32,
    pub(super) head: u32,
    /// Tenths of a second.
    pub(super) turn: u16,
    /// Profiles that may not take it.
    pub(super) blocked: u8,
}

/// Edges at a node and what is said about it.
struct Junction<'a> {
    node: u32,
    /// Edges that end and that begin here.
    comes: &'a [u32],
    goes: &'a [u32],
    /// Ends of pieces that meet here.
    roads: usize,
    left_hand: bool,
}

/// The graph of the pieces.
pub(super) fn graph(extract: &Extract, pieces: Pieces, members: &[usize]) -> Result<Graph, Error> {
    let mut graph = edges(extract, &pieces, members)?;
    let nodes = Nodes::of(&graph, &pieces, extract.places.len());
    let bearings = bearings(&graph, &pieces);
    let left_hand = left_hand(extract);
    let mut restrictions: HashMap<u32, Vec<&Restriction>> = HashMap::new();
    for restriction in &extract.restrictions {
        if let Via::Node(node) = restriction.via {
            restrictions.entry(node).or_default().push(restriction);
        }
    }
    let mut arcs = Vec::with_capacity(graph.edges() * 3);
    for node in 0..extract.places.len() {
        let (comes, goes) = (nodes.comes.at(node), nodes.goes.at(node));
        let junction =
            Junction { node: number(node)?, comes, goes, roads: usize::from(nodes.roads[node]), left_hand };
        let first = arcs.len();
        junction.turns(extract, &graph, &pieces, &bearings, members, &mut arcs);
        for restriction in restrictions.get(&junction.node).into_iter().flatten() {
            restrict(restriction, extract, &graph, &pieces, &mut arcs[first..]);
        }
    }
    // A turn that nobody may take is none, unless vehicles of other sizes may.
    let by_size = by_size(extract, &pieces);
    let end = |edge: u32| {
        let (piece, against) = graph.piece(edge);
        pieces.ends[piece as usize][usize::from(!against)]
    };
    arcs.retain(|arc| {
        graph.edge_driven[arc.tail as usize] & graph.edge_driven[arc.head as usize] & !arc.blocked != 0
            || by_size.contains(&end(arc.tail))
    });
    via_ways::restrict(extract, &pieces, &mut graph, &mut arcs)?;
    arcs.sort_unstable_by_key(|arc| (arc.tail, arc.head));
    graph.arc_first = offsets(graph.edges(), arcs.iter().map(|arc| arc.tail)).into();
    graph.arc_head = arcs.iter().map(|arc| arc.head).collect::<Vec<_>>().into();
    graph.arc_turn = arcs.iter().map(|arc| arc.turn).collect::<Vec<_>>().into();
    graph.arc_blocked = arcs.iter().map(|arc| arc.blocked).collect::<Vec<_>>().into();
    number(arcs.len())?;
    if !extract.gates.is_empty() {
        let end = |edge: u32| {
            let (piece, against) = graph.piece(edge);
            pieces.ends[piece as usize][usize::from(!against)]
        };
        let numbers: HashMap<u32, u32> = extract.gates.keys().copied().zip(0..).collect();
        let gates = (0_u32..).zip(&arcs).filter_map(|(at, arc)| Some([at, *numbers.get(&end(arc.tail))?]));
        graph.arc_gates = gates.collect::<Vec<_>>().into();
        graph.gates = extract.gates.values().cloned().collect();
    }
    graph.edge_connected = components::connected(&graph, members).into();
    graph.tree = tree(&pieces)?.into();
    graph.line_first = pieces.line_first.into();
    graph.line = pieces.line.into();
    graph.length = pieces.length.into();
    graph.class = pieces.class.into();
    graph.classes = pieces.classes;
    graph.by_size = pieces.by_size;
    graph.left_hand = left_hand;
    Ok(graph)
}

/// Nodes that vehicles of different sizes leave by different ways.
fn by_size(extract: &Extract, pieces: &Pieces) -> HashSet<u32> {
    let own = pieces.class.iter().zip(&pieces.ends).filter(|(class, _)| pieces.by_size.contains_key(class));
    own.flat_map(|(_, ends)| *ends).chain(extract.gates.keys().copied()).collect()
}

/// Numbers the edges.
fn edges(extract: &Extract, pieces: &Pieces, members: &[usize]) -> Result<Graph, Error> {
    let mut graph = Graph::default();
    for (piece, class) in pieces.class.iter().enumerate() {
        let mut both = [NONE; 2];
        for (against, edge) in both.iter_mut().enumerate() {
            let driven = members.iter().fold(0, |bits, at| {
                let way = &pieces.classes[*class as usize][*at];
                let driven = way.is_some_and(|way| way.drives[against].is_some());
                bits | u8::from(driven) << at
            });
            if driven == 0 {
                continue;
            }
            *edge = number(graph.edge_piece.len())?;
            graph.edge_piece.push(number(piece)? << 1 | against as u32);
            graph.edge_driven.push(driven);
            // What happens at the end of the edge costs whoever arrives there.
            let end = pieces.ends[piece][1 - against];
            let at_end = extract.passages.get(&end).map_or(0.0, |all| all[members[0]].delay[against]);
            graph.edge_delay.push((at_end * 10.0).round() as u16);
        }
        graph.piece_edges.push(both);
    }
    if graph.edge_piece.is_empty() {
        return Err(Error::NoStreets { files: "the files".to_owned() });
    }
    Ok(graph)
}

/// Edges by node.
struct Nodes {
    comes: Grouped,
    goes: Grouped,
    roads: Vec<u8>,
}

/// Numbers grouped by a key.
struct Grouped {
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Grouped {
    fn at(&self, key: usize) -> &[u32] {
        &self.all[self.first[key] as usize..self.first[key + 1] as usize]
    }

    fn by(keys: usize, of: &[u32]) -> Self {
        let first = offsets(keys, of.iter().copied());
        let mut next = first.clone();
        let mut all = vec![0; of.len()];
        for (edge, key) in (0..).zip(of) {
            all[next[*key as usize] as usize] = edge;
            next[*key as usize] += 1;
        }
        Self { first, all }
    }
}

impl Nodes {
    fn of(graph: &Graph, pieces: &Pieces, nodes: usize) -> Self {
        let end = |edge: u32, at: usize| {
            let (piece, against) = graph.piece(edge);
            pieces.ends[piece as usize][if against { 1 - at } else { at }]
        };
        let edges = 0..graph.edges() as u32;
        let mut roads = vec![0_u8; nodes];
        for node in pieces.ends.iter().flatten() {
            roads[*node as usize] = roads[*node as usize].saturating_add(1);
        }
        Self {
            comes: Grouped::by(nodes, &edges.clone().map(|edge| end(edge, 1)).collect::<Vec<_>>()),
            goes: Grouped::by(nodes, &edges.map(|edge| end(edge, 0)).collect::<Vec<_>>()),
            roads,
        }
    }
}

/// First index of every key, and the end of the last.
pub(super) fn offsets(keys: usize, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = vec![0; keys + 1];
    for key in of {
        first[key as usize + 1] += 1;
    }
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    first
}

/// Bearings at the start and at the end of every edge.
fn bearings(graph: &Graph, pieces: &Pieces) -> Vec<[f32; 2]> {
    let of = |edge: u32| {
        let (piece, against) = graph.piece(edge);
        let piece = piece as usize;
        let line = &pieces.line[pieces.line_first[piece] as usize..pieces.line_first[piece + 1] as usize];
        let [first, last] =
            [shape::bearing(line.iter().copied()), shape::bearing(line.iter().rev().copied())];
        let [start, end] = if against { [last, first + 180.0] } else { [first, last + 180.0] };
        [start as f32, end as f32]
    };
    (0..graph.edges() as u32).map(of).collect()
}

/// Whether traffic keeps left: most closed roundabouts are driven clockwise there.
fn left_hand(extract: &Extract) -> bool {
    let mut balance = 0_i64;
    for (at, way) in extract.ways.iter().enumerate() {
        let nodes = extract.nodes_of(at);
        if !way.roundabout || nodes.len() < 4 || nodes.first() != nodes.last() {
            continue;
        }
        let places: Vec<Place> = nodes.iter().map(|node| extract.places[*node as usize]).collect();
        if places.contains(&crate::osm::MISSING) {
            continue;
        }
        let around = places.windows(2).map(|pair| {
            let (from, to) = (shape::offset(places[0], pair[0]), shape::offset(places[0], pair[1]));
            from.0 * to.1 - from.1 * to.0
        });
        balance += if around.sum::<f64>() < 0.0 { 1 } else { -1 };
    }
    balance > 0
}

impl Junction<'_> {
    /// All turns at this node.
    fn turns(
        &self,
        extract: &Extract,
        graph: &Graph,
        pieces: &Pieces,
        bearings: &[[f32; 2]],
        members: &[usize],
        arcs: &mut Vec<Arc>,
    ) {
        let passages = extract.passages.get(&self.node);
        let closed = passages
            .map_or(0, |all| members.iter().fold(0_u8, |bits, at| bits | u8::from(all[*at].closed) << at));
        let roundabout =
            |edge: u32| extract.ways[pieces.way[graph.piece(edge).0 as usize] as usize].roundabout;
        for tail in self.comes {
            let back = |head: u32| graph.edge_piece[head as usize] == graph.edge_piece[*tail as usize] ^ 1;
            // Turning round is for those who have no other way on.
            let onward = self.goes.iter().filter(|head| !back(**head));
            let others = onward.fold(0, |bits, head| bits | graph.edge_driven[*head as usize]) & !closed;
            for head in self.goes.iter().filter(|head| *head != tail) {
                let around = back(*head);
                let angle = shape::turn(
                    f64::from(bearings[*tail as usize][1]),
                    f64::from(bearings[*head as usize][0]),
                );
                let circle = roundabout(*tail) || roundabout(*head);
                let seconds = self.seconds(if around { 180.0 } else { angle }, around, circle);
                arcs.push(Arc {
                    tail: *tail,
                    head: *head,
                    turn: (seconds * 10.0).round() as u16,
                    blocked: if around { others } else { closed },
                });
            }
        }
    }

    /// Seconds of a turn by its angle, right positive.
    fn seconds(&self, angle: f64, around: bool, circle: bool) -> f64 {
        if self.roads <= 2 && !around {
            return 0.0;
        }
        // Mirrored where traffic keeps left.
        let angle = if self.left_hand { -angle } else { angle };
        let share = if angle >= 0.0 {
            1.0 / (1.0 + (-(13.0 / BIAS * angle / 180.0 - 6.5 * BIAS)).exp())
        } else {
            1.0 / (1.0 + (-(13.0 * BIAS * -angle / 180.0 - 6.5 / BIAS)).exp())
        };
        let mut seconds = TURN * share;
        if around {
            seconds += U_TURN;
        } else if angle < 0.0 && !circle {
            seconds += ONCOMING / (1.0 + (-(13.0 * -angle / 180.0 - 3.25)).exp());
        }
        seconds
    }
}

/// Blocks what a restriction forbids among the turns at its node.
fn restrict(restriction: &Restriction, extract: &Extract, graph: &Graph, pieces: &Pieces, arcs: &mut [Arc]) {
    let piece = |edge: u32| graph.piece(edge).0;
    let way = |edge: u32| extract.ways[pieces.way[piece(edge) as usize] as usize].id;
    for arc in arcs.iter_mut().filter(|arc| way(arc.tail) == restriction.from) {
        let around = piece(arc.tail) == piece(arc.head);
        let named = way(arc.head) == restriction.to && around == (restriction.from == restriction.to);
        if named != restriction.only {
            arc.blocked |= restriction.holds;
        }
    }
}

fn tree(pieces: &Pieces) -> Result<Vec<u8>, Error> {
    let mut builder = RTreeBuilder::<i32>::new(number(pieces.length.len())?);
    for ends in pieces.line_first.windows(2) {
        let line = &pieces.line[ends[0] as usize..ends[1] as usize];
        let range = |axis: usize| {
            let values = line.iter().map(|place| place[axis]);
            (values.clone().min().unwrap_or_default(), values.max().unwrap_or_default())
        };
        let ((south, north), (west, east)) = (range(0), range(1));
        builder.add(west, south, east, north);
    }
    Ok(builder.finish::<HilbertSort>().into_inner())
}
