//! A customizable contraction hierarchy over the edges of a graph: the order in which they are contracted is found once, the
//! costs of shortcuts again for every profile, hour and size of vehicle.
//!
//! What is minimised is the weight; the seconds and metres along the lightest way are kept beside it, so that a table of both needs
//! no way to be unfolded.

mod contract;
mod customize;
mod kept;
mod path;
mod reach;
mod table;

use crate::graph::Cost;
use crate::mapped::Array;

pub(crate) use contract::contract;
pub(crate) use customize::customize;
pub(crate) use kept::{Costs, Kept};
pub(crate) use path::PathSearch;
pub(crate) use table::{Stop, in_parts, table};

/// A start or an end of ways: an edge and what it costs from a place to the end of it, or from the place on to the end of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) edge: u32,
    pub(crate) cost: Cost,
}

/// The order and the shortcuts of a graph. Its nodes are numbered from the lowest.
pub(crate) struct Shape {
    /// Node of every edge.
    pub(crate) rank: Array<u32>,
    /// Edge of every node.
    pub(crate) order: Array<u32>,
    /// First shortcut of every node, and the end of the last.
    pub(crate) first: Array<u32>,
    /// Node above that every shortcut leads to, in order.
    pub(crate) head: Array<u32>,
}

/// Shortcuts with their costs, as queries see them.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// Node of every edge.
    rank: &'a [u32],
    /// Edge of every node.
    order: &'a [u32],
    up: Kept<'a>,
    down: Kept<'a>,
}

impl<'a> View<'a> {
    pub(crate) fn new(shape: &'a Shape, costs: &'a Costs) -> Self {
        Self { rank: &shape.rank, order: &shape.order, up: costs.up.all(), down: costs.down.all() }
    }

    /// Node of an edge.
    fn node(&self, edge: u32) -> u32 {
        self.rank[edge as usize]
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
