//! Cheapest feasible insertion of stops into runs: completes what an engine left open, and makes the first
//! plan.

use crate::load;
use crate::model::Model;
use crate::objective::Weights;
use crate::problem::Sequences;
use crate::timing::Lane;

/// Most positions tried for one set of linked stops in one run.
const LINKED_TRIES: usize = 20_000;

/// Stops that are inserted together: one, or all that are linked.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// Pickups before their deliveries.
    pub(crate) stops: Vec<usize>,
}

/// Runs being filled.
pub(crate) struct Filling<'a> {
    model: &'a Model,
    pub(crate) lanes: Vec<Lane>,
    weights: Vec<Weights>,
    /// Which vehicle of each alternatives group is used.
    group_user: Vec<Option<usize>>,
}

/// A place found for a unit.
struct Found {
    vehicle: usize,
    sequence: Vec<usize>,
    points: i64,
}

impl<'a> Filling<'a> {
    /// Starts from given sequences.
    pub(crate) fn new(model: &'a Model, sequences: &Sequences) -> Self {
        let lanes: Vec<Lane> = (0..model.vehicles.len())
            .map(|vehicle| Lane::new(model, vehicle, sequences.get(vehicle).cloned().unwrap_or_default()))
            .collect();
        let weights = (0..model.vehicles.len()).map(|vehicle| Weights::of(model, vehicle)).collect();
        let mut group_user = vec![None; model.groups];
        for lane in lanes.iter().filter(|lane| !lane.sequence.is_empty()) {
            if let Some(group) = model.vehicles[lane.vehicle].group {
                group_user[group] = Some(lane.vehicle);
            }
        }
        Self { model, lanes, weights, group_user }
    }

    /// The sequences as they are now.
    pub(crate) fn sequences(self) -> Sequences {
        self.lanes.into_iter().map(|lane| lane.sequence).collect()
    }

    /// Inserts what fits of the given units, in their order, until told to stop.
    pub(crate) fn insert(&mut self, units: &[Unit], stop: &dyn Fn() -> bool) {
        for unit in units {
            if stop() {
                return;
            }
            self.place(unit);
        }
    }

    /// Whether a vehicle may take more stops at all.
    pub(crate) fn open(&self, vehicle: usize) -> bool {
        let data = &self.model.vehicles[vehicle];
        !data.locked
            && data.group.is_none_or(|group| self.group_user[group].is_none_or(|user| user == vehicle))
    }

    fn place(&mut self, unit: &Unit) {
        let mut best: Option<Found> = None;
        // Empty vehicles that are alike need only one try; fleets are small, so only the very same are skipped.
        for vehicle in 0..self.lanes.len() {
            if !self.open(vehicle) || !unit.stops.iter().all(|stop| self.model.may_serve(*stop, vehicle)) {
                continue;
            }
            let bound = best.as_ref().map_or(i64::MAX, |found| found.points);
            best = self.find(unit, vehicle, bound).or(best);
        }
        if let Some(found) = best {
            let lane = &mut self.lanes[found.vehicle];
            lane.sequence = found.sequence;
            lane.refresh(self.model);
            if let Some(group) = self.model.vehicles[found.vehicle].group {
                self.group_user[group] = Some(found.vehicle);
            }
        }
    }

    /// Best place of a unit in one run, when it costs less than `bound`.
    fn find(&self, unit: &Unit, vehicle: usize, bound: i64) -> Option<Found> {
        let (lane, weights) = (&self.lanes[vehicle], &self.weights[vehicle]);
        let opening = if lane.sequence.is_empty() { weights.fixed } else { 0 };
        let outside = unit.stops.iter().filter(|stop| !self.model.territory_fits(**stop, vehicle)).count();
        let base = opening
            .saturating_add(weights.outside.saturating_mul(i64::try_from(outside).unwrap_or(i64::MAX)))
            .saturating_add(weights.drop.saturating_mul(i64::try_from(unit.stops.len()).unwrap_or(i64::MAX)));
        let penalty = unit.stops.iter().try_fold(0_i64, |sum, stop| {
            self.model.stops[*stop]
                .penalty
                .map(|p| sum.saturating_add(p.saturating_mul(weights.penalty_unit)))
        });
        let bound = bound.min(penalty.map_or(i64::MAX, |penalty| penalty.saturating_add(1)));
        let mut search = Search {
            model: self.model,
            weights,
            stops: &unit.stops,
            first: self.model.locked_stops(vehicle).len().min(lane.sequence.len()),
            tries: LINKED_TRIES.max(lane.sequence.len() + 1),
            best: (bound, None),
        };
        search.descend(lane, 0, base);
        let (points, sequence) = search.best;
        sequence.map(|sequence| Found { vehicle, sequence, points })
    }
}

/// Depth-first search over the positions of one unit in one run.
struct Search<'a> {
    model: &'a Model,
    weights: &'a Weights,
    stops: &'a [usize],
    first: usize,
    tries: usize,
    best: (i64, Option<Vec<usize>>),
}

impl Search<'_> {
    fn descend(&mut self, lane: &Lane, depth: usize, points: i64) {
        let stop = self.stops[depth];
        let pickups = &self.model.stops[stop].pickups;
        let after_pickups =
            lane.sequence.iter().rposition(|placed| pickups.contains(placed)).map_or(0, |at| at + 1);
        for at in self.first.max(after_pickups)..=lane.sequence.len() {
            if self.tries == 0 {
                return;
            }
            self.tries -= 1;
            let (driving, metres) = lane.detour(self.model, stop, at);
            let points = points.saturating_add(self.weights.detour(driving, metres));
            // Detours may be negative without the triangle inequality, so deeper levels are not cut by it.
            let last = depth + 1 == self.stops.len();
            if (last && points >= self.best.0) || !lane.admits(self.model, stop, at) {
                continue;
            }
            let mut sequence = lane.sequence.clone();
            sequence.insert(at, stop);
            if !last {
                self.descend(&Lane::new(self.model, lane.vehicle, sequence), depth + 1, points);
            } else if load::allowed(self.model, lane.vehicle, &sequence) {
                self.best = (points, Some(sequence));
            }
        }
    }
}

/// Stops in no sequence as units, most urgent first: what stays on its run, priority, then the earliest end of the window.
pub(crate) fn open_units(model: &Model, sequences: &Sequences) -> Vec<Unit> {
    let mut placed = vec![false; model.stops.len()];
    for &stop in sequences.iter().flatten() {
        placed[stop] = true;
    }
    let mut units: Vec<Unit> = Vec::new();
    for component in model.components.iter().filter(|component| !component.cyclic) {
        // With a part of the links on locked runs the rest has to join them: the pieces go one by one.
        if component.members.iter().all(|stop| !placed[*stop]) {
            units.push(Unit { stops: component.members.clone() });
        }
    }
    units.extend(
        (0..model.stops.len())
            .filter(|stop| model.stops[*stop].component.is_none() && !placed[*stop])
            .map(|stop| Unit { stops: vec![stop] }),
    );
    let urgency = |unit: &Unit| {
        let kept = unit.stops.iter().any(|stop| model.kept[*stop]);
        let priority = unit.stops.iter().any(|stop| model.stops[*stop].priority);
        let optional = unit.stops.iter().all(|stop| model.stops[*stop].penalty.is_some());
        (!kept, !priority, optional, unit.stops.iter().map(|stop| model.stops[*stop].latest).min())
    };
    units.sort_by_key(urgency);
    units
}
