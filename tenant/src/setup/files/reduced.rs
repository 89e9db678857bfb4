//! Pictures as documents need them: each is taken apart once, and a small copy of it kept beside the original.

use bytes::Bytes;
use routewright_core::Result;
use routewright_documents::{LOGO_PIXELS, proof};
use routewright_governor::Kind;
use routewright_identity::Caller;
use routewright_storage::{Folder, Needs, Reduced, StorageError, reduce};

use super::store::{folder, load};
use crate::app::App;

/// Copies that can be made again lie here.
const COPIES: &str = "copies";

/// What a copy is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copy {
    name: &'static str,
    reduced: Reduced,
    /// Longer side at most, pixels.
    longest: u32,
}

/// A photo in print.
pub(crate) const PHOTO: Copy = Copy { name: "photo", reduced: Reduced::Photo, longest: proof::PHOTO_PIXELS };
/// A signature in print.
pub(crate) const SIGNATURE: Copy =
    Copy { name: "signature", reduced: Reduced::Drawing, longest: proof::SIGNATURE_PIXELS };
/// A logo in print.
pub(crate) const LOGO: Copy = Copy { name: "logo", reduced: Reduced::Drawing, longest: LOGO_PIXELS };

const ALL: [Copy; 3] = [PHOTO, SIGNATURE, LOGO];

impl Copy {
    fn key(self, original: &str) -> String {
        format!("{COPIES}/{}/{original}", self.name)
    }
}

/// The copy of the picture under a storage key; made when there is none yet. None when there is no such file, empty when it
/// cannot be read as a picture.
///
/// # Errors
/// 503 when the storage cannot be reached or too much is drawn at once.
pub(crate) async fn reduced(app: &App, caller: &Caller, key: &str, copy: Copy) -> Result<Option<Bytes>> {
    if key.is_empty() {
        return Ok(None);
    }
    let copied = copy.key(key);
    if let Some(bytes) = load(app, caller, &copied).await? {
        return Ok(Some(bytes));
    }
    let Some(original) = load(app, caller, key).await? else { return Ok(None) };
    let Ok(needs) = Needs::of(&original) else { return Ok(Some(Bytes::new())) };
    let make = move |_: &_| Ok(reduce(&original, copy.reduced, copy.longest));
    let made = app.governor.run(caller.share()?, Kind::Decode.needing(needs.memory), make).await?;
    let bytes = match made {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::debug!(%error, key, "a stored picture cannot be read");
            return Ok(Some(Bytes::new()));
        }
    };
    let content_type = copy.reduced.kind().content_type();
    // Without the copy the next document takes longer, nothing else.
    if let Err(error) = folder(app, caller)?.put(&copied, content_type, bytes.clone()).await {
        tracing::warn!(%error, "the copy of a picture cannot be kept");
    }
    Ok(Some(bytes))
}

/// Removes a file's bytes with their copies.
pub(super) async fn remove(folder: &Folder, key: &str) -> Result<(), StorageError> {
    for copy in ALL {
        folder.delete(&copy.key(key)).await?;
    }
    folder.delete(key).await
}
