//! CSV and Excel, read by the csv crate and by calamine.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use calamine::{Data, Range, Reader, Xlsx};
use chrono::Duration;
use routewright_documents::{
    DistanceUnit, FuelUnit,
    exports::{self, ItemRow, JobRow, ModeDates, ReturnRow, RunRow, TrackingRow, UnitRow},
    run_sheet,
    sheet::{Cell, Column, Csv, Sheet, guard, workbook},
};

use crate::common::*;

fn open(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes.to_vec())).unwrap()
}

fn first(bytes: &[u8]) -> Range<Data> {
    open(bytes).worksheet_range_at(0).unwrap().unwrap()
}

/// A file inside the xlsx, which is a zip.
fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn headings(range: &Range<Data>) -> Vec<String> {
    range.rows().next().unwrap().iter().map(ToString::to_string).collect()
}

/// One column `Value` with these texts.
fn texts(values: &[&str]) -> Sheet {
    Sheet {
        name: "Values".into(),
        columns: vec![Column::new("Value", 20.0)],
        rows: values.iter().map(|value| vec![Cell::text(*value)]).collect(),
    }
}

const DANGEROUS: [&str; 7] = ["=1+1", "+351220000001", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=1+1"];

/// S-15: a value that a spreadsheet would take for a formula gets a leading apostrophe, phone numbers included.
#[test]
fn csv_guards_against_formulas() {
    for value in DANGEROUS {
        assert_eq!(guard(value), format!("'{value}"));
    }
    for value in ["Rua 1", "a=b", "'quoted", "", "3-4"] {
        assert_eq!(guard(value), value);
    }
    let csv = Csv::default().write(&texts(&["=HYPERLINK(\"http://x\")", "+351 220"])).unwrap();
    assert_eq!(
        String::from_utf8(csv).unwrap(),
        "Value\r\n\"'=HYPERLINK(\"\"http://x\"\")\"\r\n'+351 220\r\n"
    );
}

/// A number keeps its minus: the guard is for texts.
#[test]
fn csv_keeps_numbers() {
    let sheet = Sheet {
        columns: ["lon", "n", "at", "time", "yes", "none"].map(|name| Column::new(name, 8.0)).into(),
        rows: vec![vec![
            Cell::Decimal(-8.606_07, 6),
            Cell::Whole(-3),
            Cell::DateTime(on(9, 5)),
            Cell::Time(at(13, 30)),
            Cell::YesNo(true),
        ]],
        ..Sheet::default()
    };
    let csv = String::from_utf8(Csv::default().write(&sheet).unwrap()).unwrap();
    assert_eq!(csv, "lon,n,at,time,yes,none\r\n-8.60607,-3,2026-03-09 09:05:00,13:30,yes,\r\n");
}

/// S-15: UTF-8 with a byte order mark where Excel opens the file; commas, quotes and line breaks survive.
#[test]
fn csv_is_read_back() {
    let values = ["Óptica, \"da\" Baixa", "مطعم دمشق", "first\nsecond", "🙂"];
    let csv = Csv { byte_order_mark: true }.write(&texts(&values)).unwrap();
    assert_eq!(&csv[..3], b"\xEF\xBB\xBF");
    let mut reader = csv::Reader::from_reader(&csv[3..]);
    let read: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    assert_eq!(read, values);
    assert_ne!(Csv::default().write(&texts(&values)).unwrap()[0], 0xEF);
}

/// In Excel a dangerous text stays what it is, as text with the quote prefix, and never is a formula.
#[test]
fn excel_guards_against_formulas() {
    let bytes = workbook(&[texts(&DANGEROUS)]).unwrap();
    let range = first(&bytes);
    for (i, value) in DANGEROUS.iter().enumerate() {
        // XML normalises a carriage return to a line feed.
        let expected = value.replace('\r', "\n");
        let found = range
            .get_value((i as u32 + 1, 0))
            .unwrap()
            .to_string()
            .replace("_x000D_", "\n")
            .replace('\r', "\n");
        assert_eq!(found, expected);
    }
    let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(!sheet.contains("<f>"), "{sheet}");
    assert!(part(&bytes, "xl/styles.xml").contains("quotePrefix=\"1\""));
    let styled = sheet.matches("s=\"2\" t=\"s\"").count();
    assert_eq!(styled, DANGEROUS.len(), "each dangerous text has the style with the prefix: {sheet}");
}

/// X-538, S-30: the columns of the jobs sheet in their order, then the extra fields; real numbers and times.
#[test]
fn jobs() {
    let job = JobRow {
        uid: "POR-0012".into(),
        scenario: Some("Monday Porto".into()),
        date: Some(day()),
        run: Some("R-101".into()),
        driver: Some("Driver 3".into()),
        seq: Some(7),
        customer_name: Some("Cabeleireiro Salão Zorba".into()),
        address: "Rua de Santa Catarina 286, 4000-443 Porto".into(),
        lat: 41.148_686,
        lon: -8.606_07,
        phone_number: Some("+351220000012".into()),
        duration: 15.0,
        arrive_after: Some(at(9, 0)),
        size: Some("boxes:4&weight:32".into()),
        tags: vec!["cold".into(), "new".into()],
        eta: Some(on(9, 35)),
        success: Some(true),
        extra_fields: BTreeMap::from([("temperature".into(), "<b>-18</b>".into())]),
        ..JobRow::default()
    };
    let other = JobRow { extra_fields: BTreeMap::from([("gate".into(), "=7".into())]), ..JobRow::default() };
    let sheet = exports::jobs(&[job, other]);
    let range = first(&workbook(std::slice::from_ref(&sheet)).unwrap());
    assert_eq!(
        headings(&range).join(", "),
        "uid, scenario, date, run, driver, seq, customer_name, address, lat, lon, phone_number, customer_email, \
         duration, arrive_after, leave_by, size, spec_type, priority, tags, eta, etd, proof time, success, reason, \
         comments, invoice, reference, gate, temperature"
    );
    let cell = |column: &str| {
        let index = headings(&range).iter().position(|heading| heading == column).unwrap() as u32;
        range.get_value((1, index)).unwrap().clone()
    };
    assert_eq!(cell("customer_name"), Data::String("Cabeleireiro Salão Zorba".into()));
    assert_eq!(cell("lon"), Data::Float(-8.606_07));
    assert_eq!(cell("seq"), Data::Float(7.0));
    assert_eq!(cell("phone_number"), Data::String("+351220000012".into()));
    assert_eq!(cell("tags"), Data::String("cold, new".into()));
    assert_eq!(cell("success"), Data::String("yes".into()));
    // stored raw, shown raw.
    assert_eq!(cell("temperature"), Data::String("<b>-18</b>".into()));
    let Data::DateTime(eta) = cell("eta") else { panic!("{:?}", cell("eta")) };
    let eta = eta.as_datetime().unwrap();
    assert!((eta - on(9, 35)).abs() < Duration::seconds(1), "{eta}");
    let csv = String::from_utf8(Csv::default().write(&sheet).unwrap()).unwrap();
    assert!(csv.contains(",'+351220000012,") && csv.contains(",'=7,") && csv.contains(",-8.60607,"), "{csv}");
}

/// S-30: units and returns with one date per mode.
#[test]
fn units_and_returns() {
    let item = ItemRow {
        uid: "U0121".into(),
        job: Some("POR-0012".into()),
        customer: Some("Avó Maria".into()),
        dates: ModeDates { load: Some(on(6, 40)), deliver: Some(on(9, 41)), ..ModeDates::default() },
        extra_fields: BTreeMap::from([("lot".into(), "7".into())]),
    };
    let unit = UnitRow { item: item.clone(), name: Some("Caixa".into()), ..UnitRow::default() };
    let sheet = exports::units(&[unit]);
    let names: Vec<_> = sheet.columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!(
        names.join(","),
        "uid,name,invoice,reference,job,customer,container,load,pickup,deliver,at_depot,return,lot"
    );
    assert_eq!(sheet.rows[0][9], Cell::DateTime(on(9, 41)));
    assert_eq!(sheet.rows[0][12], Cell::Text("7".into()));
    let sheet = exports::returns(&[ReturnRow { item, ..ReturnRow::default() }]);
    let names: Vec<_> = sheet.columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!(names.join(","), "uid,comments,client,job,customer,load,pickup,deliver,at_depot,return,lot");
}

/// S-30, W-066: runs in the organisation's unit of distance, each number as it is shown.
#[test]
fn runs() {
    let run = RunRow {
        uid: "R-101".into(),
        distance: 16_093,
        start_odometer: Some(100.0),
        total_driving_time: 5_400,
        billing_km: Some(16.093_44),
        fuel_consumption: Some(45.460_9),
        actual_fuel_consumption: Some(45.460_9),
        ..RunRow::default()
    };
    let value = |unit: DistanceUnit, heading: &str| {
        let sheet = exports::runs(std::slice::from_ref(&run), unit, FuelUnit::Litres);
        let index = sheet.columns.iter().position(|column| column.heading == heading);
        sheet.rows[0][index.unwrap_or_else(|| panic!("no column {heading}"))].clone()
    };
    let near = |cell: Cell, expected: f64| match cell {
        Cell::Decimal(value, 2) => assert!((value - expected).abs() < 1e-9, "{value} is not {expected}"),
        other => panic!("{other:?}"),
    };
    near(value(DistanceUnit::Kilometres, "distance (km)"), 16.09);
    near(value(DistanceUnit::Miles, "distance (mi)"), 10.0);
    near(value(DistanceUnit::Miles, "billing (mi)"), 10.0);
    near(value(DistanceUnit::Miles, "start_odometer (mi)"), 62.14);
    near(value(DistanceUnit::Kilometres, "total_driving_time (h)"), 1.5);
    // W-067: fuel in the unit that consumption is told in.
    for (fuel, heading, amount) in [
        (FuelUnit::Litres, "fuel_consumption (l)", 45.46),
        (FuelUnit::UkGallons, "fuel_consumption (gal (UK))", 10.0),
        (FuelUnit::UsGallons, "actual_fuel_consumption (gal (US))", 12.01),
    ] {
        let sheet = exports::runs(std::slice::from_ref(&run), DistanceUnit::Miles, fuel);
        let index = sheet.columns.iter().position(|column| column.heading == heading).unwrap();
        near(sheet.rows[0][index].clone(), amount);
    }
    let range = first(
        &workbook(&[exports::runs(std::slice::from_ref(&run), DistanceUnit::Miles, FuelUnit::Litres)])
            .unwrap(),
    );
    assert_eq!(range.height(), 2);
}

/// P-520: the columns of the tracking export.
#[test]
fn tracking_data() {
    let row = TrackingRow {
        job_uid: "POR-0012".into(),
        tracking_token: "a1B2c3D4e5F6".into(),
        tracking_url: "https://demo.example/tracking?tokens=a1B2c3D4e5F6".into(),
        ..TrackingRow::default()
    };
    let csv = Csv { byte_order_mark: true }.write(&exports::tracking_data(&[row])).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let mut lines = csv.trim_start_matches('\u{feff}').lines();
    assert_eq!(lines.next(), Some("Job uid,Customer name,Phone number,Email,Tracking token,Tracking url"));
    assert_eq!(
        lines.next(),
        Some("POR-0012,,,,a1B2c3D4e5F6,https://demo.example/tracking?tokens=a1B2c3D4e5F6")
    );
}

/// Names of sheets that Excel refuses are made acceptable, and stay apart.
#[test]
fn sheet_names() {
    let names = ["Run: 1/2", "run- 1-2", "", "History", &"é".repeat(40), &"é".repeat(50), "'quoted'"];
    let sheets: Vec<_> = names.iter().map(|name| Sheet { name: (*name).into(), ..texts(&["a"]) }).collect();
    let found = open(&workbook(&sheets).unwrap()).sheet_names();
    assert_eq!(found[..4], ["Run- 1-2", "run- 1-2 (2)", "Sheet", "Sheet (2)"]);
    assert_eq!(found[4], "é".repeat(31));
    assert_eq!(found[5], format!("{} (2)", "é".repeat(27)));
    assert_eq!(found[6], "quoted");
}

/// A text longer than Excel holds is cut and says so, instead of losing the file.
#[test]
fn long_texts_are_cut() {
    let range = first(&workbook(&[texts(&[&"ã".repeat(40_000)])]).unwrap());
    let text = range.get_value((1, 0)).unwrap().to_string();
    assert!(text.ends_with("[…]") && text.chars().count() <= 32_767 && text.chars().count() > 32_000);
}

/// S-33: the printable manifest has one sheet per run with the columns of the run sheet, and prints one
/// page wide with its headings repeated.
#[test]
fn manifest() {
    let runs = [run("R-101", 24), run("R-102", 3), run("Empty", 0)];
    let bytes = run_sheet::manifest(&letterhead(), &runs).unwrap();
    let mut book = open(&bytes);
    assert_eq!(book.sheet_names(), ["R-101", "R-102"]);
    let range = book.worksheet_range("R-101").unwrap();
    let cell = |row, column| range.get_value((row, column)).map(ToString::to_string).unwrap_or_default();
    let row = |row: u32| (0..11).map(|column| cell(row, column)).collect::<Vec<_>>().join("|");
    assert_eq!(range.get_value((0, 0)).unwrap().to_string(), "Run sheet R-101");
    assert_eq!(row(4), "#|Job|ETA|Window|Customer|Address|Phone|Size|Units|Comments|Signature");
    assert_eq!(
        row(8),
        "4|POR-0004|07:57|08:00–13:30|Ταβέρνα Ακρόπολις|Rua do Almada 117, 4050-037 Porto|+351 220 000 004|\
         boxes:4&weight:36|U0040, U0041, U0042|PRIORITY\nΠίσω πόρτα|"
    );
    assert_eq!(range.height(), 5 + 24);
    let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
    for expected in [
        "orientation=\"landscape\"",
        "paperSize=\"9\"",
        "fitToHeight=\"0\"",
        "<pageSetUpPr fitToPage=\"1\"/>",
    ] {
        assert!(sheet.contains(expected), "{expected} is missing");
    }
    assert!(!sheet.contains("<f>"));
    let book = part(&bytes, "xl/workbook.xml");
    assert!(book.contains("Print_Titles") && book.contains("$5:$5"), "{book}");
    assert!(book.contains("Print_Area"), "{book}");
    assert!(run_sheet::manifest(&letterhead(), &runs[2..]).is_err());
}
