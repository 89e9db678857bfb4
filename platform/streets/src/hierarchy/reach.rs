//! The part of a hierarchy that lies above some nodes.

use super::Kept;
use crate::graph::NONE;

/// Nodes of a page.
const PAGE: usize = 64;

/// A number for some of very many nodes: a country has more of them than memory is meant for.
pub(super) struct Numbering {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl Numbering {
    /// No number for any of so many nodes.
    pub(super) fn none(nodes: usize) -> Self {
        Self { pages: (0..nodes.div_ceil(PAGE)).map(|_| None).collect() }
    }

    /// The number of a node, or [`NONE`].
    pub(super) fn of(&self, node: u32) -> u32 {
        let page = &self.pages[node as usize / PAGE];
        page.as_ref().map_or(NONE, |page| page[node as usize % PAGE])
    }

    /// Gives a node a number.
    pub(super) fn set(&mut self, node: u32, number: u32) {
        let page = &mut self.pages[node as usize / PAGE];
        page.get_or_insert_with(|| Box::new([NONE; PAGE]))[node as usize % PAGE] = number;
    }
}

impl Kept<'_> {
    /// Adds what can be reached upwards over these shortcuts from nodes that `nodes` begins with; `numbers` tells 0 for those that
    /// are in there.
    pub(super) fn reach(
        self,
        nodes: impl Iterator<Item = u32>,
        found: &mut Vec<u32>,
        numbers: &mut Numbering,
    ) {
        let mut open = Vec::new();
        let mut add = |node: u32, open: &mut Vec<u32>| {
            if numbers.of(node) == NONE {
                numbers.set(node, 0);
                found.push(node);
                open.push(node);
            }
        };
        nodes.for_each(|node| add(node, &mut open));
        while let Some(node) = open.pop() {
            for shortcut in self.of(node) {
                add(shortcut.head, &mut open);
            }
        }
    }
}
