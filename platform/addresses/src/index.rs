//! The index on disk: how it is built, and opened again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sha2::{Digest as _, Sha256};
use tantivy::schema::{Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument};

use crate::entry::Spot;
use crate::gather::{self, Gathered};
use crate::{BuildError, osm, text};

/// Changes with everything that changes what is in the index.
const FORMAT: u32 = 1;
/// Memory in which the index is built, bytes, besides what the map's own features take.
const MEMORY: usize = 50_000_000;
/// Side of a cell by which things are found from the map, ten-millionths of a degree: 220 m from south to north.
const CELL: i32 = 20_000;
/// Points along a street are no farther apart, metres: less than a cell's side.
const STEP: f64 = 100.0;
/// Name of the analyzer within the index.
const ANALYZER: &str = "address";

/// The fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// Words of its names.
    pub(crate) name: Field,
    /// Words of where it is.
    pub(crate) around: Field,
    /// Cells that it is in.
    pub(crate) cell: Field,
    /// The entry, in JSON.
    pub(crate) entry: Field,
    /// Houses and lines of a street, in JSON.
    pub(crate) street: Field,
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let words = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default().set_tokenizer(ANALYZER).set_index_option(IndexRecordOption::WithFreqs),
    );
    let fields = Fields {
        name: schema.add_text_field("name", words.clone()),
        around: schema.add_text_field("around", words),
        cell: schema.add_u64_field("cell", INDEXED),
        entry: schema.add_bytes_field("entry", STORED),
        street: schema.add_bytes_field("street", STORED),
    };
    (schema.build(), fields)
}

fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(ANALYZER, text::analyzer());
    tokenizers
}

/// The cell of a spot.
pub(crate) fn cell(lat: i32, lon: i32) -> u64 {
    let part = |value: i32| u64::from(value.div_euclid(CELL).cast_unsigned());
    (part(lat) << 32) | part(lon)
}

/// The cells at `ring` cells from the cell of a spot; 0 is that cell itself.
pub(crate) fn ring(spot: Spot, ring: i32) -> impl Iterator<Item = u64> {
    let side = -ring..=ring;
    side.clone()
        .flat_map(move |lat| side.clone().map(move |lon| (lat, lon)))
        .filter(move |(lat, lon)| lat.abs().max(lon.abs()) == ring)
        .map(move |(lat, lon)| cell(spot.0.saturating_add(lat * CELL), spot.1.saturating_add(lon * CELL)))
}

/// An index that is open for searches.
pub(crate) struct Opened {
    pub(crate) reader: IndexReader,
    pub(crate) fields: Fields,
}

/// What the index of these files is called: another name when one of them changes.
///
/// # Errors
/// When a file cannot be looked at.
pub(crate) fn name(files: &[PathBuf]) -> Result<String, BuildError> {
    let mut hash = Sha256::new();
    hash.update(FORMAT.to_le_bytes());
    for path in files {
        let fault = |error: std::io::Error| BuildError::Map { path: path.clone(), reason: error.to_string() };
        let known = std::fs::metadata(path).map_err(fault)?;
        let changed = known.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hash.update(known.len().to_le_bytes());
        hash.update(changed.unwrap_or_default().as_nanos().to_le_bytes());
    }
    let mut name = String::from("addresses-");
    for byte in hash.finalize().iter().take(8) {
        let _ = write!(name, "{byte:02x}");
    }
    Ok(name)
}

/// Opens a complete index.
///
/// # Errors
/// When it is none.
pub(crate) fn open(folder: &Path) -> Result<Opened, BuildError> {
    let fault = |error: tantivy::TantivyError| BuildError::Index {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let mut index = Index::open_in_dir(folder).map_err(fault)?;
    index.set_tokenizers(tokenizers());
    let (schema, fields) = schema();
    if index.schema() != schema {
        return Err(BuildError::Index {
            path: folder.to_owned(),
            reason: "it has another format".to_owned(),
        });
    }
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(fault)?;
    Ok(Opened { reader, fields })
}

/// Builds the index of these files in an empty folder.
///
/// # Errors
/// When a file cannot be read or is no map, when nothing in them has an address, when the disk is full.
pub(crate) fn build(files: &[PathBuf], folder: &Path) -> Result<usize, BuildError> {
    let mut features = Vec::new();
    for path in files {
        features.extend(osm::read(path)?);
    }
    let gathered = gather::gather(features);
    if gathered.is_empty() {
        return Err(BuildError::Empty { files: files.to_vec() });
    }
    let fault = |error: tantivy::TantivyError| BuildError::Index {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let (schema, fields) = schema();
    let index =
        Index::builder().schema(schema).tokenizers(tokenizers()).create_in_dir(folder).map_err(fault)?;
    // One thread: it is work in the background.
    let mut writer: IndexWriter = index.writer_with_num_threads(1, MEMORY).map_err(fault)?;
    for one in &gathered {
        let document = document(one, fields)
            .map_err(|error| BuildError::Index { path: folder.to_owned(), reason: error.to_string() })?;
        writer.add_document(document).map_err(fault)?;
    }
    writer.commit().map_err(fault)?;
    writer.wait_merging_threads().map_err(fault)?;
    Ok(gathered.len())
}

fn document(gathered: &Gathered, fields: Fields) -> Result<TantivyDocument, serde_json::Error> {
    let Gathered { entry, street } = gathered;
    let mut document = TantivyDocument::default();
    for name in entry.all_names() {
        document.add_text(fields.name, text::composed(name));
    }
    for around in entry.surroundings() {
        document.add_text(fields.around, text::composed(around));
    }
    let spots = gather::spots(gathered, STEP);
    for cell in spots.iter().map(|spot| cell(spot.0, spot.1)).collect::<BTreeSet<u64>>() {
        document.add_u64(fields.cell, cell);
    }
    document.add_bytes(fields.entry, &serde_json::to_vec(entry)?);
    if let Some(street) = street {
        document.add_bytes(fields.street, &serde_json::to_vec(street)?);
    }
    Ok(document)
}
