//! Our own search: ruin and recreate under simulated annealing and local search, deterministic by seed.
//!
//! Every rule is inside the search: an insertion is decided exactly, in constant time, from the times kept
//! at each node (see [`crate::timing`] for the break).

mod compact;
mod data;
mod edges;
mod exact;
mod fleet;
pub(crate) mod measured;
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
use polish::Manner;
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
        let mut rng = SmallRng::seed_from_u64(board.budget.seed);
        if !model.rules.compact {
            return plain(&data, start, board, &mut rng);
        }
        board.act(compact::PLAIN_PART);
        let found = plain(&data, start, board, &mut rng);
        compact::run(&data, found, board, &mut rng)
    }
}

/// The search for a plan that costs least.
fn plain(data: &Data, start: Sequences, board: &Board, rng: &mut SmallRng) -> Sequences {
    if let Some(best) = exact::best(data, &start, board) {
        board.bound(State::new(data, &best).value.1);
        return best;
    }
    let costly_runs = data.kinds.iter().any(|kind| kind.weights.fixed > 0);
    let all_served = serves_all(data, &start);
    if !polish::suits(data) || !all_served {
        return cycles(data, start, board, rng);
    }
    // The local search does better from a plain plan than from one that is settled already.
    if !costly_runs {
        let manner = manner(data, &start);
        return local_search(data, &[start], manner, 0.0, board, rng);
    }
    let starts = few_runs(data, &start, board, rng);
    local_search(data, &starts, Manner::Crowd, STARTS_UNTIL, board, rng)
}

fn manner(data: &Data, start: &Sequences) -> Manner {
    let stops = data.model.stops.len();
    let bred = stops <= MOST_BRED && stops <= LONG_RUN * used_runs(start) && data.model.components.is_empty();
    if bred { Manner::Bred } else { Manner::Crowd }
}

/// Local search from the given plans to the end of the budget, of which a part is used.
fn local_search(
    data: &Data,
    starts: &[Sequences],
    manner: Manner,
    used: f64,
    board: &Board,
    rng: &mut SmallRng,
) -> Sequences {
    let limit = board.iterations().map(|limit| limit - part_of(limit, used));
    let over = |round: u64| limit.is_some_and(|limit| round >= limit) || board.is_over();
    board.still_improving();
    polish::run(data, starts, manner, rng, board, &over)
}

/// Plans with as few runs as can be found, each made from the first plan anew: with few long runs each settles which
/// stops go together early, and hardly leaves that again.
fn few_runs(data: &Data, start: &Sequences, board: &Board, rng: &mut SmallRng) -> Vec<Sequences> {
    let span = Span { from: 0.0, until: FEWER_UNTIL, heat: HOT, fleet: 1.0, runs: 0 };
    let fewest = Annealing::new(data, start, board, span).run(rng);
    let runs = used_runs(&fewest);
    let count = if data.model.stops.len() > MANY { 1 } else { STARTS };
    let mut starts = Vec::with_capacity(count);
    let mut from = FEWER_UNTIL;
    for left in (1..=count).rev() {
        let until = from + (STARTS_UNTIL - from) / left as f64;
        let begin = if starts.is_empty() { &fewest } else { start };
        let span = Span { from, until, heat: HOT, fleet: ANEW_FLEET_PART, runs };
        let found = Annealing::new(data, begin, board, span).run(rng);
        // Where runs cost little, more of them may cost less; the others have to serve the same stops.
        let alike = used_runs(&found) <= runs && serves_all(data, &found);
        if starts.first().is_none_or(|first| alike && serves_all(data, first)) {
            starts.push(found);
        }
        from = until;
    }
    starts
}

fn serves_all(data: &Data, plan: &Sequences) -> bool {
    data.model.stops.len() == plan.iter().map(Vec::len).sum::<usize>()
}

fn used_runs(plan: &Sequences) -> usize {
    plan.iter().filter(|stops| !stops.is_empty()).count()
}

/// Parts of the budget after which a cycle of ruin and recreate ends: each as long as all before it together, so
/// that an easy day is done early where patience is limited.
const CYCLES: [f64; 5] = [0.06, 0.12, 0.24, 0.48, 1.0];
/// The same where all time is to be used: slow cooling does better.
const LONG_CYCLES: [f64; 2] = [0.4, 1.0];
/// With patience a cycle that saves less than one in so many is the last.
const LITTLE: i64 = 1000;
/// Part of a cycle spent on local search.
const POLISH_PART: f64 = 0.25;
/// Part of the temperature with which the second and later cycles begin.
const REHEATED: f64 = 0.3;

/// Ruin and recreate in longer and longer cycles, each followed by local search. With a limit of
/// patience a cycle that finds little is the last.
fn cycles(data: &Data, start: Sequences, board: &Board, rng: &mut SmallRng) -> Sequences {
    let mut best = start;
    let mut value = State::new(data, &best).value;
    let mut from = 0.0;
    let ends: &[f64] = if board.budget.patience.is_some() { &CYCLES } else { &LONG_CYCLES };
    let fleet_ends = ends.len().div_ceil(2);
    for (cycle, until) in ends.iter().copied().enumerate() {
        let local = (until - from) * POLISH_PART;
        let heat = if cycle == 0 { HOT } else { HOT * REHEATED };
        let fleet = if cycle < fleet_ends { FLEET_PART } else { 0.0 };
        let span = Span { from, until: until - local, heat, fleet, runs: 0 };
        best = Annealing::new(data, &best, board, span).run(rng);
        let limit = board.iterations().map(|limit| part_of(limit, until) - part_of(limit, until - local));
        let over = |round: u64| match limit {
            Some(limit) => round >= limit || board.is_stopped(),
            None => board.fraction() >= until || board.is_stopped(),
        };
        best = polish::run(data, std::slice::from_ref(&best), Manner::Crowd, rng, board, &over);
        let reached = State::new(data, &best).value;
        let gained = reached.0 < value.0 || reached.1 < value.1 - value.1 / LITTLE;
        if board.is_stopped() || (board.budget.patience.is_some() && cycle > 0 && !gained) {
            break;
        }
        (value, from) = (reached, until);
    }
    best
}

/// A part of the budget.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: f64,
    until: f64,
    /// Temperature to begin with, as a part of the average cost of a stop.
    heat: f64,
    /// Part of it spent on using fewer runs, where a run costs anything.
    fleet: f64,
    /// As few runs as that are enough.
    runs: usize,
}

/// Where runs cost anything: part of the budget after which no fewer runs are looked for, and after which the plans are
/// made that local search begins with.
const FEWER_UNTIL: f64 = 0.15;
const STARTS_UNTIL: f64 = 0.4;
/// How many such plans, unless there are many stops.
const STARTS: usize = 5;
const MANY: usize = 400;
/// Plans of so many stops are bred, of more too few children are made; and with runs of so many stops on average: the order
/// within longer ones is better found by many small rounds than by crossing.
const MOST_BRED: usize = 400;
const LONG_RUN: usize = 40;
/// Most of the time of such a plan spent on coming down to the fewest runs known.
const ANEW_FLEET_PART: f64 = 0.5;
/// Part of a span spent on using fewer runs, where a run costs anything, in the first half of the cycles.
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
    span: Span,
}

impl<'d, 'm, 'b> Annealing<'d, 'm, 'b> {
    fn new(data: &'d Data<'m>, start: &Sequences, board: &'b Board, span: Span) -> Self {
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
            span,
        }
    }

    fn run(mut self, rng: &mut SmallRng) -> Sequences {
        self.rng = rng.clone();
        if self.span.fleet > 0.0 {
            self.reduce_fleet(self.span.fleet);
        }
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
        *rng = self.rng;
        self.best
    }

    fn over(&self) -> bool {
        self.progress() >= 1.0 || self.board.is_stopped()
    }

    /// Part of the span used. With an iteration limit the clock plays no part, so that the same seed gives the
    /// same plan.
    #[expect(clippy::cast_precision_loss, reason = "a temperature needs no more digits")]
    fn progress(&self) -> f64 {
        let length = (self.span.until - self.span.from).max(f64::EPSILON);
        match self.board.iterations() {
            Some(limit) => self.iteration as f64 / (limit as f64 * length).max(1e-9),
            None => (self.board.fraction() - self.span.from) / length,
        }
    }

    /// Geometric cooling over the span.
    fn temperature(&self) -> f64 {
        self.stop_points() * self.span.heat * (COLD / self.span.heat).powf(self.progress().clamp(0.0, 1.0))
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
            data.kinds.first().map_or(0, |kind| kind.edges.costs_from(start).at(stop(unit).place))
        };
        let draw = self.rng.random_range(0..if data.windows { 17 } else { 11 });
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
            self.board.post(&self.best, self.best_value.1);
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
