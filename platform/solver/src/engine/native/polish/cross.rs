//! Crossing two plans (selective route exchange: Nagata, Braysy and Dullaert 2010).

use rand::Rng;
use rand::rngs::SmallRng;

use super::segment::Timed;
use super::{Found, NOWHERE, Polish};
use crate::engine::native::data::short;

/// Most runs taken over, as a part of all.
const MOST_TAKEN: f64 = 0.5;

impl<T: Timed> Polish<'_, '_, T> {
    /// Takes over runs of another plan around a stop, in place of those that serve the same stops here.
    pub(super) fn cross(&mut self, other: &Found, rng: &mut SmallRng) {
        self.forget_marks();
        self.closed = false;
        let same: Vec<bool> = (0..self.routes.len()).map(|run| self.runs_in(other, run)).collect();
        let differing = |stop: &u32| !same[self.route_of[*stop as usize] as usize];
        let seeds: Vec<u32> = self.stops.iter().copied().filter(differing).collect();
        if seeds.is_empty() {
            return;
        }
        let seed = seeds[rng.random_range(0..seeds.len())];
        let wanted = rng.random_range(1..=self.part_of_runs(MOST_TAKEN).max(1));
        let mut gone = self.runs_around(seed, wanted);
        gone.retain(|run| !same[*run]);
        let taken = self.overlapping(other, &gone);
        // The stops of both leave; those of the runs taken over come back in their order.
        let mut out: Vec<u32> = Vec::new();
        for &route in &gone {
            self.take_free(route, &mut out);
        }
        for run in taken {
            let stops: Vec<u32> = other.sequences[run]
                .iter()
                .map(|stop| short(*stop))
                .filter(|stop| self.free[*stop as usize])
                .collect();
            self.take_over(run, &stops, &gone, &mut out);
        }
        self.put_back_shuffled(out, rng);
    }

    /// Whether another plan has the same run of a vehicle like this one.
    fn runs_in(&self, other: &Found, run: usize) -> bool {
        let (stops, twin) = (&self.routes[run].stops, &self.data.twin);
        let mut others = other.sequences.iter().enumerate().filter(|(index, _)| twin[*index] == twin[run]);
        let same = |run: &[usize]| run.iter().map(|stop| short(*stop)).eq(stops.iter().copied());
        !stops.is_empty() && others.any(|(_, stops)| same(stops))
    }

    /// Runs met going from a stop to its neighbours and on.
    pub(super) fn runs_around(&self, seed: u32, wanted: usize) -> Vec<usize> {
        let mut runs: Vec<usize> = Vec::new();
        let mut seen = vec![seed];
        let mut at = 0;
        while at < seen.len() && runs.len() < wanted {
            let stop = seen[at];
            at += 1;
            let run = self.route_of[stop as usize] as usize;
            if run != NOWHERE as usize && self.data.active[run] && !runs.contains(&run) {
                runs.push(run);
            }
            if seen.len() < 200 {
                for &near in &self.near[stop as usize] {
                    if !seen.contains(&near) {
                        seen.push(near);
                    }
                }
            }
        }
        runs
    }

    /// Runs of another plan that serve most of what the given runs serve here, as many.
    fn overlapping(&self, other: &Found, gone: &[usize]) -> Vec<usize> {
        let mut shared: Vec<(usize, usize)> = other
            .sequences
            .iter()
            .enumerate()
            .filter(|(run, stops)| self.data.active[*run] && !stops.is_empty())
            .map(|(run, stops)| {
                let here =
                    stops.iter().filter(|stop| gone.contains(&(self.route_of[**stop] as usize))).count();
                (here, run)
            })
            .filter(|(here, _)| *here > 0)
            .collect();
        shared.sort_by_key(|(here, _)| std::cmp::Reverse(*here));
        shared.truncate(gone.len());
        shared.into_iter().map(|(_, run)| run).collect()
    }

    /// Lays stops out as a run of a vehicle like the one that served them.
    fn take_over(&mut self, run: usize, stops: &[u32], gone: &[usize], out: &mut Vec<u32>) {
        let twin = self.data.twin[run];
        let room = |polish: &Self, index: usize| {
            polish.routes[index].stops.is_empty() && polish.data.twin[index] == twin && polish.may_open(index)
        };
        let place = gone
            .iter()
            .copied()
            .find(|index| room(self, *index))
            .or_else(|| (0..self.routes.len()).find(|index| room(self, *index)));
        let Some(place) = place.filter(|_| self.floor[run] == 0) else { return };
        for index in 0..self.routes.len() {
            let stray = |stop: &u32| self.route_of[*stop as usize] as usize == index;
            let strays: Vec<u32> = stops.iter().copied().filter(stray).collect();
            if !strays.is_empty() {
                self.take(index, &strays);
            }
        }
        for &stop in stops {
            self.mark(stop);
        }
        out.retain(|stop| !stops.contains(stop));
        self.edit(place, |sequence| sequence.extend_from_slice(stops));
    }
}

/// The better of two plans drawn at random from so many.
pub(super) fn better_of_two<K: PartialOrd>(
    count: usize,
    rank: impl Fn(usize) -> K,
    rng: &mut SmallRng,
) -> usize {
    let (one, other) = (rng.random_range(0..count), rng.random_range(0..count));
    if rank(one) <= rank(other) { one } else { other }
}
