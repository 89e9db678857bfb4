//! The address book of an installation: built in the background, searched off the threads that answer requests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use arc_swap::ArcSwapOption;
use async_trait::async_trait;
use rayon::{ThreadPool, ThreadPoolBuilder};
use routewright_governor::{Pace, Seats, priority};
use routewright_roads::{Geocoder, GeocoderError, Place, Point, TypedCoordinates, typed_coordinates};
use tokio::sync::oneshot;

use crate::index::{self, Opened};
use crate::{BuildError, reverse, search};

/// Where all questions of this process are answered: as many at the same time as there are seats for heavy work, behind what
/// answers requests. None when there are no threads.
static ANSWERING: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let pool = ThreadPoolBuilder::new()
        .num_threads(Seats::of_machine().count())
        .thread_name(|number| format!("addresses {number}"))
        .start_handler(|_| priority::lower(priority::SEARCH))
        .build();
    pool.inspect_err(|error| tracing::error!(%error, "there are no threads for addresses")).ok()
});

/// Builds that this process has begun.
static BUILDS: AtomicU64 = AtomicU64::new(0);

/// Addresses of the installation's map data. Cheap to clone.
///
/// It knows nothing until its index is opened; [`open`](Self::open) does that in the background, so that a service starts
/// without waiting for it.
#[derive(Clone, Default)]
pub struct AddressBook {
    opened: Arc<ArcSwapOption<Opened>>,
}

impl std::fmt::Debug for AddressBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddressBook").field("ready", &self.is_ready()).finish()
    }
}

impl AddressBook {
    /// Opens the index of some maps (`.osm.pbf` files, or folders of them) that is kept in `folder`, on a thread of its own;
    /// builds it first when there is none or a map has changed, which keeps that thread and one more busy at the priority of the
    /// process. What goes wrong is logged, and the book stays empty.
    pub fn open(maps: Vec<PathBuf>, folder: PathBuf) -> Self {
        let book = Self::default();
        let opened = Arc::clone(&book.opened);
        let work = move || {
            let started = Instant::now();
            match prepare(&maps, &folder).and_then(|folder| index::open(&folder)) {
                Ok(index) => {
                    opened.store(Some(Arc::new(index)));
                    tracing::info!(
                        milliseconds = started.elapsed().as_millis(),
                        "addresses of the map are ready"
                    );
                }
                Err(error) => tracing::error!(%error, "addresses of the map cannot be used"),
            }
        };
        if let Err(error) = std::thread::Builder::new().name("addresses".to_owned()).spawn(work) {
            tracing::error!(%error, "addresses of the map cannot be used");
        }
        book
    }

    /// Whether addresses can be found.
    pub fn is_ready(&self) -> bool {
        self.opened.load().is_some()
    }

    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Opened) -> tantivy::Result<T> + Send + 'static,
    ) -> Result<Option<T>, GeocoderError> {
        let Some(opened) = self.opened.load_full() else { return Ok(None) };
        let fault = |error: &dyn std::fmt::Display| GeocoderError::Index(error.to_string());
        let pool = ANSWERING.as_ref().ok_or_else(|| fault(&"there are no threads"))?;
        let (tell, told) = oneshot::channel();
        pool.spawn(move || {
            // Whoever asked may have left meanwhile.
            if !tell.is_closed() {
                drop(tell.send(priority::timed(|| catch_unwind(AssertUnwindSafe(|| question(&opened))))));
            }
        });
        let (answer, took) = told.await.map_err(|error| fault(&error))?;
        Pace::charge(took);
        match answer {
            Ok(answer) => answer.map(Some).map_err(|error| fault(&error)),
            Err(_) => Err(fault(&"the search panicked")),
        }
    }
}

#[async_trait]
impl Geocoder for AddressBook {
    async fn search(
        &self,
        text: &str,
        limit: usize,
        near: Option<Point>,
    ) -> Result<Vec<Place>, GeocoderError> {
        if typed_coordinates(text).is_some() {
            return TypedCoordinates.search(text, limit, near).await;
        }
        let text = text.to_owned();
        let found = self.ask(move |opened| search::search(opened, &text, limit, near)).await?;
        Ok(found.unwrap_or_default())
    }

    async fn reverse(&self, point: Point) -> Result<Option<Place>, GeocoderError> {
        Ok(self.ask(move |opened| reverse::reverse(opened, point)).await?.flatten())
    }
}

/// Builds the index of some maps (`.osm.pbf` files, or folders of them) in `folder` unless it is there and up to date, and
/// answers where it is. It is built under another name, so that one that is cut off is never taken for a complete one, and
/// several processes may build it at once. Indexes of other states of the maps are removed.
///
/// # Errors
/// [`BuildError`], naming the file.
pub fn prepare(maps: &[PathBuf], folder: &Path) -> Result<PathBuf, BuildError> {
    let files = files(maps)?;
    let name = index::name(&files)?;
    let complete = folder.join(&name);
    if complete.is_dir() {
        return Ok(complete);
    }
    let fault =
        |error: std::io::Error| BuildError::Folder { path: folder.to_owned(), reason: error.to_string() };
    // One process may have several services, and several processes one folder.
    let number = BUILDS.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!("{name}.{}-{number}.unfinished", std::process::id()));
    let _ = std::fs::remove_dir_all(&unfinished);
    std::fs::create_dir_all(&unfinished).map_err(fault)?;
    tracing::info!(files = files.len(), "the index of addresses is built");
    let entries = match index::build(&files, &unfinished) {
        Ok(entries) => entries,
        Err(error) => {
            let _ = std::fs::remove_dir_all(&unfinished);
            return Err(error);
        }
    };
    if let Err(error) = std::fs::rename(&unfinished, &complete) {
        let _ = std::fs::remove_dir_all(&unfinished);
        // Another process was faster: its index is the same.
        if !complete.is_dir() {
            return Err(fault(error));
        }
    }
    tracing::info!(entries, "the index of addresses is built");
    remove_others(folder, &name);
    Ok(complete)
}

/// Indexes of other states of the maps. Who still has one open keeps it until he closes it.
fn remove_others(folder: &Path, name: &str) {
    for other in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let known = other.file_name();
        let known = known.to_string_lossy();
        if known.starts_with("addresses-") && known != name && !known.ends_with(".unfinished") {
            let _ = std::fs::remove_dir_all(other.path());
        }
    }
}

/// The files themselves, in a fixed order.
fn files(maps: &[PathBuf]) -> Result<Vec<PathBuf>, BuildError> {
    let mut files = Vec::new();
    for path in maps {
        if path.is_dir() {
            let fault =
                |error: std::io::Error| BuildError::Map { path: path.clone(), reason: error.to_string() };
            for file in std::fs::read_dir(path).map_err(fault)? {
                let file = file.map_err(fault)?.path();
                if file.to_string_lossy().ends_with(".osm.pbf") {
                    files.push(file);
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.dedup();
    if files.is_empty() { Err(BuildError::Empty { files: maps.to_vec() }) } else { Ok(files) }
}
