//! Documents that were drawn of late: one whose content has not changed is not drawn again, and those who ask for it at the same
//! moment wait for the same one.

use std::fmt::Debug;
use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use routewright_core::{OrganisationId, Result};
use sha2::{Digest, Sha256};

/// Bytes of all documents that are kept.
const CAPACITY: u64 = 32 << 20;
/// A usual document, bytes.
const USUAL: u64 = 200 << 10;

/// What a document shows, as a number: equal content of the same organisation, equal number.
pub(crate) type Version = [u8; 32];

/// The documents of this process. Cheap to clone.
#[derive(Clone)]
pub struct Drawn(Arc<Cache<Version, Bytes, Size>>);

#[derive(Clone)]
struct Size;

impl Weighter<Version, Bytes> for Size {
    fn weight(&self, _: &Version, document: &Bytes) -> u64 {
        document.len() as u64
    }
}

impl Default for Drawn {
    fn default() -> Self {
        Self(Arc::new(Cache::with_weighter((CAPACITY / USUAL) as usize, CAPACITY, Size)))
    }
}

impl Drawn {
    /// The document of a version, drawn by `draw` when it is not there.
    ///
    /// # Errors
    /// Those of `draw`; nothing is kept then.
    pub(crate) async fn get(
        &self,
        version: Version,
        draw: impl Future<Output = Result<Vec<u8>>>,
    ) -> Result<Bytes> {
        self.0.get_or_insert_async(&version, async { draw.await.map(Bytes::from) }).await
    }
}

/// The version of what a document of an organisation shows.
pub(crate) fn version(organisation: OrganisationId, shown: &impl Debug) -> Version {
    Sha256::digest(format!("{organisation} {shown:?}")).into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use routewright_core::Error;

    use super::*;

    /// V-04: eight who ask at once get what is drawn once; another organisation's equal document is another one.
    #[tokio::test]
    async fn a_document_is_drawn_once() {
        let (drawn, times) = (Drawn::default(), AtomicUsize::new(0));
        let one = version(OrganisationId::new(1), &"shown");
        assert_ne!(one, version(OrganisationId::new(2), &"shown"));
        assert_ne!(one, version(OrganisationId::new(1), &"changed"));
        let draw = async || {
            times.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            Ok(vec![1])
        };
        let failed = drawn.get(one, async { Err(Error::conflict("not now")) }).await;
        assert!(failed.is_err(), "a failure is not kept");
        let all = futures_util::future::join_all((0..8).map(|_| drawn.get(one, draw()))).await;
        assert!(all.iter().all(|found| found.as_deref().is_ok_and(|bytes| bytes == [1])));
        assert_eq!(times.load(Ordering::SeqCst), 1);
    }
}
