//! The three states of a field in a PATCH: absent keeps, `null` clears, a value sets.

use serde::{Deserialize, Deserializer};

/// A nullable field of a PATCH body. Use with
/// `#[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]`.
pub type Nullable<T> = Option<Option<T>>;

/// Tells `null` (`Some(None)`) from an absent key (`None`).
///
/// # Errors
/// Those of `T`.
pub fn nullable<'de, T, D>(deserializer: D) -> Result<Nullable<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::<T>::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    #[derive(serde::Deserialize)]
    struct Change {
        #[serde(default, deserialize_with = "super::nullable")]
        leave_by: super::Nullable<String>,
    }

    #[test]
    fn a_patch_field_has_three_states() {
        let state = |text| serde_json::from_str::<Change>(text).map(|change| change.leave_by).ok();
        assert_eq!(state("{}"), Some(None));
        assert_eq!(state(r#"{"leave_by":null}"#), Some(Some(None)));
        assert_eq!(state(r#"{"leave_by":"09:00"}"#), Some(Some(Some("09:00".into()))));
    }
}
