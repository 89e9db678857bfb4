//! The way from one place to another, edge by edge.

use std::collections::HashMap;

use super::{Terminal, View};
use crate::graph::Cost;

/// How a node was reached.
#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    /// It is a start, with this number.
    Start(usize),
    /// From a node below it, by this shortcut.
    Up(u32, usize),
    /// From a node above it, by this shortcut.
    Down(u32, usize),
}

/// A way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) cost: Cost,
    /// Number of the start and of the end.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Edges from that of the start to that of the end.
    pub(crate) edges: Vec<u32>,
}

/// Looks for ways, one after the other.
pub(crate) struct PathSearch<'a> {
    view: &'a View<'a>,
    /// Edge of every node.
    edges: &'a [u32],
    /// Nodes that were reached.
    reached: HashMap<u32, (Cost, By)>,
}

const NOT: (Cost, By) = (Cost::FAR, By::Start(usize::MAX));

impl<'a> PathSearch<'a> {
    pub(crate) fn new(view: &'a View<'a>, edges: &'a [u32]) -> Self {
        Self { view, edges, reached: HashMap::new() }
    }

    /// The lightest way; an end's cost is what lies behind it on its edge.
    pub(crate) fn find(&mut self, starts: &[Terminal], ends: &[Terminal]) -> Option<Found> {
        let view = self.view;
        self.reached.clear();
        for (at, start) in starts.iter().enumerate() {
            self.improve(view.node(start.edge), start.cost, By::Start(at));
        }
        for node in view.above(starts.iter().map(|start| view.node(start.edge))) {
            let (cost, _) = self.at(node);
            if cost.reached() {
                for arc in view.arcs(node) {
                    self.improve(view.shape.up_head[arc], cost.then(view.up(arc)), By::Up(node, arc));
                }
            }
        }
        for node in view.above(ends.iter().map(|end| view.node(end.edge))).into_iter().rev() {
            for arc in view.arcs(node) {
                let down = view.down(arc);
                if down.reached() {
                    let above = view.shape.up_head[arc];
                    self.improve(node, self.at(above).0.then(down), By::Down(above, arc));
                }
            }
        }
        let of = |end: &Terminal| self.at(view.node(end.edge)).0.without(end.cost);
        let best = ends.iter().enumerate().min_by_key(|(_, end)| of(end));
        best.filter(|(_, end)| of(end).reached()).map(|(at, end)| {
            let (start, edges) = self.unfold(view.node(end.edge));
            Found { cost: of(end), start, end: at, edges }
        })
    }

    /// How a node was reached.
    fn at(&self, node: u32) -> (Cost, By) {
        self.reached.get(&node).copied().unwrap_or(NOT)
    }

    fn improve(&mut self, node: u32, cost: Cost, by: By) {
        if cost < self.at(node).0 {
            self.reached.insert(node, (cost, by));
        }
    }

    /// Number of the start and all edges of the way to a node.
    fn unfold(&self, end: u32) -> (usize, Vec<u32>) {
        let mut shortcuts = Vec::new();
        let mut node = end;
        let start = loop {
            match self.at(node).1 {
                By::Start(at) => break at,
                By::Up(below, arc) => {
                    shortcuts.push(Shortcut { low: below, high: node, arc, up: true });
                    node = below;
                }
                By::Down(above, arc) => {
                    shortcuts.push(Shortcut { low: node, high: above, arc, up: false });
                    node = above;
                }
            }
        };
        let mut edges = vec![self.edges[node as usize]];
        // The last one pushed is the first of the way.
        while let Some(shortcut) = shortcuts.pop() {
            match self.halves(&shortcut) {
                Some([first, second]) => shortcuts.extend([second, first]),
                None => edges.push(self.edges[shortcut.end() as usize]),
            }
        }
        (start, edges)
    }

    /// The two shortcuts that this one stands for, or `None` when it is an arc of the graph.
    fn halves(&self, shortcut: &Shortcut) -> Option<[Shortcut; 2]> {
        let view = self.view;
        let Shortcut { low, high, arc, up } = *shortcut;
        let cost = if up { view.up(arc) } else { view.down(arc) };
        let down = view.shape.down_first_out[low as usize] as usize
            ..view.shape.down_first_out[low as usize + 1] as usize;
        down.into_iter().find_map(|down| {
            let below = view.shape.down_head[down];
            let to_low = view.shape.down_to_up[down] as usize;
            let arcs = view.arcs(below);
            let at = view.shape.up_head[arcs.clone()].binary_search(&high).ok()?;
            let to_high = arcs.start + at;
            let over = if up {
                view.down(to_low).then(view.up(to_high))
            } else {
                view.down(to_high).then(view.up(to_low))
            };
            (over == cost).then(|| {
                let lower = Shortcut { low: below, high: low, arc: to_low, up: !up };
                let upper = Shortcut { low: below, high, arc: to_high, up };
                if up { [lower, upper] } else { [upper, lower] }
            })
        })
    }
}

/// A shortcut between two nodes, upwards or downwards.
#[derive(Debug, Clone, Copy)]
struct Shortcut {
    low: u32,
    high: u32,
    arc: usize,
    up: bool,
}

impl Shortcut {
    /// Node that it leads to.
    fn end(&self) -> u32 {
        if self.up { self.high } else { self.low }
    }
}
