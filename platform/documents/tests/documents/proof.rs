//! The proof of delivery, read by poppler.

use std::io::Cursor;

use crate::common::*;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use routewright_documents::{
    DocumentError,
    proof::{self, Check, ItemKind, ItemProof, ProofOfDelivery, ProofRecord},
};

/// A photo as a phone takes it: a parcel before a door, `width` x `height` pixels.
fn photo(width: u32, height: u32) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| {
        let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
        if (0.35..0.7).contains(&u) && (0.55..0.85).contains(&v) {
            Rgb([186, 140, 90])
        } else if (0.3..0.75).contains(&u) && v > 0.1 {
            Rgb([92, (60.0 + 60.0 * v) as u8, 48])
        } else {
            Rgb([(170.0 + 60.0 * u) as u8, (180.0 + 40.0 * v) as u8, 200])
        }
    });
    encoded(image.into(), ImageFormat::Jpeg)
}

/// A signature as the driver page sends it: dark ink on transparency.
fn signature() -> Vec<u8> {
    let mut image = RgbaImage::new(600, 220);
    for step in 0..6000 {
        let t = step as f32 / 6000.0;
        let x = 60.0 + 480.0 * t;
        let y = 110.0 + 70.0 * (t * 25.0).sin() * (1.0 - t) + 20.0 * (t * 7.0).cos();
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2)] {
            image.put_pixel(x as u32 + dx, y as u32 + dy, Rgba([12, 24, 60, 255]));
        }
    }
    encoded(image.into(), ImageFormat::Png)
}

fn encoded(image: DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Puts an EXIF note into a JPEG that it lies on its side: orientation 6, to be turned clockwise.
fn lying(jpeg: &[u8]) -> Vec<u8> {
    let tiff: &[u8] = &[
        b'M', b'M', 0, 42, 0, 0, 0, 8, // big endian, first directory at 8
        0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, // one entry: orientation, short, 1 value, 6
        0, 0, 0, 0,
    ];
    let mut segment = vec![0xFF, 0xE1];
    segment.extend(u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes());
    segment.extend(b"Exif\0\0");
    segment.extend(tiff);
    [&jpeg[..2], &segment, &jpeg[2..]].concat()
}

fn delivered() -> ProofOfDelivery {
    let item = |kind, uid: &str, success, reason: &str| ItemProof {
        kind,
        uid: uid.into(),
        name: Some("Caixa de legumes".into()),
        mode: Some(if kind == ItemKind::Unit { "deliver" } else { "return" }.into()),
        recorded_at: Some(on(9, 41)),
        success: Some(success),
        reason: Some(reason.into()),
        comments: None,
    };
    ProofOfDelivery {
        job: "POR-0012".into(),
        scenario: Some("Monday Porto".into()),
        date: Some(day()),
        run: Some("R-101".into()),
        driver: Some("Marta Lima".into()),
        vehicle: Some("VAN 3 · 47-XZ-12".into()),
        customer: "Cabeleireiro Salão Zorba".into(),
        address: "Rua de Santa Catarina 286, 4000-443 Porto".into(),
        phone: Some("+351 220 000 012".into()),
        invoice: Some("INV-90012".into()),
        reference: Some("PO 7781".into()),
        size: Some("boxes:4&weight:32".into()),
        planned_eta: Some(on(9, 35)),
        arrive_after: Some(at(9, 0)),
        leave_by: Some(at(12, 0)),
        proofs: vec![ProofRecord {
            recorded_at: on(9, 42),
            success: true,
            reason: Some("Delivered - OK".into()),
            comments: Some("Entregue ao balcão. سُلِّمت إلى المدير".into()),
            position: Some((41.148_686, -8.606_07)),
            distance: Some(34),
            device: Some("Chrome 142, Android".into()),
            pin_ok: Some(true),
            age_check: None,
            delivered_size: Some("boxes:4&weight:12".into()),
            signature: Some(signature()),
            signature_name: Some("João Conceição".into()),
            photos: vec![photo(1600, 1200), photo(1200, 1600), photo(900, 900)],
        }],
        items: vec![
            item(ItemKind::Unit, "U0121", true, "Delivered - OK"),
            item(ItemKind::Unit, "U0122", false, "Damaged"),
            item(ItemKind::Return, "RET-7", true, ""),
        ],
        check: None,
    }
}

/// job data, time, result, reason, comments, position, signature name, units and returns are text
/// that can be selected.
#[test]
fn tells_what_happened() {
    let pdf = proof::pdf(&letterhead(), &delivered()).unwrap();
    let text = text(&pdf);
    for expected in [
        "Proof of delivery",
        "POR-0012",
        "Successful",
        "2026/03/09 09:42:00",
        "Delivered - OK",
        "Cabeleireiro Salão Zorba",
        "Rua de Santa Catarina 286",
        "INV-90012",
        "boxes: 4, weight: 32",
        "09:00–12:00",
        "Entregue ao balcão.",
        "المدير",
        "41.14869, -8.60607",
        "34 m",
        "Chrome 142, Android",
        "João Conceição",
        "U0121",
        "U0122",
        "Damaged",
        "RET-7",
        "Returned",
        "Page 1 of",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    assert!(info(&pdf).contains("Title:           Proof of delivery POR-0012"), "{}", info(&pdf));
}

/// S-33: signature and photos are in the file, reduced to what is printed, two photos per row.
#[test]
fn shows_signature_and_photos() {
    let pdf = proof::pdf(&letterhead(), &delivered()).unwrap();
    let pictures = pictures(&pdf);
    assert_eq!(pictures.len(), 4, "{pictures:?}");
    let jpegs = pictures.iter().filter(|line| line.contains(" jpeg ")).count();
    assert_eq!(jpegs, 3, "photos stay JPEG, the signature stays sharp: {pictures:?}");
    assert!(pictures.iter().any(|line| line.contains(" 860 ")), "{pictures:?}");
    assert!(pdf.len() < 300_000, "{} bytes", pdf.len());
    // The parcel's brown stands twice side by side on the page that holds the first row of photos.
    let page =
        (1..=pages(&pdf).len()).map(|page| rendered(&pdf, page, 50)).find(|page| parcels(page).len() == 2);
    let page = page.expect("two parcels side by side");
    let [left, right] = parcels(&page)[..] else { unreachable!() };
    assert!(left < page.width() / 2 && right > page.width() / 2, "{left} {right}");
}

/// Left edges of the parcels on the row of the page that has most of them.
fn parcels(page: &RgbImage) -> Vec<u32> {
    let brown = |x, y| {
        let Rgb([r, g, b]) = *page.get_pixel(x, y);
        r.abs_diff(186) < 14 && g.abs_diff(140) < 14 && b.abs_diff(90) < 14
    };
    let edges = |y| (1..page.width()).filter(|x| brown(*x, y) && !brown(*x - 1, y)).collect::<Vec<_>>();
    (0..page.height()).map(edges).max_by_key(Vec::len).unwrap_or_default()
}

/// A photo that a phone stored lying on its side is printed upright.
#[test]
fn turns_photos_upright() {
    let mut upright = delivered();
    upright.proofs[0].photos = vec![lying(&photo(1600, 1200))];
    let pdf = proof::pdf(&letterhead(), &upright).unwrap();
    let photo = pictures(&pdf).into_iter().find(|line| line.contains(" jpeg ")).unwrap();
    let sizes: Vec<&str> = photo.split_whitespace().collect();
    assert_eq!(sizes[3..5], ["645", "860"], "{photo}");
}

/// The code opens the page that says whether anything was altered; the seal stands beside it.
#[test]
fn bears_its_seal() {
    let mut sealed = delivered();
    let link = "https://routewright.example/check?proof=ABCDEFGHJKMNabcdefghijklmnopqrstuvwx&seal=0123456789abcdef0123456789abcdef";
    sealed.check = Some(Check { link: link.to_owned(), seal: Some("0123456789abcdef".repeat(4)) });
    let pdf = proof::pdf(&letterhead(), &sealed).unwrap();
    assert!(text(&pdf).contains("01234567 89abcdef 01234567"), "{}", text(&pdf));
    let last = pages(&pdf).len();
    let page = image::imageops::grayscale(&rendered(&pdf, last, 150));
    let (width, height) = (page.width() as usize, page.height() as usize);
    let mut read = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
        page.get_pixel(x as u32, y as u32)[0]
    });
    let codes: Vec<String> = read.detect_grids().iter().map(|code| code.decode().unwrap().1).collect();
    assert_eq!(codes, [link]);
}

/// S-33: without a proof there is no document, and the caller answers 404.
#[test]
fn needs_a_proof() {
    let mut without = delivered();
    without.proofs.clear();
    without.items.iter_mut().for_each(|item| item.recorded_at = None);
    assert!(matches!(proof::pdf(&letterhead(), &without), Err(DocumentError::Nothing(_))));
    without.items[0].recorded_at = Some(on(9, 41));
    assert!(proof::pdf(&letterhead(), &without).is_ok());
}

/// A failed delivery says so, and what cannot be read as a picture is a box that says so, not a lost document.
#[test]
fn survives_bad_pictures() {
    let mut failed = delivered();
    failed.proofs[0].success = false;
    failed.proofs[0].photos = vec![b"not a picture".to_vec(), Vec::new(), photo(80, 80)[..400].to_vec()];
    failed.proofs[0].signature = Some(vec![0x89, b'P', b'N', b'G']);
    let pdf = proof::pdf(&letterhead(), &failed).unwrap();
    let text = text(&pdf);
    assert!(text.contains("Not successful"));
    assert!(text.matches("The photo cannot be shown").count() >= 2, "{text}");
    assert!(text.contains("The signature cannot be shown"));
}

/// Comments of any length and any number of items run over pages and none is lost.
#[test]
fn runs_over_pages() {
    let mut long = delivered();
    long.proofs[0].comments = Some((0..900).map(|i| format!("palavra{i} ")).collect());
    let item = long.items[0].clone();
    long.items = (0..150).map(|i| ItemProof { uid: format!("UNIT-{i:03}"), ..item.clone() }).collect();
    let pdf = proof::pdf(&letterhead(), &long).unwrap();
    let text = text(&pdf);
    for i in 0..900 {
        assert!(text.contains(&format!("palavra{i}")), "palavra{i} is lost");
    }
    for i in 0..150 {
        assert!(text.contains(&format!("UNIT-{i:03}")), "UNIT-{i:03} is lost");
    }
    assert!(pages(&pdf).len() >= 5);
}
