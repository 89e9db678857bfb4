//! The parts of a workbook, unpacked within bounds.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{BufReader, Cursor, Read};

use zip::ZipArchive;
use zip::read::ZipFile;

use super::super::Unreadable;
use super::broken;
use super::xml::Xml;

/// Bytes that all parts together may unpack to.
const MOST_UNPACKED: u64 = 100 * 1024 * 1024;
/// From this size on a part must not unpack to more than [`HIGHEST_RATIO`] times its packed size; rows of real tables stay
/// far below.
const SUSPECT: u64 = 10 * 1024 * 1024;
const HIGHEST_RATIO: u64 = 250;
/// Most parts of a workbook: pictures and sheets have one each.
const MOST_PARTS: usize = 5_000;
/// What the entry of a part in the archive's table of contents begins with.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// Most relations of a part.
const MOST_RELATIONS: usize = 5_000;

/// A part that another one names.
pub(super) struct Relation {
    pub id: String,
    /// Last word of its type, such as `worksheet`.
    pub kind: String,
    /// Name of the part.
    pub target: String,
}

/// A workbook's archive.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Places of parts by name in lower case.
    places: HashMap<String, usize>,
    left: Cell<u64>,
}

impl<'a> Package<'a> {
    /// Reads the table of contents.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        // Counted first: the archive's own list of millions of empty parts would take far more than the file.
        if bytes.windows(ENTRY.len()).filter(|window| *window == ENTRY).nth(MOST_PARTS).is_some() {
            return Err(Unreadable::Unpacked);
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
        let named = (0..archive.len()).filter_map(|place| {
            Some((archive.name_for_index(place)?.replace('\\', "/").to_lowercase(), place))
        });
        let places = named.collect();
        Ok(Self { archive, places, left: Cell::new(MOST_UNPACKED) })
    }

    /// A part to read, if there is one of that name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Xml<Unpacking<'_, 'a>>>, Unreadable> {
        let Some(place) = self.places.get(&name.to_lowercase()) else { return Ok(None) };
        let file = self.archive.by_index(*place).map_err(broken)?;
        // What the part says of itself; what is true shows while it unpacks.
        let packed = file.compressed_size().max(1);
        if file.size() > self.left.get() || (file.size() > SUSPECT && file.size() / packed > HIGHEST_RATIO) {
            return Err(Unreadable::Unpacked);
        }
        let file = Unpacking { file, packed, done: 0, left: &self.left };
        Ok(Some(Xml::new(BufReader::new(file))))
    }

    /// The parts that a part names; those of the whole package for an empty name.
    pub(super) fn relations(&mut self, of: &str) -> Result<Vec<Relation>, Unreadable> {
        let (folder, file) = of.rsplit_once('/').unwrap_or(("", of));
        let base = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut relations = Vec::new();
        let Some(mut xml) = self.part(&format!("{base}_rels/{file}.rels"))? else { return Ok(relations) };
        while let Some(node) = xml.next()? {
            let Some(element) = node.opened().filter(|element| element.name() == "Relationship") else {
                continue;
            };
            let kind = element.get("Type")?.unwrap_or_default();
            let target = element.get("Target")?.unwrap_or_default();
            relations.push(Relation {
                id: element.get("Id")?.unwrap_or_default(),
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                target: match target.strip_prefix('/') {
                    Some(whole) => whole.to_owned(),
                    None => format!("{base}{}", target.trim_start_matches("./")),
                },
            });
            if relations.len() > MOST_RELATIONS {
                return Err(Unreadable::TooMuch);
            }
        }
        Ok(relations)
    }
}

/// A part as it unpacks. Ends with an error where it goes beyond the bounds.
pub(super) struct Unpacking<'p, 'a> {
    file: ZipFile<'p, Cursor<&'a [u8]>>,
    packed: u64,
    done: u64,
    left: &'p Cell<u64>,
}

/// Why unpacking ended early, on its way through an I/O error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Ended(pub(super) Unreadable);

impl Read for Unpacking<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        let bytes = read as u64;
        self.done += bytes;
        let left = self.left.get().checked_sub(bytes);
        let bomb = self.done > SUSPECT && self.done / self.packed > HIGHEST_RATIO;
        let (Some(left), false) = (left, bomb) else {
            return Err(std::io::Error::other(Ended(Unreadable::Unpacked)));
        };
        self.left.set(left);
        Ok(read)
    }
}
