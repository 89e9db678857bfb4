//! Times of day on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::check;

/// A time of day, always written `HH:mm`. Reads `HH:mm`, `HH:mm:ss` and 12-hour forms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct TimeOfDay(String);

impl TimeOfDay {
    /// Parses a time of day.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        check::time_of_day(text).map(Self)
    }

    /// `HH:mm`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("Value is not a time of day (HH:mm)"))
    }
}

/// Reads an optional time of day; blank text counts as null. Use with `#[serde(deserialize_with = "blank_is_null")]`.
///
/// # Errors
/// When the text is neither blank nor a time of day.
pub fn blank_is_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TimeOfDay>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    match text.filter(|text| !text.trim().is_empty()) {
        None => Ok(None),
        Some(text) => TimeOfDay::parse(&text)
            .map(Some)
            .ok_or_else(|| serde::de::Error::custom("Value is not a time of day (HH:mm)")),
    }
}
