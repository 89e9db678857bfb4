//! Travel times without a road network.

use async_trait::async_trait;

use crate::{Leg, Matrix, Point, Roads, Route, Source};

/// Mean radius of the earth in metres (IUGG).
const EARTH_RADIUS: f64 = 6_371_008.8;
/// How much longer roads are than the great circle.
const DETOUR: f64 = 1.3;
/// Speed in km/h by length of the way door to door: up to this many metres, this fast.
const SPEEDS: [(f64, f64); 4] = [(2_000.0, 25.0), (10_000.0, 40.0), (50_000.0, 60.0), (f64::INFINITY, 80.0)];

/// Most points whose ways take less than it costs to do them elsewhere.
const FEW: usize = 100;

/// Estimates ways as great circle x 1.3, driven at 25 km/h under 2 km, 40 km/h under 10 km, 60 km/h under 50 km and
/// 80 km/h beyond; the length that decides is that of the way, detour included.
#[derive(Debug, Clone, Copy, Default)]
pub struct GreatCircle;

impl GreatCircle {
    /// Seconds and metres of the way between two points.
    pub fn way(from: Point, to: Point) -> (u32, u32) {
        let metres = great_circle(from, to) * DETOUR;
        let kmh = SPEEDS.iter().find(|(below, _)| metres < *below).map_or(80.0, |(_, kmh)| *kmh);
        let seconds = metres / (kmh / 3.6);
        (seconds.round() as u32, metres.round() as u32)
    }

    pub(crate) fn leg(from: Point, to: Point) -> Leg {
        let (duration, distance) = Self::way(from, to);
        Leg { duration, distance, geometry: line(&[from, to]) }
    }

    /// Ways between all points. Ten thousand have a hundred million of them, which keeps nobody else waiting.
    pub(crate) async fn matrix_of(points: &[Point], source: Source) -> Matrix {
        let size = points.len();
        let (durations, distances) = if size <= FEW {
            ways(points)
        } else {
            let kept = points.to_vec();
            // Only a process that ends does not do it.
            tokio::task::spawn_blocking(move || ways(&kept)).await.unwrap_or_else(|_| ways(points))
        };
        Matrix { size, durations, distances, source, off_road: Vec::new() }
    }

    pub(crate) fn route_of(points: &[Point], source: Source) -> Route {
        let legs = points.windows(2).map(|pair| Self::leg(pair[0], pair[1])).collect();
        Route { legs, geometry: line(points), source }
    }
}

#[async_trait]
impl Roads for GreatCircle {
    async fn matrix(&self, points: &[Point]) -> Matrix {
        Self::matrix_of(points, Source::GreatCircle).await
    }

    async fn route(&self, points: &[Point]) -> Route {
        Self::route_of(points, Source::GreatCircle)
    }

    async fn nearest(&self, _point: Point) -> Option<Point> {
        None
    }

    fn name(&self) -> &'static str {
        "great_circle"
    }
}

/// Seconds and metres between all points, row by row.
fn ways(points: &[Point]) -> (Vec<u32>, Vec<u32>) {
    let pairs = points.len() * points.len();
    let (mut seconds, mut metres) = (Vec::with_capacity(pairs), Vec::with_capacity(pairs));
    for (from, to) in points.iter().flat_map(|from| points.iter().map(move |to| (from, to))) {
        let way = GreatCircle::way(*from, *to);
        seconds.push(way.0);
        metres.push(way.1);
    }
    (seconds, metres)
}

/// Metres along the great circle, haversine formula.
pub(crate) fn great_circle(from: Point, to: Point) -> f64 {
    let (lat1, lat2) = (from.lat().to_radians(), to.lat().to_radians());
    let half_lat = (lat2 - lat1) / 2.0;
    let half_lon = (to.lon() - from.lon()).to_radians() / 2.0;
    let h = half_lat.sin().powi(2) + lat1.cos() * lat2.cos() * half_lon.sin().powi(2);
    2.0 * EARTH_RADIUS * h.sqrt().min(1.0).asin()
}

/// Straight lines between points as encoded polyline, precision 5.
pub(crate) fn line(points: &[Point]) -> String {
    // Points are on the globe, which is all that the encoder asks for.
    crate::lines::encode(&points.iter().map(|p| (p.lon(), p.lat())).collect::<Vec<_>>()).unwrap_or_default()
}
