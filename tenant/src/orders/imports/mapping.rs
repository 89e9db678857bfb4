//! From a file's headers to fields. Pure.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Job columns that headers map to under their own name.
const JOB_FIELDS: [&str; 23] = [
    "uid",
    "address",
    "lat",
    "lon",
    "duration",
    "arrive_after",
    "leave_by",
    "pickup_from",
    "deliver_to",
    "type",
    "customer_name",
    "phone_number",
    "comments",
    "size",
    "customer_email",
    // Where there is no customer_email.
    "email",
    "consignee_info",
    "consignor_info",
    "external_comments",
    "dock_location",
    "priority",
    "colour",
    "invoice",
];
const UNIT_FIELDS: [&str; 4] = ["uid", "name", "invoice", "reference"];
const RETURN_FIELDS: [&str; 2] = ["uid", "comments"];
const CLIENT_FIELDS: [&str; 8] = [
    "uid",
    "name",
    "email",
    "customer_name",
    "dock_location",
    "consignee_info",
    "external_comments",
    "colour",
];

/// Where a column's cells go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// A field of the job.
    Job(String),
    /// A further field of the job.
    Extra(String),
    /// A field of a unit.
    Unit(String),
    /// A field of a return.
    Return(String),
    /// A field of the client.
    Client(String),
    /// Whether the row is uploaded at all.
    Upload,
    /// Nowhere, as the planner wishes.
    Ignore,
}

impl Target {
    /// Reads a target such as `customer_name`, `job.email`, `extra_field:Zone`, `unit.uid`, `ignore`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        // `Unit UID` is written by people, `unit.uid` by programs.
        let grouped = normalise(text);
        let grouped = ["unit", "return", "client"].iter().find_map(|group| {
            let name = grouped.strip_prefix(group)?.strip_prefix('_')?;
            Some(format!("{group}.{name}"))
        });
        if let Some(target) = grouped.and_then(|text| Self::parse(&text)) {
            return Some(target);
        }
        let (group, name) = match text.split_once('.') {
            Some((group, name)) => (group.to_ascii_lowercase(), name),
            None => (String::new(), text),
        };
        if matches!(group.as_str(), "" | "job")
            && let Some(name) = extra_name(name)
        {
            return Some(Self::Extra(name));
        }
        let name = normalise(name);
        let known = |list: &[&str]| list.contains(&name.as_str());
        match group.as_str() {
            "" if name == "upload" => Some(Self::Upload),
            "" if name == "ignore" => Some(Self::Ignore),
            "" | "job" if name == "spec_type" => Some(Self::Job("type".to_owned())),
            "" | "job" if name == "reference" || known(&JOB_FIELDS) => Some(Self::Job(name)),
            "unit" if known(&UNIT_FIELDS) => Some(Self::Unit(name)),
            "return" if known(&RETURN_FIELDS) => Some(Self::Return(name)),
            "client" if known(&CLIENT_FIELDS) => Some(Self::Client(name)),
            _ => None,
        }
    }

    /// The target as the Data Mapping dialog and faults of rows name it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Job(name) => name.clone(),
            Self::Extra(name) => format!("extra_field:{name}"),
            Self::Unit(name) => format!("unit.{name}"),
            Self::Return(name) => format!("return.{name}"),
            Self::Client(name) => format!("client.{name}"),
            Self::Upload => "upload".to_owned(),
            Self::Ignore => "ignore".to_owned(),
        }
    }
}

/// `extra_field:{name}` and `extra_field_{name}` carry the name of a further field; a bare `extra_field` does not.
fn extra_name(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let rest = ["extra_field:", "extra_field_", "extra field:", "extra field "]
        .iter()
        .find_map(|prefix| lower.starts_with(prefix).then(|| text.get(prefix.len()..)).flatten())?;
    let name = rest.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Lower case, blanks and dashes as underscores; what stands in brackets at the end explains and does not name.
pub(super) fn normalise(text: &str) -> String {
    let text = text.trim().trim_start_matches('\u{feff}');
    let named = match text.split_once('(') {
        Some((name, rest)) if rest.ends_with(')') && !name.trim().is_empty() => name.trim_end(),
        _ => text,
    };
    named.to_ascii_lowercase().replace([' ', '-'], "_")
}

/// What other systems call our fields.
const SYNONYMS: [(&str, &str); 36] = [
    ("order_no", "uid"),
    ("order_number", "uid"),
    ("order_id", "uid"),
    ("job", "uid"),
    ("job_uid", "uid"),
    ("id", "uid"),
    ("customer", "customer_name"),
    ("name", "customer_name"),
    ("company", "customer_name"),
    ("recipient", "customer_name"),
    ("street_address", "address"),
    ("delivery_address", "address"),
    ("latitude", "lat"),
    ("longitude", "lon"),
    ("lng", "lon"),
    ("earliest", "arrive_after"),
    ("from", "arrive_after"),
    ("latest", "leave_by"),
    ("until", "leave_by"),
    ("to", "leave_by"),
    ("service", "duration"),
    ("service_min", "duration"),
    ("service_time", "duration"),
    ("minutes", "duration"),
    ("qty", "size"),
    ("quantity", "size"),
    ("goods", "type"),
    ("mobile", "phone_number"),
    ("phone", "phone_number"),
    ("telephone", "phone_number"),
    ("e_mail", "customer_email"),
    ("notes", "comments"),
    ("driver_notes", "comments"),
    ("instructions", "comments"),
    ("delivery_instructions", "comments"),
    ("color", "colour"),
];

/// The target that a header names, or that other systems mean by it.
pub(super) fn suggest(header: &str) -> Option<Target> {
    Target::parse(header).or_else(|| {
        let plain: String =
            normalise(header).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let plain = plain.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
        let (_, target) = SYNONYMS.iter().find(|(name, _)| *name == plain)?;
        Target::parse(target)
    })
}

/// A header of the file as the Data Mapping dialog shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Header {
    header: String,
    target: Option<String>,
    valid: bool,
}

/// All headers and their targets.
pub(super) struct Mapping {
    targets: BTreeMap<String, Option<Target>>,
    order: Vec<String>,
}

impl Mapping {
    /// Maps the headers of all rows; what the planner `chose` goes before what the names say.
    pub(super) fn of(rows: &[Map<String, Value>], chosen: &BTreeMap<String, String>) -> Self {
        let mut mapping = Self { targets: BTreeMap::new(), order: Vec::new() };
        for header in rows.iter().flat_map(Map::keys) {
            if mapping.targets.contains_key(header) {
                continue;
            }
            let target = Target::parse(chosen.get(header).map_or(header.as_str(), String::as_str));
            mapping.targets.insert(header.clone(), target);
            mapping.order.push(header.clone());
        }
        mapping
    }

    /// Where a header's cells go; nothing when no field takes them.
    pub(super) fn target(&self, header: &str) -> Option<&Target> {
        self.targets.get(header)?.as_ref()
    }

    /// The headers in the order of the file.
    pub(super) fn headers(&self) -> Vec<Header> {
        self.order
            .iter()
            .map(|header| {
                let target = self.target(header);
                Header { header: header.clone(), target: target.map(Target::name), valid: target.is_some() }
            })
            .collect()
    }

    /// Headers that no field takes.
    pub(super) fn ignored(&self) -> Vec<String> {
        self.order.iter().filter(|header| self.target(header).is_none()).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-109: names that people understand and those of other systems find their fields.
    #[test]
    fn readable_and_foreign_headers_are_understood() {
        for (header, target) in [
            ("Arrive after (HH:mm)", Some("arrive_after")),
            ("Unit UID", Some("unit.uid")),
            ("Client UID", Some("client.uid")),
            ("Order No.", Some("uid")),
            ("Service (min)", Some("duration")),
            ("E-mail", Some("customer_email")),
            ("Temp °C", None),
            ("extra_field:Temp (C)", Some("extra_field:Temp (C)")),
        ] {
            assert_eq!(suggest(header).map(|target| target.name()).as_deref(), target, "{header}");
        }
    }

    /// P-1xx: headers match whatever their case, blanks and dashes; unknown ones are ignored.
    #[test]
    fn headers_find_their_fields() {
        let cases = [
            ("Customer Name", Some(Target::Job("customer_name".into()))),
            ("\u{feff}UID", Some(Target::Job("uid".into()))),
            ("phone-number", Some(Target::Job("phone_number".into()))),
            ("job.email", Some(Target::Job("email".into()))),
            ("job.extra_field:Zone", Some(Target::Extra("Zone".into()))),
            ("type", Some(Target::Job("type".into()))),
            ("extra_field:Zone", Some(Target::Extra("Zone".into()))),
            ("extra_field_temperature", Some(Target::Extra("temperature".into()))),
            ("extra_field", None),
            ("client.uid", Some(Target::Client("uid".into()))),
            ("unit.reference", Some(Target::Unit("reference".into()))),
            ("upload", Some(Target::Upload)),
            ("temperature", None),
        ];
        for (header, target) in cases {
            assert_eq!(Target::parse(header), target, "{header}");
        }
    }
}
