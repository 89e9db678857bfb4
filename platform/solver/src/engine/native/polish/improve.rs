//! Going over the moves around the marked stops until none helps.

use rand::Rng;
use rand::rngs::SmallRng;

use super::around::Moved;
use super::segment::Timed;
use super::{NOWHERE, Polish};

impl<T: Timed> Polish<'_, '_, T> {
    /// Improves around all stops, whatever was marked before.
    pub(super) fn improve_all(&mut self, rng: &mut SmallRng) {
        self.begin();
        self.forget_marks();
        for position in 0..self.stops.len() {
            self.mark(self.stops[position]);
        }
        self.improve(rng);
    }

    /// Improves around the marked stops until no move helps.
    pub(super) fn improve(&mut self, rng: &mut SmallRng) {
        self.updates += 1;
        for position in 0..self.queue.len() {
            self.last_test[self.queue[position] as usize] = 0;
        }
        loop {
            let (before, cost) = (self.updates, self.worth.cost(self.penalties));
            for index in (1..self.queue.len()).rev() {
                self.queue.swap(index, rng.random_range(0..=index));
            }
            let mut position = 0;
            while position < self.queue.len() {
                let stop = self.queue[position];
                position += 1;
                self.improve_at(stop);
            }
            // A break joined from the end may lie elsewhere than expected, so that a move does not pay in the end.
            let done = self.updates == before || self.worth.cost(self.penalties) >= cost;
            if done && !(self.freely && self.exchange_freely()) {
                return;
            }
        }
    }

    pub(super) fn improve_at(&mut self, u: u32) {
        let tested = self.last_test[u as usize];
        self.last_test[u as usize] = self.updates;
        if self.route_of[u as usize] == NOWHERE {
            return;
        }
        let near = std::mem::take(&mut self.near[u as usize]);
        let mut moved = self.moved(u);
        for &v in &near {
            let (route_u, route_v) = (self.route_of[u as usize], self.route_of[v as usize]);
            if route_v == NOWHERE
                || route_u == NOWHERE
                || !self.data.active[route_v as usize]
                || !self.data.active[route_u as usize]
            {
                continue;
            }
            let (ru, rv) = (route_u as usize, route_v as usize);
            if self.last_update[ru].max(self.last_update[rv]) <= tested {
                continue;
            }
            let at = self.at_of[v as usize] as usize;
            if self.paid(|polish| polish.join_stop(moved.as_ref(), u, v, ru, rv, at)) {
                self.mark_new(u, v);
                moved = self.moved(u);
            }
        }
        self.near[u as usize] = near;
        if self.mates[u as usize] != NOWHERE {
            let mate = self.mates[u as usize] as usize;
            let tested = tested.max(self.last_test[mate]);
            if self.paid(|polish| polish.move_pair(u, tested)) {
                self.mark_new(u, self.mates[u as usize]);
            }
            return;
        }
        let route = self.route_of[u as usize] as usize;
        if route == NOWHERE as usize || self.last_update[route] <= tested {
            return;
        }
        for position in 0..self.empty.len() {
            let index = self.empty[position];
            if self.paid(|polish| polish.join(u, index, 0, u8::MAX)) {
                self.mark_new(u, u);
                break;
            }
        }
    }

    /// Tries the moves that join `u` to `v`, and to the start of the run where `v` is its first stop.
    #[inline]
    fn join_stop(
        &mut self,
        moved: Option<&Moved>,
        u: u32,
        v: u32,
        route_u: usize,
        route_v: usize,
        at: usize,
    ) -> bool {
        if route_u == route_v {
            return self.within(route_u, self.at_of[u as usize] as usize, at)
                || (at == 1 && self.within(route_u, self.at_of[u as usize] as usize, 0));
        }
        let hopeful = self.hopeful(moved, v, route_v);
        if hopeful != 0 && self.join(u, route_v, at, hopeful) {
            return true;
        }
        if at != 1 {
            return false;
        }
        let hopeful = self.hopeful_at_start(moved, v, route_v);
        hopeful != 0 && self.join(u, route_v, 0, hopeful)
    }

    pub(super) fn mark_new(&mut self, u: u32, v: u32) {
        for stop in [u, v] {
            if !self.promising[stop as usize] {
                self.last_test[stop as usize] = 0;
            }
            self.mark(stop);
        }
    }
}
