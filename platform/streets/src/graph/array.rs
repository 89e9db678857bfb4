//! Numbers of a graph: in memory while it is made, in a mapped file afterwards, so that replicas share them and what nobody asks
//! about takes no memory.

use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use cch::MetricBundle;

/// Numbers of one kind.
pub(crate) enum Array<T> {
    Own(Vec<T>),
    /// Bytes of a file; whole numbers at an address that suits them, as was looked at when it was opened.
    Mapped(Arc<MetricBundle>, Range<usize>, PhantomData<T>),
}

impl<T: AnyBitPattern> Array<T> {
    /// Part of a file; `None` when no whole numbers are there.
    pub(super) fn mapped(file: &Arc<MetricBundle>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.mmap_bytes().get(bytes.clone())?).ok()?;
        Some(Self::Mapped(Arc::clone(file), bytes, PhantomData))
    }

    pub(super) fn push(&mut self, value: T) {
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
