//! Shortcuts that lightest ways lead over, with what they cost: about one in six of all that a network has.

use std::path::Path;

use crate::Error;
use crate::graph::{Cost, NONE};
use crate::mapped::{self, Array};

/// A shortcut between a node and one above it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortcut {
    /// The node above.
    pub(crate) head: u32,
    weight: u32,
    duration: u32,
    length: u32,
    /// The node below both that it leads over; [`NONE`] where it is an arc of the graph.
    pub(crate) middle: u32,
}

/// A shortcut as it is stored.
type Row = [u32; 5];

impl From<Row> for Shortcut {
    fn from([head, weight, duration, length, middle]: Row) -> Self {
        Self { head, weight, duration, length, middle }
    }
}

impl From<Shortcut> for Row {
    fn from(Shortcut { head, weight, duration, length, middle }: Shortcut) -> Self {
        [head, weight, duration, length, middle]
    }
}

impl Shortcut {
    /// One of a known weight of which nothing else is known yet.
    pub(super) fn new(head: u32, weight: u32) -> Self {
        Self { head, weight, duration: NONE, length: NONE, middle: NONE }
    }

    pub(crate) fn cost(&self) -> Cost {
        Cost { weight: self.weight, duration: self.duration, length: self.length }
    }

    /// Takes a way of its weight that takes less time than what it has.
    pub(super) fn leads(&mut self, way: Cost, middle: u32) {
        if way.weight == self.weight && way < self.cost() {
            (self.duration, self.length, self.middle) = (way.duration, way.length, middle);
        }
    }
}

/// Shortcuts in one direction, by the node below.
pub(crate) struct Direction {
    first: Array<u32>,
    all: Array<Row>,
}

/// The same, as queries see them.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    first: &'a [u32],
    all: &'a [Row],
}

/// What all shortcuts of a network cost, for one profile at some hours.
pub(crate) struct Costs {
    /// From a node to those above it.
    pub(crate) up: Direction,
    /// To a node from those above it.
    pub(crate) down: Direction,
}

impl Direction {
    pub(super) fn new(first: Vec<u32>, all: Vec<Shortcut>) -> Self {
        let all: Vec<Row> = all.into_iter().map(Row::from).collect();
        Self { first: first.into(), all: all.into() }
    }

    pub(crate) fn all(&self) -> Kept<'_> {
        Kept { first: &self.first, all: &self.all }
    }
}

impl<'a> Kept<'a> {
    fn rows(self, node: u32) -> &'a [Row] {
        &self.all[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Shortcuts of a node, in the order of where they lead.
    pub(crate) fn of(self, node: u32) -> impl Iterator<Item = Shortcut> + 'a {
        self.rows(node).iter().map(|row| Shortcut::from(*row))
    }

    /// The shortcut between two nodes.
    pub(crate) fn between(self, node: u32, above: u32) -> Option<Shortcut> {
        let rows = self.rows(node);
        rows.binary_search_by_key(&above, |row| row[0]).ok().map(|at| rows[at].into())
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn len(self) -> usize {
        self.all.len()
    }
}

impl Costs {
    /// Writes the costs.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        use bytemuck::cast_slice as bytes;
        let [up, down] = [&self.up, &self.down];
        mapped::save(path, &(), &[bytes(&up.first), bytes(&up.all), bytes(&down.first), bytes(&down.all)])
    }

    /// Opens costs.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let ((), mut arrays) = mapped::open(path)?;
        let mut direction = || Some(Direction { first: arrays.next()?, all: arrays.next()? });
        let mut opened = || Some(Self { up: direction()?, down: direction()? });
        opened().ok_or_else(|| mapped::too_short(path))
    }

    /// Nodes that these are the costs of.
    pub(crate) fn nodes(&self) -> usize {
        self.up.first.len() - 1
    }
}
