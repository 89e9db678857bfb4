//! A crowd of plans: two of them are crossed by taking some runs near each other from one into the other
//! (selective route exchange: Nagata, Braysy and Dullaert 2010), the child is improved for a while and takes the
//! place of a plan that is worse.

use rand::Rng;
use rand::rngs::SmallRng;

use super::super::used_runs;
use super::cross::better_of_two;
use super::parts::PARTED;
use super::search::Watch;
use super::segment::Timed;
use super::{Found, Polish};
use crate::problem::Sequences;

/// Plans kept.
const MEMBERS: usize = 6;
/// Rounds per stop without a better plan after which the first plan, and every other, is left as it is: one long run
/// is best until it is stuck, then many short ones.
const PATIENCE: [u64; 2] = [15, 5];
/// Part of the runs of the best plan that another first plan is without.
const SCATTERED: f64 = 0.4;

impl<T: Timed> Polish<'_, '_, T> {
    /// Crosses and improves plans until told to stop.
    pub(super) fn evolve(&mut self, starts: &[Sequences], rng: &mut SmallRng, watch: &mut Watch) {
        let stops = self.stops.len() as u64;
        let mut crowd: Vec<Found> = Vec::new();
        let most = self.most;
        let mut starts = starts.iter().filter(|start| used_runs(start) <= most);
        while !watch.over() {
            if crowd.len() < MEMBERS {
                if !crowd.is_empty() {
                    if let Some(start) = starts.next() {
                        self.restore(start);
                        self.improve_all(rng);
                    } else {
                        self.restore(&watch.best.sequences);
                        self.scatter(rng);
                    }
                }
                if crowd.is_empty() && self.stops.len() > PARTED {
                    self.climb_by_parts(rng, watch);
                }
                // While nothing is feasible it goes on from where it is.
                let patience = PATIENCE[usize::from(!crowd.is_empty())];
                crowd.extend(self.climb(patience * stops, false, rng, watch));
                continue;
            }
            let mut draw = || better_of_two(crowd.len(), |index| crowd[index].points, rng);
            let (first, second) = (draw(), draw());
            if first == second {
                continue;
            }
            self.restore(&crowd[first].sequences);
            self.begin();
            self.cross(&crowd[second], rng);
            self.improve(rng);
            self.note(watch);
            if let Some(child) = self.climb(PATIENCE[1] * stops, false, rng, watch) {
                settle(&mut crowd, child);
            }
        }
    }

    /// Takes runs near each other out and puts their stops back in random order.
    fn scatter(&mut self, rng: &mut SmallRng) {
        self.begin();
        self.forget_marks();
        self.closed = false;
        let seed = self.stops[rng.random_range(0..self.stops.len())];
        let mut out: Vec<u32> = Vec::new();
        for route in self.runs_around(seed, self.part_of_runs(SCATTERED).max(2)) {
            self.take_free(route, &mut out);
        }
        self.put_back_shuffled(out, rng);
        self.improve(rng);
    }

    /// So much of the number of runs in use.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number"
    )]
    pub(super) fn part_of_runs(&self, part: f64) -> usize {
        (self.used as f64 * part) as usize
    }

    /// Takes out all stops of a run that may change it.
    pub(super) fn take_free(&mut self, route: usize, out: &mut Vec<u32>) {
        let stops: Vec<u32> =
            self.routes[route].stops.iter().copied().filter(|stop| self.free[*stop as usize]).collect();
        self.take(route, &stops);
        out.extend(stops);
    }
}

/// Takes a child into the crowd in place of the worst, unless it is one of them.
fn settle(crowd: &mut [Found], child: Found) {
    if crowd.iter().any(|member| member.points == child.points) {
        return;
    }
    let worst = (0..crowd.len()).max_by_key(|index| crowd[*index].points).unwrap_or(0);
    if child.points < crowd[worst].points {
        crowd[worst] = child;
    }
}
