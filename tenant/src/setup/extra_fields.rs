//! Fields that organisations add on their own: a map from name to text. Stored as given, escaped wherever they are shown.

use std::collections::BTreeMap;

use routewright_core::error::Problems;

/// Most fields of one row.
const MOST: usize = 100;

/// Names must not be empty; neither names nor values overlong.
pub(crate) fn check(fields: &BTreeMap<String, String>, problems: &mut Problems) {
    problems.require(fields.len() <= MOST, "extra_fields", "There can be at most 100 extra fields");
    for (name, value) in fields {
        problems.require(!name.trim().is_empty(), "extra_fields", "Field name cannot be empty");
        problems.require(name.chars().count() <= 100, "extra_fields", "Field name is too long");
        problems.require(value.chars().count() <= 4000, "extra_fields", "Value is too long");
    }
}
