//! Tags of a node, a way or a relation.

use super::{Profiles, numbers};

/// Limits that no vehicle comes near: metres of width and of height, of length, and tonnes.
const LARGEST: [(&str, f64); 4] = [("width", 6.0), ("height", 6.0), ("length", 60.0), ("weight", 200.0)];
/// First words of keys that decide how a way or a barrier is driven, beside those of the profiles and of surfaces.
const DECISIVE: [&str; 33] = [
    "highway",
    "route",
    "barrier",
    "area",
    "impassable",
    "status",
    "service",
    "construction",
    "bridge",
    "duration",
    "oneway",
    "junction",
    "cycleway",
    "maxspeed",
    "lanes",
    "lane_markings",
    "width",
    "est_width",
    "narrow",
    "hazmat",
    "toll",
    "maxheight",
    "maxwidth",
    "maxlength",
    "maxweight",
    "maxweightrating",
    "side_road",
    "priority",
    "divider",
    "kerb",
    "sensory",
    "bollard",
    "direction",
];

/// Tags that are kept.
pub(crate) type OwnedTags = Vec<(String, String)>;

/// Keys and values.
#[derive(Debug, Default)]
pub(crate) struct Tags<'a>(Vec<(&'a str, &'a str)>);

/// Which way along a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(tags: I) -> Self {
        Self(tags.into_iter().collect())
    }
}

impl<'a> Tags<'a> {
    /// Value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// Whether a key has this value.
    pub(crate) fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Value of the first of these keys that is there, for one direction: `key:forward` goes before `key`.
    pub(crate) fn directed(&self, keys: &[&str], direction: Direction) -> Option<&'a str> {
        let suffix = match direction {
            Direction::Forward => ":forward",
            Direction::Backward => ":backward",
        };
        let of_direction = |key: &str| {
            self.0
                .iter()
                .find(|(name, _)| name.strip_suffix(suffix).is_some_and(|name| name == key))
                .map(|(_, value)| *value)
        };
        keys.iter().find_map(|key| of_direction(key).or_else(|| self.get(key)))
    }

    /// Those that decide how a vehicle of any size drives here; `None` when all vehicles of a profile do alike.
    pub(crate) fn by_size(&self, profiles: &Profiles) -> Option<OwnedTags> {
        if !self.0.iter().any(|(key, value)| by_size(key, value)) {
            return None;
        }
        let decisive = |key: &str| {
            let word = key.split(':').next().unwrap_or(key);
            let mut names = profiles
                .profiles
                .iter()
                .flat_map(|profile| profile.access.iter().chain(&profile.restrictions));
            DECISIVE.contains(&word)
                || key.starts_with("source:maxspeed")
                || profiles.surfaces.contains_key(word)
                || names.any(|name| name == word)
        };
        let mut tags: OwnedTags = self
            .0
            .iter()
            .filter(|(key, _)| decisive(key))
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        tags.sort_unstable();
        Some(tags)
    }

    /// Tags that were kept.
    pub(crate) fn kept(tags: &'a OwnedTags) -> Self {
        tags.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether it depends on the size of a vehicle what a tag says.
fn by_size(key: &str, value: &str) -> bool {
    let mut words = key.split(':');
    let word = words.next().unwrap_or(key);
    match word {
        "narrow" | "hazmat" | "toll" => return true,
        "barrier" => {
            return matches!(
                value,
                "height_restrictor" | "arch" | "bollard" | "block" | "cycle_barrier" | "chain" | "bump_gate"
            );
        }
        _ => {}
    }
    let limit = word.strip_prefix("max").or_else(|| word.strip_prefix("est_")).unwrap_or(word);
    if let Some((kind, largest)) = LARGEST.iter().find(|(kind, _)| limit.starts_with(kind)) {
        let number = if *kind == "weight" { numbers::tonnes(value) } else { numbers::metres(value) };
        return number.is_some_and(|number| number < *largest) || words.any(|word| word == "conditional");
    }
    words.any(|word| word == "conditional") && value.contains(['<', '>'])
}
