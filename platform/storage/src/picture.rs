//! Pictures: what they need in memory is told by their first bytes, and none is taken apart that needs too much.

use std::io::Cursor;

use bytes::Bytes;
use heifer::heifer_isobmff::HeifFile;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage};
use jpeg_decoder::PixelFormat;
use serde::{Deserialize, Serialize};

use crate::{FileKind, UploadError};

/// Largest picture, pixels: those of phones' cameras have up to 50 million.
pub const MAX_PIXELS: u64 = 51_000_000;
/// Memory for one unpacked picture, bytes. The most that reading one takes beside is counted in [`BYTES_PER_PIXEL`].
const MAX_UNPACKED: u64 = 300 << 20;
/// Bytes that taking a picture apart needs for each pixel: three to see it, and what a decoder holds meanwhile.
const BYTES_PER_PIXEL: u64 = 7;
/// Quality of reduced photos, of 100.
const REDUCED_QUALITY: u8 = 85;

/// How a reduced picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reduced {
    /// Small, with the faint traces of JPEG.
    Photo,
    /// Sharp to the pixel, transparent where it was: signatures and logos.
    Drawing,
}

impl Reduced {
    /// What it is stored as.
    #[must_use]
    pub fn kind(self) -> FileKind {
        match self {
            Self::Photo => FileKind::Jpeg,
            Self::Drawing => FileKind::Png,
        }
    }
}

/// A picture taken apart.
pub(crate) struct Picture {
    pub(crate) image: DynamicImage,
    pub(crate) colour_profile: Option<Vec<u8>>,
}

/// Memory that taking a picture apart needs, bytes, read from its first bytes. Where its size stands deeper in it, the most that
/// any needs.
///
/// # Errors
/// When it is no picture, cannot be read as one or has too many pixels.
pub fn memory_of(bytes: &[u8]) -> Result<u64, UploadError> {
    let pixels = if is_heif(bytes) { MAX_PIXELS } else { pixels_of(bytes)? };
    Ok(pixels * BYTES_PER_PIXEL + bytes.len() as u64)
}

fn is_heif(bytes: &[u8]) -> bool {
    infer::get(bytes).is_some_and(|kind| kind.mime_type() == "image/heif")
}

fn pixels_of(bytes: &[u8]) -> Result<u64, UploadError> {
    let (width, height) = if is_heif(bytes) {
        let file = HeifFile::parse(bytes).map_err(unreadable)?;
        let id = file.primary_item().map_err(unreadable)?.id;
        let size = file.image_size(id).map_err(unreadable)?;
        size.ok_or_else(|| UploadError::UnreadableImage("it does not tell its size".into()))?
    } else {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.map_err(unreadable)?.into_dimensions().map_err(unreadable)?
    };
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(UploadError::TooManyPixels { megapixels: pixels / 1_000_000 });
    }
    Ok(pixels)
}

/// A copy of a picture, upright, `longest` pixels on its longer side at most. Photos are decoded at that size where their
/// format lets them.
///
/// # Errors
/// When the picture cannot be read or has too many pixels.
pub fn reduce(bytes: &[u8], reduced: Reduced, longest: u32) -> Result<Bytes, UploadError> {
    let kind = FileKind::of(bytes).ok_or(UploadError::UnsupportedType)?;
    let scaled = if kind == FileKind::Jpeg { scaled_jpeg(bytes, longest) } else { None };
    let mut image = match scaled {
        Some(image) => image,
        None => open(kind, bytes)?.image,
    };
    if image.width().max(image.height()) > longest {
        image = image.resize(longest, longest, FilterType::CatmullRom);
    }
    let mut packed = Vec::new();
    match reduced {
        Reduced::Photo => {
            let encoder = JpegEncoder::new_with_quality(&mut packed, REDUCED_QUALITY);
            on_white(image).write_with_encoder(encoder)
        }
        Reduced::Drawing => image.into_rgba8().write_with_encoder(PngEncoder::new(&mut packed)),
    }
    .map_err(unreadable)?;
    Ok(packed.into())
}

/// Takes a picture apart, turned as the camera was held.
pub(crate) fn open(kind: FileKind, bytes: &[u8]) -> Result<Picture, UploadError> {
    pixels_of(bytes)?;
    match kind {
        FileKind::Heic => unpack_heic(bytes),
        FileKind::Png => unpack(bytes, ImageFormat::Png),
        FileKind::Webp => unpack(bytes, ImageFormat::WebP),
        _ => unpack(bytes, ImageFormat::Jpeg),
    }
}

fn unpack(bytes: &[u8], format: ImageFormat) -> Result<Picture, UploadError> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_UNPACKED);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    // Only the decoder's own memory is bounded by them: not that of the pixels.
    limits.reserve(decoder.total_bytes()).map_err(unreadable)?;
    let orientation = decoder.orientation().map_err(unreadable)?;
    let colour_profile = decoder.icc_profile().map_err(unreadable)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    // How the camera was held is part of what gets removed, so the pixels are turned instead.
    image.apply_orientation(orientation);
    Ok(Picture { image, colour_profile })
}

fn unpack_heic(bytes: &[u8]) -> Result<Picture, UploadError> {
    let limits = heifer::Options { max_threads: 1, max_pixels: MAX_PIXELS };
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

/// A JPEG at the smallest size that its blocks give without going below `longest`: an eighth of the side takes a sixty-fourth
/// of the memory. `None` for what is not so usual.
fn scaled_jpeg(bytes: &[u8], longest: u32) -> Option<DynamicImage> {
    pixels_of(bytes).ok()?;
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    let longest = u16::try_from(longest).ok()?;
    let info = {
        decoder.read_info().ok()?;
        decoder.info()?
    };
    // Asked for the same ratio, or a narrow picture would come out larger than wanted.
    let share = f32::from(longest) / f32::from(info.width.max(info.height)).max(1.0);
    let side = |side: u16| (f32::from(side) * share).ceil().clamp(1.0, f32::from(u16::MAX)) as u16;
    let (width, height) = decoder.scale(side(info.width), side(info.height)).ok()?;
    let pixels = decoder.decode().ok()?;
    let (width, height) = (u32::from(width), u32::from(height));
    let mut image: DynamicImage = match info.pixel_format {
        PixelFormat::RGB24 => RgbImage::from_raw(width, height, pixels)?.into(),
        PixelFormat::L8 => GrayImage::from_raw(width, height, pixels)?.into(),
        PixelFormat::L16 | PixelFormat::CMYK32 => return None,
    };
    let mut exif = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Jpeg).into_decoder().ok()?;
    image.apply_orientation(exif.orientation().ok()?);
    Some(image)
}

/// Transparent parts become white, as on paper; a signature is often ink on nothing.
fn on_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image.into_rgb8().into();
    }
    let mut paper = RgbaImage::from_pixel(image.width(), image.height(), image::Rgba([255; 4]));
    image::imageops::overlay(&mut paper, &image.into_rgba8(), 0, 0);
    DynamicImage::from(paper).into_rgb8().into()
}

pub(crate) fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> UploadError {
    UploadError::UnreadableImage(error.into())
}
