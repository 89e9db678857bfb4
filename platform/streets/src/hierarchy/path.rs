//! The way from one place to another, edge by edge.

use std::collections::{HashMap, HashSet};

use super::kept::Shortcut;
use super::{Kept, Terminal, View};
use crate::graph::{Cost, NONE};

/// How a node was reached.
#[derive(Debug, Clone, Copy)]
enum By {
    /// It is a start, with this number.
    Start(usize),
    /// From this node below it, by a shortcut of that.
    Up(u32, Shortcut),
    /// From a node above it, by this shortcut of its own.
    Down(Shortcut),
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
    view: View<'a>,
    /// Nodes that were reached.
    reached: HashMap<u32, (Cost, By)>,
}

const NOT: (Cost, By) = (Cost::FAR, By::Start(usize::MAX));

impl<'a> PathSearch<'a> {
    pub(crate) fn new(view: View<'a>) -> Self {
        Self { view, reached: HashMap::new() }
    }

    /// The lightest way; an end's cost is what lies behind it on its edge.
    pub(crate) fn find(&mut self, starts: &[Terminal], ends: &[Terminal]) -> Option<Found> {
        let view = self.view;
        self.reached.clear();
        for (at, start) in starts.iter().enumerate() {
            self.improve(view.node(start.edge), start.cost, By::Start(at));
        }
        for node in above(view.up, starts.iter().map(|start| view.node(start.edge))) {
            let (cost, _) = self.at(node);
            for shortcut in view.up.of(node) {
                self.improve(shortcut.head, cost.then(shortcut.cost()), By::Up(node, shortcut));
            }
        }
        for node in above(view.down, ends.iter().map(|end| view.node(end.edge))).into_iter().rev() {
            for shortcut in view.down.of(node) {
                let way = self.at(shortcut.head).0.then(shortcut.cost());
                self.improve(node, way, By::Down(shortcut));
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
        let mut steps = Vec::new();
        let mut node = end;
        let start = loop {
            match self.at(node).1 {
                By::Start(at) => break at,
                By::Up(below, shortcut) => {
                    steps.push(Step { from: below, to: shortcut.head, middle: shortcut.middle });
                    node = below;
                }
                By::Down(shortcut) => {
                    steps.push(Step { from: shortcut.head, to: node, middle: shortcut.middle });
                    node = shortcut.head;
                }
            }
        };
        let edge = |node: u32| self.view.order[node as usize];
        let mut edges = vec![edge(node)];
        // The last one pushed is the first of the way.
        while let Some(step) = steps.pop() {
            match self.halves(&step) {
                Some([first, second]) => steps.extend([second, first]),
                None => edges.push(edge(step.to)),
            }
        }
        (start, edges)
    }

    /// The two steps that this one stands for, or `None` when it is an arc of the graph.
    fn halves(&self, step: &Step) -> Option<[Step; 2]> {
        let Step { from, to, middle } = *step;
        // No node has the number that stands for none.
        let first = (middle != NONE).then(|| self.view.down.between(middle, from))??;
        let second = self.view.up.between(middle, to)?;
        Some([
            Step { from, to: middle, middle: first.middle },
            Step { from: middle, to, middle: second.middle },
        ])
    }
}

/// Nodes that can be reached upwards from some, lowest first.
fn above(kept: Kept, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    let (mut open, mut found) = (nodes.collect::<Vec<u32>>(), HashSet::new());
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(kept.of(node).map(|shortcut| shortcut.head));
        }
    }
    let mut found: Vec<u32> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// A step from one node to another, over a node below both.
#[derive(Debug, Clone, Copy)]
struct Step {
    from: u32,
    to: u32,
    middle: u32,
}
