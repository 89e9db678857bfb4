//! Reads what can be driven on from `.osm.pbf` files: ways first, then the places of their nodes.

mod restriction;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use osmpbf::{Element, ElementReader, Node};

pub(crate) use restriction::{Restriction, Via};

use crate::profile::{Conditions, OwnedTags, Passage, Profiles, Tags, Way};
use crate::{Error, Progress};

/// Latitude and longitude in 1e-7 degrees.
pub(crate) type Place = [i32; 2];
/// Place of a node that is in none of the files: ways are cut there.
pub(crate) const MISSING: Place = [i32::MAX; 2];

/// How the profiles drive the ways of one class, by index of the profile.
pub(crate) type Class = Vec<Option<Way>>;

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Extract {
    /// Places of nodes; a node is its index.
    pub(crate) places: Vec<Place>,
    /// What happens at nodes, by profile; only where something does.
    pub(crate) passages: HashMap<u32, Vec<Passage>>,
    /// Ways in order of the files.
    pub(crate) ways: Vec<Line>,
    /// Nodes of all ways.
    pub(crate) nodes: Vec<u32>,
    /// Classes of ways.
    pub(crate) classes: Vec<Class>,
    /// Tags of the classes that vehicles of different sizes drive differently.
    pub(crate) by_size: BTreeMap<u32, OwnedTags>,
    /// Tags of the nodes that vehicles of different sizes pass differently.
    pub(crate) gates: HashMap<u32, OwnedTags>,
    /// Turns that are forbidden or ordered.
    pub(crate) restrictions: Vec<Restriction>,
}

/// A way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) id: i64,
    /// Index of its class.
    pub(crate) class: u32,
    /// Index of its first node in [`Extract::nodes`]; it ends where the next way begins.
    pub(crate) first: usize,
    pub(crate) roundabout: bool,
}

impl Extract {
    /// Reads files.
    pub(crate) fn read(files: &[PathBuf], profiles: &Profiles, progress: Progress) -> Result<Self, Error> {
        let mut reading = Reading::default();
        for file in files {
            progress(&format!("reading the ways of {}", file.display()));
            reading.ways(file, profiles)?;
        }
        let conditions = reading.conditions.not_understood();
        if conditions > 0 {
            progress(&format!("{conditions} sorts of conditions are not understood; they are taken to hold"));
        }
        let mut ids = reading.refs.clone();
        ids.sort_unstable();
        ids.dedup();
        ids.shrink_to_fit();
        if u32::try_from(ids.len()).is_err() {
            return Err(Error::TooMany(format!("{} nodes", ids.len())));
        }
        let index = |id: &i64| ids.binary_search(id).ok().and_then(|at| u32::try_from(at).ok());
        let mut extract = Self {
            places: vec![MISSING; ids.len()],
            nodes: reading.refs.iter().filter_map(index).collect(),
            ways: reading.ways,
            classes: reading.classes,
            by_size: reading.by_size,
            ..Self::default()
        };
        extract.restrictions =
            reading.restrictions.into_iter().filter_map(|found| found.numbered(index)).collect();
        for file in files {
            progress(&format!("reading the places of {}", file.display()));
            each(file, |element| match element {
                Element::Node(node) => extract.node(&node, &index, profiles),
                Element::DenseNode(node) => {
                    let Some(at) = index(&node.id()) else { return };
                    extract.places[at as usize] = [node.decimicro_lat(), node.decimicro_lon()];
                    extract.note(at, &node.tags().collect(), profiles);
                }
                Element::Way(_) | Element::Relation(_) => {}
            })?;
        }
        Ok(extract)
    }

    /// Nodes of a way.
    pub(crate) fn nodes_of(&self, way: usize) -> &[u32] {
        let end = self.ways.get(way + 1).map_or(self.nodes.len(), |next| next.first);
        &self.nodes[self.ways[way].first..end]
    }

    fn node(&mut self, node: &Node, index: &impl Fn(&i64) -> Option<u32>, profiles: &Profiles) {
        let Some(at) = index(&node.id()) else { return };
        self.places[at as usize] = [node.decimicro_lat(), node.decimicro_lon()];
        self.note(at, &node.tags().collect(), profiles);
    }

    fn note(&mut self, node: u32, tags: &Tags, profiles: &Profiles) {
        if tags.is_empty() {
            return;
        }
        let passages: Vec<Passage> = profiles.profiles.iter().map(|profile| profile.passage(tags)).collect();
        let gate = tags.get("barrier").and_then(|_| tags.by_size(profiles));
        if gate.is_some() || passages.iter().any(|passage| *passage != Passage::default()) {
            self.passages.insert(node, passages);
        }
        if let Some(gate) = gate {
            self.gates.insert(node, gate);
        }
    }
}

/// Ways and relations, while nodes are still known by their ids.
#[derive(Default)]
struct Reading {
    refs: Vec<i64>,
    ways: Vec<Line>,
    classes: Vec<Class>,
    by_size: BTreeMap<u32, OwnedTags>,
    numbers: HashMap<String, u32>,
    restrictions: Vec<restriction::Found>,
    seen: HashSet<i64>,
    conditions: Conditions,
}

impl Reading {
    fn ways(&mut self, file: &Path, profiles: &Profiles) -> Result<(), Error> {
        each(file, |element| match element {
            Element::Way(way) => {
                let tags: Tags = way.tags().collect();
                if tags.get("highway").is_none() && tags.get("route").is_none() {
                    return;
                }
                let conditions = &mut self.conditions;
                let class: Class = profiles
                    .profiles
                    .iter()
                    .map(|profile| profiles.way(profile, &tags, conditions))
                    .collect();
                // Extracts that overlap hold the same ways.
                if class.iter().all(Option::is_none) || !self.seen.insert(way.id()) {
                    return;
                }
                let roundabout = matches!(tags.get("junction"), Some("roundabout" | "circular"));
                let class = self.class(class, tags.by_size(profiles));
                self.ways.push(Line { id: way.id(), class, first: self.refs.len(), roundabout });
                self.refs.extend(way.refs());
            }
            Element::Relation(relation) => {
                if let Some(found) = restriction::Found::read(&relation, profiles, &mut self.conditions) {
                    self.restrictions.push(found);
                }
            }
            Element::Node(_) | Element::DenseNode(_) => {}
        })
    }

    fn class(&mut self, class: Class, by_size: Option<OwnedTags>) -> u32 {
        let next = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(format!("{class:?} {by_size:?}")).or_insert(next);
        if number == next {
            self.classes.push(class);
            self.by_size.extend(by_size.map(|tags| (number, tags)));
        }
        number
    }
}

/// Does something with every element of a file.
fn each(file: &Path, act: impl FnMut(Element)) -> Result<(), Error> {
    let unreadable = |error: osmpbf::Error| Error::Unreadable { path: file.into(), reason: reason(&error) };
    // Opened first, so that a file that is not there is told apart from one that is not a map.
    std::fs::File::open(file).map_err(Error::file(file))?;
    let reader = ElementReader::from_path(file).map_err(unreadable)?;
    reader.for_each(act).map_err(unreadable)
}

/// An error with its causes.
fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
