//! Our own search: ruin and recreate under simulated annealing, deterministic by seed.
//!
//! Every rule is inside the search: an insertion is decided exactly, in constant time, from the times kept
//! at each node (see [`crate::timing`] for the break).

mod data;
mod exact;
mod fleet;
mod place;
mod polish;
mod ruin;
mod state;
mod tour;

use std::sync::Arc;
use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::guard::{self, Board, Search};
use super::{Budget, Cancel, Engine, Progress, SolveError};
use crate::model::Model;
use crate::plan::Plan;
use crate::problem::{Problem, Sequences};

use data::Data;
use state::State;

/// Our own engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn solve(
        &self,
        problem: &Problem,
        budget: Budget,
        progress: &mut dyn FnMut(Progress),
        cancel: &Cancel,
    ) -> Result<Plan, SolveError> {
        guard::solve(*self, problem, budget, progress, cancel)
    }
}

impl Search for Native {
    fn search(&self, model: &Arc<Model>, start: Sequences, board: &Arc<Board>) -> Sequences {
        let data = Data::new(model);
        if let Some(best) = exact::best(&data, &start, board) {
            return best;
        }
        if !polish::suits(&data) {
            return Annealing::new(&data, &start, board, 1.0).run().0;
        }
        let complete =
            |sequences: &Sequences| data.units.len() <= sequences.iter().map(Vec::len).sum::<usize>();
        let costly_runs = data.kinds.iter().any(|kind| kind.weights.fixed > 0);
        // The local search does better from a plain plan than from one that is settled already.
        let part = match (costly_runs, complete(&start)) {
            (false, true) => 0.0,
            (false, false) => FIRST_PART,
            (true, _) => FIRST_PART_WITH_FLEET,
        };
        let (first, mut rng) = Annealing::new(&data, &start, board, part).run();
        if !complete(&first) {
            // What cannot all be served is a matter of choosing stops, not of driving less.
            return Annealing::new(&data, &first, board, 1.0).run().0;
        }
        let limit = board.budget.iterations.map(|limit| limit - part_of(limit, part));
        let over = |round: u64| limit.is_some_and(|limit| round >= limit) || board.is_over();
        polish::Polish::new(&data, &first).run(&mut rng, board, &over)
    }
}

/// Part of the budget spent on ruin and recreate before the local search, where a simple first plan does not
/// serve everything.
const FIRST_PART: f64 = 0.1;
/// The same where the number of runs has to be kept small first.
const FIRST_PART_WITH_FLEET: f64 = 0.5;
/// Part of it spent on using fewer runs, where a run costs anything.
const FLEET_PART: f64 = 0.4;
/// First and last temperature as parts of the average cost of a stop.
const HOT: f64 = 3.0;
const COLD: f64 = 0.03;
/// Iterations between two looks at the clock.
const CLOCK_EVERY: u64 = 16;
/// Units of the bank tried again in one iteration.
const BANK_TRIES: usize = 8;

struct Annealing<'d, 'm, 'b> {
    state: State<'d, 'm>,
    best: Sequences,
    best_value: state::Value,
    board: &'b Board,
    rng: SmallRng,
    iteration: u64,
    posted: Instant,
    unposted: bool,
    /// Part of the budget after which it ends.
    until: f64,
}

impl<'d, 'm, 'b> Annealing<'d, 'm, 'b> {
    fn new(data: &'d Data<'m>, start: &Sequences, board: &'b Board, until: f64) -> Self {
        let state = State::new(data, start);
        Self {
            best: start.clone(),
            best_value: state.value,
            state,
            board,
            rng: SmallRng::seed_from_u64(board.budget.seed),
            iteration: 0,
            posted: Instant::now(),
            unposted: false,
            until,
        }
    }

    fn run(mut self) -> (Sequences, SmallRng) {
        self.reduce_fleet(self.until * FLEET_PART);
        let mut removed = Vec::new();
        let mut temperature = 0.0;
        loop {
            if self.iteration.is_multiple_of(CLOCK_EVERY) {
                if self.over() {
                    break;
                }
                temperature = self.temperature();
                self.post();
            }
            self.iteration += 1;
            self.state.begin();
            ruin::strings(&mut self.state, &mut self.rng, &mut removed);
            self.recreate(&mut removed, BANK_TRIES);
            self.decide(temperature);
        }
        (self.best, self.rng)
    }

    fn over(&self) -> bool {
        match self.board.budget.iterations {
            Some(limit) => self.iteration >= part_of(limit, self.until) || self.board.is_over(),
            None => self.board.fraction() >= self.until || self.board.is_over(),
        }
    }

    /// Geometric cooling over the budget. With an iteration limit the clock plays no part, so that the same
    /// seed gives the same plan.
    #[expect(clippy::cast_precision_loss, reason = "a temperature needs no more digits")]
    fn temperature(&self) -> f64 {
        let part = match self.board.budget.iterations {
            Some(limit) => self.iteration as f64 / part_of(limit, self.until).max(1) as f64,
            None => (self.board.fraction() / self.until.max(f64::EPSILON)).min(1.0),
        };
        self.stop_points() * HOT * (COLD / HOT).powf(part)
    }

    /// Average points of a stop without the fixed part of the used vehicles.
    #[expect(clippy::cast_precision_loss, reason = "a temperature needs no more digits")]
    fn stop_points(&self) -> f64 {
        let data = self.state.data;
        let tours = || self.state.tours.iter().filter(|tour| !tour.stops.is_empty());
        let points: f64 =
            tours().map(|tour| (tour.points - data.kinds[tour.vehicle].weights.fixed).max(0) as f64).sum();
        points / tours().map(|tour| tour.stops.len()).sum::<usize>().max(1) as f64
    }

    /// How much worse a change may be at a temperature, drawn at random.
    fn threshold(&mut self, temperature: f64) -> f64 {
        -temperature * self.rng.random_range(f64::EPSILON..1.0).ln()
    }

    /// Inserts what was taken out and some of what was left out before.
    fn recreate(&mut self, removed: &mut Vec<usize>, tries: usize) {
        let tries = self.state.bank.len().min(tries);
        for _ in 0..tries {
            let index = self.rng.random_range(0..self.state.bank.len());
            let unit = self.state.bank.swap_remove(index);
            let absence = self.state.absence(unit);
            self.state.value = (self.state.value.0 - absence.0, self.state.value.1 - absence.1);
            removed.push(unit);
        }
        self.order(removed);
        for &unit in removed.iter() {
            match self.state.find(unit, &mut self.rng) {
                Some(spot) => self.state.insert(unit, &spot),
                None => self.state.leave_out(unit),
            }
        }
    }

    /// Random order, the bulky, the far, the near, the narrow, the early or the late first.
    fn order(&mut self, units: &mut [usize]) {
        let data = self.state.data;
        let first = |unit: usize| data.units[unit][0] as usize;
        let stop = |unit: usize| &data.model.stops[first(unit)];
        let far = |unit: usize| {
            let start = data.model.vehicles.first().map_or(0, |vehicle| vehicle.start);
            data.kinds.first().map_or(0, |kind| kind.edges.from(start)[stop(unit).place])
        };
        let windows = data.model.problem.stops.iter().any(|stop| stop.window.is_some());
        let draw = self.rng.random_range(0..if windows { 17 } else { 11 });
        match draw {
            0..4 => {
                for index in (1..units.len()).rev() {
                    units.swap(index, self.rng.random_range(0..=index));
                }
            }
            4..8 => units.sort_by(|a, b| data.bulk[first(*b)].total_cmp(&data.bulk[first(*a)])),
            8..10 => units.sort_by_key(|unit| std::cmp::Reverse(far(*unit))),
            10..11 => units.sort_by_key(|unit| far(*unit)),
            11..13 => units.sort_by_key(|unit| stop(*unit).latest - stop(*unit).earliest),
            13..15 => units.sort_by_key(|unit| stop(*unit).earliest),
            _ => units.sort_by_key(|unit| std::cmp::Reverse(stop(*unit).latest)),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "compared with a random threshold")]
    fn decide(&mut self, temperature: f64) {
        let (before, after) = (self.state.saved_value(), self.state.value);
        let threshold = self.threshold(temperature);
        let accepted =
            after.0 < before.0 || (after.0 == before.0 && (after.1 - before.1) as f64 <= threshold);
        if !accepted {
            self.state.undo();
            return;
        }
        if after < self.best_value {
            self.best_value = after;
            self.state.copy_to(&mut self.best);
            self.unposted = true;
        }
    }

    fn post(&mut self) {
        if self.unposted && self.posted.elapsed().as_millis() >= 50 {
            self.board.post(&self.best);
            self.unposted = false;
            self.posted = Instant::now();
        }
    }
}

/// So much of a number of iterations.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a limit of iterations needs no more digits"
)]
fn part_of(limit: u64, part: f64) -> u64 {
    (limit as f64 * part) as u64
}
