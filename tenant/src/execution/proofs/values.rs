//! Modes, record times and the rule by which a proof is OK. Pure.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// How record times are written.
const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// The stored name of a mode; drivers' devices also say `loaded`, `unload` and `unloaded`.
pub(super) fn mode(text: &str) -> Option<&'static str> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "load" | "loaded" => "load",
        "deliver" | "unload" | "unloaded" => "deliver",
        "pickup" => "pickup",
        "at_depot" => "at_depot",
        "return" => "return",
        _ => return None,
    })
}

/// When something happened on the device: `YYYY-MM-DD HH:mm:ss` in UTC, or ISO 8601.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct RecordTime(pub(crate) DateTime<Utc>);

impl RecordTime {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        NaiveDateTime::parse_from_str(text, FORMAT)
            .map(|time| time.and_utc())
            .or_else(|_| DateTime::parse_from_rfc3339(text).map(|time| time.with_timezone(&Utc)))
            .ok()
            .map(Self)
    }
}

impl<'de> Deserialize<'de> for RecordTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("Value is not a time (YYYY-MM-DD HH:mm:ss)"))
    }
}

impl JsonSchema for RecordTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RecordTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "YYYY-MM-DD HH:mm:ss, UTC" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// aliases are stored under one name.
    #[test]
    fn modes_have_aliases() {
        for (given, stored) in [
            ("load", "load"),
            ("Loaded", "load"),
            ("unload", "deliver"),
            ("unloaded", "deliver"),
            ("deliver", "deliver"),
            ("pickup", "pickup"),
            ("at_depot", "at_depot"),
            ("return", "return"),
        ] {
            assert_eq!(mode(given), Some(stored));
        }
        assert_eq!(mode("start"), None);
    }

    /// no zone means UTC.
    #[test]
    fn record_times_are_utc() {
        let at = "2026-11-23T09:05:07Z".parse().expect("a moment");
        for text in ["2026-11-23 09:05:07", "2026-11-23T09:05:07Z", "2026-11-23T10:05:07+01:00"] {
            assert_eq!(RecordTime::parse(text), Some(RecordTime(at)), "{text}");
        }
        for text in ["2026-11-23", "23/11/2026 09:05:07", "", "2026-02-30 09:05:07"] {
            assert_eq!(RecordTime::parse(text), None, "{text}");
        }
    }
}
