//! Searching a large plan part by part: the rounds of a while stay among runs near each other. Late acceptance looks at
//! the cost of the whole plan, so that otherwise a round that makes one part worse is let through because of what
//! others far away have saved meanwhile.

use rand::Rng;
use rand::rngs::SmallRng;

use super::Polish;
use super::search::Watch;
use super::segment::Timed;

/// Plans of more stops are searched part by part first.
pub(super) const PARTED: usize = 250;
/// Plans of more stops are searched in no other way.
const LARGE: usize = 400;
/// Stops of a part.
const STOPS: usize = 200;
/// Rounds without a better plan after which a part is left as it was at its best.
const PATIENCE: u64 = 1000;
/// It is enough when so many parts for each [`STOPS`] stops, one after the other, found nothing better: then the whole plan
/// is searched, or above [`LARGE`] stops, of which late acceptance would lose what was found, each part twice as long.
const IN_VAIN: usize = 4;

impl<T: Timed> Polish<'_, '_, T> {
    /// Searches around one stop after another until that helps no more.
    pub(super) fn climb_by_parts(&mut self, rng: &mut SmallRng, watch: &mut Watch) {
        let all = std::mem::take(&mut self.stops);
        let most_in_vain = IN_VAIN * all.len() / STOPS;
        let (mut in_vain, mut patience) = (0, PATIENCE);
        while !watch.over() {
            let least = watch.best.points;
            self.stops = self.part(&all, rng);
            if let Some(found) = self.climb(patience, false, rng, watch) {
                self.restore(&found.sequences);
            }
            in_vain = if watch.best.points < least { 0 } else { in_vain + 1 };
            if in_vain >= most_in_vain {
                if all.len() <= LARGE {
                    break;
                }
                (in_vain, patience) = (0, patience * 2);
            }
        }
        self.stops = all;
    }

    /// Stops of runs near each other.
    fn part(&self, all: &[u32], rng: &mut SmallRng) -> Vec<u32> {
        let seed = all[rng.random_range(0..all.len())];
        let a_run = (all.len() / self.used.max(1)).max(1);
        let runs = self.runs_around(seed, (STOPS / a_run).max(2));
        let inside = |stop: &u32| runs.contains(&(self.route_of[*stop as usize] as usize));
        all.iter().copied().filter(inside).collect()
    }
}
