//! Vehicles of other sizes than their profiles: what they drive differently, worked out when it is first asked for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::{self, Driver, Graph};
use crate::hierarchy::{Costs, Shape, customize};
use crate::profile::{Conditions, Profile, Profiles, Tags, Vehicle, Way};

/// Sorts of vehicles that are kept at a time; who is asked for the longest ago makes room.
const MOST: usize = 16;

/// One bit for each of some things.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// None of so many.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// What a vehicle drives differently from its profile.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct OwnWays {
    /// How it drives ways, by class, where that differs.
    pub(crate) ways: HashMap<u32, Option<Way>>,
    /// Whether it may not take arcs, where that differs.
    pub(crate) blocked: HashMap<u32, bool>,
    /// Edges that it drives.
    pub(crate) driven: Bits,
    /// Edges of the connected network.
    pub(crate) connected: Bits,
}

/// A vehicle that differs from its profile on these streets.
pub(crate) struct Own {
    pub(crate) profile: Profile,
    pub(crate) ways: OwnWays,
    pub(crate) costs: Costs,
}

/// Who asks, and what was found for him: nothing where it makes no difference on these streets.
struct Known {
    profile: usize,
    metric: usize,
    vehicle: Vehicle,
    own: Option<Arc<Own>>,
}

/// Vehicles that were asked for, the latest last.
#[derive(Default)]
pub(crate) struct Owns {
    known: Mutex<Vec<Known>>,
    /// Who makes one: it takes all processors for a moment, and eight bytes for each shortcut.
    making: Mutex<()>,
}

impl Owns {
    /// What a vehicle drives differently, made when it is not known; `None` when nothing.
    pub(crate) fn get(
        &self,
        vehicle: &Vehicle,
        free: Driver,
        profiles: &Profiles,
        (graph, shape): (&Graph, &Shape),
        folder: &Path,
    ) -> Option<Arc<Own>> {
        let profile = free.profile.of_vehicle(vehicle)?;
        let key = (free.index, free.metric, *vehicle);
        if let Some(known) = self.known(&key) {
            return known;
        }
        // One at a time; who waited finds what the other one has made.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.known(&key) {
            return known;
        }
        let own = match OwnWays::of(&profile, &free, profiles, graph) {
            None => None,
            Some(ways) => match self.alike(&free, &ways) {
                Some(own) => Some(own),
                None => {
                    let driver = Driver { profile: &profile, own: Some(&ways), ..free };
                    let costs = mapped(customize(shape, graph, &driver), folder);
                    Some(Arc::new(Own { profile, ways, costs }))
                }
            },
        };
        let (profile, metric, vehicle) = key;
        self.keep(Known { profile, metric, vehicle, own: own.clone() });
        own
    }

    fn known(&self, (profile, metric, vehicle): &(usize, usize, Vehicle)) -> Option<Option<Arc<Own>>> {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is =
            |known: &Known| (known.profile, known.metric, &known.vehicle) == (*profile, *metric, vehicle);
        let at = all.iter().position(is)?;
        let known = all.remove(at);
        let own = known.own.clone();
        all.push(known);
        Some(own)
    }

    /// Another one that drives the same.
    fn alike(&self, free: &Driver, ways: &OwnWays) -> Option<Arc<Own>> {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut alike = all.iter().filter(|known| (known.profile, known.metric) == (free.index, free.metric));
        alike.find_map(|known| known.own.as_ref().filter(|own| own.ways == *ways)).map(Arc::clone)
    }

    fn keep(&self, new: Known) {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.remove(0);
        }
        all.push(new);
    }
}

impl OwnWays {
    /// Compares a vehicle with its profile, way by way and gate by gate; `None` when they drive alike.
    fn of(profile: &Profile, free: &Driver, profiles: &Profiles, graph: &Graph) -> Option<Self> {
        let mut own = Self::default();
        let mut conditions = Conditions::default();
        for (class, tags) in &graph.by_size {
            let usual = &graph.classes[*class as usize];
            let mut way = profiles.way(profile, &Tags::kept(tags), &mut conditions);
            if let Some(way) = &mut way
                && way.seconds.is_some()
                // What takes its time, such as a ferry, takes the same for all.
                && let Some(timed) = usual.iter().flatten().find_map(|way| way.drives.iter().flatten().next())
            {
                way.drives.iter_mut().flatten().for_each(|drive| drive.speed = timed.speed);
            }
            if way != usual[free.index] {
                own.ways.insert(*class, way);
            }
        }
        let passes =
            |profile: &Profile, gate: u32| !profile.passage(&Tags::kept(&graph.gates[gate as usize])).closed;
        for [arc, gate] in graph.arc_gates.iter().copied() {
            let blocked = graph.arc_blocked[arc as usize] & free.bit() != 0;
            match (passes(free.profile, gate), passes(profile, gate)) {
                (true, false) if !blocked => own.blocked.insert(arc, true),
                (false, true) if blocked => own.blocked.insert(arc, false),
                _ => continue,
            };
        }
        if own.ways.is_empty() && own.blocked.is_empty() {
            return None;
        }
        let edges = graph.edges();
        let mut driven = Bits::new(edges);
        let driver = Driver { profile, own: Some(&own), ..*free };
        (0..edges)
            .filter(|edge| graph.along(*edge as u32, &driver).is_some())
            .for_each(|edge| driven.set(edge));
        own.driven = driven;
        own.turn_round(profile, free, graph);
        let driver = Driver { profile, own: Some(&own), ..*free };
        let mut connected = Bits::new(edges);
        let open = |arc: usize| !graph.blocked(arc, &driver);
        graph::large(graph, |edge| driver.own.is_some_and(|own| own.driven.has(edge)), open)
            .for_each(|edge| connected.set(edge));
        own.connected = connected;
        Some(own)
    }

    /// Where it has no other way on, it may turn round, as everybody may at the end of a street.
    fn turn_round(&mut self, profile: &Profile, free: &Driver, graph: &Graph) {
        let driver = Driver { profile, own: Some(&*self), ..*free };
        let mut round = Vec::new();
        for edge in (0..graph.edges() as u32).filter(|edge| self.driven.has(*edge as usize)) {
            let back = |arc: &usize| graph.piece(graph.arc_head[*arc]).0 == graph.piece(edge).0;
            let Some(around) = graph.arcs(edge).find(back).filter(|arc| graph.blocked(*arc, &driver)) else {
                continue;
            };
            let on =
                |arc: usize| !graph.blocked(arc, &driver) && self.driven.has(graph.arc_head[arc] as usize);
            if !graph.arcs(edge).any(on) {
                round.push(around as u32);
            }
        }
        self.blocked.extend(round.into_iter().map(|arc| (arc, false)));
    }
}

/// Costs in a file that nobody else sees and that goes with them, so that they take no memory of the process; where none can be
/// written they stay in memory.
fn mapped(costs: Costs, folder: &Path) -> Costs {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("vehicle-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path: PathBuf = folder.join(name);
    let opened = costs.save(&path).and_then(|()| Costs::open(&path));
    // It stays mapped as long as it is used. Where nothing was written there is nothing to remove.
    std::fs::remove_file(&path).ok();
    opened.unwrap_or_else(|error| {
        tracing::warn!(%error, "the costs of a vehicle stay in memory");
        costs
    })
}
