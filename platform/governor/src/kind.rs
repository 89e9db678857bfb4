//! Kinds of heavy work and what one piece of each may take.

use std::time::Duration;

const MEBIBYTE: u64 = 1 << 20;

/// A kind of heavy work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Reading a table from a file: CSV, Excel.
    Read,
    /// Decoding a picture, and encoding it again.
    Decode,
    /// Drawing a document.
    Render,
    /// Writing a workbook or an archive.
    Export,
    /// Hashing a password.
    Hash,
}

impl Kind {
    /// Name of the kind, the label of its metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Decode => "decode",
            Self::Render => "render",
            Self::Export => "export",
            Self::Hash => "hash",
        }
    }

    /// Most memory that one piece of work may take, bytes. Kept free for it while it runs, unless it says that it takes less.
    #[must_use]
    pub const fn memory(self) -> u64 {
        match self {
            Self::Decode => 384 * MEBIBYTE,
            Self::Read | Self::Export => 256 * MEBIBYTE,
            Self::Render => 128 * MEBIBYTE,
            Self::Hash => 20 * MEBIBYTE,
        }
    }

    /// Longest time that one piece of work may run, without its wait.
    #[must_use]
    pub const fn time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Hash => 10,
            Self::Decode => 20,
            Self::Read | Self::Render => 60,
            Self::Export => 120,
        })
    }

    /// A piece of work that takes so many bytes of memory.
    #[must_use]
    pub const fn needing(self, memory: u64) -> Task {
        Task { kind: self, memory }
    }
}

/// A piece of work to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Memory that it takes, bytes.
    pub(crate) memory: u64,
}

impl From<Kind> for Task {
    fn from(kind: Kind) -> Self {
        kind.needing(kind.memory())
    }
}
