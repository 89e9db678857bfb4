//! Labels, read by poppler and by scanners.

use image::{GrayImage, RgbImage};
use routewright_documents::{
    DocumentError, codes,
    label::{self, ItemKind, Label},
};

use crate::common::*;

fn unit(uid: &str) -> Label {
    Label {
        kind: ItemKind::Unit,
        uid: uid.into(),
        job: Some("POR-0012".into()),
        customer: Some("Cabeleireiro Salão Zorba".into()),
        address: Some("Rua de Santa Catarina 286, 4000-443 Porto".into()),
        run: Some("R-101".into()),
        seq: Some(7),
        reference: Some("PO 7781".into()),
        number: 2,
        of: 5,
    }
}

/// P-432, P-433, S-32: one page of 100 x 150 mm per unit or return, with everything on it as text.
#[test]
fn one_page_each() {
    let labels = [unit("K7Q2M9XA"), Label { kind: ItemKind::Return, run: None, seq: None, ..unit("RET-1") }];
    let pdf = label::pdf(&letterhead(), &labels).unwrap();
    let pages = pages(&pdf);
    assert_eq!(pages.len(), 2);
    for expected in [
        "K7Q2M9XA",
        "UNIT",
        "2 of 5",
        "Cabeleireiro Salão Zorba",
        "Rua de Santa Catarina 286",
        "R-101 · 7",
        "POR-0012",
        "PO 7781",
        "Porto Frescos & Filhos",
    ] {
        assert!(pages[0].contains(expected) || text(&pdf).contains(expected), "'{expected}':\n{}", pages[0]);
    }
    assert!(pages[1].contains("RETURN") && pages[1].contains("RET-1") && !pages[1].contains("STOP"));
    assert!(info(&pdf).contains("283.465 x 425.197 pts"), "{}", info(&pdf));
    assert!(matches!(label::pdf(&letterhead(), &[]), Err(DocumentError::Nothing(_))));
}

/// S-32: both codes carry the uid, as a scanner reads them from paper.
#[test]
fn codes_carry_the_uid() {
    for uid in ["K7Q2M9XA", "00340123450000000018", "Unit 7/b-é"] {
        let pdf = label::pdf(&letterhead(), &[unit(uid)]).unwrap();
        let page = rendered(&pdf, 1, 300);
        let scanned = scan(&page);
        assert_eq!(scanned.0, uid, "QR code");
        if uid.is_ascii() {
            assert_eq!(scanned.1.as_deref(), Some(uid), "Code 128");
        } else {
            assert!(text(&pdf).contains("does not fit a barcode"));
        }
    }
}

/// A uid whose bars would be too thin for a scanner has its QR code only, and the label says so.
#[test]
fn too_long_for_a_barcode() {
    let uid = "LONG-UNIT-CODE-".repeat(6);
    let pdf = label::pdf(&letterhead(), &[unit(&uid)]).unwrap();
    assert!(text(&pdf).contains("does not fit a barcode"));
    assert_eq!(scan(&rendered(&pdf, 1, 300)).0, uid);
}

/// QR codes for screens come as SVG; a text too long for any is refused with a reason.
#[test]
fn qr_svg() {
    let svg = codes::qr_svg("https://demo.routewright.example/runsheet?runsheet=true&token=x").unwrap();
    assert!(svg.starts_with("<?xml") && svg.contains("<svg"));
    assert!(matches!(codes::qr_svg(&"x".repeat(5_000)), Err(DocumentError::Code { .. })));
    assert!(codes::code128_modules("").is_err());
    // Two digits per symbol: start, five pairs, check, stop.
    assert_eq!(codes::code128_modules("0123456789").unwrap().len(), 11 * 7 + 13);
}

/// What a scanner reads from a label: its QR code and its Code 128.
fn scan(page: &RgbImage) -> (String, Option<String>) {
    let grey: GrayImage = image::DynamicImage::from(page.clone()).into_luma8();
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let dark = |x: usize, y: usize| grey.get_pixel(x as u32, y as u32).0[0];
    let mut prepared = rqrr::PreparedImage::prepare_from_greyscale(width, height, dark);
    let qr = prepared.detect_grids().first().expect("a QR code").decode().unwrap().1;
    // The barcode stands between 40 and 64 mm from the top.
    let row = (52.0 / 150.0 * height as f64) as usize;
    let line: Vec<bool> = (0..width).map(|x| dark(x, row) < 128).collect();
    (qr, code128(&line))
}

/// Reads Code 128 from a line of pixels: widths of bars to symbols by ISO/IEC 15417, check digit included.
fn code128(line: &[bool]) -> Option<String> {
    let runs: Vec<usize> = line.chunk_by(|a, b| a == b).map(<[bool]>::len).collect();
    // White margin, bars, white margin; each symbol has six runs, the stop seven.
    let bars = runs.get(1..runs.len().checked_sub(1)?)?;
    if bars.len() < 6 * 3 + 7 {
        return None;
    }
    let symbols: Option<Vec<usize>> = bars[..bars.len() - 7].chunks(6).map(symbol).collect();
    let symbols = symbols?;
    let (check, data) = symbols.split_last()?;
    let sum: usize = data.iter().enumerate().map(|(i, value)| value * i.max(1)).sum();
    assert_eq!(sum % 103, *check, "check digit");
    let text = |values: &[usize]| match data[0] {
        104 => values.iter().map(|value| char::from(*value as u8 + 32)).collect::<String>(),
        105 => values.iter().map(|value| format!("{value:02}")).collect(),
        start => panic!("start symbol {start}"),
    };
    Some(text(&data[1..]))
}

/// Value of a symbol by the widths of its six bars and gaps.
fn symbol(runs: &[usize]) -> Option<usize> {
    let total: usize = runs.iter().sum();
    let widths: String = runs.iter().map(|run| ((run * 11 + total / 2) / total).to_string()).collect();
    PATTERNS.iter().position(|pattern| *pattern == widths)
}

/// Widths of bars and gaps of the symbols 0 to 105 (ISO/IEC 15417, table 1).
const PATTERNS: [&str; 106] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213",
    "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132",
    "221231", "213212", "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211",
    "212123", "212321", "232121", "111323", "131123", "131321", "112313", "132113", "132311", "211313",
    "231113", "231311", "112133", "112331", "132131", "113123", "113321", "133121", "313121", "211331",
    "231131", "213113", "213311", "213131", "311123", "311321", "331121", "312113", "312311", "332111",
    "314111", "221411", "431111", "111224", "111422", "121124", "121421", "141122", "141221", "112214",
    "112412", "122114", "122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111",
    "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311", "113141",
    "114131", "311141", "411131", "211412", "211214", "211232",
];
