//! A graph as a file: a line of JSON with the lengths of the arrays, then the arrays as they are in memory. The library of the
//! hierarchy maps files of its own format into memory; the graph lies behind an empty one of them.

use std::fs::OpenOptions;
use std::io::{BufWriter, Error as IoError, Write};
use std::path::Path;
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use cch::{Metric, MetricBundle};
use serde::{Deserialize, Serialize};

use super::{Array, Graph};
use crate::Error;
use crate::osm::Class;

/// Arrays begin at multiples of so many bytes.
const ALIGN: usize = 8;

#[derive(Serialize, Deserialize)]
struct Head {
    /// Bytes of the arrays.
    lengths: Vec<usize>,
    classes: Vec<Class>,
    left_hand: bool,
}

impl Graph {
    fn arrays(&self) -> [&[u8]; 14] {
        use bytemuck::cast_slice as bytes;
        [
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
            &self.tree,
        ]
    }

    /// Writes the graph.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        let write = || {
            Metric { forward: Vec::new(), backward: Vec::new() }.save(path)?;
            let file = OpenOptions::new().append(true).open(path)?;
            let first = usize::try_from(file.metadata()?.len()).map_err(IoError::other)?;
            let mut out = BufWriter::new(file);
            let lengths = self.arrays().iter().map(|array| array.len()).collect();
            let head = Head { lengths, classes: self.classes.clone(), left_hand: self.left_hand };
            let mut head = serde_json::to_vec(&head)?;
            // Spaces before the end of the line.
            head.resize((first + head.len() + 1).next_multiple_of(ALIGN) - first - 1, b' ');
            out.write_all(&head)?;
            out.write_all(b"\n")?;
            for array in self.arrays() {
                out.write_all(array)?;
                out.write_all(&[0; ALIGN][..array.len().next_multiple_of(ALIGN) - array.len()])?;
            }
            out.into_inner()?.sync_all()
        };
        write().map_err(Error::file(path))
    }

    /// Opens a graph.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let damaged = |reason: String| Error::Bundle { path: path.into(), reason };
        let file = Arc::new(MetricBundle::open(path).map_err(Error::file(path))?);
        let bytes = file.mmap_bytes();
        let first = (0..bytes.len()).find(|at| bytes[*at] == b'{').unwrap_or(bytes.len());
        let end = (first..bytes.len()).find(|at| bytes[*at] == b'\n').unwrap_or(bytes.len());
        let head: Head =
            serde_json::from_slice(&bytes[first..end]).map_err(|error| damaged(error.to_string()))?;
        let mut arrays = Arrays { file: &file, next: end + 1, lengths: head.lengths.into_iter() };
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
                tree: arrays.next()?,
                classes: head.classes,
                left_hand: head.left_hand,
            })
        };
        opened().ok_or_else(|| damaged("it is shorter than it says".to_owned()))
    }
}

/// Arrays of a file, one after the other.
struct Arrays<'a, L> {
    file: &'a Arc<MetricBundle>,
    next: usize,
    lengths: L,
}

impl<L: Iterator<Item = usize>> Arrays<'_, L> {
    fn next<T: AnyBitPattern>(&mut self) -> Option<Array<T>> {
        let bytes = self.next..self.next.checked_add(self.lengths.next()?)?;
        self.next = bytes.end.checked_next_multiple_of(ALIGN)?;
        Array::mapped(self.file, bytes)
    }
}
