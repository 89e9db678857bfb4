//! Plans bred from two others (hybrid genetic search: Vidal et al. 2012, Kool et al. 2022).
//!
//! A child takes runs over from its second parent, is improved, and joins the plans that keep all rules or those that
//! do not. Both sorts are bred from: what lies between two good plans is often late or overloaded.

use rand::Rng;
use rand::rngs::SmallRng;

use super::Polish;
use super::herd::{Herd, KEPT, Member};
use super::search::{Counted, Watch};
use super::segment::Timed;
use crate::problem::Sequences;

/// Rounds of local search that every child gets besides.
const ROUNDS: usize = 2;
/// Part of the children improved by free exchanges, too.
const FREELY: f64 = 0.3;
/// Part of the children breaking a rule that are improved once more, and how much dearer breaking it is then.
const MENDED: f64 = 0.5;
const DEARER: i64 = 10;
/// Children between two looks at the prices.
const PRICE_EVERY: u64 = 50;
/// Children without a better plan after which it begins anew.
const STUCK: u32 = 10_000;

impl<T: Timed> Polish<'_, '_, T> {
    /// Breeds plans until told to stop; the first is the current one.
    pub(super) fn breed(&mut self, rng: &mut SmallRng, watch: &mut Watch) {
        let mut herds = [Herd::default(), Herd::default()];
        let (mut born, mut in_vain, mut least) = (0, 0, i64::MAX);
        let mut counted = Counted::default();
        while !watch.over() {
            watch.round += 1;
            self.freely = rng.random_bool(FREELY);
            if born > 0 {
                let parents = if born < KEPT { None } else { pick(&herds, rng) };
                match parents {
                    Some((one, other)) => self.be_child(one, other, rng),
                    None => self.shuffle(rng),
                }
            }
            self.freely = false;
            self.note(watch);
            self.climb_a_little(rng, watch);
            born += 1;
            in_vain += 1;
            counted.add(self.worth);
            if self.enter(&mut herds, watch, &mut least) {
                in_vain = 0;
            }
            if !self.worth.feasible() && rng.random_bool(MENDED) {
                let kept = self.penalties;
                self.penalties.warp = kept.warp.saturating_mul(DEARER);
                self.penalties.load = kept.load.saturating_mul(DEARER);
                self.measure_slack();
                self.mend(rng);
                self.note(watch);
                self.penalties = kept;
                self.measure_slack();
                if self.worth.feasible() && self.enter(&mut herds, watch, &mut least) {
                    in_vain = 0;
                }
            }
            if counted.rounds == PRICE_EVERY {
                self.adapt(std::mem::take(&mut counted));
            }
            if in_vain >= STUCK {
                herds = [Herd::default(), Herd::default()];
                (born, in_vain, least) = (1, 0, i64::MAX);
            }
        }
    }

    /// Puts the current plan among the others; whether it is the best of them that keeps all rules.
    fn enter(&self, herds: &mut [Herd; 2], watch: &Watch, least: &mut i64) -> bool {
        let member = Member::new(self.found(watch), self.worth, self.route_of.len());
        let (points, feasible, penalties) = (member.found.points, self.worth.feasible(), self.penalties);
        herds[usize::from(!feasible)].add(member, |member| member.worth.cost(penalties));
        let better = feasible && points < *least;
        if better {
            *least = points;
        }
        better
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

/// Two plans, each the better of two drawn at random; `None` when there are no two.
fn pick<'h>(herds: &'h [Herd; 2], rng: &mut SmallRng) -> Option<(&'h Member, &'h Member)> {
    let count = herds[0].len() + herds[1].len();
    if count < 2 {
        return None;
    }
    let place = |index: usize| {
        let first = herds[0].len();
        if index < first { (&herds[0], index) } else { (&herds[1], index - first) }
    };
    let mut draw = || {
        let (one, other) = (rng.random_range(0..count), rng.random_range(0..count));
        let rank = |index: usize| {
            let (herd, at) = place(index);
            herd.rank(at)
        };
        if rank(one) <= rank(other) { one } else { other }
    };
    let (one, mut other) = (draw(), draw());
    if one == other {
        other = (one + 1) % count;
    }
    let member = |index: usize| {
        let (herd, at) = place(index);
        herd.member(at)
    };
    Some((member(one), member(other)))
}
