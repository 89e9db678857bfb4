//! The plans that are bred from, of both sorts, and how such stocks come together.

use rand::rngs::SmallRng;

use super::cross::better_of_two;
use super::herd::{Herd, Member};
use super::route::Penalties;

/// Children without a better plan after which a stock stands still.
const STUCK: u32 = 1_000;

/// Plans bred from one another.
#[derive(Debug)]
pub(super) struct Stock {
    /// Those that keep all rules, and those that do not.
    herds: [Herd; 2],
    /// How often two stocks of the same age were brought together for it.
    age: u32,
    /// Plans made for it, and since the last that was the best of those that keep all rules.
    born: usize,
    in_vain: u32,
    /// Points of that best one.
    least: i64,
}

impl Stock {
    pub(super) fn new() -> Self {
        Self { herds: [Herd::default(), Herd::default()], age: 0, born: 0, in_vain: 0, least: i64::MAX }
    }

    /// Plans made for it.
    pub(super) fn born(&self) -> usize {
        self.born
    }

    /// Takes a plan in.
    pub(super) fn add(&mut self, member: Member, penalties: Penalties) {
        let feasible = member.worth.feasible();
        if feasible && member.found.points < self.least {
            (self.least, self.in_vain) = (member.found.points, 0);
        }
        self.herds[usize::from(!feasible)].add(member, |member| member.worth.cost(penalties));
    }

    /// Counts a plan that is made for it.
    pub(super) fn count(&mut self) {
        self.born += 1;
        self.in_vain += 1;
    }

    /// Whether it stands still.
    pub(super) fn is_stuck(&self) -> bool {
        self.in_vain >= STUCK
    }

    /// A stock that goes on where this one stands still: with a waiting one of the same age, or, while this one waits, a new
    /// one. What two of them know about different parts of the plan is brought together when both have ripened; a plan
    /// made anew would have nothing to say beside ripe ones.
    pub(super) fn next(mut self, waiting: &mut Vec<Self>, penalties: Penalties) -> Self {
        let Some(other) = waiting.pop_if(|other| other.age == self.age) else {
            waiting.push(self);
            // Its first plan is made anew, too.
            return Self { born: 1, ..Self::new() };
        };
        for (herd, others) in self.herds.iter_mut().zip(other.herds) {
            for member in others.into_members() {
                herd.add(member, |member| member.worth.cost(penalties));
            }
        }
        Self { age: self.age + 1, in_vain: 0, least: self.least.min(other.least), ..self }
    }

    /// Two plans, each the better of two drawn at random; `None` when there are no two.
    pub(super) fn pick(&self, rng: &mut SmallRng) -> Option<(&Member, &Member)> {
        let first = self.herds[0].len();
        let count = first + self.herds[1].len();
        if count < 2 {
            return None;
        }
        let at = |index: usize| {
            let (herd, at) =
                if index < first { (&self.herds[0], index) } else { (&self.herds[1], index - first) };
            (herd.member(at), herd.rank(at))
        };
        let mut draw = || better_of_two(count, |index| at(index).1, rng);
        let (one, mut other) = (draw(), draw());
        if one == other {
            other = (one + 1) % count;
        }
        Some((at(one).0, at(other).0))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::{Found, Worth};
    use super::*;

    const PENALTIES: Penalties = Penalties { warp: 1024, load: 1024 };

    fn plan(order: &[usize], points: i64, warp: i64) -> Member {
        let found = Found { sequences: vec![order.to_vec()], points };
        Member::new(found, Worth { points, warp, excess: 0 }, 4)
    }

    #[test]
    fn a_stock_without_better_plans_waits_and_meets_another_of_its_age() {
        let (mut waiting, mut stock) = (Vec::new(), Stock::new());
        stock.add(plan(&[0, 1, 2, 3], 10, 0), PENALTIES);
        (1..STUCK).for_each(|_| stock.count());
        assert!(!stock.is_stuck());
        stock.count();
        assert!(stock.is_stuck());
        let mut second = stock.next(&mut waiting, PENALTIES);
        assert_eq!((waiting.len(), second.herds[0].len(), second.born()), (1, 0, 1));
        second.add(plan(&[3, 2, 1, 0], 12, 0), PENALTIES);
        second.add(plan(&[1, 0, 3, 2], 8, 1), PENALTIES);
        let mut met = second.next(&mut waiting, PENALTIES);
        assert_eq!((waiting.len(), met.age, met.least), (0, 1, 10));
        assert_eq!((met.herds[0].len(), met.herds[1].len()), (2, 1));
        // One that is dearer than the best of either is no progress; a cheaper one is.
        (0..5).for_each(|_| met.count());
        met.add(plan(&[2, 0, 1, 3], 11, 0), PENALTIES);
        assert_eq!(met.in_vain, 5);
        met.add(plan(&[2, 0, 3, 1], 9, 0), PENALTIES);
        assert_eq!((met.in_vain, met.least), (0, 9));
        let next = met.next(&mut waiting, PENALTIES);
        assert_eq!((waiting.len(), next.age), (1, 0));
    }

    #[test]
    fn parents_are_two_plans() {
        let (mut stock, mut rng) = (Stock::new(), SmallRng::seed_from_u64(1));
        stock.add(plan(&[0, 1, 2, 3], 10, 0), PENALTIES);
        assert!(stock.pick(&mut rng).is_none());
        stock.add(plan(&[1, 0, 3, 2], 8, 1), PENALTIES);
        for _ in 0..20 {
            let (one, other) = stock.pick(&mut rng).unwrap();
            assert_ne!(one.found.points, other.found.points);
        }
    }
}
