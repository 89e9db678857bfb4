//! Pictures as documents need them: each is taken apart once, and a small copy of it kept beside the original.

use bytes::Bytes;
use routewright_core::Result;
use routewright_core::error::Kind as ErrorKind;
use routewright_documents::{LOGO_PIXELS, proof};
use routewright_governor::{Kind, Piece};
use routewright_identity::Caller;
use routewright_storage::{Folder, Reduced, StorageError, memory_of, reduce};
use serde::{Deserialize, Serialize};

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
    let Ok(needs) = memory_of(&original) else { return Ok(Some(Bytes::new())) };
    let piece = ReducePicture { reduced: copy.reduced, longest: copy.longest };
    let why = match app.governor.apart(caller.share()?, needs, piece, original).await {
        Ok((Ok(()), bytes)) => return keep(app, caller, &copied, copy, bytes).await.map(Some),
        Ok((Err(why), _)) => why,
        // What cannot be opened is no reason to draw nothing.
        Err(error) if matches!(error.kind(), ErrorKind::TooLarge | ErrorKind::UnsupportedMedia) => {
            error.description()
        }
        Err(error) => return Err(error),
    };
    tracing::debug!(why, key, "a stored picture cannot be read");
    Ok(Some(Bytes::new()))
}

/// Keeps a copy beside the original.
async fn keep(app: &App, caller: &Caller, copied: &str, copy: Copy, bytes: Bytes) -> Result<Bytes> {
    let content_type = copy.reduced.kind().content_type();
    // Without the copy the next document takes longer, nothing else.
    if let Err(error) = folder(app, caller)?.put(copied, content_type, bytes.clone()).await {
        tracing::warn!(%error, "the copy of a picture cannot be kept");
    }
    Ok(bytes)
}

/// Makes a small copy of a picture. Answers why it cannot be read.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReducePicture {
    reduced: Reduced,
    longest: u32,
}

impl Piece for ReducePicture {
    const NAME: &'static str = "reduce_picture";
    const KIND: Kind = Kind::Decode;
    type Answer = std::result::Result<(), String>;

    fn work(self, bytes: Vec<u8>) -> (Self::Answer, Vec<u8>) {
        match reduce(&bytes, self.reduced, self.longest) {
            Ok(bytes) => (Ok(()), bytes.into()),
            Err(error) => (Err(error.to_string()), Vec::new()),
        }
    }
}

/// Removes a file's bytes with their copies.
pub(super) async fn remove(folder: &Folder, key: &str) -> Result<(), StorageError> {
    for copy in ALL {
        folder.delete(&copy.key(key)).await?;
    }
    folder.delete(key).await
}
