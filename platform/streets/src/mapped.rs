//! Arrays of numbers: in memory while they are made, in a mapped file afterwards, so that replicas share them and what nobody asks
//! about takes no memory. A file is a line of JSON with a head and the lengths of the arrays, then the arrays as they are in memory.
//! The library of the hierarchy maps files of its own format; the arrays lie behind an empty one of them.

use std::fs::OpenOptions;
use std::io::{BufWriter, Error as IoError, Write};
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use cch::{Metric, MetricBundle};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Error;

/// Arrays begin at multiples of so many bytes.
const ALIGN: usize = 8;

/// Numbers of one kind.
pub(crate) enum Array<T> {
    Own(Vec<T>),
    /// Bytes of a file; whole numbers at an address that suits them, as was looked at when it was opened.
    Mapped(Arc<MetricBundle>, Range<usize>, PhantomData<T>),
}

impl<T: AnyBitPattern> Array<T> {
    /// Part of a file; `None` when no whole numbers are there.
    fn mapped(file: &Arc<MetricBundle>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.mmap_bytes().get(bytes.clone())?).ok()?;
        Some(Self::Mapped(Arc::clone(file), bytes, PhantomData))
    }

    pub(crate) fn push(&mut self, value: T) {
        if let Self::Mapped(..) = self {
            *self = Self::Own(self.to_vec());
        }
        if let Self::Own(values) = self {
            values.push(value);
        }
    }
}

impl<T: AnyBitPattern> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Own(values) => values,
            Self::Mapped(file, bytes, _) => bytemuck::cast_slice(&file.mmap_bytes()[bytes.clone()]),
        }
    }
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(values: Vec<T>) -> Self {
        Self::Own(values)
    }
}

impl AsRef<[u8]> for Array<u8> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

#[derive(Serialize, Deserialize)]
struct Head<T> {
    /// Bytes of the arrays.
    lengths: Vec<usize>,
    head: T,
}

/// Writes arrays, as bytes, behind a head.
pub(crate) fn save(path: &Path, head: &impl Serialize, arrays: &[&[u8]]) -> Result<(), Error> {
    let write = || {
        Metric { forward: Vec::new(), backward: Vec::new() }.save(path)?;
        let file = OpenOptions::new().append(true).open(path)?;
        let first = usize::try_from(file.metadata()?.len()).map_err(IoError::other)?;
        let mut out = BufWriter::new(file);
        let lengths = arrays.iter().map(|array| array.len()).collect();
        let mut head = serde_json::to_vec(&Head { lengths, head })?;
        // Spaces before the end of the line.
        head.resize((first + head.len() + 1).next_multiple_of(ALIGN) - first - 1, b' ');
        out.write_all(&head)?;
        out.write_all(b"\n")?;
        for array in arrays {
            out.write_all(array)?;
            out.write_all(&[0; ALIGN][..array.len().next_multiple_of(ALIGN) - array.len()])?;
        }
        out.into_inner()?.sync_all()
    };
    write().map_err(Error::file(path))
}

/// Opens what [`save`] has written: its head, and its arrays one after the other.
pub(crate) fn open<T: DeserializeOwned>(path: &Path) -> Result<(T, Arrays), Error> {
    let file = Arc::new(MetricBundle::open(path).map_err(Error::file(path))?);
    let bytes = file.mmap_bytes();
    let first = (0..bytes.len()).find(|at| bytes[*at] == b'{').unwrap_or(bytes.len());
    let end = (first..bytes.len()).find(|at| bytes[*at] == b'\n').unwrap_or(bytes.len());
    let head: Head<T> = serde_json::from_slice(&bytes[first..end])
        .map_err(|error| Error::Bundle { path: path.into(), reason: error.to_string() })?;
    Ok((head.head, Arrays { file, next: end + 1, lengths: head.lengths.into_iter() }))
}

/// Arrays of a file, one after the other.
pub(crate) struct Arrays {
    file: Arc<MetricBundle>,
    next: usize,
    lengths: std::vec::IntoIter<usize>,
}

impl Arrays {
    /// The next one; `None` when there is none, or the file is shorter than it says.
    pub(crate) fn next<T: AnyBitPattern>(&mut self) -> Option<Array<T>> {
        let bytes = self.next..self.next.checked_add(self.lengths.next()?)?;
        self.next = bytes.end.checked_next_multiple_of(ALIGN)?;
        Array::mapped(&self.file, bytes)
    }
}

/// A file that is shorter than it says.
pub(crate) fn too_short(path: &Path) -> Error {
    Error::Bundle { path: path.into(), reason: "it is shorter than it says".to_owned() }
}
