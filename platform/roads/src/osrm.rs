//! Travel times from an OSRM-compatible server.

mod server;
mod table;
mod way;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use quick_cache::sync::Cache;

use self::server::Server;
use crate::{GreatCircle, Matrix, Point, Roads, RoadsError, Route, Source};

/// How the server is used. The defaults fit an `osrm-routed` started without options.
#[derive(Debug, Clone)]
pub struct OsrmOptions {
    /// Most sources and most destinations of one table request (`--max-table-size`).
    pub block: usize,
    /// Most points of one route request (`--max-viaroute-size` is 500).
    pub chunk: usize,
    /// Table requests under way at the same time.
    pub parallel: usize,
    /// Time for one request, answer included.
    pub timeout: Duration,
    /// How often a request that failed is sent again.
    pub retries: u32,
    /// For how long a server that failed is left alone.
    pub rest: Duration,
    /// Most pairs of places kept in memory; about 50 bytes each.
    pub cached_pairs: usize,
    /// A place farther from the next road than this, in metres, is not on the server's map, and its ways are
    /// estimated. Without this limit a server of Porto would answer for Melbourne.
    pub farthest_road: f64,
}

impl Default for OsrmOptions {
    fn default() -> Self {
        Self {
            block: 100,
            chunk: 100,
            parallel: 4,
            timeout: Duration::from_secs(15),
            retries: 2,
            rest: Duration::from_secs(15),
            cached_pairs: 2_000_000,
            farthest_road: 5_000.0,
        }
    }
}

/// A place at the grain of the cache: latitude and longitude in 1/100,000 degrees.
type Place = (i32, i32);
/// Seconds and metres, or `None` where the server knows no way.
type Way = Option<(u32, u32)>;

/// Roads of an OSRM server over HTTP: tables in blocks, routes in chunks, pairs of places cached.
///
/// When the server does not answer, the whole answer is estimated by [`GreatCircle`] and says so; where it knows no
/// way, only that pair is.
#[derive(Debug)]
pub struct Osrm {
    server: Server,
    options: OsrmOptions,
    ways: Arc<Cache<(Place, Place), Way>>,
}

impl Osrm {
    /// An engine for the server at this address, for example `http://osrm:5000`.
    pub fn new(url: &str, options: OsrmOptions) -> Result<Self, RoadsError> {
        let server = Server::new(url, &options)?;
        let ways = Arc::new(Cache::new(options.cached_pairs.max(1)));
        Ok(Self { server, options, ways })
    }
}

#[async_trait]
impl Roads for Osrm {
    async fn matrix(&self, points: &[Point]) -> Matrix {
        let mut places: Vec<Place> = Vec::new();
        let mut index: HashMap<Place, usize> = HashMap::new();
        let place_of: Vec<usize> = points
            .iter()
            .map(|point| {
                *index.entry(point.rounded()).or_insert_with(|| {
                    places.push(point.rounded());
                    places.len() - 1
                })
            })
            .collect();
        let ways = match self.ways_between(&places).await {
            Ok(ways) => ways,
            Err(reason) => {
                tracing::warn!(%reason, points = points.len(), "travel times are estimated: the road server failed");
                return GreatCircle::matrix_of(points, Source::GreatCircleInstead { reason }).await;
            }
        };
        let mut estimated = 0;
        let size = points.len();
        let (mut durations, mut distances) = (ways.seconds, ways.metres);
        // In their place unless some points share one: at 10,000 a copy would be 800 MB.
        if places.len() < size {
            let of = |cells: &[u32]| -> Vec<u32> {
                let rows = place_of.iter().map(|from| &cells[from * places.len()..][..places.len()]);
                rows.flat_map(|row| place_of.iter().map(|to| row[*to])).collect()
            };
            (durations, distances) = (of(&durations), of(&distances));
        }
        for at in 0..size * size {
            if durations[at] == table::NO_WAY {
                estimated += 1;
                (durations[at], distances[at]) = GreatCircle::way(points[at / size], points[at % size]);
            }
        }
        Matrix { size, durations, distances, source: partly(estimated), off_road: Vec::new() }
    }

    async fn route(&self, points: &[Point]) -> Route {
        match self.way_through(points).await {
            Ok(route) => route,
            Err(reason) => {
                tracing::warn!(%reason, points = points.len(), "route is estimated: the road server failed");
                GreatCircle::route_of(points, Source::GreatCircleInstead { reason })
            }
        }
    }

    async fn nearest(&self, point: Point) -> Option<Point> {
        match self.server.nearest(point).await {
            Ok((place, metres)) => place.filter(|_| metres <= self.options.farthest_road),
            Err(error) => {
                tracing::warn!(%error, "the nearest road is not known: the road server failed");
                None
            }
        }
    }

    fn name(&self) -> &'static str {
        "osrm"
    }
}

/// Roads, with the number of estimates.
fn partly(estimated: usize) -> Source {
    match estimated {
        0 => Source::Osrm,
        _ => Source::OsrmPartly { estimated },
    }
}
