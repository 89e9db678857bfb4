//! Workbooks part by part, as other programs write them and as somebody may forge them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use routewright_documents::reading::{MOST_CELLS, MOST_COLUMNS, Options, Unreadable, read};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::{MOST, read_any, shown};

/// Parts from this size on are not packed.
const STORED: usize = 32 * 1024 * 1024;

/// A workbook of sheets (name, further attributes, XML), styles and shared texts.
pub(super) fn book(sheets: &[(&str, &str, &str)], styles: &str, texts: &str) -> Vec<u8> {
    let mut list = String::new();
    let mut relations = String::new();
    for (at, (name, attributes, _)) in sheets.iter().enumerate() {
        write!(list, r#"<sheet name="{name}" sheetId="{at}" {attributes} r:id="s{at}"/>"#).expect("text");
        write!(relations, r#"<Relationship Id="s{at}" Type="http://x/worksheet" Target="sheets/{at}.xml"/>"#)
            .expect("text");
    }
    let mut parts = vec![
        (
            "_rels/.rels".to_owned(),
            r#"<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="xl/book.xml"/></Relationships>"#
                .to_owned(),
        ),
        ("xl/book.xml".to_owned(), format!(r#"<workbook xmlns:r="r"><sheets>{list}</sheets></workbook>"#)),
        (
            "xl/_rels/book.xml.rels".to_owned(),
            format!(
                r#"<Relationships>{relations}<Relationship Id="x" Type="http://x/styles" Target="styles.xml"/>
                   <Relationship Id="y" Type="http://x/sharedStrings" Target="/xl/texts.xml"/></Relationships>"#
            ),
        ),
        ("xl/styles.xml".to_owned(), styles.to_owned()),
        ("xl/texts.xml".to_owned(), texts.to_owned()),
    ];
    for (at, (_, _, xml)) in sheets.iter().enumerate() {
        parts.push((format!("xl/sheets/{at}.xml"), (*xml).to_owned()));
    }
    package(parts)
}

pub(super) fn package(parts: impl IntoIterator<Item = (String, String)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        let method =
            if text.len() > STORED { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).expect("a part");
        zip.write_all(text.as_bytes()).expect("its bytes");
    }
    zip.finish().expect("an archive").into_inner()
}

/// A sheet of rows.
pub(super) fn sheet(rows: &str) -> String {
    format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")
}

/// A workbook with one sheet, date formats as styles 1 to 4, zeros in front as style 5, and three shared texts.
fn one(rows: &str) -> Vec<u8> {
    let styles = r#"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/><numFmt numFmtId="171" formatCode="00000"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>"#;
    let texts = r#"<sst count="3" uniqueCount="3"><si><t>uid</t></si><si><r><t>no</t></r><r><t xml:space="preserve">te </t></r><rPh><t>spoken</t></rPh></si><si><t>two_x000A_lines &amp; more &#233;</t></si></sst>"#;
    book(&[("Jobs", "", &sheet(rows))], styles, texts)
}

const HEAD: &str = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>"#;

/// What stands in the second row of a sheet of two columns.
fn second(cells: &str) -> String {
    let told = shown(&one(&format!(r#"{HEAD}<row r="2">{cells}</row>"#)));
    told.strip_prefix("excel - [uid|note]\n").map_or(told.clone(), str::to_owned)
}

/// V-13: cells of all kinds are read as their spreadsheet shows them; what it does not hold for sure is told.
#[test]
fn v_13_cells_of_workbooks() {
    let cases = [
        (r#"<c r="A2" t="s"><v>2</v></c>"#, "2 [two\nlines & more é|]"),
        (r#"<c r="A2" t="inlineStr"><is><t> in </t></is></c>"#, "2 [in|]"),
        (r#"<c r="A2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is><v>0</v></c>"#, "2 [inline|]"),
        (r#"<c t="str"><v>A</v></c><c><v>1</v></c>"#, "2 [A|1]"),
        (r#"<c r="A2" t="str"><f>"A"&amp;"B"</f><v>AB</v></c>"#, "2 [AB|]"),
        (
            r#"<c r="A2" t="str"><v>A</v></c><c r="B2"><f>1+1</f></c>"#,
            "2 [A|]\n2 Some(\"note\") The cell has a formula without a result: open the file in a spreadsheet and save it",
        ),
        (
            r#"<c r="A2" t="str"><v>A</v></c><c r="B2" t="e"><v>#N/A</v></c>"#,
            "2 [A|]\n2 Some(\"note\") The cell holds an error: #N/A",
        ),
        (r#"<c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>0</v></c>"#, "2 [true|false]"),
        (r#"<c r="A2"><v>1001</v></c><c r="B2"><v>0.30000000000000004</v></c>"#, "2 [1001|0.3]"),
        (r#"<c r="A2"><v>123456789012345</v></c>"#, "2 [123456789012345|]"),
        (
            r#"<c r="A2"><v>1.2345678901234568E+16</v></c>"#,
            "2 [12345678901234568|]\n2 Some(\"uid\") The number has more digits than a spreadsheet keeps: give the column the format Text and type it again",
        ),
        (
            r#"<c r="A2" s="1"><v>47485</v></c><c r="B2" s="2"><v>0.3958333333</v></c>"#,
            "2 [2030-01-02|09:30]",
        ),
        (
            r#"<c r="A2" s="2"><v>1.3958333333</v></c><c r="B2" s="2"><v>0.39600694</v></c>"#,
            "2 [09:30|09:30:15]",
        ),
        (
            r#"<c r="A2" s="3"><v>47485.75</v></c><c r="B2" s="4"><v>1.25</v></c>"#,
            "2 [2030-01-02 18:00|30:00]",
        ),
        (r#"<c r="A2" s="1"><v>1</v></c><c r="B2" s="1"><v>61</v></c>"#, "2 [1900-01-01|1900-03-01]"),
        (
            r#"<c r="A2" s="1"><v>-5</v></c>"#,
            "2 [-5|]\n2 Some(\"uid\") The cell is formatted as a date, but its number is none",
        ),
        (r#"<c r="A2" t="d"><v>2030-01-02T09:30:00</v></c>"#, "2 [2030-01-02 09:30|]"),
        (r#"<c r="A2" s="5"><v>123</v></c>"#, "2 [00123|]"),
        (r#"<c r="A2" s="99"><v>7</v></c>"#, "2 [7|]"),
        (r#"<c r="A2" t="s"><v>9</v></c>"#, "! The workbook cannot be read: a text of it is missing"),
        (r#"<c r="A3"><v>9</v></c>"#, "! The workbook cannot be read: no cell has the name A3"),
        (r#"<c r="ZZZZZZZ2"><v>9</v></c>"#, "! The workbook cannot be read: no cell has the name ZZZZZZZ2"),
        (
            r#"<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>"#,
            "! The workbook cannot be read: no cell has the name A2",
        ),
        (
            r#"<c r="A99999999999999999999"><v>1</v></c>"#,
            "! The workbook cannot be read: no cell has the name A99999999999999999999",
        ),
        (r#"<c r="A2" t="str"><v>&lol;</v></c>"#, "! The workbook cannot be read: nothing is known of &lol;"),
        (
            r#"<c r="A2" t="str"><v>a_x0000_b</v></c>"#,
            "2 [a\0b|]\n2 Some(\"uid\") The cell has unreadable characters",
        ),
        (
            r#"<c r="A2" t="str"><v>A</v></c><c r="C2" t="str"><v>x</v></c>"#,
            "2 [A|]\n2 None The row has 3 cells, but there are 2 columns",
        ),
    ];
    for (cells, expected) in cases {
        assert_eq!(second(cells), expected, "{cells}");
    }
}

/// V-13: rows may be far apart, but not out of order; lone values above the headings are titles.
#[test]
fn v_13_rows_of_workbooks() {
    let text = |row: usize, texts: &[&str]| {
        let cells: String = texts.iter().map(|text| format!(r#"<c t="str"><v>{text}</v></c>"#)).collect();
        format!(r#"<row r="{row}">{cells}</row>"#)
    };
    let far =
        [text(3, &["uid", "note", "x"]), text(7, &["A", "", "1"]), text(1_048_576, &["B", "b"])].concat();
    assert_eq!(shown(&one(&far)), "excel - 3[uid|note|x]\n7 [A||1]\n1048576 [B|b|]");
    let titled =
        [text(1, &["Deliveries of March"]), text(3, &["uid", "note", "x"]), text(4, &["A", "a", "1"])];
    assert_eq!(shown(&one(&titled.concat())), "excel - 3[uid|note|x]\n4 [A|a|1]");
    let backwards = [text(2, &["uid"]), text(1, &["A"])].concat();
    assert_eq!(shown(&one(&backwards)), "! The workbook cannot be read: row 2 is followed by row 1");
    let below = text(1_048_577, &["A"]);
    assert_eq!(shown(&one(&below)), "! The workbook cannot be read: row 0 is followed by row 1048577");
    let cut = book(&[("Jobs", "", "<worksheet><sheetData><row r=\"1\"><c")], "<styleSheet/>", "<sst/>");
    assert!(shown(&cut).starts_with("! The workbook cannot be read"), "{}", shown(&cut));
    let prefixed = book(
        &[(
            "Jobs",
            "",
            r#"<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c t="str"><x:v>uid</x:v></x:c></x:row><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>"#,
        )],
        "<styleSheet/>",
        "<sst/>",
    );
    assert_eq!(shown(&prefixed), "excel - [uid]\n2 [1]");
}

/// V-13: all visible sheets are offered with their rows; without a choice the one that is meant is read.
#[test]
fn v_13_sheets_are_offered() {
    let rows = |uid: &str, count: usize| {
        let row = |text: &str| format!(r#"<row><c t="str"><v>{text}</v></c></row>"#);
        sheet(&(row(uid) + &row("A").repeat(count)))
    };
    let (notes, jobs, more) = (rows("note", 2), rows("uid", 1), rows("uid", MOST + 5));
    let bytes = book(
        &[
            ("Empty", "", &sheet("")),
            ("Notes", "", &notes),
            ("Jobs", "", &jobs),
            ("More", "", &more),
            ("Broken", "", "<worksheet><sheetData>"),
            ("Lists", r#"state="hidden""#, &jobs),
        ],
        "<styleSheet/>",
        "<sst/>",
    );
    let told = |options: Options<'_>| {
        let table = read(&bytes, options).expect("a table");
        let sheets = table.sheets.iter().map(|sheet| {
            let (rows, mark) = (sheet.rows.map(|rows| rows.to_string()), if sheet.read { "*" } else { "" });
            format!("{mark}{} {}", sheet.name, rows.unwrap_or("?".to_owned()))
        });
        sheets.collect::<Vec<_>>().join(", ")
    };
    let options = Options { most_rows: MOST, ..Options::default() };
    assert_eq!(told(options), "Empty 0, *Notes 2, Jobs 1, More 11, Broken ?");
    let meant =
        Options { meant: Some(|headings| headings.iter().any(|heading| heading == "uid")), ..options };
    assert_eq!(told(meant), "Empty 0, Notes 2, *Jobs 1, More 11, Broken ?");
    assert_eq!(
        told(Options { sheet: Some("Jobs"), ..options }),
        "Empty 0, Notes 2, *Jobs 1, More 11, Broken ?"
    );
    assert_eq!(
        told(Options { sheet: Some("Lists"), ..options }),
        "Empty 0, Notes 2, Jobs 1, More 11, Broken ?, *Lists 1"
    );
    for (name, refused) in [
        ("More", Unreadable::TooManyRows(MOST)),
        ("Empty", Unreadable::Empty),
        ("Gone", Unreadable::Sheet("Gone".to_owned())),
    ] {
        assert_eq!(read(&bytes, Options { sheet: Some(name), ..options }), Err(refused), "{name}");
    }
}

/// V-01: what a workbook says of its size costs nothing; what it really unpacks to is bounded.
#[test]
fn v_01_workbooks_that_are_larger_than_they_look() {
    let corner = r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
    let far = Err(Unreadable::TooManyColumns(1_048_576, "XFD".to_owned()));
    assert_eq!(read_any(&one(corner)), far);
    let declared = format!(
        "<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{HEAD}<row><c><v>1</v></c></row></sheetData></worksheet>"
    );
    let texts = r#"<sst uniqueCount="99999999999999"><si><t>uid</t></si><si><t>note</t></si></sst>"#;
    assert_eq!(
        shown(&book(&[("Jobs", "", &declared)], "<styleSheet/>", texts)),
        "excel - [uid|note]\n2 [1|]"
    );

    let bomb =
        |sheet: &str, styles: &str, texts: &str| read_any(&book(&[("Jobs", "", sheet)], styles, texts));
    // A lone part of one byte again and again.
    let blanks = " ".repeat(12 * 1024 * 1024);
    assert_eq!(bomb(&sheet(&blanks), "<styleSheet/>", "<sst/>"), Err(Unreadable::Unpacked));
    assert_eq!(bomb(&sheet(""), &format!("<styleSheet>{blanks}"), "<sst/>"), Err(Unreadable::Unpacked));
    // Half the bound twice.
    let half = format!("<worksheet>{}<sheetData/></worksheet>", " ".repeat(60 * 1024 * 1024));
    let halves = book(&[("A", "", &half), ("B", "", &half)], "<styleSheet/>", "<sst/>");
    assert_eq!(read_any(&halves), Err(Unreadable::Unpacked));
    // Millions of empty texts, formats, or sheets.
    let many = "<si/>".repeat(MOST_CELLS + 1);
    assert!(matches!(
        bomb(&sheet(""), "<styleSheet/>", &format!("<sst>{many}</sst>")),
        Err(Unreadable::TooMuch | Unreadable::Unpacked)
    ));
    let many = "<xf/>".repeat(70_000);
    assert_eq!(
        bomb(&sheet(""), &format!("<styleSheet><cellXfs>{many}</cellXfs></styleSheet>"), "<sst/>"),
        Err(Unreadable::TooMuch)
    );
    let sheets = vec![("Jobs", "", "<worksheet/>"); 300];
    assert_eq!(read_any(&book(&sheets, "<styleSheet/>", "<sst/>")), Err(Unreadable::TooMuch));
    // One long text that all cells share.
    let long = format!("<sst><si><t>{}</t></si></sst>", "é".repeat(500_000));
    let shared =
        (1..=80).map(|row| format!(r#"<row r="{row}"><c t="s"><v>0</v></c></row>"#)).collect::<String>();
    let options = Options { most_rows: 1_000, ..Options::default() };
    let shared = book(&[("Jobs", "", &sheet(&shared))], "<styleSheet/>", &long);
    assert_eq!(read(&shared, options), Err(Unreadable::TooMuch));
    // More entries than a workbook has, hardly a byte each.
    let entries = package((0..6_000).map(|at| (format!("{at}"), String::new())));
    assert_eq!(read_any(&entries), Err(Unreadable::Unpacked));
    // An element of a million attributes.
    let attributes: String = (0..200_000).map(|at| format!(r#" a{at}="""#)).collect();
    let wide = format!("<worksheet><sheetData><row{attributes}/></sheetData></worksheet>");
    assert_eq!(bomb(&wide, "<styleSheet/>", "<sst/>"), Err(Unreadable::Empty));
    // Elements in elements.
    let deep = "<a>".repeat(300_000);
    assert!(matches!(bomb(&deep, "<styleSheet/>", "<sst/>"), Err(Unreadable::Workbook(_))));
}

/// V-01: a part that says that it is small and is not; an archive that ends too early; one that is no workbook.
#[test]
fn v_01_archives_that_lie() {
    let mut bytes = one(HEAD);
    bytes.truncate(bytes.len() / 2);
    assert!(matches!(read_any(&bytes), Err(Unreadable::Workbook(_))));
    assert!(matches!(
        read_any(&package([("a.txt".to_owned(), "a".to_owned())])),
        Err(Unreadable::Workbook(_))
    ));
    let blanks = sheet(&" ".repeat(12 * 1024 * 1024));
    let mut bytes = book(&[("Jobs", "", &blanks)], "<styleSheet/>", "<sst/>");
    let size = u32::try_from(blanks.len()).expect("a size").to_le_bytes();
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == size {
            bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
        }
    }
    assert!(matches!(read_any(&bytes), Err(Unreadable::Unpacked | Unreadable::Workbook(_))));
}

/// V-01: columns and cells are bounded for every format.
#[test]
fn v_01_wide_tables() {
    let wide = |columns: usize| format!("{}x\nA\n", "x,".repeat(columns - 1));
    assert_eq!(read_any(wide(MOST_COLUMNS).as_bytes()).map(|table| table.headings.len()), Ok(MOST_COLUMNS));
    assert_eq!(
        read_any(wide(MOST_COLUMNS + 1).as_bytes()),
        Err(Unreadable::TooManyColumns(1, "SG".to_owned()))
    );
    let marks = |count: usize| format!("uid,a\nA{}\n", ",".repeat(count));
    assert_eq!(shown(marks(16_000).as_bytes()), "UTF-8 , [uid|a]\n2 [A|]");
    assert_eq!(read_any(marks(5_000_000).as_bytes()), Err(Unreadable::TooMuch));
    let blanks = format!("uid\n{}A\n", "\n".repeat(2_000_000));
    assert_eq!(read_any(blanks.as_bytes()), Err(Unreadable::TooMuch));
    let rows = MOST_CELLS / MOST_COLUMNS + 1;
    let square = format!("{}{}", wide(MOST_COLUMNS), "A\n".repeat(rows));
    let options = Options { most_rows: rows + 1, ..Options::default() };
    assert_eq!(read(square.as_bytes(), options), Err(Unreadable::TooMuch));
}
