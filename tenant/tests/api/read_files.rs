//! Files on both of their ways in: through the import dialog, which shows and maps them, and by a name that a pattern knows.
//! Rows that come in are created, updated, unchanged, joined, skipped or refused, and nothing else (V-01, V-06, V-11 to V-13).

use std::io::{Cursor, Write as _};

use axum::body::Body;
use routewright_testing::Answer;
use serde_json::{Map, Value, json};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::execution::{Ready, ready};
use crate::support::{Tenant, tenant};

const HEADINGS: &str = "uid,address,lat,lon,customer_name";

/// A workbook of sheets with rows of text, as any program may write it.
fn workbook(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let rows = |rows: &[&[&str]]| {
        let cell = |text: &&str| format!(r#"<c t="str"><v>{text}</v></c>"#);
        let row = |cells: &&[&str]| format!("<row>{}</row>", cells.iter().map(cell).collect::<String>());
        format!("<worksheet><sheetData>{}</sheetData></worksheet>", rows.iter().map(row).collect::<String>())
    };
    let sheets: Vec<(&str, String)> = sheets.iter().map(|(name, content)| (*name, rows(content))).collect();
    packed(&sheets)
}

fn packed(sheets: &[(&str, String)]) -> Vec<u8> {
    let numbered = || sheets.iter().enumerate();
    let list: String =
        numbered().map(|(at, (name, _))| format!(r#"<sheet name="{name}" r:id="s{at}"/>"#)).collect();
    let relations: String = numbered()
        .map(|(at, _)| format!(r#"<Relationship Id="s{at}" Type="x/worksheet" Target="{at}.xml"/>"#))
        .collect();
    let mut parts = vec![
        ("[Content_Types].xml".to_owned(), "<Types/>".to_owned()),
        ("xl/workbook.xml".to_owned(), format!("<workbook><sheets>{list}</sheets></workbook>")),
        ("xl/_rels/workbook.xml.rels".to_owned(), format!("<Relationships>{relations}</Relationships>")),
    ];
    parts.extend(numbered().map(|(at, (_, xml))| (format!("xl/{at}.xml"), xml.clone())));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(name, SimpleFileOptions::default()).expect("a part");
        zip.write_all(text.as_bytes()).expect("its bytes");
    }
    zip.finish().expect("an archive").into_inner()
}

/// V-01: a lone cell at the far corner of a sheet.
fn far_corner() -> Vec<u8> {
    let cell = r#"<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>"#;
    packed(&[("Jobs", cell.to_owned())])
}

/// V-13: a sheet that unpacks to a thousand times its size.
fn bomb() -> Vec<u8> {
    packed(&[("Jobs", format!("<worksheet>{}</worksheet>", " ".repeat(12 * 1024 * 1024)))])
}

async fn read(tenant: &Tenant, path: &str, bytes: Vec<u8>) -> Answer {
    let request = http::Request::post(path).header("content-type", "application/octet-stream");
    tenant.planner.send(request.body(Body::from(bytes)).expect("a request")).await
}

/// What the dialog sends of a file that was read: each row by its headers, and what was not sure.
fn upload(file: &Value, scenario: &Value, partial: bool) -> Value {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let headers: Vec<Value> = list(&file["columns"]).iter().map(|column| column["header"].clone()).collect();
    let mapping: Map<String, Value> = list(&file["columns"])
        .iter()
        .filter(|column| column["target"].is_string())
        .map(|column| (column["header"].as_str().unwrap_or_default().to_owned(), column["target"].clone()))
        .collect();
    let rows: Vec<Map<String, Value>> = list(&file["rows"])
        .iter()
        .map(|row| {
            let named = headers.iter().zip(list(&row["cells"]));
            named.map(|(header, cell)| (header.as_str().unwrap_or_default().to_owned(), cell)).collect()
        })
        .collect();
    let numbers: Vec<Value> = list(&file["rows"]).iter().map(|row| row["row"].clone()).collect();
    let faults: Vec<Value> = list(&file["faults"])
        .iter()
        .map(|fault| {
            let row = numbers.iter().position(|number| *number == fault["row"]).expect("a row of the file");
            json!({"row": row + 1, "header": fault["header"], "message": fault["message"]})
        })
        .collect();
    json!({"rows": rows, "mapping": mapping, "faults": faults, "scenario_id": scenario, "partial": partial})
}

/// What became of the rows, without the counts that are 0.
fn account(answer: &Value) -> String {
    let count = |part: &str| answer[part].as_u64().unwrap_or_default();
    let parts = ["created", "updated", "unchanged", "joined", "skipped", "refused"];
    assert_eq!(parts.iter().map(|part| count(part)).sum::<u64>(), count("rows"), "{answer}");
    assert_eq!(answer["skipped_rows"].as_array().map_or(0, |rows| rows.len() as u64), count("skipped"));
    assert_eq!(answer["kept_rows"].as_array().map_or(0, |rows| rows.len() as u64), count("refused"));
    let told: Vec<String> = parts
        .into_iter()
        .filter(|part| count(part) > 0)
        .map(|part| format!("{} {part}", count(part)))
        .collect();
    told.join(", ")
}

/// A file, what becomes of its rows through the dialog with what is faulty kept back, and by its name.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    dialog: &'static str,
    by_name: &'static str,
}

fn case(name: &'static str, bytes: impl Into<Vec<u8>>, dialog: &'static str, by_name: &'static str) -> Case {
    Case { name, bytes: bytes.into(), dialog, by_name }
}

fn table(rows: &str) -> String {
    format!("{HEADINGS}\n{rows}")
}

fn corpus() -> Vec<Case> {
    let mut cases = delimited();
    cases.extend(workbooks());
    cases
}

fn delimited() -> Vec<Case> {
    let row = |uid: &str| format!("{uid},Rua 1,41.1,-8.6,Ana\n");
    let refused = "! Row 2: The row has 6 cells, but there are 5 columns";
    let open = "! Row 3: a quotation mark is opened and never closed";
    let mac = "uid;address;lat;lon;customer_name\nA;Rua 1;41,1;-8,6;Jos\u{e9} Concei\u{e7}\u{e3}o\n";
    let (windows, _, _) = encoding_rs::WINDOWS_1252.encode(mac);
    let wide: String = (0..600).map(|column| format!("c{column},")).collect();
    vec![
        case("plain", table(&[row("A"), row("B")].concat()), "2 created", "2 created"),
        case(
            "V-11 a comma in an address",
            table("A,Rua 1, 12,41.1,-8.6,Ana\nB,Rua 2,41.1,-8.6,Rui\n"),
            "1 created, 1 refused",
            refused,
        ),
        case(
            "V-12 an open quotation mark",
            table(&format!("{}B,\"Rua 2,41.1,-8.6,Rui\nC,Rua 3,41.1,-8.6,Eva\n", row("A"))),
            open,
            open,
        ),
        case(
            "V-12 closed in a later row",
            table(&format!("{}B,\"Rua 2,41.1,-8.6,Rui\nC,\"Rua 3\",41.1,-8.6,Eva\n", row("A"))),
            open,
            open,
        ),
        case("V-06 letters of Windows", windows.into_owned(), "1 created", "1 created"),
        case("a title above", format!("Deliveries\n\n{}", table(&row("A"))), "1 created", "1 created"),
        case(
            "left out by itself",
            format!("{HEADINGS},upload\nA,Rua 1,41.1,-8.6,Ana,false\nB,Rua 1,41.1,-8.6,Ana,\n"),
            "1 created, 1 skipped",
            "1 created, 1 skipped",
        ),
        case(
            "twice the same uid",
            table(&[row("A"), row("A"), row("B")].concat()),
            "1 created, 2 refused",
            "! Your file could not be automatically imported",
        ),
        case(
            "a unit in each row",
            format!("{HEADINGS},unit.uid\nA,Rua 1,41.1,-8.6,Ana,U1\nA,Rua 1,41.1,-8.6,Ana,U2\n"),
            "1 created, 1 joined",
            "1 created, 1 joined",
        ),
        case(
            "V-13 equal headers that agree",
            format!("{HEADINGS},uid\nA,Rua 1,41.1,-8.6,Ana,A\n"),
            "1 created",
            "1 created",
        ),
        case(
            "V-13 equal headers that do not",
            format!("{HEADINGS},uid\nA,Rua 1,41.1,-8.6,Ana,B\nC,Rua 1,41.1,-8.6,Ana,\n"),
            "1 created, 1 refused",
            "! Your file could not be automatically imported",
        ),
        case(
            "V-13 thousands or decimals",
            format!(
                "{HEADINGS},duration\nA,Rua 1,41.1,-8.6,Ana,\"1,200\"\nB,Rua 1,41.1,-8.6,Ana,1.200\nC,Rua 1,41.1,-8.6,Ana,1.5\n"
            ),
            "1 created, 2 refused",
            "! Your file could not be automatically imported",
        ),
        case("short rows", format!("{HEADINGS},comments,reference\n{}", row("A")), "1 created", "1 created"),
        case("only headings", table(""), "! The file has no rows", "! The file has no rows"),
        case(
            "blank rows between",
            table(&format!("\n,,,,\n{}\n\n{}", row("A"), row("B"))),
            "2 created",
            "2 created",
        ),
        case(
            "V-13 too many rows",
            table(&row("A").repeat(10_001)),
            "! An import can have at most 10000 rows",
            "! An import can have at most 10000 rows",
        ),
        case(
            "too many columns",
            format!("{wide}x\n1\n"),
            "! Row 1 has a value in column SG, but a file can have at most 500 columns",
            "! Row 1 has a value in column SG",
        ),
    ]
}

fn workbooks() -> Vec<Case> {
    let cells: &[&str] = &["A", "Rua 1", "41.1", "-8.6", "Ana"];
    let headings: &[&str] = &["uid", "address", "lat", "lon", "customer_name"];
    let far = "! Row 1048576 has a value in column XFD, but a file can have at most 500 columns";
    let unpacked = "! The workbook unpacks to more than is read: save its rows as a CSV file";
    vec![
        case("a workbook", workbook(&[("Jobs", &[headings, cells])]), "1 created", "1 created"),
        case(
            "V-13 notes before the jobs",
            workbook(&[("Notes", &[&["about"], &["nothing"]]), ("Jobs", &[headings, cells])]),
            "1 created",
            "1 created",
        ),
        case(
            "V-13 jobs in two sheets",
            workbook(&[("North", &[headings, cells]), ("South", &[headings, cells])]),
            "1 created",
            "! The file has jobs in several sheets (North, South): leave them in one",
        ),
        case(
            "V-13 a rounded number",
            packed(&[(
                "Jobs",
                format!(
                    "<worksheet><sheetData><row>{}</row><row><c><v>1.2345678901234568E+16</v></c><c t=\"str\"><v>Rua 1</v></c><c><v>41.1</v></c><c><v>-8.6</v></c></row><row><c><v>7</v></c><c t=\"str\"><v>Rua 1</v></c><c><v>41.1</v></c><c><v>-8.6</v></c></row></sheetData></worksheet>",
                    headings
                        .iter()
                        .map(|heading| format!("<c t=\"str\"><v>{heading}</v></c>"))
                        .collect::<String>()
                ),
            )]),
            "1 created, 1 refused",
            "! Row 2, uid: The number has more digits",
        ),
        case("V-01 a far corner", far_corner(), far, far),
        case("V-13 a bomb", bomb(), unpacked, unpacked),
        case(
            "V-01 half a workbook",
            far_corner()[..400].to_vec(),
            "! The workbook cannot be read",
            "! The workbook cannot be read",
        ),
    ]
}

/// V-01, V-06, V-11, V-12, V-13: every row of every file is accounted for, on both ways in; what no way can read is refused with
/// its row and reason, and leaves nothing behind.
#[tokio::test]
async fn v_13_every_row_is_accounted_for_on_both_ways() {
    let Ready { tenant, .. } = ready().await;
    let body = json!({"name": "jobs", "pattern": r"^(?P<scenario>.+)_(?P<date>\d{8})\.(csv|xlsx)$", "target": "job_import"});
    let _ = tenant.admin.post("/filename_regex", body).await.ok();
    for (at, Case { name, bytes, dialog, by_name }) in corpus().into_iter().enumerate() {
        let told = |answer: Answer| format!("! {}", reason(&answer.refused(400)));
        let file = read(&tenant, "/jobs/read_file", bytes.clone()).await;
        let became = if file.status.is_success() {
            let file = file.ok();
            let fields = json!({"name": format!("Dialog {at}"), "scheduled_date": "2026-12-01"});
            let scenario = tenant.planner.post("/scenarios", fields).await.ok()["id"].clone();
            let answer =
                tenant.planner.post("/jobs/template_upload", upload(&file, &scenario, true)).await.ok();
            assert_eq!(
                file["rows"].as_array().map(Vec::len),
                answer["rows"].as_u64().map(|rows| rows as usize),
                "{name}"
            );
            account(&answer)
        } else {
            told(file)
        };
        assert!(became.starts_with(dialog), "{name}, dialog: {became}");
        let kind = if bytes.starts_with(b"PK") { "xlsx" } else { "csv" };
        let file = format!("File {at} end_20261201.{kind}");
        let answer = tenant.planner.upload("/files/upload", &file, "text/csv", &bytes, &[]).await;
        let became = if answer.status.is_success() {
            account(&answer.ok()["filed"]["imported"])
        } else {
            told(answer)
        };
        assert!(became.starts_with(by_name), "{name}, by name: {became}");
        let kept = tenant.planner.get(&format!("/scenarios?search=File%20{at}%20end")).await.ok();
        assert_eq!(kept["total_count"] == 1, !became.starts_with('!'), "{name}");
    }
}

/// The reason of a refusal in words.
fn reason(refusal: &Value) -> String {
    match &refusal["description"] {
        Value::String(text) => text.clone(),
        fields => fields.as_object().into_iter().flat_map(Map::values).map(words).collect(),
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(words).collect(),
        other => other.to_string(),
    }
}

/// V-13: sheets are told with their rows and can be chosen, as can the row of the headings.
#[tokio::test]
async fn v_13_sheets_and_heading_rows_can_be_chosen() {
    let tenant = tenant().await;
    let bytes = workbook(&[
        ("Notes", &[&["about"], &["nothing"]]),
        ("Jobs", &[&["uid", "address"], &["A", "Rua 1"], &["B", "Rua 2"]]),
    ]);
    let file = read(&tenant, "/jobs/read_file", bytes.clone()).await.ok();
    assert_eq!(file["sheet"], "Jobs");
    assert_eq!(file["sheets"], json!([{"name": "Notes", "rows": 1}, {"name": "Jobs", "rows": 2}]));
    let file = read(&tenant, "/jobs/read_file?sheet=Notes", bytes.clone()).await.ok();
    assert_eq!((&file["sheet"], &file["rows"][0]["cells"]), (&json!("Notes"), &json!(["nothing"])));
    let file = read(&tenant, "/jobs/read_file?sheet=Jobs&heading_row=2", bytes.clone()).await.ok();
    assert_eq!((&file["heading_row"], &file["columns"][0]["header"]), (&json!(2), &json!("A")));
    let refusal = read(&tenant, "/jobs/read_file?sheet=Gone", bytes.clone()).await.refused(400);
    assert_eq!(reason(&refusal), "The file has no sheet Gone");
    let refusal = read(&tenant, "/jobs/read_file?heading_row=9", bytes).await.refused(400);
    assert_eq!(reason(&refusal), "Row 9 has no headings");
}

/// V-11: what was not sure when a file was read is a fault of its row, unless no field takes the cell; a name that does not
/// stand in the upload changes nothing.
#[tokio::test]
async fn v_11_faults_of_reading_keep_their_rows() {
    let tenant = tenant().await;
    let row = |uid: &str| json!({"uid": uid, "address": "Rua A", "lat": "41.1", "lon": "-8.6", "other": "x"});
    let fault = |row: usize, header: Value| json!({"row": row, "header": header, "message": "Unsure"});
    let faults = json!([
        fault(1, json!(null)),
        fault(2, json!("address")),
        fault(3, json!("other")),
        fault(9, json!("uid"))
    ]);
    let body = json!({"rows": [row("A"), row("B"), row("C")], "faults": faults});
    let refusal = tenant.planner.post("/jobs/template_upload", body.clone()).await.refused(400);
    assert_eq!(refusal["kept_rows"], json!([1, 2]));
    let told = json!([
        {"row": 1, "field": "", "message": "Unsure", "with": []},
        {"row": 2, "field": "address", "message": "Unsure", "with": []},
    ]);
    assert_eq!(refusal["row_errors"], told);
    let mut partial = body;
    partial["partial"] = json!(true);
    let answer = tenant.planner.post("/jobs/template_upload", partial).await.ok();
    assert_eq!(account(&answer), "1 created, 2 refused");
}
