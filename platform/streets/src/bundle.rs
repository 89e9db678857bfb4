//! Bundles: folders with everything that is needed to answer, named by what they were made from. A bundle is made beside its
//! place and moved there when it is whole; what was already written is not written again after an interruption.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::graph::{Driver, Graph};
use crate::hierarchy::{Shape, contract, customize};
use crate::osm::Extract;
use crate::profile::Profiles;
use crate::{Error, Progress};

/// Changes whenever a file of the bundle is written differently.
const FORMAT: u32 = 5;
const MANIFEST: &str = "manifest.json";

/// What a bundle is.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    /// Names of the files that it was read from.
    pub(crate) files: Vec<String>,
    /// Bytes of every file of the bundle by its name: what is mapped must be whole.
    sizes: BTreeMap<String, u64>,
    /// The profiles as text.
    profiles: String,
}

impl Manifest {
    pub(crate) fn read(folder: &Path) -> Result<(Self, Profiles), Error> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|error| Error::Bundle { path: path.clone(), reason: error.to_string() })?;
        if manifest.format != FORMAT {
            let reason = format!("it has format {}, not {FORMAT}", manifest.format);
            return Err(Error::Bundle { path, reason });
        }
        for (name, size) in &manifest.sizes {
            let path = folder.join(name);
            let found = fs::metadata(&path).map_err(Error::file(&path))?.len();
            if found != *size {
                return Err(Error::Bundle { path, reason: format!("it has {found} bytes, not {size}") });
            }
        }
        let profiles = Profiles::parse(&manifest.profiles)?;
        Ok((manifest, profiles))
    }
}

/// The `.osm.pbf` files that a setting names: files and folders, separated by commas.
///
/// # Errors
/// When one is not there, or a folder holds none.
pub fn sources(setting: &str) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for named in setting.split(',').map(str::trim).filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        if !fs::metadata(&path).map_err(Error::file(&path))?.is_dir() {
            files.push(path);
            continue;
        }
        let mut inside: Vec<PathBuf> = fs::read_dir(&path)
            .map_err(Error::file(&path))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|file| file.to_string_lossy().ends_with(".osm.pbf"))
            .collect();
        if inside.is_empty() {
            return Err(Error::NoStreets { files: path.display().to_string() });
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// The folder of the bundle of these files, which may not be there yet. Reads the files to know whether they have changed.
///
/// # Errors
/// When a file cannot be read.
pub fn bundle_of(files: &[PathBuf], folder: &Path, profiles: &Profiles) -> Result<PathBuf, Error> {
    let mut hash = Sha256::new();
    hash.update(FORMAT.to_le_bytes());
    hash.update(profiles.text());
    for file in files {
        let mut content = Sha256::new();
        let mut open = File::open(file).map_err(Error::file(file))?;
        std::io::copy(&mut open, &mut content).map_err(Error::file(file))?;
        hash.update(content.finalize());
    }
    let name: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(folder.join(name))
}

/// Makes the bundle of these files in the folder unless it is there, and removes those of other contents. Returns the bundle's
/// folder. One process does it at a time; others wait for it.
///
/// # Errors
/// When a file cannot be read, is not an `.osm.pbf` or holds no streets, or when the folder cannot be written.
pub fn build(
    files: &[PathBuf],
    folder: &Path,
    profiles: &Profiles,
    progress: Progress,
) -> Result<PathBuf, Error> {
    let bundle = bundle_of(files, folder, profiles)?;
    if bundle.is_dir() {
        return Ok(bundle);
    }
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    let lock = folder.join("lock");
    let lock = File::create(&lock).and_then(|file| file.lock().map(|()| file)).map_err(Error::file(lock))?;
    // Another process may have made it meanwhile.
    if !bundle.is_dir() {
        let part = bundle.with_extension("part");
        fs::create_dir_all(&part).map_err(Error::file(&part))?;
        write(files, &part, profiles, progress)?;
        fs::rename(&part, &bundle).map_err(Error::file(&part))?;
        remove_others(folder, &bundle);
    }
    drop(lock);
    Ok(bundle)
}

fn write(files: &[PathBuf], folder: &Path, profiles: &Profiles, progress: Progress) -> Result<(), Error> {
    let names: Vec<&String> = profiles.networks.keys().collect();
    let missing = names.iter().any(|name| !graph_file(folder, name).exists());
    let extract = if missing { Some(Extract::read(files, profiles, progress)?) } else { None };
    for name in &names {
        let path = graph_file(folder, name);
        if let Some(extract) = extract.as_ref().filter(|_| !path.exists()) {
            progress(&format!("making the graph of the {name} network"));
            let graph = Graph::new(extract, profiles, name).map_err(|error| named(error, files))?;
            once_whole(&path, |path| graph.save(path))?;
        }
    }
    drop(extract);
    for name in &names {
        let graph = Graph::open(&graph_file(folder, name))?;
        let path = shape_file(folder, name);
        if !path.exists() {
            progress(&format!("ordering the {} edges of the {name} network", graph.edges()));
            let shape = contract(&graph)?;
            once_whole(&path, |path| shape.save(path))?;
        }
        let shape = Shape::open(&path)?;
        for (profile, metric) in metrics_of(profiles, name) {
            let path = metric_file(folder, profiles, profile, metric);
            if path.exists() {
                continue;
            }
            let (of, hours) = (&profiles.profiles[profile], &profiles.metrics[metric]);
            progress(&format!("costs of {}, {}", of.name, hours.name));
            let shares = profiles.shares()[metric];
            let driver = Driver { index: profile, profile: of, metric, shares, own: None };
            let costs = customize(&shape, &graph, &driver);
            once_whole(&path, |path| costs.save(path))?;
        }
    }
    let mut sizes = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let entry = entry.map_err(Error::file(folder))?;
        let size = entry.metadata().map_err(Error::file(folder))?.len();
        sizes.insert(entry.file_name().to_string_lossy().into_owned(), size);
    }
    let names = files.iter().map(|file| file.display().to_string()).collect();
    let manifest = Manifest { format: FORMAT, files: names, sizes, profiles: profiles.text().to_owned() };
    let path = folder.join(MANIFEST);
    let text = serde_json::to_vec_pretty(&manifest).map_err(|error| Error::Profiles(error.to_string()))?;
    fs::write(&path, text).map_err(Error::file(path))
}

/// An error with the names of the files.
fn named(error: Error, files: &[PathBuf]) -> Error {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    match error {
        Error::NoStreets { .. } => Error::NoStreets { files: names.join(", ") },
        other => other,
    }
}

/// Writes a file under another name first.
fn once_whole(path: &Path, write: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    let part = path.with_extension("part");
    write(&part)?;
    fs::rename(&part, path).map_err(Error::file(path))
}

/// Removes bundles that nobody will ask for any more. Processes that have one open keep it.
fn remove_others(folder: &Path, bundle: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path != bundle && path.join(MANIFEST).exists() {
            // It is looked at again after the next change.
            fs::remove_dir_all(&path).unwrap_or_else(|error| {
                tracing::warn!(%error, path = %path.display(), "an old bundle of streets stays");
            });
        }
    }
}

pub(crate) fn graph_file(folder: &Path, network: &str) -> PathBuf {
    folder.join(format!("{network}.graph"))
}

pub(crate) fn shape_file(folder: &Path, network: &str) -> PathBuf {
    folder.join(format!("{network}.hierarchy"))
}

pub(crate) fn metric_file(folder: &Path, profiles: &Profiles, profile: usize, metric: usize) -> PathBuf {
    folder.join(format!("{}-{}.costs", profiles.profiles[profile].name, profiles.metrics[metric].name))
}

/// Profiles and metrics that a network has costs for: where limits say nothing, every hour is the same.
pub(crate) fn metrics_of(profiles: &Profiles, network: &str) -> Vec<(usize, usize)> {
    let metrics = if profiles.networks[network].limits { profiles.metrics.len() } else { 1 };
    profiles
        .members(network)
        .flat_map(|(profile, _)| (0..metrics).map(move |metric| (profile, metric)))
        .collect()
}
