//! Photos, signatures and logos.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageReader, Limits, Rgb, RgbImage, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};
use printpdf::{DictItem, ExternalStream, ExternalXObject};

/// Longest side of a picture that is taken apart, in pixels, and the memory that may take, in bytes. Callers hand over
/// pictures about the size of their print; one of a camera still passes, a file made to exhaust the server does not.
const LARGEST_SIDE: u32 = 16_384;
const LARGEST_MEMORY: u64 = 64 << 20;

/// Quality of the photos in print, of 100.
const JPEG_QUALITY: u8 = 80;

/// How a picture is stored in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Small, with the faint traces of JPEG.
    Photo,
    /// Sharp to the pixel: signatures and logos.
    Drawing,
}

/// A picture in the size it is printed, without transparency, the right way up.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pixels: RgbImage,
    kind: Kind,
}

impl Picture {
    /// Reads PNG, JPEG or WebP and reduces it to `longest` pixels on its longer side. `None` when it cannot be read.
    pub(crate) fn read(bytes: &[u8], kind: Kind, longest: u32) -> Option<Self> {
        let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
        let mut limits = Limits::default();
        limits.max_image_width = Some(LARGEST_SIDE);
        limits.max_image_height = Some(LARGEST_SIDE);
        limits.max_alloc = Some(LARGEST_MEMORY);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().ok()?;
        // Phones store photos lying and note in the EXIF data how to turn them.
        let orientation = decoder.orientation().ok();
        let mut image = DynamicImage::from_decoder(decoder).ok()?;
        if let Some(orientation) = orientation {
            image.apply_orientation(orientation);
        }
        if image.width().max(image.height()) > longest {
            image = image.resize(longest, longest, FilterType::CatmullRom);
        }
        Some(Self { pixels: on_white(image), kind })
    }

    /// Width divided by height.
    pub(crate) fn ratio(&self) -> f32 {
        self.pixels.width() as f32 / self.pixels.height().max(1) as f32
    }

    /// The picture as an object of a PDF, drawn on a square of one by one point. `None` when it cannot be encoded.
    pub(super) fn into_object(self) -> Option<ExternalXObject> {
        let (width, height) = self.pixels.dimensions();
        let mut dict: std::collections::BTreeMap<String, DictItem> = [
            ("Type".to_owned(), name("XObject")),
            ("Subtype".to_owned(), name("Image")),
            ("Width".to_owned(), DictItem::Int(width.into())),
            ("Height".to_owned(), DictItem::Int(height.into())),
            ("BitsPerComponent".to_owned(), DictItem::Int(8)),
        ]
        .into();
        let (content, space) = match self.kind {
            Kind::Photo => {
                dict.insert("Filter".to_owned(), name("DCTDecode"));
                let mut jpeg = Vec::new();
                JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY).encode_image(&self.pixels).ok()?;
                (jpeg, "DeviceRGB")
            }
            // Black ink on white takes a third of the space in grey.
            Kind::Drawing if self.pixels.pixels().all(|Rgb([r, g, b])| r == g && g == b) => {
                (self.pixels.pixels().map(|pixel| pixel.0[0]).collect(), "DeviceGray")
            }
            Kind::Drawing => (self.pixels.into_raw(), "DeviceRGB"),
        };
        dict.insert("ColorSpace".to_owned(), name(space));
        let stream = ExternalStream { dict, content, compress: self.kind == Kind::Drawing };
        Some(ExternalXObject { stream, width: None, height: None, dpi: None })
    }
}

fn name(name: &str) -> DictItem {
    DictItem::Name(name.as_bytes().to_vec())
}

/// Transparent parts become white, as on paper; a signature is often ink on nothing.
fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let image = image.into_rgba8();
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let [r, g, b, alpha] = image.get_pixel(x, y).0;
        let over =
            |ink: u8| ((u16::from(ink) * u16::from(alpha) + 255 * (255 - u16::from(alpha))) / 255) as u8;
        Rgb([over(r), over(g), over(b)])
    })
}
