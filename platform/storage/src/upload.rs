use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits, RgbaImage};

use crate::FileKind;

/// The largest file that is accepted, in bytes.
pub const MAX_UPLOAD_BYTES: usize = 25 * 1024 * 1024;

/// Longest side of an image in pixels; beyond it a small file could fill the memory when unpacked.
const MAX_SIDE: u32 = 20_000;
/// Memory for one unpacked image, in bytes.
const MAX_UNPACKED: u64 = 400 * 1024 * 1024;
/// JPEG quality at which a photo shows no difference to the original on a screen.
const JPEG_QUALITY: u8 = 88;

/// What an upload is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// It starts like an image but cannot be read as one, or is absurdly large when unpacked.
    #[error("The image cannot be read")]
    UnreadableImage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Checks size and content of an upload, and re-encodes images that are no proofs.
///
/// # Errors
/// When it is empty, above 25 MB, of another kind than those of [`FileKind`], or an unreadable image.
pub async fn accept_upload(bytes: Bytes, purpose: Purpose) -> Result<Upload, UploadError> {
    if bytes.is_empty() {
        return Err(UploadError::Empty);
    }
    if bytes.len() > MAX_UPLOAD_BYTES {
        return Err(UploadError::TooLarge);
    }
    let kind = FileKind::of(&bytes).ok_or(UploadError::UnsupportedType)?;
    if purpose == Purpose::Proof || !kind.is_image() {
        return Ok(Upload { kind, bytes });
    }
    tokio::task::spawn_blocking(move || re_encode(kind, &bytes))
        .await
        .map_err(|error| UploadError::UnreadableImage(error.into()))?
}

struct Picture {
    image: DynamicImage,
    colour_profile: Option<Vec<u8>>,
}

/// Only the pixels and their colour profile survive: no EXIF, no XMP, nothing hidden behind the image.
fn re_encode(kind: FileKind, bytes: &[u8]) -> Result<Upload, UploadError> {
    let Picture { image, colour_profile } = match kind {
        FileKind::Heic => unpack_heic(bytes)?,
        FileKind::Png => unpack(bytes, ImageFormat::Png)?,
        FileKind::Webp => unpack(bytes, ImageFormat::WebP)?,
        _ => unpack(bytes, ImageFormat::Jpeg)?,
    };
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

fn unpack(bytes: &[u8], format: ImageFormat) -> Result<Picture, UploadError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_UNPACKED);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let orientation = decoder.orientation().map_err(unreadable)?;
    let colour_profile = decoder.icc_profile().map_err(unreadable)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    // How the camera was held is part of what gets removed, so the pixels are turned instead.
    image.apply_orientation(orientation);
    Ok(Picture { image, colour_profile })
}

fn unpack_heic(bytes: &[u8]) -> Result<Picture, UploadError> {
    let limits = heifer::Options { max_threads: 1, max_pixels: MAX_UNPACKED / 4 };
    let picture = match heifer::decode_srgb_rgba8(bytes, &limits) {
        // Colours beyond sRGB that cannot be mapped are shown as they are.
        Err(heifer::Error::Unsupported(_)) => heifer::decode_rgba8(bytes, &limits),
        decoded => decoded,
    };
    let picture = picture.map_err(unreadable)?;
    let image = RgbaImage::from_raw(picture.width, picture.height, picture.data)
        .map(DynamicImage::from)
        .ok_or_else(|| UploadError::UnreadableImage("fewer pixels than announced".into()))?;
    let image = if picture.has_alpha { image } else { image.into_rgb8().into() };
    Ok(Picture { image, colour_profile: None })
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

fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> UploadError {
    UploadError::UnreadableImage(error.into())
}
