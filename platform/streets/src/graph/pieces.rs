//! Ways cut into pieces at junctions.

use std::collections::BTreeMap;

use super::shape;
use crate::Error;
use crate::osm::{Extract, MISSING, Place};
use crate::profile::{OwnedTags, Way};

/// Pieces of streets, in the order of their ways.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) line_first: Vec<u32>,
    pub(super) line: Vec<Place>,
    pub(super) length: Vec<u32>,
    pub(super) class: Vec<u32>,
    /// First and last node.
    pub(super) ends: Vec<[u32; 2]>,
    /// Index of the way.
    pub(super) way: Vec<u32>,
    /// Classes of ways, those added that tell their duration.
    pub(super) classes: Vec<Vec<Option<Way>>>,
    /// Tags of those that vehicles of different sizes drive differently.
    pub(super) by_size: BTreeMap<u32, OwnedTags>,
}

impl Pieces {
    /// Cuts the ways that these profiles drive.
    pub(super) fn cut(extract: &Extract, members: &[usize]) -> Result<Self, Error> {
        let driven = |class: u32| members.iter().any(|at| extract.classes[class as usize][*at].is_some());
        let mut uses = vec![0_u8; extract.places.len()];
        for (at, way) in extract.ways.iter().enumerate() {
            let nodes = extract.nodes_of(at);
            if !driven(way.class) {
                continue;
            }
            for node in nodes.iter().chain(nodes.first()).chain(nodes.last()) {
                uses[*node as usize] = uses[*node as usize].saturating_add(1);
            }
        }
        // Whatever happens at a node happens between two pieces.
        for node in extract.passages.keys() {
            uses[*node as usize] = u8::MAX;
        }
        let mut pieces = Self {
            line_first: vec![0],
            classes: extract.classes.clone(),
            by_size: extract.by_size.clone(),
            ..Self::default()
        };
        for (at, way) in extract.ways.iter().enumerate() {
            if driven(way.class) {
                pieces.way(extract, at, &uses)?;
            }
        }
        Ok(pieces)
    }

    fn way(&mut self, extract: &Extract, at: usize, uses: &[u8]) -> Result<(), Error> {
        let nodes = extract.nodes_of(at);
        let mut class = extract.ways[at].class;
        if extract.classes[class as usize].iter().flatten().any(|way| way.seconds.is_some()) {
            class = self.timed(extract, nodes, class);
        }
        for nodes in nodes.split(|node| extract.places[*node as usize] == MISSING) {
            let mut start = 0;
            for end in 1..nodes.len() {
                if uses[nodes[end] as usize] <= 1 && end + 1 != nodes.len() {
                    continue;
                }
                // A loop is two pieces: a piece that ends where it begins would lead into itself.
                let middle = if nodes[start] == nodes[end] { start.midpoint(end) } else { start };
                if middle > start {
                    self.piece(extract, at, class, &nodes[start..=middle])?;
                }
                if nodes[middle] != nodes[end] {
                    self.piece(extract, at, class, &nodes[middle..=end])?;
                }
                start = end;
            }
        }
        Ok(())
    }

    fn piece(&mut self, extract: &Extract, way: usize, class: u32, nodes: &[u32]) -> Result<(), Error> {
        let places = nodes.iter().map(|node| extract.places[*node as usize]);
        let first = self.line.len();
        self.line.extend(places);
        let line = &self.line[first..];
        let metres: f64 = line.windows(2).map(|pair| shape::metres(pair[0], pair[1])).sum();
        self.length.push((metres * 10.0).round() as u32);
        self.class.push(class);
        self.ends.push([nodes[0], nodes[nodes.len() - 1]]);
        self.way.push(number(way)?);
        self.line_first.push(number(self.line.len())?);
        Ok(())
    }

    /// The class of a way that tells how long it takes, with the speed that makes it so.
    fn timed(&mut self, extract: &Extract, nodes: &[u32], class: u32) -> u32 {
        let places: Vec<Place> = nodes
            .iter()
            .map(|node| extract.places[*node as usize])
            .filter(|place| *place != MISSING)
            .collect();
        let metres: f64 = places.windows(2).map(|pair| shape::metres(pair[0], pair[1])).sum();
        let mut timed = extract.classes[class as usize].clone();
        for way in timed.iter_mut().flatten() {
            let Some(seconds) = way.seconds else { continue };
            for drive in way.drives.iter_mut().flatten() {
                drive.speed = (metres / seconds * 3.6).clamp(0.1, 250.0);
            }
        }
        self.classes.push(timed);
        let number = u32::try_from(self.classes.len() - 1).unwrap_or(class);
        let tags = self.by_size.get(&class).cloned();
        self.by_size.extend(tags.map(|tags| (number, tags)));
        number
    }
}

/// A number that fits into 31 bits.
pub(crate) fn number(count: usize) -> Result<u32, Error> {
    u32::try_from(count)
        .ok()
        .filter(|count| *count < u32::MAX >> 1)
        .ok_or(Error::TooMany(format!("{count} places or edges")))
}
