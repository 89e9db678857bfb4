//! Ways of simulated drivers. Pure.

use routewright_roads::polyline;

/// Metres of a degree of latitude.
const DEGREE: f64 = 111_195.0;

/// Places in the order in which they are passed: latitude and longitude.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way(Vec<(f64, f64)>);

impl Way {
    /// A straight way.
    pub(super) fn straight(from: (f64, f64), to: (f64, f64)) -> Self {
        Self(vec![from, to])
    }

    /// From a place along an encoded polyline (precision 5) to another one. Straight where it is none, or leads elsewhere.
    pub(super) fn along(from: (f64, f64), encoded: &str, to: (f64, f64)) -> Self {
        let line: Vec<(f64, f64)> =
            polyline(encoded).unwrap_or_default().into_iter().map(|(lon, lat)| (lat, lon)).collect();
        let fits = line.first().is_some_and(|first| metres(*first, from) < 300.0)
            && line.last().is_some_and(|last| metres(*last, to) < 300.0);
        if !fits {
            return Self::straight(from, to);
        }
        Self(std::iter::once(from).chain(line).chain(std::iter::once(to)).collect())
    }

    /// Its length.
    pub(super) fn metres(&self) -> f64 {
        self.0.windows(2).map(|pair| metres(pair[0], pair[1])).sum()
    }

    /// Where it ends.
    pub(super) fn end(&self) -> Option<(f64, f64)> {
        self.0.last().copied()
    }

    /// The place after a part of it, 0 to 1.
    pub(super) fn at(&self, part: f64) -> Option<(f64, f64)> {
        let mut left = self.metres() * part.clamp(0.0, 1.0);
        for pair in self.0.windows(2) {
            let length = metres(pair[0], pair[1]);
            if left <= length && length > 0.0 {
                return Some(between(pair[0], pair[1], left / length));
            }
            left -= length;
        }
        self.end()
    }

    /// Its first and its second half.
    pub(super) fn halves(&self) -> (Self, Self) {
        let Some(middle) = self.at(0.5) else { return (self.clone(), self.clone()) };
        let half = self.metres() / 2.0;
        let (mut first, mut second, mut passed) = (Vec::new(), vec![middle], 0.0);
        for (index, place) in self.0.iter().enumerate() {
            if index > 0 {
                passed += metres(self.0[index - 1], *place);
            }
            if passed < half { first.push(*place) } else { second.push(*place) }
        }
        first.push(middle);
        (Self(first), Self(second))
    }

    /// The same, with so many metres to a place aside of its middle, and back.
    pub(super) fn astray(&self, away: f64) -> Self {
        let (Some(middle), Some(&from), Some(to)) = (self.at(0.5), self.0.first(), self.end()) else {
            return self.clone();
        };
        let shrink = middle.0.to_radians().cos().max(0.01);
        let (north, east) = ((to.0 - from.0), (to.1 - from.1) * shrink);
        let length = north.hypot(east).max(1e-9);
        // To the left of where it leads.
        let aside =
            (middle.0 + east / length * away / DEGREE, middle.1 - north / length * away / DEGREE / shrink);
        let (first, second) = self.halves();
        let places = first.0.into_iter().chain([aside]).chain(second.0);
        Self(places.collect())
    }
}

/// Metres between two places; exact enough within a town.
pub(super) fn metres(a: (f64, f64), b: (f64, f64)) -> f64 {
    let shrink = f64::midpoint(a.0, b.0).to_radians().cos();
    ((b.0 - a.0) * DEGREE).hypot((b.1 - a.1) * DEGREE * shrink)
}

fn between(a: (f64, f64), b: (f64, f64), part: f64) -> (f64, f64) {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_passed_from_its_begin_to_its_end() {
        let way = Way(vec![(41.0, -8.0), (41.01, -8.0), (41.01, -7.99)]);
        assert_eq!(way.at(0.0), Some((41.0, -8.0)));
        assert_eq!(way.at(1.0), Some((41.01, -7.99)));
        let (first, second) = way.halves();
        assert!((first.metres() + second.metres() - way.metres()).abs() < 1.0);
        assert_eq!(first.end(), second.at(0.0));
        let astray = way.astray(3_000.0);
        assert!(astray.metres() > way.metres() + 5_000.0 && astray.end() == way.end());
    }

    #[test]
    fn a_line_that_leads_elsewhere_is_not_followed() {
        let (from, to) = ((38.5, -120.2), (43.252, -126.453));
        let line = "_p~iF~ps|U_ulLnnqC_mqNvxq`@";
        assert_eq!(Way::along(from, line, to).0.len(), 5);
        assert_eq!(Way::along(from, line, (41.0, -8.0)), Way::straight(from, (41.0, -8.0)));
        assert_eq!(Way::along(from, "not a line", to), Way::straight(from, to));
    }
}
