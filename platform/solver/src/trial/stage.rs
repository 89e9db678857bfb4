//! The plan without a stop and everything that is linked to it, and trying them in it.

use std::sync::Arc;

use super::quick::{Known, Quick};
use super::{Added, Change, Placement, Remedy, Trial, Use, fits, outside, sequences};
use crate::evaluate;
use crate::model::{ANY_TIME, Model};
use crate::plan::{Route, Violation, ViolationKind};
use crate::timing::Lane;

/// Seconds of a minute.
const MINUTE: i64 = 60;

/// One stop's trial.
pub(super) struct Stage<'a> {
    trial: &'a mut Trial,
    pub(super) stop: usize,
    /// The stop and everything linked to it, pickups before their deliveries.
    unit: Vec<usize>,
    /// The runs without the unit, by vehicle.
    bare: Vec<Arc<Known>>,
    /// What taking the unit off its runs saves, as a negative cost of each.
    saved: Vec<(usize, Added)>,
    /// Taking the unit off its runs breaks nothing.
    leaves: bool,
}

impl<'a> Stage<'a> {
    /// Takes a stop and what is linked to it off the plan; none where links go in a circle.
    pub(super) fn set(trial: &'a mut Trial, stop: usize) -> Option<Self> {
        let component = trial.model.stops[stop].component.map(|index| &trial.model.components[index]);
        if component.is_some_and(|component| component.cyclic) {
            return None;
        }
        let unit = component.map_or_else(|| vec![stop], |component| component.members.clone());
        let mut saved = Vec::new();
        let mut leaves = true;
        let mut bare = trial.known.clone();
        for (vehicle, sequence) in trial.sequences.iter().enumerate() {
            if !sequence.iter().any(|stop| unit.contains(stop)) {
                continue;
            }
            let rest: Vec<usize> = sequence.iter().copied().filter(|stop| !unit.contains(stop)).collect();
            let rest = Known::new(&trial.model, vehicle, &rest);
            let before = trial.known[vehicle].route.as_ref();
            saved.push((vehicle, difference(before, rest.route.as_ref())));
            let mut taken = sequence.iter().filter(|stop| unit.contains(stop));
            leaves &= trial.uses[vehicle] != Use::Kept && taken.all(|stop| !trial.fixed[*stop]);
            leaves &= worse(before, rest.route.as_ref(), &[]).is_empty();
            bare[vehicle] = Arc::new(rest);
        }
        Some(Self { trial, stop, unit, bare, saved, leaves })
    }

    /// What a run that takes the stop is tried with at little cost; none where only the evaluator can tell.
    pub(super) fn quick(&self, vehicle: usize) -> Option<Quick> {
        let model = &self.trial.model;
        let known = &self.bare[vehicle];
        if self.unit.len() > 1 || !known.sound {
            return None;
        }
        let together: Vec<usize> = self.stops(vehicle).iter().chain(&self.unit).copied().collect();
        let mut saved = Added::default();
        for (_, part) in &self.saved {
            saved += *part;
        }
        Some(Quick::new(model, Arc::clone(known), self.stop, &together, saved))
    }

    pub(super) fn model(&self) -> &Model {
        &self.trial.model
    }

    /// A run with the stop at a position.
    pub(super) fn at(&self, vehicle: usize, at: usize) -> Vec<usize> {
        let mut sequence = self.stops(vehicle).to_vec();
        sequence.insert(at, self.stop);
        sequence
    }

    /// How many stops a run has without the unit.
    pub(super) fn length(&self, vehicle: usize) -> usize {
        self.stops(vehicle).len()
    }

    /// Stops of a run without the unit.
    fn stops(&self, vehicle: usize) -> &[usize] {
        &self.bare[vehicle].lane.sequence
    }

    fn route(&self, vehicle: usize) -> Option<&Route> {
        self.bare[vehicle].route.as_ref()
    }

    pub(super) fn vehicles(&self) -> usize {
        self.bare.len()
    }

    pub(super) fn uses(&self, vehicle: usize) -> Use {
        self.trial.uses[vehicle]
    }

    pub(super) fn linked(&self) -> Vec<usize> {
        self.unit.iter().copied().filter(|stop| *stop != self.stop).collect()
    }

    pub(super) fn may_leave_its_run(&self) -> bool {
        self.leaves
    }

    pub(super) fn has_window(&self) -> bool {
        self.trial.model.stops[self.stop].reported_latest < ANY_TIME
    }

    /// A rule that keeps the unit off a run wherever it would stand.
    pub(super) fn excluded(&self, vehicle: usize) -> Option<Violation> {
        let model = &self.trial.model;
        let found = |kind, stop, value| Violation { kind, vehicle, stop, key: None, value, limit: 0 };
        let fixed =
            |stop: &usize| model.problem.stops[*stop].fixed_vehicle.is_some_and(|fixed| fixed != vehicle);
        if let Some(stop) = self.unit.iter().find(|stop| fixed(stop) || outside(model, vehicle, **stop)) {
            return Some(found(ViolationKind::Territory, Some(*stop), 0));
        }
        let group = model.vehicles[vehicle].group.filter(|_| self.stops(vehicle).is_empty())?;
        let other = (0..self.vehicles()).find(|other| {
            *other != vehicle && model.vehicles[*other].group == Some(group) && !self.stops(*other).is_empty()
        })?;
        Some(found(ViolationKind::AlternativesGroup, None, i64::try_from(other).unwrap_or(i64::MAX)))
    }

    /// Whether the load is what keeps the unit out, or a part of it.
    pub(super) fn is_full(&self, vehicle: usize) -> bool {
        let together: Vec<usize> = self.stops(vehicle).iter().chain(&self.unit).copied().collect();
        !fits(&self.trial.model, vehicle, &together)
    }

    /// The orders in which the unit could join a run. Where types and load exclude each position, one shows why.
    pub(super) fn positions(&self, vehicle: usize) -> Vec<Vec<usize>> {
        let model = &self.trial.model;
        let run = self.stops(vehicle);
        let wrong_type = self.unit.iter().any(|stop| !model.type_fits(*stop, vehicle));
        if wrong_type && self.is_full(vehicle) {
            return vec![run.iter().chain(&self.unit).copied().collect()];
        }
        sequences::with(model, run, &self.unit)
    }

    /// A run in an order, and the rules that it breaks and does not break without the unit.
    pub(super) fn evaluate(&self, vehicle: usize, sequence: &[usize]) -> (Route, Vec<Violation>) {
        let route = evaluate::sketch(&self.trial.model, vehicle, sequence);
        let broken = worse(self.route(vehicle), Some(&route), &self.unit);
        (route, broken)
    }

    /// The run when its shift ends so many minutes later and nothing is broken then.
    pub(super) fn with_shift(&mut self, vehicle: usize, minutes: i64, sequence: &[usize]) -> Option<Route> {
        let end = self.trial.model.vehicles[vehicle].shift_end;
        self.trial.model.vehicles[vehicle].shift_end = end + minutes * MINUTE;
        let (route, broken) = self.evaluate(vehicle, sequence);
        self.trial.model.vehicles[vehicle].shift_end = end;
        broken.is_empty().then_some(route)
    }

    /// The run when the stop's window opens and closes so many minutes earlier and later and nothing is broken then.
    pub(super) fn with_window(
        &mut self,
        vehicle: usize,
        (earlier, later): (i64, i64),
        sequence: &[usize],
    ) -> Option<Route> {
        let stop = &mut self.trial.model.stops[self.stop];
        let times = (stop.earliest, stop.latest, stop.reported_latest);
        if stop.earliest > -ANY_TIME {
            stop.earliest -= earlier * MINUTE;
        }
        if stop.latest < ANY_TIME {
            stop.latest += later * MINUTE;
        }
        stop.reported_latest += later * MINUTE;
        let (route, broken) = self.evaluate(vehicle, sequence);
        let stop = &mut self.trial.model.stops[self.stop];
        (stop.earliest, stop.latest, stop.reported_latest) = times;
        broken.is_empty().then_some(route)
    }

    /// The fewest minutes, at most so many, with which it works.
    pub(super) fn least(
        &mut self,
        most: i64,
        works: impl Fn(&mut Self, i64) -> Option<Route>,
    ) -> Option<(i64, Route)> {
        let mut best = (most, works(self, most)?);
        let mut too_few = 0;
        while best.0 - too_few > 1 {
            let middle = too_few + (best.0 - too_few) / 2;
            match works(self, middle) {
                Some(route) => best = (middle, route),
                None => too_few = middle,
            }
        }
        Some(best)
    }

    /// The remedy of a change that puts the unit into this run.
    pub(super) fn remedy(&self, change: Change, route: &Route, sequence: Vec<usize>) -> Remedy {
        let added = difference(self.route(route.vehicle), Some(route));
        let place = self.placement(route, sequence, self.stop);
        self.costed(change, place, &[(route.vehicle, added)])
    }

    /// A remedy with what it costs, the runs that the unit leaves included.
    pub(super) fn costed(&self, change: Change, place: Placement, parts: &[(usize, Added)]) -> Remedy {
        let by_run: Vec<(usize, Added)> = self.saved.iter().chain(parts).copied().collect();
        let mut added = Added::default();
        for (_, part) in &by_run {
            added += *part;
        }
        Remedy { change, place, added, by_run }
    }

    fn placement(&self, route: &Route, sequence: Vec<usize>, stop: usize) -> Placement {
        let at = route.visits.iter().find(|visit| visit.stop == stop);
        let arrival = at.map_or(route.end, |visit| visit.service_start);
        Placement { vehicle: route.vehicle, sequence, arrival, end: route.end }
    }

    /// Of several runs those that the unit would lengthen least.
    pub(super) fn nearest(&self, mut vehicles: Vec<usize>, most: usize) -> Vec<usize> {
        if vehicles.len() > most {
            vehicles.sort_by_cached_key(|vehicle| {
                let lane = &self.bare[*vehicle].lane;
                let detours =
                    (0..=lane.sequence.len()).map(|at| lane.detour(&self.trial.model, self.stop, at));
                (detours.min(), *vehicle)
            });
            vehicles.truncate(most);
        }
        vehicles
    }

    /// Stops of a run that may go elsewhere and are not linked to others.
    pub(super) fn removable(&self, vehicle: usize) -> Vec<usize> {
        let free =
            |stop: &usize| !self.trial.fixed[*stop] && self.trial.model.stops[*stop].component.is_none();
        self.stops(vehicle).iter().copied().filter(free).collect()
    }

    /// The run with the unit instead of another stop: the best order and what it costs, if that is so many seconds at most.
    pub(super) fn without(&self, vehicle: usize, stop: usize, limit: i64) -> Option<(Placement, Added)> {
        let model = &self.trial.model;
        let rest: Vec<usize> = self.stops(vehicle).iter().copied().filter(|other| *other != stop).collect();
        let together: Vec<usize> = rest.iter().chain(&self.unit).copied().collect();
        if !fits(model, vehicle, &together) {
            return None;
        }
        let mut best: Option<(Added, Placement)> = None;
        let least = self.least_without(vehicle, stop);
        // Where the run keeps all rules without the stop, the times tell which positions break one.
        let lane = Lane::new(model, vehicle, rest.clone());
        let sound = self.unit.len() == 1 && self.bare[vehicle].sound && lane.feasible();
        // Another hour of traffic may save more than a detour takes.
        let even = model.clock(vehicle).is_none();
        for (at, sequence) in sequences::with(model, &rest, &self.unit).into_iter().enumerate() {
            if sound
                && (!lane.admits(model, self.stop, at)
                    || (even && least + lane.detour(model, self.stop, at).0 > limit))
            {
                continue;
            }
            let (route, broken) = self.evaluate(vehicle, &sequence);
            if !broken.is_empty() {
                continue;
            }
            let added = difference(self.route(vehicle), Some(&route));
            if best.as_ref().is_none_or(|(least, _)| added < *least) {
                best = Some((added, self.placement(&route, sequence, self.stop)));
            }
        }
        best.map(|(added, placement)| (placement, added))
    }

    /// Working time that the run with one stop more instead of another takes more at least, beside the detour of that one:
    /// waiting and break are saved at best. Seconds.
    fn least_without(&self, vehicle: usize, stop: usize) -> i64 {
        let model = &self.trial.model;
        let Some(route) = self.route(vehicle) else { return i64::MIN / 4 };
        let rest: Vec<usize> = self.stops(vehicle).iter().copied().filter(|other| *other != stop).collect();
        let at = self.stops(vehicle).iter().position(|other| *other == stop).unwrap_or(0);
        let (detour, _) = Lane::new(model, vehicle, rest).detour(model, stop, at);
        let saved: i64 = self.saved.iter().map(|(_, added)| added.duration).sum();
        let service = model.stops[self.stop].service - model.stops[stop].service;
        saved + service - detour - route.totals.waiting - route.totals.breaks
    }

    /// The cheapest other run for a stop that leaves its own.
    pub(super) fn elsewhere(&mut self, from: usize, stop: usize) -> Option<(Placement, Added)> {
        if !self.saved.is_empty() {
            return self.find_elsewhere(from, stop);
        }
        // The same whoever asks.
        if let Some(known) = self.trial.elsewhere.get(&(from, stop)) {
            return known.clone();
        }
        let found = self.find_elsewhere(from, stop);
        self.trial.elsewhere.insert((from, stop), found.clone());
        found
    }

    fn find_elsewhere(&self, from: usize, stop: usize) -> Option<(Placement, Added)> {
        let model = &self.trial.model;
        let mut best: Option<(Added, Placement)> = None;
        for vehicle in (0..self.vehicles()).filter(|other| *other != from && self.uses(*other) == Use::Open) {
            if model.problem.stops[stop].fixed_vehicle.is_some_and(|fixed| fixed != vehicle)
                || outside(model, vehicle, stop)
                || !model.type_fits(stop, vehicle)
                || self.stops(vehicle).is_empty() && self.group_is_used(vehicle)
            {
                continue;
            }
            let run = self.stops(vehicle);
            let together: Vec<usize> = run.iter().copied().chain([stop]).collect();
            if !fits(model, vehicle, &together) {
                continue;
            }
            let lane = &self.bare[vehicle].lane;
            let sound = lane.feasible();
            for at in 0..=run.len() {
                if sound && !lane.admits(model, stop, at) && !model.rules.ignore_time_window {
                    continue;
                }
                let mut sequence = run.to_vec();
                sequence.insert(at, stop);
                let route = evaluate::sketch(model, vehicle, &sequence);
                if !worse(self.route(vehicle), Some(&route), &[stop]).is_empty() {
                    continue;
                }
                let added = difference(self.route(vehicle), Some(&route));
                if best.as_ref().is_none_or(|(least, _)| added < *least) {
                    best = Some((added, self.placement(&route, sequence, stop)));
                }
            }
        }
        best.map(|(added, placement)| (placement, added))
    }

    fn group_is_used(&self, vehicle: usize) -> bool {
        let model = &self.trial.model;
        model.vehicles[vehicle].group.is_some_and(|group| {
            (0..self.vehicles()).any(|other| {
                other != vehicle
                    && model.vehicles[other].group == Some(group)
                    && !self.stops(other).is_empty()
            })
        })
    }
}

/// What a run costs more than before.
fn difference(before: Option<&Route>, after: Option<&Route>) -> Added {
    let of = |route: Option<&Route>| route.map(|route| route.totals).unwrap_or_default();
    let (was, is) = (of(before), of(after));
    Added {
        duration: is.duration - was.duration,
        metres: is.distance - was.distance,
        work: is.driving + is.service - was.driving - was.service,
        driving: is.driving - was.driving,
    }
}

/// Rules that are broken, or broken further, than before; every rule that one of `stops` breaks counts.
fn worse(before: Option<&Route>, after: Option<&Route>, stops: &[usize]) -> Vec<Violation> {
    let known = before.map_or(&[][..], |route| route.violations.as_slice());
    let same = |violation: &Violation| {
        known.iter().any(|known| {
            known.kind == violation.kind
                && known.stop == violation.stop
                && known.key == violation.key
                && known.value >= violation.value
        })
    };
    let counts =
        |violation: &&Violation| violation.stop.is_some_and(|stop| stops.contains(&stop)) || !same(violation);
    let violations = after.map_or(&[][..], |route| route.violations.as_slice());
    violations.iter().filter(counts).cloned().collect()
}
