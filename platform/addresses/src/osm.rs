//! Reads what has an address or a name from OpenStreetMap's `.osm.pbf` files.

use std::collections::HashMap;
use std::path::Path;

use osmpbf::{Element, ElementReader};
use routewright_roads::PlaceKind;

use crate::BuildError;
use crate::entry::Spot;

/// Keys of things that one goes to, if they have a name.
const POINTS: [&str; 12] = [
    "amenity",
    "shop",
    "tourism",
    "office",
    "craft",
    "leisure",
    "healthcare",
    "historic",
    "aeroway",
    "industrial",
    "landuse",
    "building",
];
/// Names besides `name`.
const NAMES: [&str; 6] = ["alt_name", "official_name", "short_name", "old_name", "loc_name", "name:en"];

/// A thing of the map that is looked for.
#[derive(Debug, Clone)]
pub(crate) struct Feature {
    pub(crate) what: What,
    pub(crate) name: Option<String>,
    pub(crate) names: Vec<String>,
    pub(crate) address: Address,
    /// A line for a street; else its corners, or one spot.
    pub(crate) spots: Vec<Spot>,
}

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A piece of a street.
    Street,
    /// A town or a part of one; the radius, in metres, within which an address may name it.
    Settlement {
        /// Metres.
        radius: u32,
        /// Whether letters are addressed to it.
        town: bool,
    },
    /// Anything else with a name or an address.
    Point,
}

impl What {
    pub(crate) fn kind(self) -> PlaceKind {
        match self {
            Self::Street => PlaceKind::Street,
            Self::Settlement { .. } => PlaceKind::Place,
            Self::Point => PlaceKind::Poi,
        }
    }
}

/// The `addr:` tags.
#[derive(Debug, Clone, Default)]
pub(crate) struct Address {
    pub(crate) street: Option<String>,
    pub(crate) number: Option<String>,
    pub(crate) postcode: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) area: Option<String>,
}

/// Reads a file twice: ways first, so that only those nodes are kept that they need.
pub(crate) fn read(path: &Path) -> Result<Vec<Feature>, BuildError> {
    let mut ways: Vec<(Feature, Vec<i64>)> = Vec::new();
    each(path, |element| {
        if let Element::Way(way) = element {
            let tags: HashMap<&str, &str> = way.tags().collect();
            if let Some(feature) = feature(&tags) {
                ways.push((feature, way.refs().collect()));
            }
        }
    })?;
    let mut needed: Vec<i64> = ways.iter().flat_map(|(_, nodes)| nodes.iter().copied()).collect();
    needed.sort_unstable();
    needed.dedup();
    let mut spots: Vec<Option<Spot>> = vec![None; needed.len()];
    let mut features = Vec::new();
    each(path, |element| {
        let (id, spot, tags): (i64, Spot, HashMap<&str, &str>) = match element {
            Element::Node(node) => (node.id(), Spot::new(node.lat(), node.lon()), node.tags().collect()),
            Element::DenseNode(node) => (node.id(), Spot::new(node.lat(), node.lon()), node.tags().collect()),
            Element::Way(_) | Element::Relation(_) => return,
        };
        if let Ok(index) = needed.binary_search(&id) {
            spots[index] = Some(spot);
        }
        if let Some(feature) = feature(&tags).filter(|feature| feature.what != What::Street) {
            features.push(Feature { spots: vec![spot], ..feature });
        }
    })?;
    for (feature, nodes) in ways {
        // An extract may lack nodes outside its border.
        let here = |id: &i64| needed.binary_search(id).ok().and_then(|index| spots[index]);
        let spots: Vec<Spot> = nodes.iter().filter_map(here).collect();
        if !spots.is_empty() {
            features.push(Feature { spots, ..feature });
        }
    }
    Ok(features)
}

fn each(path: &Path, take: impl for<'a> FnMut(Element<'a>)) -> Result<(), BuildError> {
    let fault = |error: osmpbf::Error| BuildError::Map { path: path.to_owned(), reason: error.to_string() };
    ElementReader::from_path(path).map_err(fault)?.for_each(take).map_err(fault)
}

fn feature(tags: &HashMap<&str, &str>) -> Option<Feature> {
    let text =
        |key: &str| tags.get(key).map(|text| text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    let name = text("name");
    let address = Address {
        street: text("addr:street").or_else(|| text("addr:place")),
        number: text("addr:housenumber"),
        postcode: text("addr:postcode"),
        city: text("addr:city"),
        area: text("addr:suburb"),
    };
    let what = if tags.contains_key("highway") && name.is_some() && !is_stop(tags) {
        What::Street
    } else if let Some(settlement) = tags.get("place").and_then(|place| settlement(place)) {
        settlement
    } else if name.is_some()
        && (is_station(tags) || !is_stop(tags) && POINTS.iter().any(|key| tags.contains_key(key)))
        || address.street.is_some()
    {
        What::Point
    } else {
        return None;
    };
    if name.is_none() && what != What::Point {
        return None;
    }
    let several = NAMES.iter().filter_map(|key| tags.get(key)).flat_map(|names| names.split(';'));
    let several = several.map(|name| name.trim().to_owned());
    let names = several.filter(|other| !other.is_empty() && Some(other) != name.as_ref()).collect();
    Some(Feature { what, name, names, address, spots: Vec::new() })
}

fn is_station(tags: &HashMap<&str, &str>) -> bool {
    tags.get("railway").or_else(|| tags.get("public_transport")).is_some_and(|kind| *kind == "station")
}

/// Stops of buses and trams are named after their streets: they are not what an address means.
fn is_stop(tags: &HashMap<&str, &str>) -> bool {
    ["railway", "public_transport"].iter().any(|key| tags.contains_key(key))
}

fn settlement(place: &str) -> Option<What> {
    let (radius, town) = match place {
        "city" => (12_000, true),
        "town" => (5_000, true),
        "village" => (2_500, true),
        "hamlet" => (1_000, true),
        "suburb" | "borough" => (2_000, false),
        "quarter" | "neighbourhood" | "locality" | "square" => (600, false),
        _ => return None,
    };
    Some(What::Settlement { radius, town })
}
