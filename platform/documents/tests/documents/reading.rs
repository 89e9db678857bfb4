//! A corpus of nasty small files (W-023, W-110, V-06, V-11 to V-13): what is read of each, and what is told.

mod workbooks;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1251, WINDOWS_1252};
use routewright_documents::reading::{Options, Table, Unreadable, read};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

const MOST: usize = 10;

fn read_any(bytes: &[u8]) -> Result<Table, Unreadable> {
    read(bytes, Options { most_rows: MOST, ..Options::default() })
}

/// Encoding, separator, headings and rows in one line each, faults behind them.
fn shown(bytes: &[u8]) -> String {
    let table = match read_any(bytes) {
        Ok(table) => table,
        Err(error) => return format!("! {error}"),
    };
    let mut lines = vec![format!(
        "{} {} {}[{}]",
        table.encoding.as_deref().unwrap_or("excel"),
        table.delimiter.map_or("-".to_owned(), |delimiter| delimiter.escape_default().to_string()),
        if table.heading_row == 1 { String::new() } else { table.heading_row.to_string() },
        table.headings.join("|")
    )];
    lines.extend(table.rows.iter().map(|row| format!("{} [{}]", row.number, row.cells.join("|"))));
    lines.extend(
        table.faults.iter().map(|fault| format!("{} {:?} {}", fault.row, fault.heading, fault.reason)),
    );
    lines.join("\n")
}

fn in_encoding(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, lost) = encoding.encode(text);
    assert!(!lost, "{} cannot hold the text", encoding.name());
    bytes.into_owned()
}

fn utf16(text: &str, mark: bool, little: bool) -> Vec<u8> {
    let mark = if mark { "\u{feff}" } else { "" };
    let units = mark.encode_utf16().chain(text.encode_utf16()).collect::<Vec<_>>();
    units.into_iter().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

/// W-023, V-11, V-12: nothing shifts, nothing is swallowed, and what is not sure is told.
#[test]
fn w_023_delimited_files() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("plain", b"uid,address\nA,Rua 1\n", "UTF-8 , [uid|address]\n2 [A|Rua 1]"),
        ("semicolons", b"uid;address\nA;Rua 1, Porto\n", "UTF-8 ; [uid|address]\n2 [A|Rua 1, Porto]"),
        ("tabs, as pasted", b"uid\taddress\nA\tRua 1\n", "UTF-8 \\t [uid|address]\n2 [A|Rua 1]"),
        ("bars", b"uid|address\nA|Rua 1\n", "UTF-8 | [uid|address]\n2 [A|Rua 1]"),
        ("one column", b"uid\nA\n", "UTF-8 , [uid]\n2 [A]"),
        ("separator line of Excel", b"sep=;\r\nuid;note\r\nA;1,5\r\n", "UTF-8 ; [uid|note]\n2 [A|1,5]"),
        ("separators inside a quoted heading", b"\"a;b;c\",d\n1,2\n", "UTF-8 , [a;b;c|d]\n2 [1|2]"),
        ("byte order mark", b"\xef\xbb\xbfuid,a\nA,\xc3\xa9\n", "UTF-8 , [uid|a]\n2 [A|\u{e9}]"),
        ("Windows lines", b"uid,a\r\nA,1\r\nB,2\r\n", "UTF-8 , [uid|a]\n2 [A|1]\n3 [B|2]"),
        ("lines of the old Macintosh", b"uid,a\rA,1\rB,2", "UTF-8 , [uid|a]\n2 [A|1]\n3 [B|2]"),
        ("no line end", b"uid,a\nA,1", "UTF-8 , [uid|a]\n2 [A|1]"),
        ("nothing", b"", "! The file has no rows"),
        ("blanks", b"\n\n  \n", "! The file has no rows"),
        ("headings only", b"uid,address\n", "! The file has no rows"),
        ("headings and separators", b"uid,address\n,,\n", "! The file has no rows"),
        ("empty lines keep the count", b"uid,a\n\nA,1\n\n\nB,2\n", "UTF-8 , [uid|a]\n3 [A|1]\n6 [B|2]"),
        ("lines of separators keep the count", b"uid,a\n,\nA,1\n", "UTF-8 , [uid|a]\n3 [A|1]"),
        (
            "lines inside cells are no rows",
            b"uid,a\nA,\"one\ntwo\"\nB,2\n",
            "UTF-8 , [uid|a]\n2 [A|one\ntwo]\n3 [B|2]",
        ),
        ("doubled quotes", b"uid,a\nA,\"say \"\"hi\"\"\"\n", "UTF-8 , [uid|a]\n2 [A|say \"hi\"]"),
        ("a quote inside a cell", b"uid,a\nA,5\" pipe\n", "UTF-8 , [uid|a]\n2 [A|5\" pipe]"),
        (
            "a quote that is never closed",
            b"uid,a\nA,1\nB,\"2\nC,3\nD,4\n",
            "! Row 3: a quotation mark is opened and never closed",
        ),
        ("short rows end in empty cells", b"uid,a,b\nA\n", "UTF-8 , [uid|a|b]\n2 [A||]"),
        (
            "long rows are told",
            b"uid,a\nA,Rua 1, Porto\nB,2,,\n",
            "UTF-8 , [uid|a]\n2 [A|Rua 1]\n3 [B|2]\n2 None The row has 3 cells, but there are 2 columns",
        ),
        ("repeated headings", b"uid,note,note\nA,1,2\n", "UTF-8 , [uid|note|note (2)]\n2 [A|1|2]"),
        ("values without a heading", b"uid,,,a\nA,x,,1\n", "UTF-8 , [uid|Column B|a]\n2 [A|x|1]"),
        ("odd blanks in headings", b" uid , first\tline\nA,1\n", "UTF-8 , [uid|first line]\n2 [A|1]"),
        ("formulas are text", b"uid,a\nA,=1+1\n", "UTF-8 , [uid|a]\n2 [A|=1+1]"),
        (
            "a broken place in UTF-8",
            b"uid,a\nA,Caf\xe9\nB,\xc3\xa1\xc3\xa9\xc3\xad\xc3\xb3\xc3\xba\xc3\xa3\xc3\xb5\xc3\xa7\xc3\xa2\xc3\xaa\xc3\xb4\n",
            "UTF-8 , [uid|a]\n2 [A|Caf\u{fffd}]\n3 [B|\u{e1}\u{e9}\u{ed}\u{f3}\u{fa}\u{e3}\u{f5}\u{e7}\u{e2}\u{ea}\u{f4}]\n2 Some(\"a\") The cell has unreadable characters",
        ),
        (
            "V-12: a quotation mark that the next one closes in a later row",
            b"uid,a\nA,\"1\nB,\"2\"\nC,3\n",
            "! Row 2: a quotation mark is opened and never closed",
        ),
        (
            "V-12: two quotation marks that swallow rows between them",
            b"uid,a,b\nA,\"1,x\nB,2,y\nC,3,\"\nD,4,z\n",
            "UTF-8 , [uid|a|b]\n2 [A|1,x\nB,2,y\nC,3,|]\n3 [D|4|z]\n2 Some(\"a\") The cell runs over lines that look like rows of their own: a quotation mark may be missing",
        ),
        (
            "text behind the closing quotation mark",
            b"uid,a\nA,\"Foo\" Ltd\nB,\"Bar\" \n",
            "UTF-8 , [uid|a]\n2 [A|\"Foo\" Ltd]\n3 [B|Bar]\n2 Some(\"a\") The cell goes on behind its closing quotation mark",
        ),
        (
            "V-11: an address without quotation marks",
            b"uid,address,lat,lon\nA,Rua 1, 12,41.1,-8.6\n",
            "UTF-8 , [uid|address|lat|lon]\n2 [A|Rua 1| 12|41.1]\n2 None The row has 5 cells, but there are 4 columns",
        ),
        ("semicolons, decimals by comma", b"uid;lat;lon\nA;41,1;-8,6\nB;41,2;-8,5\n", "UTF-8 ; [uid|lat|lon]\n2 [A|41,1|-8,6]\n3 [B|41,2|-8,5]"),
        ("more commas than semicolons", b"uid;a, b, c\nA;1,2\nB;3,4,5,6\n", "UTF-8 ; [uid|a, b, c]\n2 [A|1,2]\n3 [B|3,4,5,6]"),
        ("a title above", b"Deliveries, Monday\n\nuid;lat;lon\nA;41,1;-8,6\n", "UTF-8 ; 3[uid|lat|lon]\n4 [A|41,1|-8,6]"),
        ("blank rows with blanks", b"uid,a\n  ,\t\nA,1\n", "UTF-8 , [uid|a]\n3 [A|1]"),
        ("a heading numbered already", b"note,note,note (2)\n1,2,3\n", "UTF-8 , [note|note (2)|note (2) (2)]\n2 [1|2|3]"),
        ("cells of blanks are kept", b"uid,a\nA,  \n", "UTF-8 , [uid|a]\n2 [A|  ]"),
        ("an empty quoted cell", b"uid,a\nA,\"\"\n\"\",\"\"\nB,1\n", "UTF-8 , [uid|a]\n2 [A|]\n4 [B|1]"),
        ("mixed line ends", b"uid,a\r\nA,1\rB,2\nC,3", "UTF-8 , [uid|a]\n2 [A|1]\n3 [B|2]\n4 [C|3]"),
        ("a quoted cell at the very end", b"uid,a\nA,\"1\"", "UTF-8 , [uid|a]\n2 [A|1]"),
        ("a separator at the very end", b"uid,a\nA,", "UTF-8 , [uid|a]\n2 [A|]"),
        ("NUL", b"uid,a\nA,1\x002\n", "UTF-8 , [uid|a]\n2 [A|1\x002]\n2 Some(\"a\") The cell has unreadable characters"),
        ("only a byte order mark", b"\xef\xbb\xbf", "! The file has no rows"),
        ("an archive of nothing", b"PK\x05\x06\0\0\0\0", "! Only CSV and XLSX files can be read: save the file as one of them"),
        ("gzip", b"\x1f\x8b\x08", "! Only CSV and XLSX files can be read: save the file as one of them"),
        ("emoji and letters of many bytes", "uid,a\nA,\u{1f69a}\u{10348}\n".as_bytes(), "UTF-8 , [uid|a]\n2 [A|\u{1f69a}\u{10348}]"),
        ("formulas of other programs", b"uid,a\n@SUM(1),+1\n", "UTF-8 , [uid|a]\n2 [@SUM(1)|+1]"),
        ("numbers of seventeen digits", b"uid,a\n12345678901234567,1\n", "UTF-8 , [uid|a]\n2 [12345678901234567|1]"),
    ];
    for (name, bytes, expected) in cases {
        assert_eq!(shown(bytes), *expected, "{name}");
    }
}

const PORTUGUESE: &str = "uid;nome\nA;Caf\u{e9} A\u{e7}\u{e3}o\nB;S\u{e3}o Jo\u{e3}o da \u{c1}gua\n";

#[test]
fn w_023_encodings_are_detected() {
    let expected = |encoding: &str| {
        format!(
            "{encoding} ; [uid|nome]\n2 [A|Caf\u{e9} A\u{e7}\u{e3}o]\n3 [B|S\u{e3}o Jo\u{e3}o da \u{c1}gua]"
        )
    };
    let cases = [
        ("windows-1252", in_encoding(WINDOWS_1252, PORTUGUESE)),
        ("macintosh", in_encoding(MACINTOSH, PORTUGUESE)),
        ("UTF-16LE", utf16(PORTUGUESE, true, true)),
        ("UTF-16BE", utf16(PORTUGUESE, true, false)),
        ("UTF-16LE", utf16(PORTUGUESE, false, true)),
        ("UTF-16BE", utf16(PORTUGUESE, false, false)),
        ("UTF-8", PORTUGUESE.as_bytes().to_vec()),
    ];
    for (name, bytes) in cases {
        assert_eq!(shown(&bytes), expected(name), "{name}");
    }
    // Signs that Excel writes are no letters of another system.
    let signs = in_encoding(WINDOWS_1252, "uid;a\nA;5 \u{20ac}\nB;don\u{2019}t \u{2013} go\n");
    assert_eq!(shown(&signs), "windows-1252 ; [uid|a]\n2 [A|5 \u{20ac}]\n3 [B|don\u{2019}t \u{2013} go]");
    let russian = "uid;a\nA;\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}, \u{443}\u{43b}\u{438}\u{446}\u{430} \u{41c}\u{438}\u{440}\u{430}\nB;\u{41f}\u{435}\u{442}\u{440}\u{43e}\u{432}\n";
    let table = read_any(&in_encoding(WINDOWS_1251, russian)).expect("a table");
    assert_eq!(table.encoding.as_deref(), Some("windows-1251"));
}

#[test]
fn w_023_encoding_and_separator_can_be_chosen() {
    let bytes = in_encoding(MACINTOSH, PORTUGUESE);
    let options = Options {
        encoding: Some("windows-1252"),
        delimiter: Some(','),
        most_rows: MOST,
        ..Options::default()
    };
    let table = read(&bytes, options).expect("a table");
    assert_eq!((table.encoding.as_deref(), table.delimiter), (Some("windows-1252"), Some(',')));
    assert_eq!(table.headings, ["uid;nome"]);
    // What comes out is no text of that encoding, and it is told where.
    assert_eq!(table.faults[0].row, 2);
    let unknown = Options { encoding: Some("klingon"), ..options };
    assert_eq!(read(&bytes, unknown), Err(Unreadable::Encoding("klingon".into())));
    let quote = Options { delimiter: Some('"'), ..options };
    assert_eq!(read(&bytes, quote), Err(Unreadable::Delimiter));
}

/// V-06: letters that come late in a long file tell its encoding too.
#[test]
fn v_06_late_letters() {
    let text = format!("uid;nome\n{}B;S\u{e3}o Jo\u{e3}o\n", "A;a\n".repeat(100_000));
    let options = Options { most_rows: 200_000, ..Options::default() };
    for encoding in [WINDOWS_1252, MACINTOSH] {
        let table = read(&in_encoding(encoding, &text), options).expect("a table");
        assert_eq!(table.rows.last().map(|row| row.cells[1].as_str()), Some("S\u{e3}o Jo\u{e3}o"));
    }
}

/// W-023: the row of the headings can be chosen.
#[test]
fn w_023_heading_row_can_be_chosen() {
    let bytes = b"Deliveries;March\n\nuid;a\nA;1\n";
    let options = Options { heading_row: Some(3), most_rows: 1, ..Options::default() };
    let table = read(bytes, options).expect("a table");
    assert_eq!((table.headings, table.rows.len()), (vec!["uid".to_owned(), "a".to_owned()], 1));
    for row in [2, 9] {
        let options = Options { heading_row: Some(row), ..options };
        assert_eq!(read(bytes, options), Err(Unreadable::HeadingRow(row)));
    }
}

#[test]
fn w_110_too_many_rows_and_other_formats_are_told() {
    let rows = |count: usize| format!("uid\n{}", "A\n".repeat(count));
    assert_eq!(read_any(rows(MOST).as_bytes()).map(|table| table.rows.len()), Ok(MOST));
    assert_eq!(read_any(rows(MOST + 1).as_bytes()), Err(Unreadable::TooManyRows(MOST)));
    for bytes in [&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1old Excel"[..], b"%PDF-1.7\n", b"\x89PNG\r\n"] {
        assert_eq!(read_any(bytes), Err(Unreadable::Format));
    }
    assert!(matches!(read_any(b"PK\x03\x04 no workbook"), Err(Unreadable::Workbook(_))));
}

#[test]
fn w_023_workbooks() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let time = Format::new().set_num_format("hh:mm");
    let day = Format::new().set_num_format("yyyy-mm-dd");
    for (column, heading) in (1..).zip(["uid", "from", "day", "amount", "formula", "yes", "long"]) {
        let _ = sheet.write(1, column, heading).expect("a heading");
    }
    let _ = sheet.write(3, 1, 1001).expect("a number");
    let _ = sheet
        .write_with_format(3, 2, ExcelDateTime::from_hms(9, 30, 0).expect("a time"), &time)
        .expect("a time");
    let _ = sheet
        .write_with_format(3, 3, ExcelDateTime::from_ymd(2030, 1, 2).expect("a day"), &day)
        .expect("a day");
    let _ = sheet.write(3, 4, 0.1 + 0.2).expect("a decimal");
    let _ = sheet.write(3, 5, Formula::new("=1+1").set_result("2")).expect("a formula");
    let _ = sheet.write(3, 6, true).expect("a truth");
    let _ = sheet.write(3, 7, 12_345_678_901_234_567.0).expect("a long number");
    let bytes = book.save_to_buffer().expect("a workbook");
    assert_eq!(
        shown(&bytes),
        "excel - 2[uid|from|day|amount|formula|yes|long]\n4 [1001|09:30|2030-01-02|0.3|2|true|12345678901234568]\n\
         4 Some(\"long\") The number has more digits than a spreadsheet keeps: give the column the format Text and type it again"
    );
    let mut empty = Workbook::new();
    let _ = empty.add_worksheet();
    assert_eq!(read_any(&empty.save_to_buffer().expect("a workbook")), Err(Unreadable::Empty));
}
