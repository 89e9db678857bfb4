use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder};
use serde::{Deserialize, Serialize};

use crate::FileKind;
use crate::picture::{MAX_PIXELS, Picture, memory_of, open, unreadable};

/// The largest file that is accepted, in bytes.
pub const MAX_UPLOAD_BYTES: usize = 25 * 1024 * 1024;

/// JPEG quality at which a photo shows no difference to the original on a screen.
const JPEG_QUALITY: u8 = 88;

/// What an upload is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Evidence of a delivery: kept to the byte, with the place and time that the camera wrote into it.
    Proof,
    /// Anything else: an image loses all that is not its picture, above all where it was taken.
    Ordinary,
}

/// A file that may be stored.
#[derive(Clone, Debug)]
pub struct Upload {
    /// What it is now: HEIC, and WebP without transparency, become JPEG when they are re-encoded.
    pub kind: FileKind,
    /// The content to store.
    pub bytes: Bytes,
}

/// Why an upload is refused. The texts are meant for the person who uploaded.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// No content.
    #[error("The file is empty")]
    Empty,
    /// Above [`MAX_UPLOAD_BYTES`].
    #[error("The file is larger than 25 MB")]
    TooLarge,
    /// Not one of [`FileKind`].
    #[error("The file type is not supported: use JPEG, PNG, WebP, HEIC, PDF, CSV or XLSX")]
    UnsupportedType,
    /// Above [`MAX_PIXELS`]: a small file could fill the memory when unpacked.
    #[error("The picture has {megapixels} megapixels; at most {} are accepted. Please make it smaller.", MAX_PIXELS / 1_000_000)]
    TooManyPixels {
        /// Millions of pixels.
        megapixels: u64,
    },
    /// It starts like an image but cannot be read as one.
    #[error("The image cannot be read")]
    UnreadableImage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Memory that [`accept_upload`] takes, bytes, told without taking anything apart.
///
/// # Errors
/// When the upload is empty, above 25 MB or a picture with too many pixels.
pub fn upload_memory(bytes: &[u8]) -> Result<u64, UploadError> {
    if bytes.is_empty() {
        return Err(UploadError::Empty);
    }
    if bytes.len() > MAX_UPLOAD_BYTES {
        return Err(UploadError::TooLarge);
    }
    match memory_of(bytes) {
        Ok(memory) => Ok(memory),
        Err(error @ UploadError::TooManyPixels { .. }) => Err(error),
        // No picture: the tables of a zip are as large as itself, and what else it is is seen when it is looked at.
        Err(_) => Ok(4 * bytes.len() as u64),
    }
}

/// Checks size and content of an upload, and re-encodes images that are no proofs. Takes a second for a large picture: not for
/// threads that answer requests.
///
/// # Errors
/// When it is empty, above 25 MB, of another kind than those of [`FileKind`], an unreadable image or one with too many pixels.
pub fn accept_upload(bytes: Bytes, purpose: Purpose) -> Result<Upload, UploadError> {
    upload_memory(&bytes)?;
    let kind = FileKind::of(&bytes).ok_or(UploadError::UnsupportedType)?;
    if purpose == Purpose::Proof || !kind.is_image() {
        return Ok(Upload { kind, bytes });
    }
    re_encode(kind, &bytes)
}

/// Only the pixels and their colour profile survive: no EXIF, no XMP, nothing hidden behind the image.
fn re_encode(kind: FileKind, bytes: &[u8]) -> Result<Upload, UploadError> {
    let Picture { image, colour_profile } = open(kind, bytes)?;
    let kind = match kind {
        FileKind::Png => FileKind::Png,
        FileKind::Webp | FileKind::Heic if image.color().has_alpha() => FileKind::Webp,
        _ => FileKind::Jpeg,
    };
    let mut packed = Vec::new();
    match kind {
        FileKind::Png => pack(&image, colour_profile, PngEncoder::new(&mut packed)),
        FileKind::Webp => {
            pack(&image.into_rgba8().into(), colour_profile, WebPEncoder::new_lossless(&mut packed))
        }
        _ => {
            let encoder = JpegEncoder::new_with_quality(&mut packed, JPEG_QUALITY);
            pack(&for_jpeg(image), colour_profile, encoder)
        }
    }
    .map_err(unreadable)?;
    Ok(Upload { kind, bytes: packed.into() })
}

fn for_jpeg(image: DynamicImage) -> DynamicImage {
    if image.color().has_color() { image.into_rgb8().into() } else { image.into_luma8().into() }
}

fn pack(
    image: &DynamicImage,
    colour_profile: Option<Vec<u8>>,
    mut encoder: impl ImageEncoder,
) -> image::ImageResult<()> {
    if let Some(profile) = colour_profile
        && let Err(error) = encoder.set_icc_profile(profile)
    {
        tracing::debug!(%error, "the colour profile of an upload is lost");
    }
    image.write_with_encoder(encoder)
}
