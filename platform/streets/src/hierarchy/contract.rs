//! The order in which edges are contracted, and the shortcuts that this makes. Both depend on the streets alone, not on what they
//! cost.

use std::path::Path;

use super::Shape;
use crate::Error;
use crate::graph::{Graph, NONE, number};
use crate::mapped::{self, Array};

/// The order and the shortcuts of a graph.
pub(crate) fn contract(graph: &Graph) -> Result<Shape, Error> {
    let order = order(graph);
    let mut rank = vec![0; order.len()];
    for (node, edge) in (0..).zip(&order) {
        rank[*edge as usize] = node;
    }
    let (first, head) = fill(&Upwards::of(graph, &rank))?;
    Ok(Shape { rank: rank.into(), order: order.into(), first: first.into(), head: head.into() })
}

/// Edges from the lowest to the highest. What lies side by side is cut together: the order is that of pieces of streets, of which
/// there are half as many as edges, and which meet far fewer others.
fn order(graph: &Graph) -> Vec<u32> {
    let edges = graph.edges() as u32;
    let piece = |edge: u32| graph.piece(edge).0;
    let mut meets: Vec<(u32, u32)> = Vec::with_capacity(graph.arc_head.len() / 2);
    for edge in 0..edges {
        let tail = piece(edge);
        for arc in graph.arcs(edge) {
            let head = piece(graph.arc_head[arc]);
            if tail < head {
                meets.push((tail, head));
            } else if head < tail {
                meets.push((head, tail));
            }
        }
    }
    meets.sort_unstable();
    meets.dedup();
    let (tails, heads): (Vec<u32>, Vec<u32>) = meets.into_iter().unzip();
    let middle = |piece: u32| {
        let points = graph.points(piece);
        points[points.len() / 2].map(|degrees| degrees as f32 * 1e-7)
    };
    let pieces = graph.piece_edges.len() as u32;
    let (lat, lon): (Vec<f32>, Vec<f32>) = (0..pieces).map(|piece| middle(piece).into()).unzip();
    let ordered = cch::inertial_order(pieces, &tails, &heads, &lat, &lon);
    let mut place = vec![0; pieces as usize];
    for (at, piece) in (0_u32..).zip(&ordered) {
        place[*piece as usize] = at;
    }
    let mut order: Vec<u32> = (0..edges).collect();
    order.sort_unstable_by_key(|edge| (place[piece(*edge) as usize], *edge));
    order
}

/// For every node, those above it that an arc joins it with, in either direction; some more than once.
struct Upwards {
    first: Vec<u32>,
    head: Vec<u32>,
}

impl Upwards {
    fn of(graph: &Graph, rank: &[u32]) -> Self {
        let each = |act: &mut dyn FnMut(u32, u32)| {
            for edge in 0..graph.edges() as u32 {
                let tail = rank[edge as usize];
                for arc in graph.arcs(edge) {
                    let head = rank[graph.arc_head[arc] as usize];
                    if tail != head {
                        act(tail.min(head), tail.max(head));
                    }
                }
            }
        };
        let mut first = vec![0_u32; rank.len() + 1];
        each(&mut |low, _| first[low as usize + 1] += 1);
        for node in 0..rank.len() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut head = vec![0; first[rank.len()] as usize];
        each(&mut |low, high| {
            head[next[low as usize] as usize] = high;
            next[low as usize] += 1;
        });
        Self { first, head }
    }
}

/// Shortcuts upwards of every node: where its own arcs lead and, as it is contracted after those below it, where theirs do. Takes
/// four bytes for each shortcut and some for each node.
fn fill(arcs: &Upwards) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let nodes = arcs.first.len() - 1;
    let mut first = Vec::with_capacity(nodes + 1);
    let mut head: Vec<u32> = Vec::new();
    // Nodes whose lowest shortcut leads to a node, as a list.
    let (mut child, mut sibling) = (vec![NONE; nodes], vec![NONE; nodes]);
    let mut seen = vec![NONE; nodes];
    let mut found = Vec::new();
    first.push(0);
    for node in 0..nodes {
        found.clear();
        let mut add = |above: u32| {
            if above as usize != node && seen[above as usize] != node as u32 {
                seen[above as usize] = node as u32;
                found.push(above);
            }
        };
        arcs.head[arcs.first[node] as usize..arcs.first[node + 1] as usize]
            .iter()
            .copied()
            .for_each(&mut add);
        let mut below = child[node];
        while below != NONE {
            let own = first[below as usize] as usize..first[below as usize + 1] as usize;
            head[own].iter().copied().for_each(&mut add);
            below = sibling[below as usize];
        }
        found.sort_unstable();
        if let Some(parent) = found.first() {
            sibling[node] = child[*parent as usize];
            child[*parent as usize] = node as u32;
        }
        head.extend_from_slice(&found);
        first.push(number(head.len())?);
    }
    Ok((first, head))
}

impl Shape {
    /// Writes the shape.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        let arrays = [&self.rank, &self.order, &self.first, &self.head];
        mapped::save(path, &(), &arrays.map(|array| bytemuck::cast_slice(array)))
    }

    /// Opens a shape.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let ((), mut arrays) = mapped::open(path)?;
        let mut next = || -> Option<Array<u32>> { arrays.next() };
        let mut opened = || Some(Self { rank: next()?, order: next()?, first: next()?, head: next()? });
        opened().ok_or_else(|| mapped::too_short(path))
    }
}
