//! A customizable contraction hierarchy over the edges of a graph: the order in which they are contracted is found once, the
//! costs of shortcuts again for every profile and hour.
//!
//! What is minimised is the weight; the seconds and metres along the lightest way are kept beside it, as two more "metrics" in
//! the format of the library, so that a table of both needs no way to be unfolded.

mod customize;
mod path;
mod table;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use cch::{Cch, CchBundle, CchView, Metric, MetricBundle, MetricView};

use crate::Error;
use crate::graph::{Cost, Graph};

pub(crate) use customize::customize;
pub(crate) use path::PathSearch;
pub(crate) use table::{Stop, in_parts, table};

/// What costs are kept in, in the order of [`Cost`].
const KINDS: [&str; 3] = ["weight", "duration", "length"];

/// A start or an end of ways: an edge and what it costs from a place to the end of it, or from the place on to the end of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) edge: u32,
    pub(crate) cost: Cost,
}

/// The order and the shortcuts of a graph.
pub(crate) fn contract(graph: &Graph) -> Cch {
    let mut tails = Vec::with_capacity(graph.arc_head.len());
    for edge in 0..graph.edges() as u32 {
        tails.extend(graph.arcs(edge).map(|_| edge));
    }
    let middle = |edge: u32| {
        let points = graph.points(graph.piece(edge).0);
        points[points.len() / 2].map(|degrees| degrees as f32 * 1e-7)
    };
    let (lat, lon): (Vec<f32>, Vec<f32>) = (0..graph.edges() as u32).map(|edge| middle(edge).into()).unzip();
    let order = cch::inertial_order(graph.edges() as u32, &tails, &graph.arc_head, &lat, &lon);
    let input = cch::graph::Graph {
        first_out: graph.arc_first.to_vec(),
        head: graph.arc_head.to_vec(),
        weight: vec![1; graph.arc_head.len()],
    };
    Cch::build(&input, &order)
}

/// Costs of all shortcuts, upwards and downwards.
#[derive(Debug)]
pub(crate) struct Costs {
    pub(crate) up: Vec<Cost>,
    pub(crate) down: Vec<Cost>,
}

impl Costs {
    /// Writes three files beside each other.
    pub(crate) fn save(&self, stem: &Path) -> Result<(), Error> {
        let kinds: [fn(&Cost) -> u32; 3] = [|cost| cost.weight, |cost| cost.duration, |cost| cost.length];
        for (name, of) in KINDS.iter().zip(kinds) {
            let metric = Metric {
                forward: self.up.iter().map(of).collect(),
                backward: self.down.iter().map(of).collect(),
            };
            let path = file(stem, name);
            metric.save(&path).map_err(Error::file(path))?;
        }
        Ok(())
    }
}

/// Costs of all shortcuts, mapped from files.
pub(crate) struct Metrics([MetricBundle; 3]);

impl Metrics {
    /// Opens what [`Costs::save`] has written.
    pub(crate) fn open(stem: &Path) -> Result<Self, Error> {
        let open = |name| {
            let path = file(stem, name);
            MetricBundle::open(&path).map_err(Error::file(path))
        };
        Ok(Self([open(KINDS[0])?, open(KINDS[1])?, open(KINDS[2])?]))
    }
}

fn file(stem: &Path, kind: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(kind);
    name.into()
}

/// Shortcuts with their costs, as queries see them.
pub(crate) struct View<'a> {
    pub(crate) shape: CchView<'a>,
    costs: [MetricView<'a>; 3],
}

impl<'a> View<'a> {
    pub(crate) fn new(shape: &'a CchBundle, metrics: &'a Metrics) -> Self {
        Self { shape: shape.view(), costs: metrics.0.each_ref().map(MetricBundle::view) }
    }

    /// Edge of every node.
    pub(crate) fn edges(&self) -> Vec<u32> {
        let mut edges = vec![0; self.shape.rank.len()];
        for (edge, node) in (0..).zip(self.shape.rank) {
            edges[*node as usize] = edge;
        }
        edges
    }

    /// Cost of a shortcut upwards.
    fn up(&self, arc: usize) -> Cost {
        let [weight, duration, length] = self.costs.each_ref().map(|costs| costs.forward[arc]);
        Cost { weight, duration, length }
    }

    /// Cost of a shortcut downwards.
    fn down(&self, arc: usize) -> Cost {
        let [weight, duration, length] = self.costs.each_ref().map(|costs| costs.backward[arc]);
        Cost { weight, duration, length }
    }

    /// Shortcuts that lead upwards from a node.
    fn arcs(&self, node: u32) -> std::ops::Range<usize> {
        self.shape.up_first_out[node as usize] as usize..self.shape.up_first_out[node as usize + 1] as usize
    }

    /// Node of an edge.
    fn node(&self, edge: u32) -> u32 {
        self.shape.rank[edge as usize]
    }

    /// The nodes and all above them, lowest first.
    fn above(&self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        // Not as large as the hierarchy: a country has more of it than memory is meant for.
        let mut found = HashSet::new();
        for mut node in nodes {
            while node != cch::bundle::INVALID_ID && found.insert(node) {
                node = self.shape.elimination_tree_parent[node as usize];
            }
        }
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

impl Cost {
    /// No way.
    pub(crate) const FAR: Self =
        Self { weight: crate::graph::FAR, duration: crate::graph::FAR, length: crate::graph::FAR };

    /// Whether it is a way.
    pub(crate) fn reached(self) -> bool {
        self.weight < crate::graph::FAR
    }

    /// One after the other; [`Cost::FAR`] when either is.
    pub(crate) fn then(self, next: Self) -> Self {
        let sum = Self {
            weight: self.weight.saturating_add(next.weight),
            duration: self.duration.saturating_add(next.duration),
            length: self.length.saturating_add(next.length),
        };
        if sum.weight >= crate::graph::FAR { Self::FAR } else { sum }
    }

    /// Without the last part of it.
    pub(crate) fn without(self, part: Self) -> Self {
        if !self.reached() {
            return Self::FAR;
        }
        Self {
            weight: self.weight.saturating_sub(part.weight),
            duration: self.duration.saturating_sub(part.duration),
            length: self.length.saturating_sub(part.length),
        }
    }
}

#[cfg(test)]
mod tests;
