//! Addresses inside: what OpenStreetMap's extracts (`.osm.pbf`) know of streets, house numbers, postcodes, places and points
//! of interest, in an embedded full-text index. See the README beside this crate.
//!
//! [`prepare`] builds the index; [`AddressBook`] answers from it as a [`Geocoder`](routewright_roads::Geocoder).

mod abbreviations;
mod book;
mod entry;
mod gather;
mod index;
mod number;
mod osm;
mod reverse;
mod search;
mod text;

use std::path::PathBuf;

pub use book::{AddressBook, prepare};

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A map cannot be read.
    #[error("'{}' cannot be read as a map (.osm.pbf): {reason}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The maps have no addresses.
    #[error("there are no addresses in {files:?}")]
    Empty {
        /// The files, or the folders without any.
        files: Vec<PathBuf>,
    },
    /// The index cannot be written or opened.
    #[error("the index of addresses in '{}' cannot be used: {reason}", path.display())]
    Index {
        /// Its folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The folder for indexes cannot be written.
    #[error("'{}' cannot hold an index of addresses: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}
