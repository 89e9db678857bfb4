//! Made-up maps of any size.
//!
//! A *country* is like a real one: towns of different sizes with crooked streets and dead ends, joined by few roads and by a motorway
//! through every eighth row of them; two thirds of its nodes are points of a line between two junctions. A *grid* is worse than any
//! real one: every corner is a crossing of equal streets, so that there is no main road that shortcuts could follow.

use routewright_streets::Position;
use routewright_testing::osm::Map;

/// Where the south-western corner is.
const CORNER: (f64, f64) = (40.0, -8.0);
/// Degrees of latitude and of longitude that are about 100 m there.
const STEP: (f64, f64) = (0.0009, 0.001_174);

/// Nodes of a street of a grid between two corners.
const BETWEEN: i64 = 7;

/// Streets along every row and column of corners that are 100 m apart, with nodes in between.
pub(crate) fn grid(nodes: i64) -> Map {
    let mut map = Map::default();
    let reach = grid_side(nodes) * (BETWEEN + 1);
    let id = |north: i64, east: i64| 1 + north * reach * 2 + east;
    let (lat, lon) = (STEP.0 / (BETWEEN + 1) as f64, STEP.1 / (BETWEEN + 1) as f64);
    for north in 0..reach {
        let streets = if north % (BETWEEN + 1) == 0 { 1 } else { BETWEEN + 1 };
        for east in (0..reach).step_by(usize::try_from(streets).unwrap_or(1)) {
            map.node(id(north, east), CORNER.0 + north as f64 * lat, CORNER.1 + east as f64 * lon, &[]);
        }
    }
    for street in (0..reach).step_by(8) {
        let class = if street % 80 == 0 { "secondary" } else { "residential" };
        let tags = [("highway", class)];
        map.way(1 + street, &(0..reach).map(|east| id(street, east)).collect::<Vec<_>>(), &tags);
        map.way(1 + reach + street, &(0..reach).map(|north| id(north, street)).collect::<Vec<_>>(), &tags);
    }
    map
}

fn grid_side(nodes: i64) -> i64 {
    ((nodes as f64) / (2.0 * BETWEEN as f64 + 1.0)).sqrt().ceil() as i64
}

/// Rows and columns of corners of the towns, over and over; one of 64 is a city.
const TOWNS: [i64; 8] = [8, 14, 10, 22, 8, 12, 30, 10];
const CITY: i64 = 110;
/// Metres, in hundreds, from town to town.
const APART: i64 = 130;
/// Points of a road from town to town.
const ROAD: i64 = 24;
/// Shares, in hundredths, of the streets to the east that there are, and of all that go one way.
const EAST: u64 = 42;
const ONE_WAY: u64 = 15;
/// Nodes of 64 towns and their roads, about.
const NODES_OF_64: i64 = 97_000;

/// Numbers that look like chance and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A map while it is drawn.
struct Drawing {
    map: Map,
    chance: Chance,
    nodes: i64,
    ways: i64,
}

fn town_rows(nodes: i64) -> i64 {
    ((nodes as f64 / NODES_OF_64 as f64 * 64.0).sqrt().round() as i64).max(2)
}

/// Corners along a side of a town.
fn side(row: i64, column: i64) -> i64 {
    if row % 8 == 4 && column % 8 == 4 { CITY } else { TOWNS[((row * 3 + column) % 8) as usize] }
}

/// Towns and the roads between them.
pub(crate) fn country(nodes: i64) -> Map {
    let mut drawing = Drawing { map: Map::default(), chance: Chance(7), nodes: 0, ways: 0 };
    let rows = town_rows(nodes);
    let mut below: Vec<i64> = Vec::new();
    for row in 0..rows {
        let mut centres = Vec::new();
        for column in 0..rows {
            let centre = drawing.town(row, column);
            if let Some(west) = centres.last() {
                let class = if row % 8 == 0 { "motorway" } else { "primary" };
                drawing.road(*west, centre, (row, column - 1), (row, column), class);
            }
            if let Some(south) = below.get(column as usize) {
                let class = if column % 8 == 0 { "trunk" } else { "secondary" };
                drawing.road(*south, centre, (row - 1, column), (row, column), class);
            }
            centres.push(centre);
        }
        below = centres;
    }
    drawing.map
}

impl Drawing {
    /// A node at so many hundreds of metres, moved a little.
    fn node(&mut self, north: f64, east: f64) -> i64 {
        let mut off = || (self.chance.below(100) as f64 - 50.0) / 400.0;
        let (lat, lon) = (CORNER.0 + (north + off()) * STEP.0, CORNER.1 + (east + off()) * STEP.1);
        self.nodes += 1;
        self.map.node(self.nodes, lat, lon, &[]);
        self.nodes
    }

    fn street(&mut self, from: i64, to: i64, ends: [(f64, f64); 2], class: &str) {
        let points = 1 + self.chance.below(2);
        let mut nodes = vec![from];
        for point in 1..=points {
            let share = point as f64 / (points + 1) as f64;
            let between =
                |axis: fn(&(f64, f64)) -> f64| axis(&ends[0]) + (axis(&ends[1]) - axis(&ends[0])) * share;
            nodes.push(self.node(between(|end| end.0), between(|end| end.1)));
        }
        nodes.push(to);
        self.ways += 1;
        let one_way = self.chance.below(100) < ONE_WAY && class == "residential";
        let tags = [("highway", class), ("oneway", "yes")];
        self.map.way(self.ways, &nodes, &tags[..if one_way { 2 } else { 1 }]);
    }

    /// A town; returns its centre.
    fn town(&mut self, row: i64, column: i64) -> i64 {
        let side = side(row, column);
        let place = |north: i64, east: i64| ((row * APART + north) as f64, (column * APART + east) as f64);
        let corners: Vec<Vec<i64>> = (0..side)
            .map(|north| {
                (0..side).map(|east| place(north, east)).map(|(north, east)| self.node(north, east)).collect()
            })
            .collect();
        for north in 0..side {
            for east in 0..side {
                let main = north % 10 == 5 || east % 10 == 5;
                let class = if main { "tertiary" } else { "residential" };
                let at = corners[north as usize][east as usize];
                if north + 1 < side {
                    let to = corners[north as usize + 1][east as usize];
                    self.street(at, to, [place(north, east), place(north + 1, east)], class);
                }
                if east + 1 < side && (north == 0 || main || self.chance.below(100) < EAST) {
                    let to = corners[north as usize][east as usize + 1];
                    self.street(at, to, [place(north, east), place(north, east + 1)], class);
                }
            }
        }
        corners[side as usize / 2][side as usize / 2]
    }

    fn road(&mut self, from: i64, to: i64, one: (i64, i64), other: (i64, i64), class: &str) {
        let centre = |(row, column): (i64, i64)| {
            let half = side(row, column) / 2;
            ((row * APART + half) as f64, (column * APART + half) as f64)
        };
        let (start, end) = (centre(one), centre(other));
        let mut nodes = vec![from];
        for point in 1..=ROAD {
            let share = point as f64 / (ROAD + 1) as f64;
            nodes.push(self.node(start.0 + (end.0 - start.0) * share, start.1 + (end.1 - start.1) * share));
        }
        nodes.push(to);
        self.ways += 1;
        // A motorway says that both directions are one way here.
        let tags = [("highway", class), ("oneway", "no")];
        self.map.way(self.ways, &nodes, &tags);
    }
}

/// Places all over a made-up map; in a country they are in towns.
pub(crate) fn places(nodes: i64, count: u32, grid: bool) -> Vec<Position> {
    let (all, apart, within) = if grid { (grid_side(nodes), 1, 0) } else { (town_rows(nodes), APART, 4) };
    let place = |n: u32| {
        let at = |tenth: u32| (i64::from(tenth) * all / 10 * apart + within) as f64;
        let (north, east) = (at(n % 10), at(n / 10));
        Position { lat: CORNER.0 + north * STEP.0, lon: CORNER.1 + east * STEP.1 }
    };
    (0..count).map(place).collect()
}
