//! Puts the pieces of the map together: streets of their pieces and houses, postcodes of their addresses, and the town that
//! each thing is in.

use std::collections::{BTreeMap, HashMap, HashSet};

use routewright_roads::PlaceKind;
use rstar::RTree;
use rstar::primitives::GeomWithData;

use crate::entry::{Entry, Spot, Street};
use crate::number::{House, Number, Plane};
use crate::osm::{Address, Feature, What};
use crate::text;

/// Pieces of one name that are no farther apart than two such squares are one street: about half a kilometre.
const SQUARE: i32 = 50_000;
/// Addresses of a postcode that are spread wider do not say where it is, metres.
const SPREAD: f64 = 5_000.0;
/// Settlements around that are looked at.
const AROUND: usize = 24;

/// An entry of the index, with its streets' houses and lines.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) entry: Entry,
    pub(crate) street: Option<Street>,
}

/// What comes out of the features of the map.
pub(crate) fn gather(features: Vec<Feature>) -> Vec<Gathered> {
    let towns = Towns::of(&features);
    let mut gathered = postcodes(&features, &towns);
    let mut pieces: BTreeMap<String, Vec<Feature>> = BTreeMap::new();
    let streets = features.iter().filter(|feature| feature.what == What::Street);
    let streets: HashSet<String> = streets.filter_map(|way| way.name.as_deref()).map(text::key).collect();
    for feature in features {
        // What only has its street's name, such as a stop, is not what an address means.
        let of_street = || feature.name.as_deref().is_some_and(|name| streets.contains(&text::key(name)));
        if feature.what != What::Street
            && !(feature.what == What::Point && of_street())
            && let Some(entry) = entry(&feature, &towns)
        {
            gathered.push(Gathered { entry, street: None });
        }
        let street = match feature.what {
            What::Street => feature.name.as_deref(),
            What::Point => feature.address.street.as_deref(),
            What::Settlement { .. } => None,
        };
        let key = street.map(text::key).filter(|key| !key.is_empty());
        if let Some(key) = key {
            pieces.entry(key).or_default().push(feature);
        }
    }
    for pieces in pieces.into_values() {
        gathered.extend(apart(pieces).into_iter().filter_map(|pieces| street(&pieces, &towns)));
    }
    gathered
}

/// A thing with a name of its own.
fn entry(feature: &Feature, towns: &Towns) -> Option<Entry> {
    let spot = Spot::middle(&feature.spots)?;
    let Address { street, number, postcode, city, area } = feature.address.clone();
    let address = match (feature.what, street, number) {
        (What::Point, Some(street), Some(number)) => Some(format!("{street} {number}")),
        (What::Point, street, _) => street,
        _ => None,
    };
    let (town, mut areas) = towns.around(spot);
    areas.extend(area);
    let name = feature.name.clone()?;
    areas.retain(|area| *area != name);
    Some(Entry {
        kind: feature.what.kind(),
        name,
        names: feature.names.clone(),
        address,
        postcode,
        town: city.or(town),
        areas,
        spot,
    })
}

fn postcodes(features: &[Feature], towns: &Towns) -> Vec<Gathered> {
    let mut by_code: BTreeMap<&str, Vec<&Feature>> = BTreeMap::new();
    for feature in features {
        if let Some(code) = &feature.address.postcode {
            by_code.entry(code).or_default().push(feature);
        }
    }
    let gathered = by_code.into_iter().filter_map(|(code, features)| {
        let spots: Vec<Spot> = features.iter().filter_map(|feature| feature.spots.first().copied()).collect();
        let spot = Spot::middle(&spots)?;
        if spots.iter().any(|other| spot.metres(*other) > SPREAD) {
            return None;
        }
        let entry = Entry {
            kind: PlaceKind::Postcode,
            name: code.to_owned(),
            names: Vec::new(),
            address: None,
            postcode: None,
            town: most(features.iter().filter_map(|f| f.address.city.clone())).or(towns.around(spot).0),
            areas: Vec::new(),
            spot,
        };
        Some(Gathered { entry, street: None })
    });
    gathered.collect()
}

/// Pieces of the same name, apart where they are in different places.
fn apart(pieces: Vec<Feature>) -> Vec<Vec<Feature>> {
    let square = |spot: &Spot| (spot.0.div_euclid(SQUARE), spot.1.div_euclid(SQUARE));
    let mut squares: HashMap<(i32, i32), usize> = HashMap::new();
    for piece in &pieces {
        for spot in &piece.spots {
            let next = squares.len();
            squares.entry(square(spot)).or_insert(next);
        }
    }
    let mut groups = Groups((0..squares.len()).collect());
    for (&(lat, lon), &index) in &squares {
        for neighbour in [(lat, lon + 1), (lat + 1, lon - 1), (lat + 1, lon), (lat + 1, lon + 1)] {
            if let Some(&other) = squares.get(&neighbour) {
                groups.join(index, other);
            }
        }
    }
    for piece in &pieces {
        let mut of = piece.spots.iter().filter_map(|spot| squares.get(&square(spot)).copied());
        if let Some(first) = of.next() {
            of.for_each(|other| groups.join(first, other));
        }
    }
    let mut streets: BTreeMap<usize, Vec<Feature>> = BTreeMap::new();
    for piece in pieces {
        let square = piece.spots.first().and_then(|spot| squares.get(&square(spot)).copied());
        if let Some(square) = square {
            streets.entry(groups.of(square)).or_default().push(piece);
        }
    }
    streets.into_values().collect()
}

/// Disjoint sets, each named by one of its members.
struct Groups(Vec<usize>);

impl Groups {
    fn of(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one] = other;
    }
}

fn street(pieces: &[Feature], towns: &Towns) -> Option<Gathered> {
    let ways = || pieces.iter().filter(|piece| piece.what == What::Street);
    let houses: Vec<House> =
        pieces.iter().filter(|piece| piece.what == What::Point).flat_map(of_house).collect();
    let name = most(ways().filter_map(|way| way.name.clone()))
        .or_else(|| most(pieces.iter().filter_map(|piece| piece.address.street.clone())))?;
    let other = pieces.iter().flat_map(|piece| match piece.what {
        What::Street => piece.names.iter().chain(&piece.name).cloned().collect(),
        _ => piece.address.street.iter().cloned().collect::<Vec<_>>(),
    });
    let names = different(other.filter(|other| *other != name));
    let lines = chains(ways().map(|way| way.spots.clone()).collect());
    let spot = lines
        .iter()
        .max_by_key(|line| line.len())
        .and_then(|line| line.get(line.len() / 2).copied())
        .or_else(|| Spot::middle(&houses.iter().map(|house| house.spot).collect::<Vec<_>>()))?;
    let (town, mut areas) = towns.around(spot);
    areas.extend(pieces.iter().filter_map(|piece| piece.address.area.clone()));
    let postcodes = different(houses.iter().filter_map(|house| house.postcode.clone()));
    // One postcode for all of it is part of its address; several are only words that it is found by.
    let postcode = (postcodes.len() == 1).then(|| postcodes[0].clone());
    areas.extend(postcodes);
    let entry = Entry {
        kind: PlaceKind::Street,
        name,
        names,
        address: None,
        postcode,
        town: most(pieces.iter().filter_map(|piece| piece.address.city.clone())).or(town),
        areas: different(areas.into_iter()),
        spot,
    };
    Some(Gathered { entry, street: Some(Street { houses: once(houses), lines }) })
}

fn of_house(piece: &Feature) -> Vec<House> {
    let (Some(tag), Some(spot)) = (&piece.address.number, Spot::middle(&piece.spots)) else {
        return Vec::new();
    };
    let numbers = Number::all(tag);
    let several = numbers.len() > 1;
    let house = |number: Number| House {
        text: if several { format!("{}{}", number.from, number.letter.to_uppercase()) } else { tag.clone() },
        number,
        spot,
        postcode: piece.address.postcode.clone(),
    };
    numbers.into_iter().map(house).collect()
}

/// Houses by number, each number once: several shops may be in one.
fn once(mut houses: Vec<House>) -> Vec<House> {
    houses.sort_by(|a, b| {
        let key = |house: &House| (house.number.from, house.number.to, house.number.letter.clone());
        // Those with a postcode first.
        key(a).cmp(&key(b)).then(a.postcode.is_none().cmp(&b.postcode.is_none()))
    });
    houses.dedup_by(|a, b| a.number == b.number);
    houses
}

/// Pieces that meet end to end as one line.
fn chains(mut pieces: Vec<Vec<Spot>>) -> Vec<Vec<Spot>> {
    let mut lines = Vec::new();
    while let Some(mut line) = pieces.pop() {
        while let Some(index) = pieces.iter().position(|piece| meets(&line, piece)) {
            let mut piece = pieces.swap_remove(index);
            if line.first() == piece.first() || line.first() == piece.last() {
                line.reverse();
            }
            if line.last() != piece.first() {
                piece.reverse();
            }
            line.extend(piece.into_iter().skip(1));
        }
        lines.push(line);
    }
    lines
}

fn meets(line: &[Spot], piece: &[Spot]) -> bool {
    [line.first(), line.last()].iter().any(|end| *end == piece.first() || *end == piece.last())
}

fn most(texts: impl Iterator<Item = String>) -> Option<String> {
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts {
        *counted.entry(text).or_default() += 1;
    }
    counted.into_iter().max_by_key(|(_, count)| *count).map(|(text, _)| text)
}

fn different(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

/// Settlements by where they are.
type Tree = RTree<GeomWithData<[f64; 2], Settlement>>;

/// Towns, and parts of towns, of which there are many around every spot.
struct Towns {
    towns: Tree,
    parts: Tree,
}

struct Settlement {
    name: String,
    /// Metres.
    radius: f64,
    spot: Spot,
}

impl Towns {
    fn of(features: &[Feature]) -> Self {
        let tree = |towns: bool| {
            let settlements = features.iter().filter_map(|feature| {
                let What::Settlement { radius, town } = feature.what else { return None };
                let spot = Spot::middle(&feature.spots)?;
                let settlement = Settlement { name: feature.name.clone()?, radius: f64::from(radius), spot };
                (town == towns).then(|| GeomWithData::new([spot.lat(), spot.lon()], settlement))
            });
            RTree::bulk_load(settlements.collect())
        };
        Self { towns: tree(true), parts: tree(false) }
    }

    /// The town that a spot belongs to: the one that is nearest for its size; and the names of what is around.
    fn around(&self, spot: Spot) -> (Option<String>, Vec<String>) {
        let near = |tree: &Tree| -> Vec<(f64, String)> {
            tree.nearest_neighbor_iter(&[spot.lat(), spot.lon()])
                .take(AROUND)
                .map(|found| (spot.metres(found.data.spot) / found.data.radius, found.data.name.clone()))
                .filter(|(share, _)| *share <= 1.0)
                .collect()
        };
        let towns = near(&self.towns);
        let town = towns.iter().min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name.clone());
        let all = near(&self.parts).into_iter().chain(towns).map(|(_, name)| name);
        (town.clone(), different(all.filter(|name| Some(name) != town.as_ref())))
    }
}

/// Spots by which a thing is found from the map: its own, its houses', and points along its lines no farther apart than
/// `step` metres.
pub(crate) fn spots(gathered: &Gathered, step: f64) -> Vec<Spot> {
    let mut spots = vec![gathered.entry.spot];
    let Some(street) = &gathered.street else { return spots };
    spots.extend(street.houses.iter().map(|house| house.spot));
    for line in &street.lines {
        spots.extend(line);
        for ends in line.windows(2) {
            let plane = Plane::at(ends[0]);
            let way = plane.flat(ends[1]);
            let length = way.x().hypot(way.y());
            let mut at = step;
            // A piece that is longer than any street is a fault of the map.
            while at < length.min(20_000.0) {
                spots.push(plane.spot(way * (at / length)));
                at += step;
            }
        }
    }
    spots
}
