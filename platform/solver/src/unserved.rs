//! Why a stop is in no run, found by trying every vehicle and position.

use crate::insert::Filling;
use crate::load;
use crate::model::{FAR, Model};
use crate::plan::{Unserved, UnservedReason};
use crate::problem::{Sequences, TerritoryMode};
use crate::timing::Lane;

use UnservedReason::{
    Capacity, LinkedJob, NoMatchingType, NotEnoughDrivers, Shift, Territory, TimeWindow, Unreachable,
};

/// All stops in no sequence with the reason.
pub(crate) fn reasons(model: &Model, sequences: &Sequences) -> Vec<Unserved> {
    let mut served = vec![false; model.stops.len()];
    for &stop in sequences.iter().flatten() {
        served[stop] = true;
    }
    if served.iter().all(|served| *served) {
        return Vec::new();
    }
    let runs = Runs::new(model, sequences);
    (0..model.stops.len())
        .filter(|stop| !served[*stop])
        .map(|stop| Unserved { stop, reason: runs.reason(stop) })
        .collect()
}

struct Runs<'a> {
    model: &'a Model,
    filling: Filling<'a>,
    without_shift: Vec<Lane>,
}

impl<'a> Runs<'a> {
    fn new(model: &'a Model, sequences: &Sequences) -> Self {
        let filling = Filling::new(model, sequences);
        let without_shift = filling.lanes.iter().map(|lane| lane.without_shift(model)).collect();
        Self { model, filling, without_shift }
    }

    fn reason(&self, stop: usize) -> UnservedReason {
        if self.model.vehicles.is_empty() {
            return NotEnoughDrivers;
        }
        match self.by_itself(stop) {
            Some(reason) => reason,
            None if self.model.stops[stop].component.is_some() => self.linked(stop),
            None => self.among_others(stop),
        }
    }

    /// Why no vehicle could serve the stop even if it had nothing else to do.
    fn by_itself(&self, stop: usize) -> Option<UnservedReason> {
        let all = || 0..self.model.vehicles.len();
        let rules = self.model.rules;
        let type_fits = |vehicle: &usize| rules.ignore_type || self.model.type_fits(stop, *vehicle);
        if !all().any(|vehicle| type_fits(&vehicle)) {
            return Some(NoMatchingType);
        }
        let territory_fits = |vehicle: &usize| {
            rules.territory_mode != TerritoryMode::Only || self.model.territory_fits(stop, *vehicle)
        };
        if !all().any(|vehicle| type_fits(&vehicle) && territory_fits(&vehicle)) {
            return Some(Territory);
        }
        let suited: Vec<usize> = all().filter(|vehicle| self.model.may_serve(stop, *vehicle)).collect();
        if suited.is_empty() {
            // Fixed to a vehicle that its types or the territory exclude.
            let fixed = self.model.problem.stops[stop].fixed_vehicle?;
            return Some(if type_fits(&fixed) { Territory } else { NoMatchingType });
        }
        let mut nearest = None;
        for vehicle in suited {
            let reason = self.alone(stop, vehicle)?;
            nearest = nearest.max(Some((closeness(reason), reason)));
        }
        nearest.map(|(_, reason)| reason)
    }

    /// Why one empty vehicle could not serve one stop.
    fn alone(&self, stop: usize, vehicle: usize) -> Option<UnservedReason> {
        if !load::allowed(self.model, vehicle, &[stop]) && self.model.stops[stop].component.is_none() {
            return Some(Capacity);
        }
        let lane = Lane::new(self.model, vehicle, vec![stop]);
        if lane.feasible() {
            return None;
        }
        let (driving, _) = Lane::new(self.model, vehicle, Vec::new()).detour(self.model, stop, 0);
        if driving >= FAR / 2 {
            return Some(Unreachable);
        }
        Some(if lane.without_shift(self.model).feasible() { Shift } else { TimeWindow })
    }

    fn linked(&self, stop: usize) -> UnservedReason {
        let Some(component) = self.model.stops[stop].component.map(|index| &self.model.components[index])
        else {
            return LinkedJob;
        };
        let partner_fails = component.members.iter().any(|member| self.by_itself(*member).is_some());
        if component.cyclic || partner_fails {
            return LinkedJob;
        }
        let suits =
            |vehicle: &usize| component.members.iter().all(|stop| self.model.may_serve(*stop, *vehicle));
        let suited: Vec<usize> = (0..self.model.vehicles.len()).filter(suits).collect();
        if suited.is_empty() {
            return LinkedJob;
        }
        let fits = |vehicle: &usize| {
            let run = self.filling.lanes[*vehicle].sequence.iter().chain(&component.members);
            load::allowed(self.model, *vehicle, &run.copied().collect::<Vec<usize>>())
        };
        if !suited.iter().any(fits) { Capacity } else { LinkedJob }
    }

    /// Why no run can take the stop as they are now; the same reason everywhere is the reason.
    fn among_others(&self, stop: usize) -> UnservedReason {
        let mut common = None;
        for vehicle in (0..self.model.vehicles.len()).filter(|vehicle| self.model.may_serve(stop, *vehicle)) {
            if self.alone(stop, vehicle).is_some() {
                continue;
            }
            let reason = self.blocked(stop, vehicle);
            // One that only has too little time decides: with thousands of stops left out not all runs are tried.
            if reason == NotEnoughDrivers || common.is_some_and(|common| common != reason) {
                return NotEnoughDrivers;
            }
            common = Some(reason);
        }
        common.unwrap_or(NotEnoughDrivers)
    }

    fn blocked(&self, stop: usize, vehicle: usize) -> UnservedReason {
        if !self.filling.open(vehicle) {
            return NotEnoughDrivers;
        }
        let lane = &self.filling.lanes[vehicle];
        let mut sequence = lane.sequence.clone();
        sequence.push(stop);
        if !load::allowed(self.model, vehicle, &sequence) {
            return Capacity;
        }
        let first = self.model.locked_stops(vehicle).len().min(lane.sequence.len());
        let mut positions = first..=lane.sequence.len();
        if positions.clone().any(|at| lane.admits(self.model, stop, at)) {
            return NotEnoughDrivers;
        }
        let without_shift = &self.without_shift[vehicle];
        if positions.any(|at| without_shift.admits(self.model, stop, at)) { Shift } else { TimeWindow }
    }
}

/// How near to being served: of several vehicles the reason of the one that came furthest is told.
fn closeness(reason: UnservedReason) -> u8 {
    match reason {
        Unreachable => 0,
        Capacity => 1,
        TimeWindow => 2,
        _ => 3,
    }
}
