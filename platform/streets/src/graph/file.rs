//! A graph as a file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Graph;
use crate::Error;
use crate::mapped;
use crate::osm::Class;
use crate::profile::OwnedTags;

#[derive(Serialize, Deserialize)]
struct Head {
    classes: Vec<Class>,
    by_size: BTreeMap<u32, OwnedTags>,
    gates: Vec<OwnedTags>,
    left_hand: bool,
}

impl Graph {
    /// Writes the graph.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        use bytemuck::cast_slice as bytes;
        let arrays: [&[u8]; 15] = [
            bytes(&self.line_first),
            bytes(&self.line),
            bytes(&self.length),
            bytes(&self.class),
            bytes(&self.piece_edges),
            bytes(&self.edge_piece),
            bytes(&self.edge_delay),
            &self.edge_driven,
            &self.edge_connected,
            bytes(&self.arc_first),
            bytes(&self.arc_head),
            bytes(&self.arc_turn),
            &self.arc_blocked,
            bytes(&self.arc_gates),
            &self.tree,
        ];
        let head = Head {
            classes: self.classes.clone(),
            by_size: self.by_size.clone(),
            gates: self.gates.clone(),
            left_hand: self.left_hand,
        };
        mapped::save(path, &head, &arrays)
    }

    /// Opens a graph.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let (Head { classes, by_size, gates, left_hand }, mut arrays) = mapped::open(path)?;
        let opened = || {
            Some(Self {
                line_first: arrays.next()?,
                line: arrays.next()?,
                length: arrays.next()?,
                class: arrays.next()?,
                piece_edges: arrays.next()?,
                edge_piece: arrays.next()?,
                edge_delay: arrays.next()?,
                edge_driven: arrays.next()?,
                edge_connected: arrays.next()?,
                arc_first: arrays.next()?,
                arc_head: arrays.next()?,
                arc_turn: arrays.next()?,
                arc_blocked: arrays.next()?,
                arc_gates: arrays.next()?,
                tree: arrays.next()?,
                classes,
                by_size,
                gates,
                left_hand,
            })
        };
        opened().ok_or_else(|| mapped::too_short(path))
    }
}
