//! Rounds of local search under late acceptance, and the prices of broken rules.

use rand::rngs::SmallRng;

use super::super::MANY;
use super::route::Penalties;
use super::segment::Timed;
use super::{Found, Manner, Polish, Worth};
use crate::engine::guard::Board;
use crate::engine::native::data::short;
use crate::problem::Sequences;

/// Rounds that late acceptance looks back.
const HISTORY: usize = 300;
/// Rounds between two looks at the prices.
const PRICE_EVERY: u64 = 200;
const PRICING: Pricing = Pricing { feasible: 0.6, dearer: 1.4, cheaper: 0.88 };
/// How far the part that ends feasible may be off.
const TOLERANCE: f64 = 0.05;
/// Runs dissolved in vain before their number is left as it is, and rounds spent on each.
const SQUEEZES: u32 = 2;
const SQUEEZE_PATIENCE: u64 = 2000;

/// The best plan of a search and when to end.
pub(super) struct Watch<'b> {
    pub(super) best: Found,
    /// Points of every run in use that its route leaves out.
    pub(super) base: i64,
    pub(super) board: &'b Board,
    pub(super) round: u64,
    pub(super) over: &'b dyn Fn(u64) -> bool,
    pub(super) posted: std::time::Instant,
    pub(super) unposted: bool,
}

/// How the prices of broken rules follow what is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pricing {
    /// Part of the plans that should keep the windows, and the capacity.
    pub(super) feasible: f64,
    /// What a price is multiplied with when too few do, and when too many.
    pub(super) dearer: f64,
    pub(super) cheaper: f64,
}

/// Plans counted to set the prices by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) rounds: u64,
    in_time: u64,
    in_load: u64,
}

impl Counted {
    pub(super) fn add(&mut self, worth: Worth) {
        self.rounds += 1;
        self.in_time += u64::from(worth.warp == 0);
        self.in_load += u64::from(worth.excess == 0);
    }
}

impl Watch<'_> {
    /// Whether to end; posts what is new.
    pub(super) fn over(&mut self) -> bool {
        if self.unposted && self.posted.elapsed().as_millis() >= 50 {
            self.board.post(&self.best.sequences, self.best.points);
            (self.unposted, self.posted) = (false, std::time::Instant::now());
        }
        self.round.is_multiple_of(8) && (self.over)(self.round)
    }
}

impl<T: Timed> Polish<'_, '_, T> {
    /// Searches until told to stop; better feasible sequences are posted.
    pub(super) fn run(
        mut self,
        starts: &[Sequences],
        manner: Manner,
        rng: &mut SmallRng,
        watch: &mut Watch,
    ) -> Sequences {
        self.improve_all(rng);
        watch.best = Found { sequences: self.sequences(), points: watch.best.points };
        self.note(watch);
        if self.stops.len() > 1 {
            if watch.base > 0 && self.stops.len() <= MANY {
                self.save_runs(rng, watch);
            }
            match manner {
                Manner::Bred => self.breed(rng, watch),
                Manner::Crowd => self.evolve(&starts[1..], rng, watch),
            }
        }
        std::mem::take(&mut watch.best.sequences)
    }

    /// Looks for plans with fewer runs: one is dissolved and its stops are squeezed into the others, at first late or
    /// overloaded.
    fn save_runs(&mut self, rng: &mut SmallRng, watch: &mut Watch) {
        let mut failed = 0;
        while self.used > 1 && failed < SQUEEZES && !watch.over() {
            let (kept, before) = (self.penalties, self.used);
            self.most = before - 1;
            self.begin();
            self.forget_marks();
            self.dissolve(rng);
            self.improve(rng);
            let found = self.climb(SQUEEZE_PATIENCE, true, rng, watch);
            // A run with locked stops stays in use.
            if found.is_none() || self.used == before {
                failed += 1;
                self.most = before;
                self.penalties = kept;
                self.measure_slack();
                self.restore(&watch.best.sequences);
            }
        }
    }

    /// Iterated local search from the current plan until so many rounds found nothing better, or the first feasible plan
    /// where that is enough; the best it comes by.
    pub(super) fn climb(
        &mut self,
        patience: u64,
        first: bool,
        rng: &mut SmallRng,
        watch: &mut Watch,
    ) -> Option<Found> {
        let mut found: Option<Found> = None;
        let mut history = vec![self.worth; HISTORY];
        let mut counted = Counted::default();
        let (mut round, mut last) = (0, 0);
        while round - last < patience && !watch.over() {
            watch.round += 1;
            self.begin();
            self.perturb(rng);
            self.improve(rng);
            let (worth, before) = (self.worth, self.saved_worth);
            counted.add(worth);
            let points = self.points(watch);
            if worth.feasible() && found.as_ref().is_none_or(|found| points < found.points) {
                last = round;
                let found = found.get_or_insert_default();
                found.points = points;
                self.copy_to(&mut found.sequences);
                self.note(watch);
                if first {
                    break;
                }
            }
            let slot = usize::try_from(round).unwrap_or(0) % HISTORY;
            let (cost, current) = (worth.cost(self.penalties), before.cost(self.penalties));
            if cost < current || cost < history[slot].cost(self.penalties) {
                if cost < history[slot].cost(self.penalties) {
                    history[slot] = worth;
                }
            } else {
                self.undo();
                if current < history[slot].cost(self.penalties) {
                    history[slot] = before;
                }
            }
            round += 1;
            if counted.rounds == PRICE_EVERY {
                self.adapt(std::mem::take(&mut counted), PRICING);
            }
        }
        found
    }

    /// Points of the current plan, with those of the runs in use that their routes leave out.
    fn points(&self, watch: &Watch) -> i64 {
        self.worth.points + watch.base.saturating_mul(i64::from(short(self.used)))
    }

    /// The current plan, whatever rules it breaks.
    pub(super) fn found(&self, watch: &Watch) -> Found {
        Found { sequences: self.sequences(), points: self.points(watch) }
    }

    /// Keeps the plan when it is the best of all.
    pub(super) fn note(&mut self, watch: &mut Watch) {
        let points = self.points(watch);
        if self.worth.feasible() && points < watch.best.points {
            watch.best.points = points;
            self.copy_to(&mut watch.best.sequences);
            watch.unposted = true;
        }
    }

    /// Raises the price of what is broken too often and lowers it otherwise.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "prices")]
    pub(super) fn adapt(&mut self, counted: Counted, pricing: Pricing) {
        let next = |price: i64, kept: u64| -> i64 {
            let off = pricing.feasible - kept as f64 / counted.rounds.max(1) as f64;
            let factor = if off > TOLERANCE {
                pricing.dearer
            } else if off < -TOLERANCE {
                pricing.cheaper
            } else {
                1.0
            };
            ((price as f64 * factor) as i64).clamp(64, 1 << 40)
        };
        self.penalties = Penalties {
            warp: next(self.penalties.warp, counted.in_time),
            load: next(self.penalties.load, counted.in_load),
        };
        self.measure_slack();
    }

    pub(super) fn measure_slack(&mut self) {
        for index in 0..self.routes.len() {
            self.slack[index] = self.routes[index].slack(self.data, self.penalties);
        }
    }
}
