//! Goods on board over consecutive stops, where linked stops load and unload on the way.

use crate::engine::native::data::Data;

/// Goods of one key on board over consecutive stops; two parts join in constant time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Aboard {
    /// Loaded at the start of the run already.
    pub(super) loaded: i64,
    /// Change from before the first stop to behind the last.
    pub(super) change: i64,
    /// Most on board above what was on board before the first stop.
    most: i64,
}

impl Aboard {
    /// A single stop.
    pub(super) fn stop(data: &Data, class: usize, stop: u32, key: usize) -> Self {
        let (model, stop) = (data.model, stop as usize);
        let loaded = if model.loads_at_start(stop) { model.amounts(class, stop)[key] } else { 0 };
        let change = model.changes(class, stop)[key];
        Self { loaded, change, most: change.max(0) }
    }

    /// This part, then the next.
    #[inline]
    pub(super) fn then(self, next: Self) -> Self {
        Self {
            loaded: self.loaded + next.loaded,
            change: self.change + next.change,
            most: self.most.max(self.change + next.most),
        }
    }

    /// Most on board in a whole run.
    #[inline]
    pub(super) fn peak(self) -> i64 {
        self.loaded + self.most
    }
}

/// Whether the load changes on the way; otherwise all that a run serves is on board at its start.
pub(super) fn varies(data: &Data) -> bool {
    data.board_keys > 0 && !data.model.components.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Joined in any grouping, parts tell the most that is ever on board.
        #[test]
        fn joins_like_loading(changes in prop::collection::vec((0..9_i64, -9..9_i64), 1..9), split in 0..9_usize) {
            let part = |stops: &[(i64, i64)]| {
                let single = |&(loaded, change): &(i64, i64)| Aboard { loaded, change, most: change.max(0) };
                stops.iter().map(single).fold(Aboard::default(), Aboard::then)
            };
            let (first, rest) = changes.split_at(split.min(changes.len()));
            let joined = part(first).then(part(rest));
            let start: i64 = changes.iter().map(|stop| stop.0).sum();
            let levels = changes.iter().scan(start, |level, stop| { *level += stop.1; Some(*level) });
            prop_assert_eq!(joined.peak(), levels.fold(start, i64::max));
            prop_assert_eq!(joined, part(&changes));
        }
    }
}
