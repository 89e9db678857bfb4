//! Rules that do not fit segments: alternatives groups and links, kept strictly.

use std::ops::Range;

use super::Polish;
use super::segment::Timed;
use crate::engine::native::data::short;

impl<T: Timed> Polish<'_, '_, T> {
    /// Notes one unused route of each kind of vehicle.
    pub(super) fn find_empty(&mut self) {
        self.empty.clear();
        for (index, route) in self.routes.iter().enumerate() {
            let twin = self.data.twin[index];
            if route.stops.is_empty()
                && self.data.active[index]
                && !self.empty.iter().any(|other| self.data.twin[*other] == twin)
            {
                self.empty.push(index);
            }
        }
    }

    /// Whether an unused route may be used: no other of its alternatives group is.
    pub(super) fn may_open(&self, index: usize) -> bool {
        self.used < self.most
            && self.data.model.vehicles[index].group.is_none_or(|group| self.group_users[group] == 0)
    }

    /// Whether stops may change their run together: none is linked to others.
    pub(super) fn is_whole(&self, stops: &[u32]) -> bool {
        let model = self.data.model;
        model.components.is_empty()
            || stops.iter().all(|stop| {
                model.stops[*stop as usize].component.is_none_or(|component| {
                    let members = &model.components[component].members;
                    members.len() <= stops.len()
                        && members.iter().all(|member| stops.contains(&short(*member)))
                })
            })
    }

    /// Whether the stops at some positions of a run may come before those at others that they came behind.
    pub(super) fn may_precede(&self, index: usize, first: Range<usize>, second: Range<usize>) -> bool {
        let model = self.data.model;
        model.components.is_empty()
            || !self.routes[index].stops[first.start - 1..first.end - 1].iter().any(|stop| {
                model.stops[*stop as usize].pickups.iter().any(|pickup| {
                    self.route_of[*pickup] as usize == index
                        && second.contains(&(self.at_of[*pickup] as usize))
                })
            })
    }

    /// Whether no two stops at some positions of a run are linked.
    pub(super) fn may_turn(&self, index: usize, part: Range<usize>) -> bool {
        part.clone().all(|at| self.may_precede(index, at..at + 1, part.clone()))
    }

    /// Counts a route that came into use or fell out of it.
    pub(super) fn count(&mut self, index: usize, used_before: bool) {
        let used = !self.routes[index].stops.is_empty();
        if used == used_before {
            return;
        }
        self.used = if used { self.used + 1 } else { self.used - 1 };
        if let Some(group) = self.data.model.vehicles[index].group {
            if used { self.group_users[group] += 1 } else { self.group_users[group] -= 1 }
        }
        self.find_empty();
    }
}
