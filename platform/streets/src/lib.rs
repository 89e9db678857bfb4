//! Streets: how long it takes from place to place by car, van, truck or bicycle, from OpenStreetMap's `.osm.pbf` files, in the
//! process that asks, without a server.
//!
//! [`build`] reads the files once and writes a *bundle*: a folder with the graph of the streets and a contraction hierarchy,
//! ready to be mapped into memory. [`Streets`] opens a bundle and answers: [`Streets::table`] the seconds and metres between many
//! places, [`Streets::route`] the way through some with its line, [`Streets::snap`] the nearest place on a street. The README of
//! this crate says how it works and what it costs.
//!
//! ```no_run
//! # fn example() -> Result<(), routewright_streets::Error> {
//! use routewright_streets::{Position, Profiles, Streets, build};
//!
//! let profiles = Profiles::built_in()?;
//! let bundle = build(&["porto.osm.pbf".into()], "bundles".as_ref(), &profiles, &|step| println!("{step}"))?;
//! let streets = Streets::open(&bundle)?;
//! let places = [Position { lat: 41.1455, lon: -8.6090 }, Position { lat: 41.1579, lon: -8.6291 }];
//! let drive = streets.drive("car", None).unwrap_or_default();
//! let table = streets.table(&places, &drive);
//! println!("{:?}", table.way(0, 1));
//! # Ok(())
//! # }
//! ```

mod bundle;
mod error;
mod graph;
mod hierarchy;
mod mapped;
mod osm;
mod own;
mod profile;
mod route;
mod snap;
mod streets;

pub use bundle::{build, bundle_of, sources};
pub use error::Error;
pub use profile::{Hours, Profile, Profiles, Size, Vehicle};
pub use route::Leg;
pub use snap::{FARTHEST, Snap};
pub use streets::{Drive, Streets, Table, Way};

/// Told what is being done.
pub type Progress<'a> = &'a (dyn Fn(&str) + Sync);

/// A place in degrees, WGS 84.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// Latitude, north positive.
    pub lat: f64,
    /// Longitude, east positive.
    pub lon: f64,
}

impl Position {
    fn place(self) -> osm::Place {
        [(self.lat * 1e7).round() as i32, (self.lon * 1e7).round() as i32]
    }

    fn of(place: osm::Place) -> Self {
        Self { lat: f64::from(place[0]) * 1e-7, lon: f64::from(place[1]) * 1e-7 }
    }
}
