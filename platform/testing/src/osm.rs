//! Writes small `.osm.pbf` files: what a map needs for a test, uncompressed.

use std::io;
use std::path::Path;

/// A map to be written.
#[derive(Default)]
pub struct Map {
    strings: Vec<String>,
    nodes: Vec<Vec<u8>>,
    ways: Vec<Vec<u8>>,
    relations: Vec<Vec<u8>>,
}

type Tags<'a> = &'a [(&'a str, &'a str)];

impl Map {
    /// Adds a node at a place in degrees.
    pub fn node(&mut self, id: i64, lat: f64, lon: f64, tags: Tags) {
        let mut node = Vec::new();
        number(&mut node, 1, zigzag(id));
        self.tags(&mut node, tags);
        number(&mut node, 8, zigzag((lat * 1e7).round() as i64));
        number(&mut node, 9, zigzag((lon * 1e7).round() as i64));
        self.nodes.push(node);
    }

    /// Adds a way along nodes.
    pub fn way(&mut self, id: i64, nodes: &[i64], tags: Tags) {
        let mut way = Vec::new();
        number(&mut way, 1, id as u64);
        self.tags(&mut way, tags);
        packed(&mut way, 8, deltas(nodes));
        self.ways.push(way);
    }

    /// Adds a relation; of its members the id, whether it is a way (or a node), and the role.
    pub fn relation(&mut self, id: i64, members: &[(i64, bool, &str)], tags: Tags) {
        let mut relation = Vec::new();
        number(&mut relation, 1, id as u64);
        self.tags(&mut relation, tags);
        let roles: Vec<u64> = members.iter().map(|(_, _, role)| self.string(role)).collect();
        packed(&mut relation, 8, roles.into_iter());
        packed(&mut relation, 9, deltas(&members.iter().map(|(id, _, _)| *id).collect::<Vec<_>>()));
        packed(&mut relation, 10, members.iter().map(|(_, way, _)| u64::from(*way)));
        self.relations.push(relation);
    }

    fn string(&mut self, text: &str) -> u64 {
        let known = self.strings.iter().position(|string| string == text);
        // The first string of a table is never used.
        1 + known.unwrap_or_else(|| {
            self.strings.push(text.to_owned());
            self.strings.len() - 1
        }) as u64
    }

    fn tags(&mut self, element: &mut Vec<u8>, tags: Tags) {
        let (keys, values): (Vec<u64>, Vec<u64>) =
            tags.iter().map(|(key, value)| (self.string(key), self.string(value))).unzip();
        packed(element, 2, keys.into_iter());
        packed(element, 3, values.into_iter());
    }

    /// Writes the map.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let mut head = Vec::new();
        bytes(&mut head, 4, b"OsmSchema-V0.6");
        let mut out = blob("OSMHeader", &head);
        // Blocks of a bounded size, as readers ask for.
        for (field, elements) in [(1, &self.nodes), (3, &self.ways), (4, &self.relations)] {
            for elements in elements.chunks(100_000) {
                let mut table = Vec::new();
                bytes(&mut table, 1, b"");
                self.strings.iter().for_each(|string| bytes(&mut table, 1, string.as_bytes()));
                let mut group = Vec::new();
                elements.iter().for_each(|element| bytes(&mut group, field, element));
                let mut block = Vec::new();
                bytes(&mut block, 1, &table);
                bytes(&mut block, 2, &group);
                out.extend(blob("OSMData", &block));
            }
        }
        std::fs::write(file, out)
    }
}

fn blob(kind: &str, content: &[u8]) -> Vec<u8> {
    let mut blob = Vec::new();
    bytes(&mut blob, 1, content);
    let mut head = Vec::new();
    bytes(&mut head, 1, kind.as_bytes());
    number(&mut head, 3, blob.len() as u64);
    let mut out = (head.len() as u32).to_be_bytes().to_vec();
    out.extend(head);
    out.extend(blob);
    out
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend(value);
}

fn packed(out: &mut Vec<u8>, field: u64, values: impl Iterator<Item = u64>) {
    let mut content = Vec::new();
    values.for_each(|value| varint(&mut content, value));
    bytes(out, field, &content);
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn deltas(values: &[i64]) -> impl Iterator<Item = u64> + '_ {
    let before = std::iter::once(0).chain(values.iter().copied());
    values.iter().zip(before).map(|(value, before)| zigzag(value - before))
}
