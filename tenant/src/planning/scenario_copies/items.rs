//! What of a scenario is copied.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One kind of thing that can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CopyItem {
    /// Jobs with their tags.
    Jobs,
    /// Units of the jobs.
    Units,
    /// Territory groups.
    TerritoryGroups,
    /// Returns of the jobs.
    Returns,
    /// Runs; with jobs also who serves them when.
    Runs,
    /// Proofs and what was driven.
    Proofs,
}

/// The kinds together with what they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub jobs: bool,
    pub units: bool,
    pub territory_groups: bool,
    pub returns: bool,
    pub runs: bool,
    pub proofs: bool,
}

impl Wanted {
    /// Units and returns need jobs, proofs need jobs and runs: what is missing is added.
    pub(super) fn of(items: &[CopyItem]) -> Self {
        let items: BTreeSet<CopyItem> = items.iter().copied().collect();
        let has = |item| items.contains(&item);
        let proofs = has(CopyItem::Proofs);
        let (units, returns) = (has(CopyItem::Units), has(CopyItem::Returns));
        Self {
            jobs: has(CopyItem::Jobs) || units || returns || proofs,
            units,
            territory_groups: has(CopyItem::TerritoryGroups),
            returns,
            runs: has(CopyItem::Runs) || proofs,
            proofs,
        }
    }

    /// Stage of the copy.
    pub(super) fn stage(self) -> &'static str {
        match self {
            Self { proofs: true, .. } => "tracking",
            Self { runs: true, .. } => "routing",
            _ => "planning",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_added() {
        let wanted = Wanted::of(&[CopyItem::Proofs]);
        assert!(wanted.jobs && wanted.runs && !wanted.units);
        assert_eq!(wanted.stage(), "tracking");
        assert!(Wanted::of(&[CopyItem::Returns]).jobs);
        let runs = Wanted::of(&[CopyItem::Runs]);
        assert!(!runs.jobs, "runs without jobs are empty runs");
        assert_eq!(runs.stage(), "routing");
        assert_eq!(Wanted::of(&[CopyItem::Jobs]).stage(), "planning");
    }
}
