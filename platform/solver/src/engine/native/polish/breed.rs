//! Plans bred from two others (hybrid genetic search: Vidal et al. 2012, Kool et al. 2022).
//!
//! A child takes runs over from its second parent, is improved, and joins the plans that keep all rules or those that
//! do not. Both sorts are bred from: what lies between two good plans is often late or overloaded.

use rand::Rng;
use rand::rngs::SmallRng;

use super::Polish;
use super::herd::{KEPT, Member};
use super::search::{Counted, Pricing, Watch};
use super::segment::Timed;
use super::stock::Stock;
use crate::problem::Sequences;

/// Rounds of local search that every child gets besides.
const ROUNDS: usize = 2;
/// Part of the children improved by free exchanges, too.
const FREELY: f64 = 0.3;
/// Part of the children breaking a rule that are improved once more, and how much dearer breaking it is then.
const MENDED: f64 = 0.5;
const DEARER: i64 = 10;
/// Children between two looks at the prices. Few need to keep all rules: what is cheap to break leads from one good plan to
/// quite another, and the rest is mended.
const PRICE_EVERY: u64 = 100;
const PRICING: Pricing = Pricing { feasible: 0.3, dearer: 1.2, cheaper: 0.85 };

impl<T: Timed> Polish<'_, '_, T> {
    /// Breeds plans until told to stop; the first is the current one.
    pub(super) fn breed(&mut self, rng: &mut SmallRng, watch: &mut Watch) {
        let mut waiting = Vec::new();
        let mut stock = Stock::new();
        let mut counted = Counted::default();
        while !watch.over() {
            watch.round += 1;
            self.freely = rng.random_bool(FREELY);
            if stock.born() > 0 {
                let parents = if stock.born() < KEPT { None } else { stock.pick(rng) };
                match parents {
                    Some((one, other)) => self.be_child(one, other, rng),
                    None => self.shuffle(rng),
                }
            }
            self.freely = false;
            self.note(watch);
            self.climb_a_little(rng, watch);
            counted.add(self.worth);
            stock.count();
            stock.add(self.member(watch), self.penalties);
            if !self.worth.feasible() && rng.random_bool(MENDED) {
                let kept = self.penalties;
                self.penalties.warp = kept.warp.saturating_mul(DEARER);
                self.penalties.load = kept.load.saturating_mul(DEARER);
                self.measure_slack();
                self.mend(rng);
                self.note(watch);
                self.penalties = kept;
                self.measure_slack();
                if self.worth.feasible() {
                    stock.add(self.member(watch), kept);
                }
            }
            if counted.rounds == PRICE_EVERY {
                self.adapt(std::mem::take(&mut counted), PRICING);
            }
            if stock.is_stuck() {
                stock = stock.next(&mut waiting, self.penalties);
            }
        }
    }

    fn member(&self, watch: &Watch) -> Member {
        Member::new(self.found(watch), self.worth, self.route_of.len())
    }

    /// Becomes a child of two plans.
    fn be_child(&mut self, one: &Member, other: &Member, rng: &mut SmallRng) {
        self.restore(&one.found.sequences);
        self.begin();
        self.cross(&other.found, rng);
        self.improve(rng);
    }

    /// Becomes a plan made anew: all stops that may are taken out and put back in random order.
    pub(super) fn shuffle(&mut self, rng: &mut SmallRng) {
        self.begin();
        self.forget_marks();
        self.closed = false;
        let mut out = Vec::new();
        for route in 0..self.routes.len() {
            if self.data.active[route] && !self.routes[route].stops.is_empty() {
                self.take_free(route, &mut out);
            }
        }
        self.put_back_shuffled(out, rng);
        self.improve(rng);
    }

    /// Improves around the stops of runs that are late or overloaded: no other move became better when that became dearer.
    fn mend(&mut self, rng: &mut SmallRng) {
        self.begin();
        self.forget_marks();
        for position in 0..self.stops.len() {
            let stop = self.stops[position];
            let route = &self.routes[self.route_of[stop as usize] as usize];
            if route.time.warp > 0 || route.excess > 0 {
                self.mark(stop);
            }
        }
        self.improve(rng);
    }

    /// A few rounds, of which each is kept that is no worse than the plan they began with; ends with the best.
    fn climb_a_little(&mut self, rng: &mut SmallRng, watch: &mut Watch) {
        let began = self.worth.cost(self.penalties);
        let mut best: Option<(i64, Sequences)> = None;
        for _ in 0..ROUNDS {
            watch.round += 1;
            self.begin();
            self.perturb(rng);
            self.improve(rng);
            self.note(watch);
            let cost = self.worth.cost(self.penalties);
            if cost > began {
                self.undo();
            } else if best.as_ref().map_or(began, |best| best.0) > cost {
                best = Some((cost, self.sequences()));
            }
        }
        if let Some((_, best)) = best {
            self.restore(&best);
        }
    }
}
