//! Serving everything with fewer runs: a run is dissolved and its stops are squeezed into the others.
//!
//! Stops that stay out long count more and more, so that the search finds places for them even where it
//! costs distance (absence counters: Christiaens and Vanden Berghe 2020).

use super::data::Data;
use super::{Annealing, ruin, state};

/// Units of the bank tried again in one iteration.
const TRIES: usize = 24;
/// Iterations per unit without fewer units left out after which another run is dissolved instead.
const STUCK: u64 = 50;
/// Temperature while squeezing, as a part of the average cost of a stop.
const WARM: f64 = 0.3;

impl Annealing<'_, '_, '_> {
    /// Dissolves runs one after the other until the given part of the span is used, or as few are left as are enough.
    pub(super) fn reduce_fleet(&mut self, part: f64) {
        let data = self.state.data;
        if !self.state.bank.is_empty() || data.kinds.iter().all(|kind| kind.weights.fixed == 0) {
            return;
        }
        let mut absences = vec![1_u64; data.units.len()];
        let kept = self.span;
        self.span.until = kept.from + (kept.until - kept.from) * part;
        while !self.over() && self.state.used > self.span.runs && self.dissolve(&absences) {
            let done = self.squeeze(&mut absences);
            if !done {
                self.state = state::State::new(data, &self.best);
            } else if self.state.value < self.best_value {
                self.best_value = self.state.value;
                self.state.copy_to(&mut self.best);
                self.board.post(&self.best, self.best_value.1);
            }
        }
        self.span = kept;
        self.state = state::State::new(data, &self.best);
    }

    /// Takes all stops out of the run whose stops were easiest to place so far.
    fn dissolve(&mut self, absences: &[u64]) -> bool {
        let data = self.state.data;
        let weight =
            |stops: &[u32]| -> u64 { stops.iter().map(|stop| absences[data.unit_of[*stop as usize]]).sum() };
        let free = |index: &usize| {
            let tour = &self.state.tours[*index];
            data.active[*index] && !tour.stops.is_empty() && tour.fixed(data) == 0
        };
        let count = self.state.tours.len();
        if self.state.used < 2 {
            return false;
        }
        let Some(chosen) =
            (0..count).filter(free).min_by_key(|index| weight(&self.state.tours[*index].stops))
        else {
            return false;
        };
        self.state.begin();
        let mut units = units_of(data, &self.state.tours[chosen].stops);
        ruin::take_out(&mut self.state, &mut units);
        self.state.most = self.state.used;
        for unit in units {
            self.state.leave_out(unit);
        }
        true
    }

    /// Searches until every stop has a place again; false when the time is up or it is stuck.
    #[expect(clippy::cast_precision_loss, reason = "compared with a random threshold")]
    fn squeeze(&mut self, absences: &mut [u64]) -> bool {
        let mut removed = Vec::new();
        let temperature = self.stop_points() * WARM;
        let stuck = STUCK * (self.state.data.units.len() as u64 + 10);
        let (mut least, mut since) = (usize::MAX, self.iteration);
        loop {
            if self.state.bank.len() < least {
                (least, since) = (self.state.bank.len(), self.iteration);
            }
            if self.iteration - since > stuck {
                return false;
            }
            if self.iteration.is_multiple_of(super::CLOCK_EVERY) && self.over() {
                return false;
            }
            self.iteration += 1;
            let weight = |bank: &[usize]| -> u64 { bank.iter().map(|unit| absences[*unit]).sum() };
            let before = weight(&self.state.bank);
            self.state.begin();
            ruin::strings(&mut self.state, &mut self.rng, &mut removed);
            self.recreate(&mut removed, TRIES);
            if self.state.bank.is_empty() {
                return true;
            }
            let after = weight(&self.state.bank);
            for &unit in &self.state.bank {
                absences[unit] += 1;
            }
            let extra = (self.state.value.1 - self.state.saved_value().1) as f64;
            if after > before || (after == before && extra > self.threshold(temperature)) {
                self.state.undo();
            }
        }
    }
}

/// Units of a run, each once.
fn units_of(data: &Data, stops: &[u32]) -> Vec<usize> {
    let mut units: Vec<usize> = Vec::new();
    for &stop in stops {
        let unit = data.unit_of[stop as usize];
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    units
}
