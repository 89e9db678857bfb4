//! The problem compiled for calculation: checked indices, flat arrays, rules resolved per stop and vehicle.

mod check;
mod loads;

pub(crate) use check::check_sequences;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::cells::{Cells, NO_WAY};
use crate::matrix::Matrix;
use crate::problem::{
    Break, CapacityMode, Problem, ProblemError, RouteEnd, Rules, Stop, TerritoryMode, TimeWindow, Vehicle,
};
use crate::traffic::{Clock, Road, Traffic};

/// A way that does not exist: longer than any time that is calculated with, so every bound rejects it.
pub(crate) const FAR: i64 = 1 << 40;
/// Latest arrival of a stop without a window; below [`FAR`], above every shift.
pub(crate) const ANY_TIME: i64 = 1 << 38;
/// Earliest arrival of a stop without a window.
const SINCE_EVER: i64 = -ANY_TIME;

/// A compiled stop.
#[derive(Debug, Clone)]
pub(crate) struct StopData {
    pub(crate) place: usize,
    pub(crate) service: i64,
    /// Bounds used for timing: wide open when windows are ignored.
    pub(crate) earliest: i64,
    pub(crate) latest: i64,
    /// Bound used for reporting.
    pub(crate) reported_latest: i64,
    pub(crate) priority: bool,
    pub(crate) penalty: Option<i64>,
    pub(crate) pickups: Vec<usize>,
    pub(crate) deliveries: Vec<usize>,
    /// Index into [`Model::components`] for linked stops.
    pub(crate) component: Option<usize>,
}

/// A compiled vehicle.
#[derive(Debug, Clone)]
pub(crate) struct VehicleData {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) profile: usize,
    /// Which of the model's clocks it drives by; ways take as long at any time without.
    pub(crate) clock: Option<usize>,
    pub(crate) depart_earliest: i64,
    pub(crate) depart_latest: i64,
    pub(crate) shift_end: i64,
    pub(crate) lunch: Option<Break>,
    /// Load layouts as (key, limit); none means not limited.
    pub(crate) layouts: Vec<Vec<(usize, i64)>>,
    /// Which measure of each size counts for it.
    pub(crate) class: usize,
    pub(crate) group: Option<usize>,
    pub(crate) locked: bool,
    pub(crate) locked_prefix: usize,
}

/// Stops tied together by links.
#[derive(Debug, Clone)]
pub(crate) struct Component {
    /// Members, pickups before their deliveries.
    pub(crate) members: Vec<usize>,
    /// The links form a cycle: nobody can serve it.
    pub(crate) cyclic: bool,
}

/// The compiled problem.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) problem: Problem,
    pub(crate) rules: Rules,
    pub(crate) stops: Vec<StopData>,
    pub(crate) vehicles: Vec<VehicleData>,
    pub(crate) components: Vec<Component>,
    pub(crate) groups: usize,
    /// Whether each stop stays where the current plan has it: on the vehicle that it is fixed to.
    pub(crate) kept: Vec<bool>,
    pub(crate) keys: Vec<String>,
    /// Places including the virtual one that is no distance from everywhere.
    pub(crate) places: usize,
    /// Shared by copies of the model.
    metres: Vec<Arc<Cells>>,
    profiles: Vec<Arc<Cells>>,
    /// By the traffic of the problem; none where it is the same all day.
    clocks: Vec<Option<Arc<Clock>>>,
    /// Per class: amounts of each stop and key.
    amounts: Vec<Vec<i64>>,
    /// Per class, mode on_board: change of the load at each stop and key.
    changes: Vec<Vec<i64>>,
    /// Mode on_board: what is loaded and unloaded at each stop.
    goods: Vec<Vec<(usize, i64)>>,
    types: Vec<bool>,
    territories: Vec<bool>,
}

impl Model {
    /// Checks and compiles a problem.
    pub(crate) fn new(problem: &Problem) -> Result<Self, ProblemError> {
        check::check(problem)?;
        let mut model = Self {
            problem: problem.clone(),
            rules: problem.rules,
            stops: problem.stops.iter().map(|stop| compile_stop(stop, problem.rules)).collect(),
            vehicles: Vec::new(),
            components: Vec::new(),
            groups: 0,
            kept: kept(problem),
            keys: Vec::new(),
            places: problem.matrix.size() + 1,
            metres: Vec::new(),
            profiles: Vec::new(),
            clocks: Vec::new(),
            amounts: Vec::new(),
            changes: Vec::new(),
            goods: Vec::new(),
            types: Vec::new(),
            territories: Vec::new(),
        };
        model.compile_links();
        model.compile_vehicles();
        model.compile_goods();
        model.compile_loads();
        model.compile_matches();
        Ok(model)
    }

    /// Driving seconds of a vehicle, where traffic changes over the day those at its usual pace; [`FAR`] without a way.
    #[inline]
    pub(crate) fn driving(&self, profile: usize, from: usize, to: usize) -> i64 {
        open(self.profiles[profile].at(from * self.places + to))
    }

    /// What the times of a vehicle's run depend on beside its stops.
    #[inline]
    pub(crate) fn road(&self, vehicle: usize) -> Road<'_> {
        let data = &self.vehicles[vehicle];
        Road { lunch: data.lunch, clock: data.clock.and_then(|clock| self.clocks[clock].as_deref()) }
    }

    /// The clock that a vehicle drives by.
    pub(crate) fn clock(&self, vehicle: usize) -> Option<&Arc<Clock>> {
        self.vehicles[vehicle].clock.and_then(|clock| self.clocks[clock].as_ref())
    }

    /// Metres likewise; [`FAR`] without a way.
    #[inline]
    pub(crate) fn metres(&self, profile: usize, from: usize, to: usize) -> i64 {
        open(self.metres[profile].at(from * self.places + to))
    }

    /// Metres of all ways, row after row; [`NO_WAY`] without one.
    pub(crate) fn laid_metres(&self, profile: usize) -> &Arc<Cells> {
        &self.metres[profile]
    }

    /// Driving seconds of all ways for vehicles of a speed, likewise.
    pub(crate) fn laid_seconds(&self, profile: usize) -> &Arc<Cells> {
        &self.profiles[profile]
    }

    /// The place that is no distance from everywhere: start or end of open routes.
    pub(crate) fn nowhere(&self) -> usize {
        self.places - 1
    }

    /// Whether the types of stop and vehicle have one in common.
    pub(crate) fn type_fits(&self, stop: usize, vehicle: usize) -> bool {
        self.types[vehicle * self.stops.len() + stop]
    }

    /// Whether the stop lies in the vehicle's territories (or either is not bound to any).
    pub(crate) fn territory_fits(&self, stop: usize, vehicle: usize) -> bool {
        self.territories[vehicle * self.stops.len() + stop]
    }

    /// Gives a stop another window.
    pub(crate) fn set_window(&mut self, stop: usize, window: Option<TimeWindow>) {
        let (timed, window) = windows(window, self.rules);
        let data = &mut self.stops[stop];
        (data.earliest, data.latest, data.reported_latest) = (timed.earliest, timed.latest, window.latest);
    }

    /// Whether the rules let the vehicle serve the stop at all.
    #[inline]
    pub(crate) fn may_serve(&self, stop: usize, vehicle: usize) -> bool {
        (self.rules.ignore_type || self.type_fits(stop, vehicle))
            && (self.rules.territory_mode != TerritoryMode::Only || self.territory_fits(stop, vehicle))
            && self.problem.stops[stop].fixed_vehicle.is_none_or(|fixed| fixed == vehicle)
    }

    /// What a stop takes up in vehicles of a class, per key.
    #[inline]
    pub(crate) fn amounts(&self, class: usize, stop: usize) -> &[i64] {
        let keys = self.keys.len();
        &self.amounts[class][stop * keys..(stop + 1) * keys]
    }

    /// How the load on board changes at a stop in vehicles of a class, per key.
    pub(crate) fn changes(&self, class: usize, stop: usize) -> &[i64] {
        let keys = self.keys.len();
        &self.changes[class][stop * keys..(stop + 1) * keys]
    }

    /// Whether the stop is loaded at the start of the run (mode on_board).
    pub(crate) fn loads_at_start(&self, stop: usize) -> bool {
        self.stops[stop].component.is_none()
    }

    /// Stops of a vehicle's current run that must stay at its beginning: all of a locked run.
    pub(crate) fn locked_stops(&self, vehicle: usize) -> &[usize] {
        let current = self.problem.current.get(vehicle).map_or(&[][..], Vec::as_slice);
        let data = &self.vehicles[vehicle];
        if data.locked { current } else { &current[..data.locked_prefix.min(current.len())] }
    }

    fn compile_links(&mut self) {
        let links: BTreeSet<(usize, usize)> =
            self.problem.links.iter().map(|link| (link.pickup, link.delivery)).collect();
        let mut root: Vec<usize> = (0..self.stops.len()).collect();
        for &(pickup, delivery) in &links {
            self.stops[pickup].deliveries.push(delivery);
            self.stops[delivery].pickups.push(pickup);
            let (a, b) = (find(&mut root, pickup), find(&mut root, delivery));
            root[a.max(b)] = a.min(b);
        }
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for stop in 0..self.stops.len() {
            if !self.stops[stop].pickups.is_empty() || !self.stops[stop].deliveries.is_empty() {
                members.entry(find(&mut root, stop)).or_default().push(stop);
            }
        }
        for members in members.into_values() {
            let component = self.components.len();
            for &stop in &members {
                self.stops[stop].component = Some(component);
            }
            let ordered = self.topological(&members);
            let cyclic = ordered.len() < members.len();
            self.components.push(Component { members: if cyclic { members } else { ordered }, cyclic });
        }
    }

    /// Members with every pickup before its deliveries; shorter than the input when there is a cycle.
    fn topological(&self, members: &[usize]) -> Vec<usize> {
        let mut missing: HashMap<usize, usize> =
            members.iter().map(|&stop| (stop, self.stops[stop].pickups.len())).collect();
        let mut ready: Vec<usize> = members.iter().rev().copied().filter(|stop| missing[stop] == 0).collect();
        let mut ordered = Vec::with_capacity(members.len());
        while let Some(stop) = ready.pop() {
            ordered.push(stop);
            for delivery in &self.stops[stop].deliveries {
                if let Some(count) = missing.get_mut(delivery) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(*delivery);
                    }
                }
            }
        }
        ordered
    }

    fn compile_vehicles(&mut self) {
        let mut groups: HashMap<String, usize> = HashMap::new();
        let mut ways: Vec<(Option<usize>, f64)> = Vec::new();
        let nowhere = self.nowhere();
        let traffic = &self.problem.traffic;
        let clock = |traffic| Clock::new(traffic).map(Arc::new);
        self.clocks = traffic.iter().map(clock).collect();
        let told: Vec<f64> = traffic.iter().map(Traffic::told).collect();
        for vehicle in &self.problem.vehicles {
            let start = vehicle.start.unwrap_or(nowhere);
            let end = match vehicle.end {
                RouteEnd::Start => start,
                RouteEnd::Place(place) => place,
                RouteEnd::Anywhere => nowhere,
            };
            let speed = vehicle.speed * vehicle.traffic.map_or(1.0, |traffic| told[traffic]);
            let known = ways.iter().position(|(by, known)| *by == vehicle.matrix && same(*known, speed));
            let profile = known.unwrap_or_else(|| {
                ways.push((vehicle.matrix, speed));
                ways.len() - 1
            });
            let (depart_earliest, depart_latest) = departure(vehicle);
            let next = groups.len();
            let group =
                vehicle.alternatives_group.as_deref().map(str::trim).filter(|group| !group.is_empty());
            self.vehicles.push(VehicleData {
                start,
                end,
                profile,
                clock: vehicle.traffic.filter(|traffic| self.clocks[*traffic].is_some()),
                depart_earliest,
                depart_latest,
                shift_end: vehicle.shift.latest,
                lunch: vehicle.lunch.filter(|lunch| lunch.duration > 0 && lunch.latest >= depart_earliest),
                layouts: Vec::new(),
                class: 0,
                group: group.map(|group| *groups.entry(group.to_lowercase()).or_insert(next)),
                locked: vehicle.locked,
                locked_prefix: vehicle.locked_prefix,
            });
        }
        self.groups = groups.len();
        if ways.is_empty() {
            ways.push((None, 1.0));
        }
        self.profiles = ways.iter().map(|(by, speed)| self.profile(*by, *speed)).collect();
        self.metres = ways.iter().map(|(by, _)| Arc::clone(self.matrix(*by).laid_metres())).collect();
    }

    /// Travel of a vehicle. Indices were checked.
    fn matrix(&self, by: Option<usize>) -> &Matrix {
        by.map_or(&self.problem.matrix, |by| &self.problem.others[by])
    }

    fn profile(&self, by: Option<usize>, speed: f64) -> Arc<Cells> {
        let cells = self.matrix(by).laid_seconds();
        if same(speed, 1.0) {
            return Arc::clone(cells);
        }
        Arc::new(cells.map(|cell| {
            let seconds = (cell != NO_WAY).then(|| scaled(i64::from(cell), speed)).flatten();
            seconds.and_then(|seconds| i32::try_from(seconds).ok()).unwrap_or(NO_WAY)
        }))
    }

    fn compile_matches(&mut self) {
        let stop_types: Vec<Vec<String>> = self.problem.stops.iter().map(|stop| lower(&stop.types)).collect();
        for vehicle in &self.problem.vehicles {
            let types = lower(&vehicle.types);
            let territories: BTreeSet<i64> = vehicle.territories.iter().copied().collect();
            for (stop, needed) in self.problem.stops.iter().zip(&stop_types) {
                self.types.push(needed.is_empty() || needed.iter().any(|name| types.contains(name)));
                self.territories.push(
                    territories.is_empty()
                        || stop.territories.is_empty()
                        || stop.territories.iter().any(|territory| territories.contains(territory)),
                );
            }
        }
    }
}

fn kept(problem: &Problem) -> Vec<bool> {
    let mut kept = vec![false; problem.stops.len()];
    for (vehicle, stops) in problem.current.iter().enumerate() {
        for &stop in stops {
            kept[stop] = problem.stops[stop].fixed_vehicle == Some(vehicle);
        }
    }
    kept
}

#[inline]
fn open(cell: i32) -> i64 {
    if cell == NO_WAY { FAR } else { i64::from(cell) }
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Nearest whole second; `None` beyond what a cell holds.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "cells are below 2^31")]
fn scaled(seconds: i64, speed: f64) -> Option<i64> {
    let scaled = (seconds as f64 / speed).round();
    (scaled < f64::from(NO_WAY)).then_some(scaled as i64)
}

fn lower(types: &[String]) -> Vec<String> {
    types.iter().map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect()
}

fn find(root: &mut [usize], mut of: usize) -> usize {
    while root[of] != of {
        root[of] = root[root[of]];
        of = root[of];
    }
    of
}

fn departure(vehicle: &Vehicle) -> (i64, i64) {
    let start = vehicle.shift.earliest;
    vehicle.departure.map_or((start, start), |window| {
        let earliest = window.earliest.max(start);
        (earliest, window.latest.max(earliest))
    })
}

/// The window that a stop is timed by, and the one that is reported of it.
fn windows(window: Option<TimeWindow>, rules: Rules) -> (TimeWindow, TimeWindow) {
    let always = TimeWindow { earliest: SINCE_EVER, latest: ANY_TIME };
    let window = window.unwrap_or(always);
    (if rules.ignore_time_window { always } else { window }, window)
}

fn compile_stop(stop: &Stop, rules: Rules) -> StopData {
    let (timed, window) = windows(stop.window, rules);
    StopData {
        place: stop.place,
        service: stop.service,
        earliest: timed.earliest,
        latest: timed.latest,
        reported_latest: window.latest,
        priority: stop.priority,
        penalty: stop.optional_penalty,
        pickups: Vec::new(),
        deliveries: Vec::new(),
        component: None,
    }
}

/// Whether loads are counted on board rather than summed.
pub(crate) fn on_board(model: &Model) -> bool {
    model.rules.capacity_mode == CapacityMode::OnBoard
}
