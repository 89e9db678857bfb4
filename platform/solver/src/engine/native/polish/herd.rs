//! Plans that are bred from: kept for what they cost and for how much they differ (Vidal et al. 2012).

use super::{Found, NOWHERE, Worth};
use crate::engine::native::data::short;

/// Plans left when some have to go, and how many may join them before that.
pub(super) const KEPT: usize = 20;
const JOINING: usize = 20;
/// How different a plan is, is told by so many that are most like it.
const ALIKE: usize = 5;
/// So many of the cheapest plans stay, whatever they are like.
const ELITE: f64 = 4.0;

/// A plan, maybe late or overloaded.
#[derive(Debug, Clone, Default)]
pub(super) struct Member {
    pub(super) found: Found,
    pub(super) worth: Worth,
    /// The stop behind each stop, [`NOWHERE`] behind the last.
    next: Vec<u32>,
    /// Whether a run begins with the stop.
    first: Vec<bool>,
}

impl Member {
    /// A plan of a problem with so many stops.
    pub(super) fn new(found: Found, worth: Worth, stops: usize) -> Self {
        let mut member = Self { found, worth, next: vec![NOWHERE; stops], first: vec![false; stops] };
        for run in &member.found.sequences {
            for pair in run.windows(2) {
                member.next[pair[0]] = short(pair[1]);
            }
            if let Some(&first) = run.first() {
                member.first[first] = true;
            }
        }
        member
    }

    /// Edges of one plan that the other is without.
    fn differences(&self, other: &Self) -> usize {
        let edges = self.next.iter().zip(&other.next).filter(|(one, two)| one != two).count();
        edges + self.first.iter().zip(&other.first).filter(|(one, two)| **one && !**two).count()
    }
}

/// Plans of one sort: those that keep all rules, or those that do not.
#[derive(Debug, Default)]
pub(super) struct Herd {
    members: Vec<Member>,
    /// Differences between each two of them.
    apart: Vec<Vec<usize>>,
    /// The least of them for each plan, in order, as many as tell how different it is.
    alike: Vec<Vec<usize>>,
    /// The smaller the better: rank by cost and, weighing a little less, rank by difference.
    rank: Vec<f64>,
}

impl Herd {
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn into_members(self) -> Vec<Member> {
        self.members
    }

    pub(super) fn member(&self, index: usize) -> &Member {
        &self.members[index]
    }

    pub(super) fn rank(&self, index: usize) -> f64 {
        self.rank[index]
    }

    /// Takes a plan in, in place of one that drives the same with dearer vehicles; whether it did. When there are too many,
    /// those least worth keeping go.
    pub(super) fn add(&mut self, member: Member, cost: impl Fn(&Member) -> i64) -> bool {
        let row: Vec<usize> = self.members.iter().map(|other| member.differences(other)).collect();
        if let Some(same) = row.iter().position(|differences| *differences == 0) {
            let cheaper = cost(&member) < cost(&self.members[same]);
            if cheaper {
                self.members[same] = member;
                self.rank_all(&cost);
            }
            return cheaper;
        }
        for ((known, alike), differences) in self.apart.iter_mut().zip(&mut self.alike).zip(&row) {
            known.push(*differences);
            if alike.len() < ALIKE || alike.last().is_some_and(|most| differences < most) {
                alike.insert(alike.partition_point(|other| other <= differences), *differences);
                alike.truncate(ALIKE);
            }
        }
        self.alike.push(most_alike(&row));
        self.apart.push(row);
        if let Some(own) = self.apart.last_mut() {
            own.push(0);
        }
        self.members.push(member);
        let full = self.members.len() > KEPT + JOINING;
        self.rank_all(&cost);
        while full && self.members.len() > KEPT {
            let worst = (0..self.rank.len()).max_by(|one, two| self.rank[*one].total_cmp(&self.rank[*two]));
            self.remove(worst.unwrap_or(0));
            self.rank_all(&cost);
        }
        true
    }

    fn remove(&mut self, index: usize) {
        self.members.swap_remove(index);
        self.apart.swap_remove(index);
        self.alike.swap_remove(index);
        for (own, (row, alike)) in self.apart.iter_mut().zip(&mut self.alike).enumerate() {
            let gone = row.swap_remove(index);
            if alike.last().is_some_and(|most| gone <= *most) {
                let others: Vec<usize> = row
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != own)
                    .map(|(_, apart)| *apart)
                    .collect();
                *alike = most_alike(&others);
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn rank_all(&mut self, cost: &impl Fn(&Member) -> i64) {
        let count = self.members.len();
        let weight = (1.0 - ELITE / count as f64).max(0.0);
        let mut order: Vec<(i64, usize)> =
            self.members.iter().enumerate().map(|(index, member)| (cost(member), index)).collect();
        order.sort_unstable();
        self.rank.clear();
        self.rank.resize(count, 0.0);
        for (place, (_, index)) in order.iter().enumerate() {
            self.rank[*index] += place as f64;
        }
        for (index, (differences, own)) in order.iter_mut().enumerate() {
            // The most different come first.
            (*differences, *own) = (-i64::from(short(self.alike[index].iter().sum())), index);
        }
        order.sort_unstable();
        for (place, (_, index)) in order.iter().enumerate() {
            self.rank[*index] += weight * place as f64;
        }
    }
}

/// The least differences, in order.
fn most_alike(row: &[usize]) -> Vec<usize> {
    let mut row = row.to_vec();
    row.sort_unstable();
    row.truncate(ALIKE);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(runs: &[&[usize]], points: i64) -> Member {
        let found = Found { sequences: runs.iter().map(|run| run.to_vec()).collect(), points };
        Member::new(found, Worth { points, ..Worth::default() }, 8)
    }

    #[test]
    fn plans_differ_by_edges_and_beginnings_and_none_is_kept_twice() {
        let one = plan(&[&[0, 1, 2, 3], &[4, 5, 6, 7]], 10);
        let same = plan(&[&[4, 5, 6, 7], &[0, 1, 2, 3]], 10);
        let other = plan(&[&[0, 1], &[2, 3], &[4, 5, 6, 7]], 12);
        assert_eq!((one.differences(&same), one.differences(&other), other.differences(&one)), (0, 1, 2));
        let mut herd = Herd::default();
        let cost = |member: &Member| member.worth.points;
        let cheaper = plan(&[&[4, 5, 6, 7], &[0, 1, 2, 3]], 9);
        assert!(herd.add(one, cost) && !herd.add(same, cost) && herd.add(other, cost));
        assert!(herd.add(cheaper, cost));
        assert_eq!((herd.len(), herd.member(0).found.points), (2, 9));
    }

    #[test]
    fn the_cheapest_stay_and_so_does_what_is_different() {
        let mut herd = Herd::default();
        let cost = |member: &Member| member.worth.points;
        // Alike in all but the last stops, dearer and dearer; and a dear one that goes another way.
        let orders: Vec<Vec<usize>> = (0..KEPT + JOINING).map(|index| permutation(index + 1)).collect();
        for (index, order) in orders.iter().enumerate() {
            assert!(herd.add(plan(&[&[0, 1, 2], order], 10 + i64::from(short(index))), cost));
        }
        assert!(herd.add(plan(&[&[7, 2, 5, 0], &[6, 3, 1, 4]], 60), cost));
        assert_eq!(herd.len(), KEPT);
        let points: Vec<i64> = herd.members.iter().map(|member| member.found.points).collect();
        assert!((10..14).all(|cheapest| points.contains(&cheapest)) && points.contains(&60), "{points:?}");
    }

    /// The last five stops in the order with a number.
    fn permutation(mut number: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (3..8).collect();
        let mut order = Vec::new();
        for size in (1..=5).rev() {
            order.push(left.remove(number % size));
            number /= size;
        }
        order
    }
}
