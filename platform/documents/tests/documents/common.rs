//! What the tests of the documents share: a run in Porto, and readers that are not our own.

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use routewright_documents::{
    Letterhead,
    run_sheet::{RunSheet, Stop},
};

pub(crate) fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, 9).unwrap()
}

pub(crate) fn at(hour: u32, minute: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, minute, 0).unwrap()
}

pub(crate) fn on(hour: u32, minute: u32) -> NaiveDateTime {
    day().and_time(at(hour, minute))
}

pub(crate) fn letterhead() -> Letterhead {
    Letterhead {
        organisation: "Porto Frescos & Filhos".into(),
        printed_at: on(6, 5),
        ..Letterhead::default()
    }
}

/// A run with names as they occur: Portuguese, Arabic, Greek, Cyrillic, and a note with an emoji.
pub(crate) fn run(code: &str, stops: usize) -> RunSheet {
    let customers = [
        ("Óptica da Baixa", "Rua do Loureiro 68, 4000-328 Porto", "Call on arrival"),
        ("Cabeleireiro Salão Zorba", "Rua de Santa Catarina 286, 4000-443 Porto", "Stairs, no lift"),
        ("مطعم دمشق", "شارع الحرية 12، بورتو", "اتصل قبل الوصول، الباب الخلفي رقم 3"),
        ("Ταβέρνα Ακρόπολις", "Rua do Almada 117, 4050-037 Porto", "Πίσω πόρτα"),
        (
            "Магазин «Берёзка»",
            "Rua da Constituição 1024, 4200-194 Porto",
            "Leave at reception 🙂 – ring twice",
        ),
        ("Pastelaria Avó Maria", "Cais da Ribeira 30, 4050-510 Porto", ""),
    ];
    let stop = |i: usize| {
        let (customer, address, comments) = customers[i % customers.len()];
        let minutes = 7 * 60 + 15 + 14 * i as u32;
        Stop {
            seq: i as u32 + 1,
            job: format!("POR-{:04}", i + 1),
            eta: Some(day().and_time(at(0, 0)) + chrono::Duration::minutes(i64::from(minutes))),
            arrive_after: i.is_multiple_of(3).then(|| at(8, 0)),
            leave_by: (!i.is_multiple_of(2)).then(|| at(13, 30)),
            customer: customer.into(),
            address: address.into(),
            phone: Some(format!("+351 220 000 {:03}", i + 1)),
            size: Some(format!("boxes:{}&weight:{}", i % 8 + 1, (i % 8 + 1) * 9)),
            units: (0..i % 4).map(|n| format!("U{:03}{n}", i + 1)).collect(),
            comments: Some(comments.to_owned()).filter(|comments| !comments.is_empty()),
            dock_location: i.is_multiple_of(5).then(|| "Dock A".to_owned()),
            invoice: Some(format!("INV-9{:04}", i + 1)),
            reference: None,
            priority: i == 3,
        }
    };
    RunSheet {
        scenario: "Monday Porto".into(),
        date: day(),
        run: code.into(),
        driver: "Marta Lima".into(),
        vehicle: Some("VAN 3 · 47-XZ-12".into()),
        shift_start: Some(at(6, 30)),
        shift_end: Some(at(14, 30)),
        start_address: Some("Armazém Central, Rua de Serpa Pinto 44, 4400-307 Vila Nova de Gaia".into()),
        end_address: Some("Armazém Central, Rua de Serpa Pinto 44, 4400-307 Vila Nova de Gaia".into()),
        distance: Some(48_210),
        duration: Some(6 * 3600 + 42 * 60),
        link: Some(
            "https://demo.routewright.example/runsheet?runsheet=true&token=4f0c6a1e9b7d4c2f8a3e5d6b7c8d9e0f"
                .into(),
        ),
        stops: (0..stops).map(stop).collect(),
    }
}

/// Feeds a document to a program of poppler and returns what it prints.
pub(crate) fn poppler(program: &str, arguments: &[&str], document: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} of poppler-utils is needed: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let document = document.to_vec();
    let feed = std::thread::spawn(move || stdin.write_all(&document));
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
    assert!(!errors.contains("Error"), "{program}: {errors}");
    output.stdout
}

/// The text of a PDF as a reader selects it, page by page.
pub(crate) fn pages(document: &[u8]) -> Vec<String> {
    let text = String::from_utf8(poppler("pdftotext", &["-layout", "-", "-"], document)).unwrap();
    let mut pages: Vec<String> = text.split('\u{c}').map(without_direction_marks).collect();
    pages.pop();
    pages
}

/// The text of a PDF in reading order.
pub(crate) fn text(document: &[u8]) -> String {
    without_direction_marks(&String::from_utf8(poppler("pdftotext", &["-", "-"], document)).unwrap())
}

/// Poppler wraps text from right to left in marks for the terminal.
fn without_direction_marks(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\u{202A}'..='\u{202E}' | '\u{200E}' | '\u{200F}')).collect()
}

/// A page as picture, `dots` per inch.
pub(crate) fn rendered(document: &[u8], page: usize, dots: u32) -> image::RgbImage {
    let (page, dots) = (page.to_string(), dots.to_string());
    let png = poppler("pdftoppm", &["-png", "-r", &dots, "-f", &page, "-l", &page, "-"], document);
    image::load_from_memory(&png).unwrap().into_rgb8()
}

/// Names and sizes of the fonts in a PDF, as pdffonts lists them.
pub(crate) fn fonts(document: &[u8]) -> String {
    with_file(document, |path| {
        let output = Command::new("pdffonts").arg(path).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    })
}

/// Lines of pdfimages -list, without its two heading lines.
pub(crate) fn pictures(document: &[u8]) -> Vec<String> {
    with_file(document, |path| {
        let output = Command::new("pdfimages").arg("-list").arg(path).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().skip(2).map(str::to_owned).collect()
    })
}

/// Facts about a PDF, as pdfinfo lists them.
pub(crate) fn info(document: &[u8]) -> String {
    with_file(document, |path| {
        let output = Command::new("pdfinfo").arg(path).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    })
}

fn with_file<T>(document: &[u8], read: impl FnOnce(&std::path::Path) -> T) -> T {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("routewright-{}-{number}.pdf", std::process::id()));
    std::fs::write(&path, document).unwrap();
    let answer = read(&path);
    std::fs::remove_file(&path).unwrap();
    answer
}
