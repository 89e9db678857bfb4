//! House numbers: those that are on the map, and the places of those between them.

use geo::{Euclidean, InterpolateLine as _, LineLocatePoint as _, LineString};
use serde::{Deserialize, Serialize};

use crate::entry::{Spot, Street};
use crate::text;

/// Largest number of a house: above it is a postcode or a telephone.
const LARGEST: u32 = 99_999;
/// Largest gap between two numbers whose houses may stand for those between, metres.
const GAP: f64 = 400.0;
/// A house farther from its street's middle than this is not measured along it, metres.
const ASIDE: f64 = 60.0;

/// A house of a street.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct House {
    pub(crate) number: Number,
    /// As it is written on the map.
    pub(crate) text: String,
    pub(crate) spot: Spot,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) postcode: Option<String>,
}

/// A house number: one, or from one to another, perhaps with a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Number {
    pub(crate) from: u32,
    pub(crate) to: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) letter: String,
}

impl Number {
    /// The numbers of a tag: `12`, `12A`, `12-16`, `12;14` (two houses). Those without digits are none.
    pub(crate) fn all(tag: &str) -> Vec<Self> {
        tag.split([';', ',']).filter_map(|part| Self::read(&text::words(part))).collect()
    }

    /// A number from the words at the beginning: `12`, `12 a`, `12 16`.
    fn read(words: &[String]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        let mut number = Self::of_word(first)?;
        match rest.first() {
            Some(word) if word.len() == 1 && number.letter.is_empty() => number.letter.clone_from(word),
            Some(word) => {
                if let Some(to) = Self::of_word(word).filter(|to| to.from > number.from) {
                    number.to = to.from;
                }
            }
            None => {}
        }
        Some(number)
    }

    /// The number that one word says.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let from = word[..end].parse().ok().filter(|number| (1..=LARGEST).contains(number))?;
        let letter = &word[end..];
        (letter.len() <= 2).then(|| Self { from, to: from, letter: letter.to_owned() })
    }

    fn has(&self, other: &Self) -> bool {
        let letters = self.letter.is_empty() || other.letter.is_empty() || self.letter == other.letter;
        // On one side of a street numbers are even or odd.
        letters && (self.from..=self.to).contains(&other.from) && (other.from - self.from).is_multiple_of(2)
    }
}

/// Where a number of a street is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found<'a> {
    /// On the map.
    House(&'a House),
    /// Between two of its side.
    Between(Spot),
    /// Nowhere between two; the nearest number of the street is here.
    Beside(Spot),
}

/// Looks for a number in a street. `None` in a street without houses.
pub(crate) fn find<'a>(street: &'a Street, wanted: &Number) -> Option<Found<'a>> {
    let same = |house: &&House| house.number.has(wanted);
    let exact = street.houses.iter().filter(same).min_by_key(|house| house.number.letter != wanted.letter);
    if let Some(house) = exact {
        return Some(Found::House(house));
    }
    let side = |house: &&House| house.number.from % 2 == wanted.from % 2;
    let below = street.houses.iter().filter(side).filter(|house| house.number.to < wanted.from);
    let above = street.houses.iter().filter(side).filter(|house| house.number.from > wanted.from);
    let below = below.max_by_key(|house| house.number.to);
    let above = above.min_by_key(|house| house.number.from);
    if let (Some(below), Some(above)) = (below, above)
        && below.spot.metres(above.spot) <= GAP
    {
        let whole = f64::from(above.number.from - below.number.to);
        let share = f64::from(wanted.from - below.number.to) / whole;
        return Some(Found::Between(between(&street.lines, below.spot, above.spot, share)));
    }
    let nearest = street.houses.iter().min_by_key(|house| house.number.from.abs_diff(wanted.from))?;
    Some(Found::Beside(nearest.spot))
}

/// The spot at a share of the way between two houses: along the piece of street that both are at, as far from its middle as
/// they are, else straight.
fn between(lines: &[Vec<Spot>], from: Spot, to: Spot, share: f64) -> Spot {
    let plane = Plane::at(from);
    let (from, to) = (plane.flat(from), plane.flat(to));
    let along = lines.iter().filter_map(|line| {
        let line = LineString::from(line.iter().map(|&spot| plane.flat(spot)).collect::<Vec<_>>());
        let start = line.line_locate_point(&from)?;
        let end = line.line_locate_point(&to)?;
        let [at_start, at_end, at] = [start, end, start + (end - start) * share]
            .map(|ratio| Euclidean.point_at_ratio_from_start(&line, ratio));
        let (aside_start, aside_end) = (from - at_start?, to - at_end?);
        let far = length(aside_start).max(length(aside_end));
        Some((far, at? + aside_start * (1.0 - share) + aside_end * share))
    });
    let nearest = along.filter(|(far, _)| *far <= ASIDE).min_by(|(a, _), (b, _)| a.total_cmp(b));
    plane.spot(nearest.map_or_else(|| from + (to - from) * share, |(_, point)| point))
}

fn length(point: geo::Point) -> f64 {
    point.x().hypot(point.y())
}

/// The globe as a plane in metres, around one spot.
pub(crate) struct Plane {
    origin: Spot,
    narrow: f64,
}

/// Of latitude.
const METRES_PER_DEGREE: f64 = 111_195.0;

impl Plane {
    pub(crate) fn at(origin: Spot) -> Self {
        // Meridians meet at the poles, where there are no streets.
        Self { origin, narrow: origin.lat().to_radians().cos().max(0.01) }
    }

    pub(crate) fn flat(&self, spot: Spot) -> geo::Point {
        geo::Point::new(
            (spot.lon() - self.origin.lon()) * METRES_PER_DEGREE * self.narrow,
            (spot.lat() - self.origin.lat()) * METRES_PER_DEGREE,
        )
    }

    pub(crate) fn spot(&self, point: geo::Point) -> Spot {
        Spot::new(
            self.origin.lat() + point.y() / METRES_PER_DEGREE,
            self.origin.lon() + point.x() / METRES_PER_DEGREE / self.narrow,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(text: &str, lat: f64, lon: f64) -> House {
        let number = Number::all(text).remove(0);
        House { number, text: text.to_owned(), spot: Spot::new(lat, lon), postcode: None }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let read =
            |tag: &str| Number::all(tag).into_iter().map(|n| (n.from, n.to, n.letter)).collect::<Vec<_>>();
        assert_eq!(read("12"), [(12, 12, String::new())]);
        assert_eq!(read("12A"), [(12, 12, "a".to_owned())]);
        assert_eq!(read("12-A"), [(12, 12, "a".to_owned())]);
        assert_eq!(read("88-96"), [(88, 96, String::new())]);
        assert_eq!(read("81; 79"), [(81, 81, String::new()), (79, 79, String::new())]);
        for nonsense in ["", "s/n", ";", "0", "99999999999999999999", "-"] {
            assert_eq!(read(nonsense), [], "{nonsense}");
        }
    }

    /// A number between two others is along the street, not across the corner.
    #[test]
    fn a_number_is_between_its_neighbours() {
        // From west to east, then north.
        let corner = [Spot::new(41.0, -8.01), Spot::new(41.0, -8.0), Spot::new(41.001, -8.0)];
        let street = Street {
            houses: vec![house("10", 41.0001, -8.002), house("20", 41.001, -8.0001), house("11", 41.0, -8.0)],
            lines: vec![corner.to_vec()],
        };
        let wanted = |text: &str| find(&street, &Number::all(text)[0]);
        assert!(matches!(wanted("10B"), Some(Found::House(house)) if house.text == "10"));
        let Some(Found::Between(spot)) = wanted("16") else { panic!("between 10 and 20") };
        let along = spot.metres(Spot::new(41.0001, -8.0));
        assert!(along < 25.0, "{spot:?} is {along} m from the corner");
        assert!(matches!(wanted("90"), Some(Found::Beside(_))), "after the last");
        assert!(matches!(wanted("13"), Some(Found::Beside(_))), "odd numbers have one neighbour");
        assert_eq!(find(&Street::default(), &Number::all("1")[0]), None);
    }
}
