//! Links between jobs: `pickup_from` and `deliver_to` name uids of jobs of the same scenario (or of the pool). Pure.

use std::collections::{BTreeSet, HashMap};

use super::snapshot::PlanJob;

/// Which job must be visited before which, by id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    pickups: HashMap<i64, BTreeSet<i64>>,
    deliveries: HashMap<i64, BTreeSet<i64>>,
}

impl Links {
    /// Resolves uids to jobs: of several jobs with the same uid the oldest. Scenario and pool are kept apart.
    pub(crate) fn between(jobs: &[PlanJob]) -> Self {
        let mut oldest: HashMap<(bool, &str), i64> = HashMap::new();
        for job in jobs {
            let known = oldest.entry((job.in_pool, job.uid.as_str())).or_insert(job.id);
            *known = (*known).min(job.id);
        }
        let mut links = Self::default();
        for job in jobs {
            let find = |uid: &str| oldest.get(&(job.in_pool, uid)).copied();
            for pickup in uids(job.pickup_from.as_deref()).filter_map(find) {
                links.add(pickup, job.id);
            }
            for delivery in uids(job.deliver_to.as_deref()).filter_map(find) {
                links.add(job.id, delivery);
            }
        }
        links
    }

    fn add(&mut self, pickup: i64, delivery: i64) {
        if pickup != delivery {
            self.pickups.entry(delivery).or_default().insert(pickup);
            self.deliveries.entry(pickup).or_default().insert(delivery);
        }
    }

    /// All pairs (pickup, delivery), in order.
    pub(crate) fn pairs(&self) -> BTreeSet<(i64, i64)> {
        self.pickups.iter().flat_map(|(to, from)| from.iter().map(|from| (*from, *to))).collect()
    }

    /// Jobs that must be visited before this one.
    pub(crate) fn before(&self, job: i64) -> impl Iterator<Item = i64> {
        self.pickups.get(&job).into_iter().flatten().copied()
    }

    /// Jobs that must be visited after this one.
    pub(crate) fn after(&self, job: i64) -> impl Iterator<Item = i64> {
        self.deliveries.get(&job).into_iter().flatten().copied()
    }

    /// The whole chain that a job belongs to, itself left out.
    pub(crate) fn chain(&self, job: i64) -> BTreeSet<i64> {
        let mut chain = BTreeSet::from([job]);
        let mut open = vec![job];
        while let Some(next) = open.pop() {
            for partner in self.before(next).chain(self.after(next)) {
                if chain.insert(partner) {
                    open.push(partner);
                }
            }
        }
        chain.remove(&job);
        chain
    }

    /// Whether every pickup comes before its deliveries in a sequence.
    pub(crate) fn holds(&self, sequence: &[i64]) -> bool {
        let position: HashMap<i64, usize> = sequence.iter().enumerate().map(|(at, job)| (*job, at)).collect();
        sequence.iter().all(|job| {
            self.before(*job).all(|pickup| position.get(&pickup).is_none_or(|at| *at < position[job]))
        })
    }

    /// Puts pickups before their deliveries and changes nothing else: of the jobs whose pickups are done, always the one
    /// that stood first. Jobs in a cycle keep their order at the end.
    pub(crate) fn settle(&self, sequence: &mut Vec<i64>) {
        if self.holds(sequence) {
            return;
        }
        let position: HashMap<i64, usize> = sequence.iter().enumerate().map(|(at, job)| (*job, at)).collect();
        let mut waiting: Vec<usize> = sequence
            .iter()
            .map(|job| self.before(*job).filter(|pickup| position.contains_key(pickup)).count())
            .collect();
        let mut ready: BTreeSet<usize> = (0..sequence.len()).filter(|at| waiting[*at] == 0).collect();
        let mut settled = Vec::with_capacity(sequence.len());
        while let Some(at) = ready.pop_first() {
            settled.push(sequence[at]);
            for delivery in self.after(sequence[at]).filter_map(|job| position.get(&job).copied()) {
                waiting[delivery] -= 1;
                if waiting[delivery] == 0 {
                    ready.insert(delivery);
                }
            }
        }
        let done: BTreeSet<i64> = settled.iter().copied().collect();
        settled.extend(sequence.iter().filter(|job| !done.contains(job)));
        *sequence = settled;
    }
}

/// The uids of a link list.
fn uids(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split(',').map(str::trim).filter(|uid| !uid.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: i64, uid: &str, pickup_from: &str, deliver_to: &str) -> PlanJob {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        PlanJob {
            id,
            uid: uid.to_owned(),
            pickup_from: some(pickup_from),
            deliver_to: some(deliver_to),
            ..PlanJob::default()
        }
    }

    #[test]
    fn links_are_read_from_either_side_and_lead_to_the_oldest_job() {
        let links = Links::between(&[
            job(1, "A", "", "B"),
            job(2, "B", "A", ""),
            job(3, "A", "", ""),
            job(4, "C", "B, A ,unknown", "C"),
        ]);
        assert_eq!(links.pairs(), BTreeSet::from([(1, 2), (1, 4), (2, 4)]));
        assert_eq!(links.chain(1), BTreeSet::from([2, 4]));
        assert!(links.chain(3).is_empty());
        let mut pool = job(9, "P", "A", "");
        pool.in_pool = true;
        assert!(Links::between(&[job(1, "A", "", ""), pool]).pairs().is_empty());
    }

    /// P-279: sequencing of linked jobs is topological; everything else keeps its order.
    #[test]
    fn pickups_come_before_deliveries_and_the_rest_stays() {
        let links = Links::between(&[
            job(1, "A", "", "B"),
            job(2, "B", "", "C"),
            job(3, "C", "", ""),
            job(4, "D", "", ""),
        ]);
        let mut sequence = vec![3, 4, 2, 1, 5];
        links.settle(&mut sequence);
        assert_eq!(sequence, [4, 1, 2, 3, 5]);
        let mut fine = vec![5, 1, 4, 2, 3];
        links.settle(&mut fine);
        assert_eq!(fine, [5, 1, 4, 2, 3]);
        let cyclic = Links::between(&[job(1, "A", "B", ""), job(2, "B", "A", "")]);
        let mut sequence = vec![2, 7, 1];
        cyclic.settle(&mut sequence);
        assert_eq!(sequence, [7, 2, 1]);
    }
}
