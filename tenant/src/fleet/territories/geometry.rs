//! Areas on the map: reading and checking GeoJSON (RFC 7946), which place lies in which area, and the outline of several
//! areas. Coordinates are degrees WGS84, longitude first. Pure.

use geo::{BooleanOps, Coord, Intersects, LineString, MultiPolygon, Point, Polygon, Validation};
use serde::Deserialize;
use serde_json::Value;

/// Most points of one area.
const MOST_POINTS: usize = 2000;

/// A ring as GeoJSON writes it.
type Ring = Vec<[f64; 2]>;

/// Positions may carry a height, which is left out.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Geometry {
    Polygon { coordinates: Vec<Vec<Vec<f64>>> },
    MultiPolygon { coordinates: Vec<Vec<Vec<Vec<f64>>>> },
}

/// Reads and checks a GeoJSON Polygon or MultiPolygon.
///
/// # Errors
/// What is wrong, for the person who drew it.
pub(crate) fn read(geometry: &Value) -> Result<MultiPolygon<f64>, String> {
    let parts = match Geometry::deserialize(geometry) {
        Ok(Geometry::Polygon { coordinates }) => vec![coordinates],
        Ok(Geometry::MultiPolygon { coordinates }) => coordinates,
        Err(_) => return Err("Value is not a GeoJSON Polygon or MultiPolygon".to_owned()),
    };
    let mut polygons = Vec::with_capacity(parts.len());
    let mut points = 0;
    for rings in parts {
        let mut lines = Vec::with_capacity(rings.len());
        for ring in rings {
            points += ring.len();
            if points > MOST_POINTS {
                return Err(format!("An area can have at most {MOST_POINTS} points"));
            }
            lines.push(line(&ring)?);
        }
        if lines.is_empty() {
            return Err("An area needs a ring".to_owned());
        }
        let outer = lines.remove(0);
        polygons.push(Polygon::new(outer, lines));
    }
    if polygons.is_empty() {
        return Err("An area needs a ring".to_owned());
    }
    checked(MultiPolygon(polygons))
}

/// Reads outer rings drawn by hand, as territory groups have them.
///
/// # Errors
/// What is wrong, for the person who drew them.
pub(crate) fn read_rings(rings: &Value) -> Result<(), String> {
    let rings: Vec<Vec<Vec<f64>>> = Vec::deserialize(rings)
        .map_err(|_| "Value is not a list of rings of [longitude, latitude] positions".to_owned())?;
    if rings.iter().map(Vec::len).sum::<usize>() > MOST_POINTS {
        return Err(format!("An area can have at most {MOST_POINTS} points"));
    }
    for ring in &rings {
        checked(MultiPolygon(vec![Polygon::new(line(ring)?, Vec::new())]))?;
    }
    Ok(())
}

fn line(ring: &[Vec<f64>]) -> Result<LineString<f64>, String> {
    let mut coordinates = Vec::with_capacity(ring.len());
    for position in ring {
        let &[lon, lat, ..] = position.as_slice() else {
            return Err("A position needs longitude and latitude".to_owned());
        };
        if !(-180.0..=180.0).contains(&lon) || !(-90.0..=90.0).contains(&lat) {
            return Err(format!("Position [{lon}, {lat}] is not on the map (longitude first)"));
        }
        coordinates.push(Coord { x: lon, y: lat });
    }
    if coordinates.len() < 4 {
        return Err("A ring needs at least 3 different points and must be closed".to_owned());
    }
    if coordinates.first() != coordinates.last() {
        return Err("A ring must be closed: its last point must be its first".to_owned());
    }
    Ok(LineString(coordinates))
}

fn checked(area: MultiPolygon<f64>) -> Result<MultiPolygon<f64>, String> {
    match area.check_validation() {
        Ok(()) => Ok(area),
        Err(fault) if fault.to_string().contains("self-intersection") => {
            Err("A ring must not cross itself".to_owned())
        }
        Err(fault) => Err(format!("The area is not valid: {fault}")),
    }
}

/// Whether a place lies in an area; its border belongs to it.
pub(crate) fn contains(area: &MultiPolygon<f64>, lat: f64, lon: f64) -> bool {
    area.intersects(&Point::new(lon, lat))
}

/// The outer rings of several areas taken together. Areas that cannot be read are left out; none can be stored so.
pub(crate) fn outline(areas: &[Value]) -> Vec<Ring> {
    let areas = areas.iter().filter_map(|area| read(area).ok());
    let union = areas.reduce(|all, area| all.union(&area)).unwrap_or_else(|| MultiPolygon(Vec::new()));
    union.0.iter().map(|part| part.exterior().coords().map(|point| [point.x, point.y]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn square(west: f64, south: f64, side: f64) -> Value {
        let (east, north) = (west + side, south + side);
        json!({"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]})
    }

    #[test]
    fn a_border_belongs_to_its_area_and_a_hole_does_not() {
        let mut area = square(-9.0, 41.0, 1.0);
        area["coordinates"].as_array_mut().unwrap().push(json!([
            [-8.6, 41.4],
            [-8.4, 41.4],
            [-8.4, 41.6],
            [-8.6, 41.6],
            [-8.6, 41.4]
        ]));
        let area = read(&area).unwrap();
        assert!(contains(&area, 41.2, -8.8));
        assert!(contains(&area, 41.0, -8.5), "the southern border");
        assert!(contains(&area, 41.0, -9.0), "a corner");
        assert!(!contains(&area, 41.5, -8.5), "in the hole");
        assert!(!contains(&area, 40.999_999, -8.5));
    }

    #[test]
    fn what_is_no_area_is_refused_with_its_reason() {
        let bow = json!({"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]});
        assert_eq!(read(&bow).unwrap_err(), "A ring must not cross itself");
        let open = json!({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1]]]});
        assert_eq!(read(&open).unwrap_err(), "A ring must be closed: its last point must be its first");
        let swapped = json!({"type": "Polygon", "coordinates": [[[10, 95], [11, 95], [11, 96], [10, 95]]]});
        assert_eq!(read(&swapped).unwrap_err(), "Position [10, 95] is not on the map (longitude first)");
        for wrong in [
            json!({"type": "Point", "coordinates": [0, 0]}),
            json!({"type": "Polygon", "coordinates": "x"}),
            json!({"type": "Polygon"}),
            json!(7),
        ] {
            assert_eq!(read(&wrong).unwrap_err(), "Value is not a GeoJSON Polygon or MultiPolygon");
        }
        assert!(read(&json!({"type": "Polygon", "coordinates": []})).is_err());
        assert!(read(&json!({"type": "MultiPolygon", "coordinates": [[]]})).is_err());
        assert!(read(&json!({"type": "Polygon", "coordinates": [[[0], [1, 1], [1, 0], [0, 0]]]})).is_err());
    }

    #[test]
    fn an_area_has_at_most_two_thousand_points() {
        let circle = |points: usize| {
            let mut ring: Vec<[f64; 2]> = (0..points - 1)
                .map(|n| (n as f64 / (points - 1) as f64 * std::f64::consts::TAU).sin_cos())
                .map(|(sin, cos)| [sin, cos])
                .collect();
            ring.push(ring[0]);
            json!({"type": "Polygon", "coordinates": [ring]})
        };
        assert!(read(&circle(2000)).is_ok());
        assert_eq!(read(&circle(2001)).unwrap_err(), "An area can have at most 2000 points");
    }

    #[test]
    fn the_outline_joins_neighbours_and_keeps_islands() {
        let rings = outline(&[square(0.0, 0.0, 1.0), square(1.0, 0.0, 1.0), square(5.0, 5.0, 1.0)]);
        assert_eq!(rings.len(), 2);
        assert!(rings.iter().all(|ring| ring.first() == ring.last()));
        assert!(outline(&[]).is_empty());
        assert!(read_rings(&json!(rings)).is_ok());
        assert!(read_rings(&json!([[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]])).is_err());
    }
}
