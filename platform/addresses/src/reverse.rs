//! Finds what is at a point: the nearest house, else the nearest street, point of interest or place.

use routewright_roads::{Place, PlaceKind, PlaceSource, Point};
use tantivy::TantivyError;
use tantivy::Term;
use tantivy::collector::DocSetCollector;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::entry::{Entry, Spot, Street};
use crate::index::{Opened, ring};
use crate::number::Plane;
use crate::search::read;

/// Cells around that are looked in, ring after ring: about half a kilometre.
const RINGS: i32 = 3;
/// A house is the address of a point no farther away than that, metres.
const DOOR: f64 = 50.0;
/// Where nothing of the address is left, metres.
const FAR: f64 = 800.0;

/// What is nearest to a point, or `None` where nothing is near.
///
/// # Errors
/// When the index cannot be read.
pub(crate) fn reverse(opened: &Opened, point: Point) -> Result<Option<Place>, TantivyError> {
    let here = Spot::new(point.lat(), point.lon());
    let searcher = opened.reader.searcher();
    let mut best: Option<(f64, Place)> = None;
    for at in 0..=RINGS {
        let cells = ring(here, at).map(|cell| -> Box<dyn Query> {
            Box::new(TermQuery::new(Term::from_field_u64(opened.fields.cell, cell), IndexRecordOption::Basic))
        });
        for address in searcher.search(&BooleanQuery::union(cells.collect()), &DocSetCollector)? {
            let (entry, street) = read(opened, &searcher, address)?;
            let nearest = match &street {
                Some(street) => of_street(here, &entry, street),
                // Shops are not addresses; towns and postcodes are too wide to be one.
                None => None,
            };
            if let Some((order, place)) = nearest
                && best.as_ref().is_none_or(|(before, _)| order < *before)
            {
                best = Some((order, place));
            }
        }
        // What is in the next ring may be nearer than what is in the far corner of this one.
        if at > 0 && best.is_some() {
            break;
        }
    }
    Ok(best.map(|(_, place)| place))
}

/// The address that a street gives a point, and how far it is: a house near by, else the street itself.
fn of_street(here: Spot, entry: &Entry, street: &Street) -> Option<(f64, Place)> {
    let houses = street.houses.iter().map(|house| (here.metres(house.spot), house));
    let house = houses.min_by(|(a, _), (b, _)| a.total_cmp(b)).filter(|(metres, _)| *metres <= DOOR);
    let place = |metres: f64, address: String, spot: Spot, kind: PlaceKind| {
        let confidence = (kind.exactness() * (1.0 - metres / FAR)).clamp(0.0, 1.0);
        Some((metres, Place { address, point: spot.point()?, confidence, kind, source: PlaceSource::Map }))
    };
    if let Some((metres, house)) = house {
        let address = entry.label(Some(&house.text), house.postcode.as_deref());
        return place(metres, address, house.spot, PlaceKind::House);
    }
    let (metres, spot) = on_lines(here, &street.lines)?;
    // A door before the middle of a street.
    place(metres + DOOR, entry.label(None, None), spot, PlaceKind::Street)
        .filter(|(metres, _)| *metres <= FAR)
}

/// The nearest spot on some lines, and how far it is, metres.
fn on_lines(here: Spot, lines: &[Vec<Spot>]) -> Option<(f64, Spot)> {
    let plane = Plane::at(here);
    let ends = lines.iter().flat_map(|line| line.windows(2));
    let nearest = ends.map(|ends| {
        let (from, to) = (plane.flat(ends[0]), plane.flat(ends[1]));
        let way = to - from;
        let length = way.dot(way);
        let share = if length > 0.0 {
            ((geo::Point::default() - from).dot(way) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let spot = from + way * share;
        (spot.x().hypot(spot.y()), spot)
    });
    let (metres, spot) = nearest.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some((metres, plane.spot(spot)))
}
