//! What may be uploaded, and what an uploaded image keeps.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::io::Cursor;

use bytes::Bytes;
use exif::experimental::Writer;
use exif::{Field, In, Rational, Tag, Value};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, Rgb, RgbImage, Rgba, RgbaImage};
use routewright_storage::{
    FileKind, MAX_UPLOAD_BYTES, Purpose, Reduced, UploadError, accept_upload, reduce, upload_memory,
};
use rust_xlsxwriter::Workbook;

/// Stands in the EXIF data of every photo below.
const TRACE: &str = "TAKEN-AT-MY-HOME";

fn ascii(tag: Tag, text: &str) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value: Value::Ascii(vec![text.as_bytes().to_vec()]) }
}

fn camera_data(orientation: u16) -> Vec<u8> {
    let degrees = |d, m, s| Value::Rational([d, m, s].map(|num| Rational { num, denom: 1 }).to_vec());
    let fields = [
        ascii(Tag::ImageDescription, TRACE),
        Field { tag: Tag::Orientation, ifd_num: In::PRIMARY, value: Value::Short(vec![orientation]) },
        ascii(Tag::GPSLatitudeRef, "N"),
        Field { tag: Tag::GPSLatitude, ifd_num: In::PRIMARY, value: degrees(41, 9, 3) },
        ascii(Tag::GPSLongitudeRef, "W"),
        Field { tag: Tag::GPSLongitude, ifd_num: In::PRIMARY, value: degrees(8, 37, 46) },
    ];
    let mut writer = Writer::new();
    for field in &fields {
        writer.push_field(field);
    }
    let mut out = Cursor::new(Vec::new());
    writer.write(&mut out, false).expect("EXIF data");
    out.into_inner()
}

/// 64 x 32 pixels, the left half red, the right half blue.
fn picture() -> RgbImage {
    RgbImage::from_fn(64, 32, |x, _| if x < 32 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) })
}

fn encoded(mut encoder: impl ImageEncoder, orientation: u16) -> DynamicImage {
    encoder.set_exif_metadata(camera_data(orientation)).expect("EXIF data");
    let image = DynamicImage::from(picture());
    image.write_with_encoder(encoder).expect("an image");
    image
}

fn photo(kind: FileKind, orientation: u16) -> Bytes {
    let mut out = Vec::new();
    match kind {
        FileKind::Jpeg => drop(encoded(JpegEncoder::new(&mut out), orientation)),
        FileKind::Png => drop(encoded(PngEncoder::new(&mut out), orientation)),
        FileKind::Webp => drop(encoded(WebPEncoder::new_lossless(&mut out), orientation)),
        _ => {
            let samples = DynamicImage::from(picture()).into_rgba8();
            let data = samples.into_raw().into_iter().map(u16::from).collect();
            let image = heifer::Image { width: 64, height: 32, bit_depth: 8, has_alpha: false, data };
            let metadata = heifer::Metadata { exif: Some(camera_data(1)), ..Default::default() };
            out = heifer::encode_with_metadata(&image, &metadata, &heifer::EncodeOptions::default())
                .expect("a HEIC image");
        }
    }
    out.into()
}

fn has_location(bytes: &[u8]) -> bool {
    let found = exif::Reader::new().read_from_container(&mut Cursor::new(bytes));
    found.is_ok_and(|data| data.get_field(Tag::GPSLatitude, In::PRIMARY).is_some())
}

fn mentions_trace(bytes: &[u8]) -> bool {
    bytes.windows(TRACE.len()).any(|window| window == TRACE.as_bytes())
}

const IMAGES: [FileKind; 4] = [FileKind::Jpeg, FileKind::Png, FileKind::Webp, FileKind::Heic];

#[test]
fn an_ordinary_image_loses_where_it_was_taken() {
    for kind in IMAGES {
        let original = photo(kind, 1);
        assert_eq!(FileKind::of(&original), Some(kind));
        assert!(has_location(&original) && mentions_trace(&original), "{kind:?}: the test needs a location");

        let upload = accept_upload(original, Purpose::Ordinary).expect("accepted");
        assert!(!has_location(&upload.bytes), "{kind:?} keeps its location");
        assert!(!mentions_trace(&upload.bytes), "{kind:?} keeps its EXIF data");
        assert_eq!(FileKind::of(&upload.bytes), Some(upload.kind), "the kind fits the content");

        let image = image::load_from_memory(&upload.bytes).expect("an image").into_rgb8();
        assert_eq!(image.dimensions(), (64, 32));
        let (left, right) = (image.get_pixel(8, 16), image.get_pixel(56, 16));
        assert!(left[0] > 180 && left[2] < 60, "{kind:?}: left is {left:?}, not red");
        assert!(right[2] > 180 && right[0] < 60, "{kind:?}: right is {right:?}, not blue");
    }
}

#[test]
fn a_proof_photo_is_kept_to_the_byte() {
    for kind in IMAGES {
        let original = photo(kind, 6);
        let upload = accept_upload(original.clone(), Purpose::Proof).expect("accepted");
        assert_eq!(upload.bytes, original);
        assert_eq!(upload.kind, kind);
    }
}

#[test]
fn a_photo_taken_upright_is_turned_before_its_orientation_is_lost() {
    // 6: the camera was turned, the viewer has to turn the picture clockwise.
    let upload = accept_upload(photo(FileKind::Jpeg, 6), Purpose::Ordinary).expect("accepted");
    let image = image::load_from_memory(&upload.bytes).expect("an image").into_rgb8();
    assert_eq!(image.dimensions(), (32, 64));
    assert!(image.get_pixel(16, 8)[0] > 180, "the red half is now above");
    assert!(image.get_pixel(16, 56)[2] > 180, "the blue half is now below");
}

#[test]
fn transparency_survives() {
    let mut logo = Vec::new();
    DynamicImage::from(RgbaImage::from_pixel(8, 8, Rgba([0, 128, 0, 100])))
        .write_with_encoder(WebPEncoder::new_lossless(&mut logo))
        .expect("an image");
    let upload = accept_upload(logo.into(), Purpose::Ordinary).expect("accepted");
    assert_eq!(upload.kind, FileKind::Webp);
    let image = image::load_from_memory(&upload.bytes).expect("an image").into_rgba8();
    assert_eq!(image.get_pixel(4, 4), &Rgba([0, 128, 0, 100]));
}

#[test]
fn what_hides_behind_an_image_is_gone() {
    let mut original = photo(FileKind::Png, 1).to_vec();
    original.extend_from_slice(b"<script>alert('hidden')</script>");
    let upload = accept_upload(original.into(), Purpose::Ordinary).expect("accepted");
    assert!(!String::from_utf8_lossy(&upload.bytes).contains("script"));
}

#[test]
fn documents_and_tables_are_kept_to_the_byte() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().write(0, 0, "uid").expect("a cell");
    let workbook: Bytes = workbook.save_to_buffer().expect("a workbook").into();
    let cases = [
        (FileKind::Pdf, Bytes::from_static(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\nstartxref\n15\n%%EOF\n")),
        (FileKind::Csv, Bytes::from_static("uid;endereço\r\nA1;Rua do Almada 3\r\n".as_bytes())),
        (FileKind::Csv, Bytes::from_static(b"uid;endere\xe7o\r\nA1;Caf\xe9\r\n")),
        (FileKind::Csv, Bytes::from_static("\u{feff}uid,name\nA1,\"<b> & co\"\n".as_bytes())),
        (FileKind::Xlsx, workbook),
    ];
    for (kind, content) in cases {
        let upload = accept_upload(content.clone(), Purpose::Ordinary).expect("accepted");
        assert_eq!((upload.kind, upload.bytes), (kind, content));
    }
}

#[test]
fn other_content_is_refused_whatever_it_calls_itself() {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("xl.txt", zip::write::SimpleFileOptions::default()).expect("an entry");
    let archive = archive.finish().expect("an archive").into_inner();
    let cases: [(&str, Vec<u8>); 10] = [
        ("head of a PDF", b"%PDF-1.4".to_vec()),
        ("PDF that was cut off", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\nstartxref\n15\n".to_vec()),
        ("PDF whose table lies elsewhere", b"%PDF-1.7\n1 0 obj\nstartxref\n15000\n%%EOF\n".to_vec()),
        ("html", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec()),
        ("gif", b"GIF89a\x01\x00\x01\x00".to_vec()),
        ("program", b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00".to_vec()),
        ("zip", archive),
        ("binary", vec![0, 159, 146, 150]),
        ("blank", b" \r\n ".to_vec()),
    ];
    for (name, content) in cases {
        let refused = accept_upload(content.into(), Purpose::Proof);
        assert!(matches!(refused, Err(UploadError::UnsupportedType)), "{name}: {refused:?}");
    }
}

#[test]
fn size_limits_hold() {
    assert!(matches!(accept_upload(Bytes::new(), Purpose::Proof), Err(UploadError::Empty)));
    let table = |size| Bytes::from(vec![b'a'; size]);
    assert!(accept_upload(table(MAX_UPLOAD_BYTES), Purpose::Ordinary).is_ok());
    let refused = accept_upload(table(MAX_UPLOAD_BYTES + 1), Purpose::Ordinary);
    assert!(matches!(refused, Err(UploadError::TooLarge)));
}

#[test]
fn a_damaged_or_bursting_image_is_refused() {
    let whole = photo(FileKind::Jpeg, 1);
    let start = whole.slice(..whole.len() / 4);
    let refused = accept_upload(start, Purpose::Ordinary);
    assert!(matches!(refused, Err(UploadError::UnreadableImage(_))), "{refused:?}");
}

/// V-04: a small file that would unpack to a gigabyte in colour is told from their first bytes, also where they would be kept as it
/// is, for every document with it would take it apart.
#[test]
fn a_picture_that_unpacks_large_is_refused_before_it_is_taken_apart() {
    let bomb = Bytes::from(bomb(20_000, 17_000));
    assert!(bomb.len() < 2_000_000, "{}", bomb.len());
    for purpose in [Purpose::Ordinary, Purpose::Proof] {
        let refused = accept_upload(bomb.clone(), purpose).expect_err("too large");
        let text = "The picture has 340 megapixels; at most 51 are accepted. Please make it smaller.";
        assert_eq!(refused.to_string(), text);
    }
    assert!(matches!(upload_memory(&bomb), Err(UploadError::TooManyPixels { .. })));
    assert!(matches!(reduce(&bomb, Reduced::Photo, 800), Err(UploadError::TooManyPixels { .. })));
    // Within the pixels, but of 16 bits each in four colours.
    let deep = image::ImageBuffer::<Rgba<u16>, _>::from_raw(8_000, 6_000, vec![0; 8_000 * 6_000 * 4])
        .expect("pixels");
    let mut png = Vec::new();
    DynamicImage::from(deep).write_with_encoder(PngEncoder::new(&mut png)).expect("an image");
    assert!(matches!(reduce(&png, Reduced::Photo, 800), Err(UploadError::UnreadableImage(_))));
}

/// An all black PNG.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut png = Vec::new();
    DynamicImage::new_luma8(width, height).write_with_encoder(PngEncoder::new(&mut png)).expect("an image");
    png
}

#[test]
fn a_reduced_picture_is_upright_and_small_whatever_it_was() {
    for kind in IMAGES {
        let orientation = if kind == FileKind::Heic { 1 } else { 6 };
        let reduced = reduce(&photo(kind, orientation), Reduced::Photo, 16).expect("reduced");
        assert_eq!(FileKind::of(&reduced), Some(FileKind::Jpeg));
        let image = image::load_from_memory(&reduced).expect("an image").into_rgb8();
        let (size, first) = if orientation == 6 { ((8, 16), (4, 3)) } else { ((16, 8), (3, 4)) };
        assert_eq!(image.dimensions(), size, "{kind:?}");
        assert!(image.get_pixel(first.0, first.1)[0] > 150, "{kind:?}: the red half comes first");
    }
    let mut ink = Vec::new();
    DynamicImage::from(RgbaImage::from_pixel(40, 20, Rgba([0, 0, 0, 0])))
        .write_with_encoder(PngEncoder::new(&mut ink))
        .expect("an image");
    let drawing =
        image::load_from_memory(&reduce(&ink, Reduced::Drawing, 10).expect("reduced")).expect("an image");
    assert_eq!((drawing.width(), drawing.height(), drawing.color().has_alpha()), (10, 5, true));
    let photo =
        image::load_from_memory(&reduce(&ink, Reduced::Photo, 10).expect("reduced")).expect("an image");
    assert_eq!(photo.into_rgb8().get_pixel(5, 2), &Rgb([255; 3]), "paper is white");
}
