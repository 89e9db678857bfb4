//! Organisations that wait for their turn. Pure.

use std::collections::{BTreeSet, VecDeque};

use routewright_core::OrganisationId;

/// Organisations in the order of their arrival, each at most once: a loud one takes no second place, and one that has
/// had its turn goes to the end.
#[derive(Debug, Default)]
pub(super) struct Line {
    order: VecDeque<OrganisationId>,
    waiting: BTreeSet<i64>,
}

impl Line {
    /// Lets an organisation wait for its turn; one that waits already keeps its place.
    pub(super) fn enter(&mut self, organisation: OrganisationId) {
        if self.waiting.insert(organisation.get()) {
            self.order.push_back(organisation);
        }
    }

    /// Takes the first one that `may` have its turn out of the line; those before it keep their places.
    pub(super) fn next(&mut self, may: impl Fn(OrganisationId) -> bool) -> Option<OrganisationId> {
        let at = self.order.iter().position(|organisation| may(*organisation))?;
        let organisation = self.order.remove(at)?;
        self.waiting.remove(&organisation.get());
        Some(organisation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn organisation(id: i64) -> OrganisationId {
        OrganisationId::new(id)
    }

    #[test]
    fn a_loud_organisation_has_one_place() {
        let mut line = Line::default();
        for id in [1, 1, 2, 1, 3] {
            line.enter(organisation(id));
        }
        let order: Vec<i64> = std::iter::from_fn(|| line.next(|_| true)).map(OrganisationId::get).collect();
        assert_eq!(order, [1, 2, 3]);
        line.enter(organisation(1));
        assert_eq!(line.next(|_| true), Some(organisation(1)), "it may come back");
    }

    #[test]
    fn whoever_may_not_have_a_turn_keeps_the_place() {
        let mut line = Line::default();
        for id in [1, 2, 3] {
            line.enter(organisation(id));
        }
        assert_eq!(line.next(|organisation| organisation.get() != 1), Some(organisation(2)));
        assert_eq!(line.next(|organisation| organisation.get() > 9), None);
        assert_eq!(line.next(|_| true), Some(organisation(1)));
    }
}
