//! Lengths and bearings.

use crate::osm::Place;

/// Metres per 1e-7 degree of latitude, on a sphere of the earth's mean radius.
const METRES: f64 = 6_371_008.8 * std::f64::consts::PI / 180.0 * 1e-7;

/// The surroundings of a place as a plane: quick where many places are compared with one.
pub(crate) struct Flat {
    place: Place,
    /// Metres per 1e-7 degree of longitude.
    east: f64,
}

impl Flat {
    pub(crate) fn around(place: Place) -> Self {
        Self { place, east: METRES * (f64::from(place[0]) * 1e-7).to_radians().cos() }
    }

    /// Metres east and north of the place.
    pub(crate) fn offset(&self, to: Place) -> (f64, f64) {
        (across(self.place, to) * self.east, (f64::from(to[0]) - f64::from(self.place[0])) * METRES)
    }

    /// Metres from the place.
    pub(crate) fn metres(&self, to: Place) -> f64 {
        let (east, north) = self.offset(to);
        (east * east + north * north).sqrt()
    }
}

/// Metres east and north from one place to another near it.
pub(crate) fn offset(from: Place, to: Place) -> (f64, f64) {
    let middle = (f64::from(from[0]) + f64::from(to[0])) / 2.0 * 1e-7;
    let east = across(from, to) * METRES * middle.to_radians().cos();
    (east, (f64::from(to[0]) - f64::from(from[0])) * METRES)
}

/// 1e-7 degrees of longitude from one place to another, the short way round.
fn across(from: Place, to: Place) -> f64 {
    let east = f64::from(to[1]) - f64::from(from[1]);
    if east.abs() > 1.8e9 { east - 3.6e9 * east.signum() } else { east }
}

/// Metres between two places near each other.
pub(crate) fn metres(from: Place, to: Place) -> f64 {
    let (east, north) = offset(from, to);
    east.hypot(north)
}

/// Bearing in degrees along the first metres of a line.
pub(super) fn bearing(line: impl Iterator<Item = Place>) -> f64 {
    /// Metres over which a street shows where it goes.
    const LOOK: f64 = 10.0;
    let mut line = line.peekable();
    let Some(start) = line.next() else { return 0.0 };
    let mut end = start;
    let mut along = 0.0;
    for place in line {
        along += metres(end, place);
        end = place;
        if along >= LOOK {
            break;
        }
    }
    let (east, north) = offset(start, end);
    east.atan2(north).to_degrees()
}

/// Degrees from one bearing to another, -180 to 180, right positive.
pub(super) fn turn(from: f64, to: f64) -> f64 {
    (to - from + 540.0).rem_euclid(360.0) - 180.0
}
