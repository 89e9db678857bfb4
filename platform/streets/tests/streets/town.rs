//! A town of straight streets, a hundred metres from corner to corner.

use routewright_streets::{Position, Profiles, Progress, Streets, Way, build};

use routewright_testing::osm::Map;

/// Degrees of latitude and of longitude that are about 100 m at the town.
const STEP: (f64, f64) = (0.0009, 0.001_174);
const CORNER: (f64, f64) = (40.0, -8.0);

/// Place of a corner, counted from the south-west; fractions lie between corners.
pub(crate) fn at(north: f64, east: f64) -> Position {
    Position { lat: CORNER.0 + north * STEP.0, lon: CORNER.1 + east * STEP.1 }
}

/// Id of a corner's node.
pub(crate) fn corner(north: i64, east: i64) -> i64 {
    1 + north * 100 + east
}

/// A map whose corners are nodes already, `size` in each direction, none of them on a way.
pub(crate) fn corners(size: i64, tags: &dyn Fn(i64, i64) -> Vec<(&'static str, &'static str)>) -> Map {
    let mut map = Map::default();
    for north in 0..size {
        for east in 0..size {
            let place = at(north as f64, east as f64);
            map.node(corner(north, east), place.lat, place.lon, &tags(north, east));
        }
    }
    map
}

/// No tags.
pub(crate) fn plain(_: i64, _: i64) -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// Streets of a map, and the folder that they are in.
pub(crate) struct Town {
    pub(crate) streets: Streets,
    _folder: tempfile::TempDir,
}

impl Town {
    pub(crate) fn of(map: &Map) -> Self {
        // Hours that differ, so that tests see which one counts.
        Self::with(map, include_str!("../../src/profile/example-hours.json"), &|_| ())
    }

    /// With what an installation says about hours and vehicles; `progress` is told how it is made.
    pub(crate) fn with(map: &Map, hours: &str, progress: Progress) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("town.osm.pbf");
        map.write(&file).unwrap();
        let profiles = Profiles::built_in().unwrap().with_hours(hours).unwrap();
        let bundle = build(&[file], &folder.path().join("bundles"), &profiles, progress).unwrap();
        Self { streets: Streets::open(&bundle).unwrap(), _folder: folder }
    }

    /// The way between two places; table and route must tell the same.
    pub(crate) fn way(&self, profile: &str, from: Position, to: Position) -> Option<Way> {
        let drive = self.streets.drive(profile, None).unwrap();
        let way = self.streets.table(&[from, to], &drive).way(0, 1);
        let leg = self.streets.route(&[from, to], &drive).remove(0);
        assert_eq!(way, leg.map(|leg| leg.way), "{profile}: {from:?} to {to:?}");
        way
    }

    /// Length of the way at an hour of the week in steps of a hundred metres, and its seconds.
    pub(crate) fn at_hour(&self, profile: &str, hour: usize, from: Position, to: Position) -> (u32, u32) {
        let drive = self.streets.drive(profile, Some(hour)).unwrap();
        let way = self.streets.table(&[from, to], &drive).way(0, 1).unwrap();
        ((way.distance + 50) / 100, way.duration)
    }

    /// Length of the way in steps of a hundred metres, rounded; `None` when there is none.
    pub(crate) fn steps(&self, profile: &str, from: Position, to: Position) -> Option<u32> {
        self.way(profile, from, to).map(|way| (way.distance + 50) / 100)
    }
}
