//! The run sheet, read by poppler.

use chrono::Duration;
use routewright_documents::{DistanceUnit, DocumentError, Letterhead, run_sheet};

use crate::common::*;

/// S-33: header and table of a run are text that can be selected.
#[test]
fn tells_the_driver_everything() {
    let pdf = run_sheet::pdf(&letterhead(), &run("R-101", 24)).unwrap();
    let text = text(&pdf);
    for expected in [
        "Porto Frescos & Filhos",
        "Run sheet R-101",
        "Marta Lima",
        "VAN 3 · 47-XZ-12",
        "2026/03/09",
        "06:30–14:30",
        "24, 36 units",
        "48.2 km, 6:42 h",
        "Óptica da Baixa",
        "Cabeleireiro Salão Zorba",
        "Rua da Constituição 1024,",
        "Ταβέρνα Ακρόπολις",
        "Магазин «Берёзка»",
        "+351 220 000 024",
        "boxes: 8",
        "U0242",
        "Dock: Dock A",
        "PRIORITY",
        "Signature",
        "Printed 2026/03/09 06:05",
        "Page 1 of 3",
        "Page 3 of 3",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    for (page, i) in pages(&pdf).iter().zip(1..) {
        assert!(page.contains("ETA") && page.contains("Comments"), "page {i} has no heading:\n{page}");
        assert!(page.contains("R-101"), "page {i} does not name the run");
    }
    let first_page = &pages(&pdf)[0];
    let line = first_page.lines().find(|line| line.contains("Cabeleireiro")).unwrap();
    assert!(
        line.contains("07:29")
            && line.contains("until 13:30")
            && line.contains("weight") | line.contains("boxes: 2")
    );
}

/// Arabic is shaped, written from right to left, and found by the words a reader types, in logical order.
#[test]
fn arabic_is_shaped_and_searchable() {
    let pdf = run_sheet::pdf(&letterhead(), &run("R-101", 3)).unwrap();
    let text = text(&pdf);
    for expected in ["مطعم دمشق", "شارع الحرية", "بورتو", "اتصل قبل الوصول", "الخلفي رقم"]
    {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    // No presentation forms: a search for the plain letters would miss them.
    assert!(!text.chars().any(|c| matches!(c, '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')), "{text}");
}

/// The letters of an Arabic word are joined: its ink has no gap, as it has where joining is forbidden.
#[test]
fn arabic_letters_are_joined() {
    let pieces = |customer: &str| {
        let mut sheet = run("R-1", 1);
        sheet.stops[0].customer = customer.into();
        let page = rendered(&run_sheet::pdf(&letterhead(), &sheet).unwrap(), 1, 432);
        // The customer's column, on the first line of the first row.
        let (top, bottom) = (millimetres(57.3), millimetres(60.5));
        let ink = |x: &u32| (top..bottom).any(|y| page.get_pixel(*x, y).0[0] < 160);
        let columns: Vec<bool> = (millimetres(56.5)..millimetres(97.0)).map(|x| ink(&x)).collect();
        columns.chunk_by(|a, b| a == b).filter(|run| run[0]).count()
    };
    assert_eq!(pieces("محمد"), 1);
    assert_eq!(pieces("م\u{200C}ح\u{200C}م\u{200C}د"), 4);
}

fn millimetres(length: f64) -> u32 {
    (length / 25.4 * 432.0) as u32
}

/// A character that no font has is a box on paper, and still itself when it is copied. A direction override, by which
/// a text could show other digits than it holds, is dropped.
#[test]
fn emoji_do_not_break_anything() {
    let mut sheet = run("R-101", 1);
    sheet.stops[0].comments = Some("🙂 👩‍👩‍👧 漢字 \u{0} \u{202E}Loja 12 ok".into());
    sheet.driver = "🚚".into();
    let text = text(&run_sheet::pdf(&letterhead(), &sheet).unwrap());
    for expected in ["🙂", "漢字", "🚚", "Loja 12 ok"] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
}

/// Ligatures and marks are copied as the letters they stand for.
#[test]
fn ligatures_and_marks_are_searchable() {
    let mut sheet = run("R-101", 1);
    sheet.stops[0].customer = "Office Affluent ﬁ Zoe\u{308} Nguyễn".into();
    sheet.stops[0].comments = Some("السلام الله بِسْمِ".into());
    let pdf = run_sheet::pdf(&letterhead(), &sheet).unwrap();
    let text = text(&pdf);
    for expected in ["Office Affluent", "Nguyễn", "السلام"] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    assert!(text.contains("Zoë") || text.contains("Zoe\u{308}"), "{text}");
}

/// Only the glyphs that are used are embedded.
#[test]
fn fonts_are_embedded_and_small() {
    let pdf = run_sheet::pdf(&letterhead(), &run("R-101", 24)).unwrap();
    let fonts = fonts(&pdf);
    assert!(fonts.contains("NotoSans-Regular") && fonts.contains("NotoSansArabic-Bold"), "{fonts}");
    for font in fonts.lines().skip(2) {
        assert!(font.contains("yes yes yes"), "embedded, subset, with a map to Unicode: {font}");
    }
    assert!(pdf.len() < 90_000, "{} bytes", pdf.len());
    let mut plain = run("R-1", 1);
    plain.stops[0].comments = None;
    let plain = run_sheet::pdf(&letterhead(), &plain).unwrap();
    assert!(plain.len() < 40_000, "{} bytes", plain.len());
}

/// X-480, S-33: all runs of a scenario in run order, each from a new page, with an outline; page numbers run through.
#[test]
fn scenario_has_all_runs() {
    let runs = [run("R-101", 12), run("R-102", 0), run("R-103", 4)];
    let pdf = run_sheet::scenario_pdf(&letterhead(), &runs).unwrap();
    let pages = pages(&pdf);
    assert_eq!(pages.len(), 3);
    assert!(pages[0].contains("Run sheet R-101") && pages[1].contains("continued"));
    assert!(pages[2].contains("Run sheet R-103") && pages[2].contains("Page 3 of 3"));
    assert!(!pages.concat().contains("R-102"));
    assert!(info(&pdf).contains("Page size:       841.89 x 595.276 pts (A4)"), "{}", info(&pdf));
    assert!(matches!(run_sheet::scenario_pdf(&letterhead(), &runs[1..2]), Err(DocumentError::Nothing(_))));
}

/// Text of any length is wrapped and runs over pages; none is lost, not even a word without blanks.
#[test]
fn long_texts_are_wrapped() {
    let mut sheet = run("R-101", 3);
    sheet.stops[1].comments = Some((0..1500).map(|i| format!("w{i:04} ")).collect());
    sheet.stops[2].customer = "Ж".repeat(180) + "END";
    sheet.stops[2].units = (0..120).map(|i| format!("UNIT-{i:03}")).collect();
    let pdf = run_sheet::pdf(&letterhead(), &sheet).unwrap();
    let text = text(&pdf);
    for i in 0..1500 {
        assert!(text.contains(&format!("w{i:04}")), "w{i:04} is lost");
    }
    for i in 0..120 {
        assert!(text.contains(&format!("UNIT-{i:03}")), "UNIT-{i:03} is lost");
    }
    assert_eq!(text.matches('Ж').count(), 180);
    let pages = pages(&pdf);
    assert!(pages.len() > 5 && pages.len() < 30, "{} pages", pages.len());
    // Nothing is printed over the edge of the page: the margins stay white.
    for page in [1, 2, pages.len()] {
        let image = rendered(&pdf, page, 72);
        let margin = |x: u32| (0..image.height()).all(|y| image.get_pixel(x, y).0 == [255, 255, 255]);
        assert!((0..25).all(margin) && (image.width() - 25..image.width()).all(margin), "page {page}");
    }
}

/// X-090, S-33: the QR code on the sheet is the link of the run, and the paper can be clicked as well.
#[test]
fn qr_code_is_the_link() {
    let sheet = run("R-101", 2);
    let link = sheet.link.clone().unwrap();
    let pdf = run_sheet::pdf(&letterhead(), &sheet).unwrap();
    let page = rendered(&pdf, 1, 200);
    assert_eq!(scan(&page), link);
    let plain = run_sheet::pdf(&letterhead(), &run_sheet::RunSheet { link: None, ..sheet }).unwrap();
    assert!(!text(&plain).contains("Scan to open"));
}

fn scan(page: &image::RgbImage) -> String {
    let grey = image::DynamicImage::from(page.clone()).into_luma8();
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
        grey.get_pixel(x as u32, y as u32).0[0]
    });
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one QR code");
    grids[0].decode().unwrap().1
}

/// An ETA after midnight says so; a run without anything optional is printed as well.
#[test]
fn edges() {
    let mut sheet = run("R-101", 2);
    sheet.stops[1].eta = Some(on(23, 50) + Duration::minutes(25));
    let pdf = run_sheet::pdf(&letterhead(), &sheet).unwrap();
    assert!(text(&pdf).contains("00:15 +1"));
    let bare = run_sheet::RunSheet { run: "R-9".into(), date: day(), ..run_sheet::RunSheet::default() };
    let pdf = run_sheet::pdf(&Letterhead::default(), &bare).unwrap();
    assert!(text(&pdf).contains("No stops."));
    let miles = Letterhead { distance_unit: DistanceUnit::Miles, ..letterhead() };
    assert!(text(&run_sheet::pdf(&miles, &sheet).unwrap()).contains("30.0 mi, 6:42 h"));
}

/// The logo stands beside the organisation's name; one that cannot be read leaves the name.
#[test]
fn logo() {
    let mut logo = std::io::Cursor::new(Vec::new());
    let teal = image::RgbaImage::from_pixel(900, 300, image::Rgba([0, 128, 128, 255]));
    image::DynamicImage::from(teal).write_to(&mut logo, image::ImageFormat::Png).unwrap();
    let with = |logo: Vec<u8>| {
        let letterhead = Letterhead { logo: Some(logo), ..letterhead() };
        run_sheet::pdf(&letterhead, &run("R-101", 1)).unwrap()
    };
    let pdf = with(logo.into_inner());
    assert_eq!(pictures(&pdf).len(), 1);
    assert!(text(&pdf).contains("Porto Frescos & Filhos"));
    let pdf = with(b"<svg/>".to_vec());
    assert!(pictures(&pdf).is_empty() && text(&pdf).contains("Porto Frescos & Filhos"));
}
