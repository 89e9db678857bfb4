//! Questions to the streets of a bundle.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::bundle::{self, Manifest};
use crate::graph::{Along, Cost, Driver, Graph, NONE, rounded};
use crate::hierarchy::{Costs, Shape, Stop, Terminal, View, in_parts, table};
use crate::own::{Own, Owns};
use crate::profile::{GROUPS, Profiles, Vehicle, WEEK};
use crate::snap::Snap;
use crate::{Error, Position};

/// Streets of a bundle. The hierarchies and their costs stay on disk and are mapped; several processes share them.
pub struct Streets {
    profiles: Profiles,
    manifest: Manifest,
    networks: Vec<Network>,
    hours: [usize; WEEK],
    shares: Vec<[f64; GROUPS.len()]>,
    /// Where bundles are.
    folder: PathBuf,
}

/// A network of the bundle.
pub(crate) struct Network {
    pub(crate) graph: Graph,
    shape: Shape,
    /// By profile and metric.
    costs: HashMap<(usize, usize), Costs>,
    /// Edges that stand for a piece beside its own two, for turns that are forbidden along it.
    copies: HashMap<u32, Vec<u32>>,
    /// Vehicles of sizes of their own.
    owns: Owns,
}

/// Who drives when.
#[derive(Clone, Default)]
pub struct Drive {
    profile: usize,
    metric: usize,
    /// What the vehicle does differently from its profile.
    own: Option<Arc<Own>>,
}

impl std::fmt::Debug for Drive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = self.own.as_ref().map(|own| &own.profile.size);
        f.debug_struct("Drive")
            .field("profile", &self.profile)
            .field("metric", &self.metric)
            .field("own", &own)
            .finish()
    }
}

/// Whether both find the same ways.
impl PartialEq for Drive {
    fn eq(&self, other: &Self) -> bool {
        let own = |drive: &Self| drive.own.as_ref().map(Arc::as_ptr);
        (self.profile, self.metric, own(self)) == (other.profile, other.metric, own(other))
    }
}

/// Seconds and metres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Seconds.
    pub duration: u32,
    /// Metres.
    pub distance: u32,
}

/// Ways between all places of a list.
#[derive(Debug)]
pub struct Table {
    /// Number of places.
    pub size: usize,
    /// Seconds, row by row; [`Table::NONE`] where there is no way.
    pub durations: Vec<u32>,
    /// Metres, row by row; [`Table::NONE`] where there is no way.
    pub distances: Vec<u32>,
    /// Where each place meets a street; `None` when it is too far from any.
    pub snaps: Vec<Option<Snap>>,
}

impl Table {
    /// Stands for a way that there is not.
    pub const NONE: u32 = u32::MAX;

    /// The way from one place to another; `None` when there is none, or no such place.
    pub fn way(&self, from: usize, to: usize) -> Option<Way> {
        if from >= self.size || to >= self.size {
            return None;
        }
        let at = from * self.size + to;
        (self.durations[at] != Self::NONE)
            .then(|| Way { duration: self.durations[at], distance: self.distances[at] })
    }
}

impl std::fmt::Debug for Streets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Streets").field("manifest", &self.manifest).finish_non_exhaustive()
    }
}

impl Streets {
    /// Opens a bundle that [`crate::build`] has made.
    ///
    /// # Errors
    /// When a file of it is missing, damaged or of another version.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let (manifest, profiles) = Manifest::read(folder)?;
        let mut networks = Vec::new();
        for name in profiles.networks.keys() {
            let graph = Graph::open(&bundle::graph_file(folder, name))?;
            let path = bundle::shape_file(folder, name);
            let foreign = |path| Error::Bundle { path, reason: "it is not that of the graph".to_owned() };
            let shape = Shape::open(&path)?;
            if shape.rank.len() != graph.edges() {
                return Err(foreign(path));
            }
            let mut costs = HashMap::new();
            for (profile, metric) in bundle::metrics_of(&profiles, name) {
                let path = bundle::metric_file(folder, &profiles, profile, metric);
                let opened = Costs::open(&path)?;
                if opened.nodes() != graph.edges() {
                    return Err(foreign(path));
                }
                costs.insert((profile, metric), opened);
            }
            let copies = copies(&graph);
            networks.push(Network { graph, shape, costs, copies, owns: Owns::default() });
        }
        let (hours, shares) = (profiles.hours(), profiles.shares());
        let folder = folder.parent().unwrap_or(folder).to_owned();
        Ok(Self { profiles, manifest, networks, hours, shares, folder })
    }

    /// A profile at an hour of the week, 0 to 167 from Monday's first; without an hour at free flow. `None` when there is no such
    /// profile.
    pub fn drive(&self, profile: &str, hour: Option<usize>) -> Option<Drive> {
        let profile = self.profiles.profiles.iter().position(|known| known.name == profile)?;
        let limits = self.profiles.networks[&self.profiles.profiles[profile].network].limits;
        let metric = hour.filter(|_| limits).map_or(0, |hour| self.hours[hour % WEEK]);
        Some(Drive { profile, metric, own: None })
    }

    /// Likewise for a vehicle of that profile with sizes of its own. What it drives differently is worked out when it is first asked
    /// for, on this thread, and kept for the next ones.
    pub fn drive_as(&self, profile: &str, vehicle: &Vehicle, hour: Option<usize>) -> Option<Drive> {
        let drive = self.drive(profile, hour)?;
        let (network, driver) = self.network(&drive);
        let streets = (&network.graph, &network.shape);
        let own = network.owns.get(vehicle, driver, &self.profiles, streets, &self.folder);
        Some(Drive { own, ..drive })
    }

    /// By hour of the week, what all streets together are driven at: the share of free flow, where 1 is free flow and less is
    /// slower. `None` when there is no such profile.
    pub fn paces(&self, profile: &str) -> Option<[f64; WEEK]> {
        let drive = self.drive(profile, None)?;
        let (network, free) = self.network(&drive);
        let graph = &network.graph;
        let seconds = |metric: usize| {
            let driver = Driver { metric, shares: self.shares[metric], ..free };
            let edges = (0..graph.edges() as u32).filter_map(|edge| graph.part(edge, &driver, 1.0));
            edges.map(|cost| f64::from(cost.duration)).sum::<f64>().max(1.0)
        };
        let unhindered = seconds(free.metric);
        let paces: Vec<f64> = (0..self.shares.len()).map(|metric| unhindered / seconds(metric)).collect();
        Some(self.hours.map(|metric| paces[metric]))
    }

    /// Names of the profiles.
    pub fn profiles(&self) -> impl Iterator<Item = &str> {
        self.profiles.profiles.iter().map(|profile| profile.name.as_str())
    }

    /// Files that the streets were read from.
    pub fn files(&self) -> &[String] {
        &self.manifest.files
    }

    pub(crate) fn network<'a>(&'a self, drive: &'a Drive) -> (&'a Network, Driver<'a>) {
        let own = drive.own.as_deref();
        let profile = own.map_or(&self.profiles.profiles[drive.profile], |own| &own.profile);
        let at = self.profiles.networks.keys().position(|name| *name == profile.network).unwrap_or(0);
        let (metric, own) = (drive.metric, own.map(|own| &own.ways));
        let driver = Driver { index: drive.profile, profile, metric, shares: self.shares[metric], own };
        (&self.networks[at], driver)
    }

    /// The nearest place on a street; `None` farther than [`crate::FARTHEST`] from any.
    pub fn snap(&self, position: Position, drive: &Drive) -> Option<Snap> {
        let (network, driver) = self.network(drive);
        network.graph.snap(position, &driver)
    }

    /// Whether a place lies where the maps are, be there a street or none: in the rectangle around all streets.
    pub fn covers(&self, position: Position, drive: &Drive) -> bool {
        self.network(drive).0.graph.covers(position)
    }

    /// Ways between all places. It computes on rayon's threads and takes 8 bytes for every pair.
    pub fn table(&self, positions: &[Position], drive: &Drive) -> Table {
        let (snaps, stops) = self.stops(positions, drive);
        let size = positions.len();
        let (mut durations, mut distances) = (vec![0; size * size], vec![0; size * size]);
        table(&self.network(drive).0.view(drive), &stops, &mut durations, &mut distances);
        for at in 0..size {
            durations[at * size + at] = 0;
            distances[at * size + at] = 0;
        }
        Table { size, durations, distances, snaps }
    }

    /// The same some rows at a time, in the memory of these: `take` is given where the places meet a street, the number of the
    /// first row, its seconds and its metres, and may change them.
    pub fn table_in_parts(
        &self,
        positions: &[Position],
        drive: &Drive,
        mut take: impl FnMut(&[Option<Snap>], usize, &mut [u32], &mut [u32]),
    ) -> Vec<Option<Snap>> {
        let (snaps, stops) = self.stops(positions, drive);
        let size = positions.len();
        let mut from = 0;
        in_parts(&self.network(drive).0.view(drive), &stops, |durations, distances| {
            let rows = durations.len() / size;
            for row in 0..rows {
                durations[row * size + from + row] = 0;
                distances[row * size + from + row] = 0;
            }
            take(&snaps, from, durations, distances);
            from += rows;
        });
        snaps
    }

    /// Where places meet a street, and where ways from and to them begin and end.
    fn stops(&self, positions: &[Position], drive: &Drive) -> (Vec<Option<Snap>>, Vec<Stop>) {
        let (network, driver) = self.network(drive);
        let snaps: Vec<Option<Snap>> =
            positions.par_iter().map(|position| network.graph.snap(*position, &driver)).collect();
        let mut on_piece: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, snap) in snaps.iter().enumerate() {
            if let Some(snap) = snap {
                on_piece.entry(snap.piece).or_default().push(at);
            }
        }
        let stop = |snap: &Option<Snap>| {
            let Some(snap) = snap else { return Stop::default() };
            let own = network.own(snap, &driver);
            let direct = on_piece[&snap.piece].iter().filter_map(|to| {
                let (way, _) = network.ahead(&own, snap, snaps[*to].as_ref()?)?;
                Some((*to, way))
            });
            Stop {
                starts: network.starts(snap, &driver).1,
                ends: network.ends(snap, &driver),
                direct: direct.collect(),
            }
        };
        let stops = snaps.par_iter().map(stop).collect();
        (snaps, stops)
    }
}

impl Way {
    pub(crate) fn of(cost: Cost) -> Self {
        Self { duration: rounded(cost.duration), distance: rounded(cost.length) }
    }
}

/// Edges of pieces beside those that the pieces know.
fn copies(graph: &Graph) -> HashMap<u32, Vec<u32>> {
    let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
    for edge in 0..graph.edges() as u32 {
        let (piece, against) = graph.piece(edge);
        if graph.piece_edges[piece as usize][usize::from(against)] != edge {
            copies.entry(piece).or_default().push(edge);
        }
    }
    copies
}

impl Network {
    pub(crate) fn view<'a>(&'a self, drive: &'a Drive) -> View<'a> {
        // Every profile and metric of a network was opened with it.
        let costs =
            drive.own.as_ref().map_or_else(|| &self.costs[&(drive.profile, drive.metric)], |own| &own.costs);
        View::new(&self.shape, costs)
    }

    /// Edges of the piece of a place that are driven.
    fn edges_at(&self, snap: &Snap) -> impl Iterator<Item = u32> {
        let edges = self.graph.piece_edges[snap.piece as usize].into_iter();
        edges.filter(|edge| *edge != NONE && self.on_side(*edge, snap))
    }

    /// Whether an edge is on the side of the street that a place is reached from.
    fn on_side(&self, edge: u32, snap: &Snap) -> bool {
        snap.only_against.is_none_or(|against| self.graph.piece(edge).1 == against)
    }

    /// Share of an edge that lies behind a place on it.
    fn behind(&self, edge: u32, snap: &Snap) -> f64 {
        if self.graph.piece(edge).1 { snap.along } else { 1.0 - snap.along }
    }

    /// Where ways from a place begin: the edges after its own, with the cost to the end of them; first the place's own edges.
    pub(crate) fn starts(&self, snap: &Snap, driver: &Driver) -> (Vec<u32>, Vec<Terminal>) {
        let mut own = Vec::new();
        let mut starts = Vec::new();
        for edge in self.edges_at(snap) {
            let Some(rest) = self.graph.rest(edge, driver, self.behind(edge, snap)) else { continue };
            for arc in self.graph.arcs(edge) {
                let Some(next) = self.graph.arc_cost(edge, arc, driver) else { continue };
                own.push(edge);
                starts.push(Terminal { edge: self.graph.arc_head[arc], cost: rest.then(next) });
            }
        }
        (own, starts)
    }

    /// Where ways to a place end: its edges, with the cost of what lies behind it.
    pub(crate) fn ends(&self, snap: &Snap, driver: &Driver) -> Vec<Terminal> {
        let copies = self.copies.get(&snap.piece).into_iter().flatten().copied();
        let edges = self.edges_at(snap).chain(copies.filter(|edge| self.on_side(*edge, snap)));
        edges
            .filter_map(|edge| {
                Some(Terminal { edge, cost: self.graph.rest(edge, driver, self.behind(edge, snap))? })
            })
            .collect()
    }

    /// Edges of the piece of a place that are driven, and what it costs to drive along them.
    fn own(&self, snap: &Snap, driver: &Driver) -> Vec<(u32, Along)> {
        let along = |edge| Some((edge, self.graph.along(edge, driver)?));
        self.edges_at(snap).filter_map(along).collect()
    }

    /// The way along one edge, when the second place lies ahead of the first on it.
    pub(crate) fn direct(&self, from: &Snap, to: &Snap, driver: &Driver) -> Option<(Cost, u32)> {
        if from.piece == to.piece { self.ahead(&self.own(from, driver), from, to) } else { None }
    }

    /// The way along one of a piece's edges from one place on it to another.
    fn ahead(&self, own: &[(u32, Along)], from: &Snap, to: &Snap) -> Option<(Cost, u32)> {
        own.iter()
            .filter(|(edge, _)| self.on_side(*edge, to))
            .filter_map(|(edge, along)| {
                let ahead = self.behind(*edge, from) - self.behind(*edge, to);
                (ahead >= 0.0).then(|| (along.part(ahead), *edge))
            })
            .min()
    }
}
