//! Roads: how long it takes from place to place, and where an address is.
//!
//! [`Roads`] has three engines: [`OwnStreets`], streets from `.osm.pbf` files in this process, [`Osrm`], any OSRM-compatible
//! server, and [`GreatCircle`], an estimate that needs no map. [`connect`] chooses. Travel times are those of an average car; a run divides them by its own
//! `speed_multiplier`. Every answer names its [`Source`], so that a plan can say what it was made with.
//!
//! [`Geocoder`] turns text into places and says of each how sure it is: coordinates typed as text always, addresses where
//! map data is at hand (`routewright-addresses`) or a Nominatim- or Photon-compatible server is configured; [`InTurn`]
//! asks several.

mod geocoder;
mod great_circle;
mod lines;
mod osrm;
mod point;
mod profile;
mod streets;
mod traffic;
mod vehicle;

use std::sync::Arc;

use async_trait::async_trait;

pub use geocoder::{
    Geocoder, GeocoderError, HttpGeocoder, HttpKind, InTurn, Place, PlaceKind, PlaceSource, SURE,
    TypedCoordinates, typed_coordinates,
};
pub use great_circle::GreatCircle;
pub use lines::decode as polyline;
pub use osrm::{Osrm, OsrmOptions};
pub use point::{Point, PointError};
pub use profile::RoadProfile;
pub use streets::{OwnStreets, StreetsOptions};
pub use traffic::arrival;
pub use vehicle::{RoadVehicle, Tolls};

/// Travel times between all points: `durations[from * size + to]`, likewise `distances`. The way back may differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Number of points.
    pub size: usize,
    /// Seconds, row-major.
    pub durations: Vec<u32>,
    /// Metres, row-major.
    pub distances: Vec<u32>,
    /// What the values come from.
    pub source: Source,
    /// Points that lie where the roads are known and that no road leads to: in the sea, on an island without a bridge. Their ways
    /// are estimated like those to places beyond the map; a plan should say that nobody can drive there.
    pub off_road: Vec<usize>,
}

impl Matrix {
    /// Seconds from point `from` to point `to`; `None` outside the matrix.
    pub fn duration(&self, from: usize, to: usize) -> Option<u32> {
        self.index(from, to).and_then(|i| self.durations.get(i).copied())
    }

    /// Metres from point `from` to point `to`; `None` outside the matrix.
    pub fn distance(&self, from: usize, to: usize) -> Option<u32> {
        self.index(from, to).and_then(|i| self.distances.get(i).copied())
    }

    fn index(&self, from: usize, to: usize) -> Option<usize> {
        (from < self.size && to < self.size).then(|| from * self.size + to)
    }
}

/// The way through a list of points.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// One leg per pair of neighbours: one less than points.
    pub legs: Vec<Leg>,
    /// The whole way as encoded polyline, precision 5.
    pub geometry: String,
    /// What the legs come from.
    pub source: Source,
}

/// The way from one point to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// Seconds.
    pub duration: u32,
    /// Metres.
    pub distance: u32,
    /// Encoded polyline, precision 5.
    pub geometry: String,
}

/// What travel times come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Estimated along the great circle.
    GreatCircle,
    /// Streets in this process.
    Streets,
    /// Streets in this process, but for some pairs (of a matrix) or legs (of a route) they know no way, so these are estimated
    /// along the great circle.
    StreetsPartly {
        /// How many are estimated.
        estimated: usize,
    },
    /// Roads of an OSRM server.
    Osrm,
    /// Roads of an OSRM server, but for some pairs (of a matrix) or legs (of a route) it knows no way, so these are
    /// estimated along the great circle.
    OsrmPartly {
        /// How many are estimated.
        estimated: usize,
    },
    /// Estimated along the great circle, because the OSRM server did not answer or the streets are not ready.
    GreatCircleInstead {
        /// What went wrong, for the log and the planner.
        reason: String,
    },
}

impl Source {
    /// `great_circle`, `streets`, `streets+great_circle`, `osrm` or `osrm+great_circle`: what a plan keeps.
    pub fn name(&self) -> &'static str {
        match self {
            Self::GreatCircle | Self::GreatCircleInstead { .. } => "great_circle",
            Self::Streets => "streets",
            Self::StreetsPartly { .. } => "streets+great_circle",
            Self::Osrm => "osrm",
            Self::OsrmPartly { .. } => "osrm+great_circle",
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::GreatCircle => write!(f, "great circle"),
            Self::Osrm | Self::Streets => write!(f, "roads"),
            Self::OsrmPartly { estimated } | Self::StreetsPartly { estimated } => {
                write!(f, "roads, {estimated} estimated along the great circle")
            }
            Self::GreatCircleInstead { reason } => {
                write!(f, "great circle, as the roads could not be asked: {reason}")
            }
        }
    }
}

/// How fast traffic is by hour of the week.
pub type Paces = [f64; 7 * 24];

/// What takes seconds and metres of rows of a matrix.
pub type TakeRows = Arc<dyn Fn(&[u32], &[u32]) + Send + Sync>;

/// What there is to say about a matrix beside its ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// As [`Matrix::source`].
    pub source: Source,
    /// As [`Matrix::off_road`].
    pub off_road: Vec<usize>,
}

/// A source of travel times. It always answers: where roads are not known, times are estimated and the answer's
/// [`Source`] says so.
#[async_trait]
pub trait Roads: Send + Sync + std::fmt::Debug {
    /// Travel times between all pairs of points, by car.
    async fn matrix(&self, points: &[Point]) -> Matrix;

    /// The way through the points in this order, by car. Fewer than two points make a route without legs.
    async fn route(&self, points: &[Point]) -> Route;

    /// Likewise by another vehicle; an engine that knows one kind alone answers with that.
    async fn matrix_of(&self, _vehicle: RoadVehicle, points: &[Point]) -> Matrix {
        self.matrix(points).await
    }

    /// Likewise some rows at a time, for so many points that a matrix of all ways is to be in memory once and no more: `take` is
    /// given the seconds and the metres of one or more whole rows, in their order.
    async fn rows_of(&self, vehicle: RoadVehicle, points: &[Point], take: TakeRows) -> Told {
        let found = self.matrix_of(vehicle, points).await;
        take(&found.durations, &found.distances);
        Told { source: found.source, off_road: found.off_road }
    }

    /// Likewise by another vehicle; an engine that knows one kind alone answers with that.
    async fn route_of(&self, _vehicle: RoadVehicle, points: &[Point]) -> Route {
        self.route(points).await
    }

    /// For each of these vehicles one that takes the same ways: of vehicles that take the same, always the same one. Whoever asks for
    /// the ways of many vehicles asks for those of each of these once.
    async fn alike(&self, vehicles: &[RoadVehicle]) -> Vec<RoadVehicle> {
        vehicles.iter().map(|vehicle| vehicle.profile.into()).collect()
    }

    /// The nearest place on a road, or `None` where roads are not known.
    async fn nearest(&self, point: Point) -> Option<Point>;

    /// By hour of the week, 0 to 167 from Monday's first of local time, how fast traffic is: the share of the speed that times are
    /// told for. `None` where it is the same at every hour. Times of a vehicle that tells when it leaves are those of its ways at
    /// that hour, told for the same speed: at the pace of that hour they take as long as they do then.
    fn paces(&self) -> Option<Paces> {
        None
    }

    /// Name of the engine as configured: `great_circle`, `streets` or `osrm`.
    fn name(&self) -> &'static str;
}

/// The engine for a configuration: a server when `OSRM_URL` is set, otherwise streets of this process when `ROADS` is, otherwise
/// the great circle.
///
/// # Errors
/// When the address is none, or a file of the streets is not there.
pub fn connect(
    osrm_url: Option<&str>,
    streets: Option<StreetsOptions>,
) -> Result<Arc<dyn Roads>, RoadsError> {
    match (osrm_url.map(str::trim).filter(|url| !url.is_empty()), streets) {
        (Some(url), _) => Ok(Arc::new(Osrm::new(url, OsrmOptions::default())?)),
        (None, Some(options)) => Ok(Arc::new(OwnStreets::start(options)?)),
        (None, None) => Ok(Arc::new(GreatCircle)),
    }
}

/// Why an engine could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum RoadsError {
    /// The address of the server is not an http or https URL.
    #[error("'{url}' is not the address of a server: {reason}")]
    Url {
        /// The address as configured.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be made")]
    Client(#[from] routewright_outbound::SetupError),
    /// The streets of `ROADS` cannot be had.
    #[error("ROADS: {0}")]
    Streets(#[source] routewright_streets::Error),
    /// There is no thread to prepare the streets on.
    #[error("there is no thread for the streets")]
    Thread(#[source] std::io::Error),
}
