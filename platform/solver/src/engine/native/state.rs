//! The plan being changed: tours, the stops left out, and how to take changes back.

use rand::Rng;
use rand::rngs::SmallRng;

use super::data::{Data, short};
use super::place::{self, Bound, Spot};
use super::tour::Tour;
use crate::problem::Sequences;

/// Tour of a stop that is in none.
pub(super) const NOWHERE: u32 = u32::MAX;
/// One good position in so many is overlooked, so that insertion does not always do the same.
const BLINK: f64 = 0.01;

/// A stop is only inserted into tours of so many nearest stops, and into empty ones.
const NEAR: usize = 40;

/// How good: weight of missing stops first, then points. Smaller is better.
pub(super) type Value = (i64, i64);

/// A plan.
pub(super) struct State<'d, 'm> {
    pub(super) data: &'d Data<'m>,
    pub(super) tours: Vec<Tour>,
    pub(super) tour_of: Vec<u32>,
    /// Units in no tour.
    pub(super) bank: Vec<usize>,
    pub(super) value: Value,
    /// No more runs than so many may be used.
    pub(super) most: usize,
    /// Tours in use, and stops in them.
    pub(super) used: usize,
    pub(super) served: usize,
    /// One unused tour of each kind of vehicle.
    empty: Vec<usize>,
    /// Tours as they were when the current change began.
    saved: Vec<(usize, Tour)>,
    spare: Vec<Tour>,
    is_saved: Vec<bool>,
    saved_bank: Vec<usize>,
    saved_value: Value,
    /// Tours near the unit being inserted carry the current mark.
    marks: Vec<u32>,
    mark: u32,
    /// Used tours of each alternatives group.
    group_user: Vec<u32>,
    candidates: Vec<usize>,
    /// Kept for [`place::pair`].
    buffers: [Vec<i64>; 2],
}

impl<'d, 'm> State<'d, 'm> {
    pub(super) fn new(data: &'d Data<'m>, sequences: &Sequences) -> Self {
        let model = data.model;
        let tours: Vec<Tour> =
            sequences.iter().enumerate().map(|(vehicle, stops)| Tour::new(data, vehicle, stops)).collect();
        let mut tour_of = vec![NOWHERE; model.stops.len()];
        for (index, tour) in tours.iter().enumerate() {
            for &stop in &tour.stops {
                tour_of[stop as usize] = short(index);
            }
        }
        let missing = |unit: &Vec<u32>| unit.iter().all(|stop| tour_of[*stop as usize] == NOWHERE);
        let servable = |unit: &Vec<u32>| {
            let cyclic = unit.first().and_then(|stop| model.stops[*stop as usize].component);
            cyclic.is_none_or(|component| !model.components[component].cyclic)
        };
        let bank = (0..data.units.len())
            .filter(|unit| missing(&data.units[*unit]) && servable(&data.units[*unit]))
            .collect();
        let count = tours.len();
        let mut state = Self {
            data,
            tours,
            tour_of,
            bank,
            value: (0, 0),
            most: usize::MAX,
            used: 0,
            served: 0,
            empty: Vec::new(),
            saved: Vec::new(),
            spare: Vec::new(),
            is_saved: vec![false; count],
            saved_bank: Vec::new(),
            saved_value: (0, 0),
            marks: vec![0; count],
            mark: 0,
            group_user: vec![0; model.groups],
            candidates: Vec::new(),
            buffers: [Vec::new(), Vec::new()],
        };
        for vehicle in 0..count {
            if let Some(group) =
                model.vehicles[vehicle].group.filter(|_| !state.tours[vehicle].stops.is_empty())
            {
                state.group_user[group] += 1;
            }
        }
        state.value = state.evaluate();
        state.used = state.tours.iter().filter(|tour| !tour.stops.is_empty()).count();
        state.served = state.tours.iter().map(|tour| tour.stops.len()).sum();
        state.find_empty();
        state
    }

    /// Counts the value from scratch.
    fn evaluate(&self) -> Value {
        let left_out = self.bank.iter().fold((0, 0), |sum, unit| add(sum, self.absence(*unit)));
        self.tours.iter().fold(left_out, |sum, tour| add(sum, (0, tour.points)))
    }

    /// What leaving a unit out costs.
    pub(super) fn absence(&self, unit: usize) -> Value {
        self.data.units[unit].iter().fold((0, 0), |sum, stop| add(sum, absence(self.data, *stop)))
    }

    /// Copies the sequences into existing buffers.
    pub(super) fn copy_to(&self, sequences: &mut Sequences) {
        sequences.resize(self.tours.len(), Vec::new());
        for (sequence, tour) in sequences.iter_mut().zip(&self.tours) {
            sequence.clear();
            sequence.extend(tour.stops.iter().map(|stop| *stop as usize));
        }
    }

    /// Value before the current change.
    pub(super) fn saved_value(&self) -> Value {
        self.saved_value
    }

    /// Starts a change that may be taken back.
    pub(super) fn begin(&mut self) {
        self.saved_value = self.value;
        self.saved_bank.clone_from(&self.bank);
        for (index, tour) in self.saved.drain(..) {
            self.is_saved[index] = false;
            self.spare.push(tour);
        }
    }

    /// Takes the change back.
    pub(super) fn undo(&mut self) {
        while let Some((index, saved)) = self.saved.pop() {
            self.is_saved[index] = false;
            let changed = std::mem::replace(&mut self.tours[index], saved);
            self.count(index, changed.stops.len(), self.tours[index].stops.len());
            for &stop in &changed.stops {
                if self.tour_of[stop as usize] == short(index) {
                    self.tour_of[stop as usize] = NOWHERE;
                }
            }
            self.spare.push(changed);
            for position in 0..self.tours[index].stops.len() {
                self.tour_of[self.tours[index].stops[position] as usize] = short(index);
            }
        }
        std::mem::swap(&mut self.bank, &mut self.saved_bank);
        self.value = self.saved_value;
    }

    fn save(&mut self, index: usize) {
        if self.is_saved[index] {
            return;
        }
        self.is_saved[index] = true;
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy_from(&self.tours[index]);
        self.saved.push((index, copy));
    }

    /// Counts stops that came into a tour or left it.
    fn count(&mut self, index: usize, before: usize, after: usize) {
        self.served = self.served + after - before;
        if (before > 0) == (after > 0) {
            return;
        }
        self.used = if after > 0 { self.used + 1 } else { self.used - 1 };
        if let Some(group) = self.data.model.vehicles[index].group {
            if after > 0 { self.group_user[group] += 1 } else { self.group_user[group] -= 1 }
        }
        self.find_empty();
    }

    /// Notes one unused tour of each kind of vehicle.
    fn find_empty(&mut self) {
        self.empty.clear();
        for (index, tour) in self.tours.iter().enumerate() {
            let twin = self.data.twin[index];
            if tour.stops.is_empty()
                && self.data.active[index]
                && !self.empty.iter().any(|other| self.data.twin[*other] == twin)
            {
                self.empty.push(index);
            }
        }
    }

    /// Changes the stops of a tour and recalculates it.
    pub(super) fn edit(&mut self, index: usize, change: impl FnOnce(&mut Vec<u32>)) {
        self.save(index);
        let tour = &mut self.tours[index];
        let (before, points) = (tour.stops.len(), tour.points);
        change(&mut tour.stops);
        tour.refresh(self.data);
        let after = tour.stops.len();
        self.value.1 = self.value.1.saturating_add(tour.points - points);
        self.count(index, before, after);
    }

    /// Puts a unit into the bank; its stops have been taken out of their tours.
    pub(super) fn leave_out(&mut self, unit: usize) {
        self.bank.push(unit);
        self.value = add(self.value, self.absence(unit));
    }

    /// Cheapest insertion of a unit over all tours.
    pub(super) fn find(&mut self, unit: usize, rng: &mut SmallRng) -> Option<Spot> {
        let data = self.data;
        let stops = &data.units[unit];
        let [mut detours, mut least] = std::mem::take(&mut self.buffers);
        let absence = self.absence(unit);
        let mut blink = || rng.random_bool(BLINK);
        let limit = if absence.0 > 0 { i64::MAX } else { absence.1 };
        let mut bound = Bound { points: limit, detours: &mut detours, least: &mut least, blink: &mut blink };
        let mut best: Option<Spot> = None;
        let mut candidates = std::mem::take(&mut self.candidates);
        self.find_near(stops, &mut candidates);
        for &index in &candidates {
            let tour = &self.tours[index];
            if !data.active[index] || !tour.feasible || !self.may_open(index) {
                continue;
            }
            if !stops.iter().all(|stop| data.model.may_serve(*stop as usize, index)) {
                continue;
            }
            let base = self.base(index, stops);
            match *stops.as_slice() {
                [stop] => {
                    if let Some((_, at)) = place::single(data, tour, stop, base, &mut bound) {
                        best = Some(Spot { tour: index, at: vec![at] });
                    }
                }
                [pickup, delivery] => {
                    let found = place::pair(data, tour, [pickup, delivery], base, &mut bound);
                    if let Some((_, first, second)) = found {
                        best = Some(Spot { tour: index, at: vec![first, second] });
                    }
                }
                _ => {
                    if let Some((_, at)) = place::several(data, tour, stops, base, &mut bound) {
                        best = Some(Spot { tour: index, at });
                    }
                }
            }
        }
        self.buffers = [detours, least];
        self.candidates = candidates;
        best
    }

    /// Tours near the stops, the nearest first, and unused ones: in large plans the others are not looked at.
    fn find_near(&mut self, stops: &[u32], found: &mut Vec<usize>) {
        found.clear();
        if self.data.model.stops.len() <= NEAR {
            found.extend((0..self.tours.len()).filter(|index| !self.tours[*index].stops.is_empty()));
        } else {
            self.mark += 1;
            for &stop in stops {
                for &other in self.data.near[stop as usize].iter().take(NEAR) {
                    let tour = self.tour_of[other as usize] as usize;
                    if self.marks.get(tour).is_some_and(|mark| *mark != self.mark) {
                        self.marks[tour] = self.mark;
                        found.push(tour);
                    }
                }
            }
        }
        if self.used < self.most {
            found.extend_from_slice(&self.empty);
        }
    }

    /// Whether stops may be added: an empty tour must be free to be used.
    fn may_open(&self, index: usize) -> bool {
        let group = self.data.model.vehicles[index].group;
        !self.tours[index].stops.is_empty()
            || (self.used < self.most && group.is_none_or(|group| self.group_user[group] == 0))
    }

    /// Points of serving the stops in a tour apart from time and way.
    fn base(&self, index: usize, stops: &[u32]) -> i64 {
        let weights = &self.data.kinds[index].weights;
        let mut base = if self.tours[index].stops.is_empty() { weights.fixed } else { 0 };
        if self.data.has_strange(index) {
            base += stops.iter().map(|stop| self.data.strange(index, *stop)).sum::<i64>();
        }
        base + weights.drop * i64::from(short(stops.len()))
    }

    /// Inserts a unit at a place found for it.
    pub(super) fn insert(&mut self, unit: usize, spot: &Spot) {
        let data = self.data;
        self.edit(spot.tour, |sequence| {
            for (&stop, &at) in data.units[unit].iter().zip(&spot.at) {
                sequence.insert(at, stop);
            }
        });
        for &stop in &data.units[unit] {
            self.tour_of[stop as usize] = short(spot.tour);
        }
    }
}

/// What leaving a stop out costs.
pub(super) fn absence(data: &Data, stop: u32) -> Value {
    let unit_points = data.kinds.first().map_or(1, |kind| kind.weights.penalty_unit);
    let all = i64::from(short(data.model.stops.len())) + 1;
    if data.model.kept[stop as usize] {
        return (all * all, 0);
    }
    let stop = &data.model.stops[stop as usize];
    match stop.penalty {
        Some(penalty) => (0, penalty.saturating_mul(unit_points)),
        None if stop.priority => (all, 0),
        None => (1, 0),
    }
}

pub(super) fn add(a: Value, b: Value) -> Value {
    (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
}
