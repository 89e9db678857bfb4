//! What can be wrong with streets.

use std::path::PathBuf;

/// Why streets could not be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not a whole `.osm.pbf`.
    #[error("{} is not a readable .osm.pbf: {reason}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Nothing in the files can be driven on.
    #[error("{files}: no streets in there")]
    NoStreets {
        /// Which files.
        files: String,
    },
    /// There are more streets than can be numbered.
    #[error("more streets than can be kept: {0}")]
    TooMany(String),
    /// The file of profiles is wrong.
    #[error("the profiles are not right: {0}")]
    Profiles(String),
    /// A bundle is damaged or of another version.
    #[error("{}: {reason}", path.display())]
    Bundle {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl Error {
    /// A file and what went wrong with it.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
