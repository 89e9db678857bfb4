//! Import of files of deliveries: 320 real addresses of Porto, and 20 rows with one fault each.

use std::collections::BTreeMap;

use axum::body::Body;
use routewright_testing::Answer;
use serde_json::{Map, Value, json};

use crate::jobs::scenario;
use crate::support::{Tenant, tenant};

/// Rows as the browser reads them from a file.
pub(crate) fn rows(file: &str) -> Vec<Map<String, Value>> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).expect("the file is there");
    let headers = reader.headers().expect("a header").clone();
    reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            headers.iter().zip(&record).map(|(header, cell)| (header.to_owned(), cell.into())).collect()
        })
        .collect()
}

/// P-223, P-419: a day's deliveries are imported; unknown headers are ignored and told; links are kept on both sides.
#[tokio::test]
async fn a_day_of_deliveries_is_imported() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let rows = rows("porto-jobs.csv");
    let body_rows = rows.clone();
    let body = json!({"rows": rows, "scenario_id": scenario});
    let answer = tenant.planner.post("/jobs/template_upload", body.clone()).await.ok();
    assert_eq!((&answer["created"], &answer["updated"]), (&json!(320), &json!(0)));
    assert_eq!(answer["ignored_headers"], json!(["temperature"]));
    let found = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=POR-0002")).await.ok();
    let job = &found["data"][0];
    assert_eq!((&job["pickup_from"], &job["customer_name"]), (&json!("POR-0001"), &json!("Mesa 325")));
    assert_eq!(job["location"]["address"], "Avenida de Camilo 325, 4300-096 Porto");
    // The same file again changes the jobs instead of doubling them; a mapped header becomes a field.
    let mut again = body;
    again["mapping"] = json!({"temperature": "extra_field:temperature"});
    let answer = tenant.planner.post("/jobs/template_upload", again).await.ok();
    let temperatures = body_rows.iter().filter(|row| row["temperature"] != "").count();
    assert_eq!((&answer["created"], &answer["updated"]), (&json!(0), &json!(temperatures)));
    assert_eq!(answer["unchanged"], json!(320 - temperatures));
    assert_eq!(tenant.planner.get(&format!("/jobs?scenario_ids={scenario}")).await.ok()["total_count"], 320);
}

/// Every faulty row and field is named and nothing is stored.
#[tokio::test]
async fn a_dirty_file_is_refused_with_every_fault() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let rows = rows("porto-jobs-dirty.csv");
    let refusal = tenant
        .planner
        .post("/jobs/template_upload", json!({"rows": rows, "scenario_id": scenario}))
        .await
        .refused(400);
    assert_eq!(refusal["description"], "Your file could not be automatically imported");
    assert_eq!(refusal["error"], "IMPORT_FAILED");
    let mut faults: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for error in refusal["row_errors"].as_array().into_iter().flatten() {
        let row = error["row"].as_u64().unwrap_or_default();
        faults.entry(row).or_default().push(error["field"].as_str().unwrap_or_default().to_owned());
    }
    for (row, field) in [
        (2, "uid"),
        (2, "customer_name"),
        (3, "customer_email"),
        (4, "phone_number"),
        (5, "arrive_after"),
        (6, "duration"),
        (7, "size"),
        (8, "lat"),
        (9, "pickup_from"),
        (10, "pickup_from"),
        (11, "pickup_from"),
        (12, "duration"),
        (15, "customer_name"),
        (16, "comments"),
        (17, "arrive_after"),
        (18, "uid"),
    ] {
        assert!(
            faults.get(&row).is_some_and(|fields| fields.iter().any(|name| name == field)),
            "row {row} {field}: {faults:?}"
        );
    }
    for fine in [13, 14, 19, 20] {
        assert!(!faults.contains_key(&fine), "row {fine} is fine: {:?}", faults.get(&fine));
    }
    let repeated = refusal["row_errors"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|error| error["row"] == 2 && error["field"] == "uid");
    assert_eq!(
        repeated.map(|error| &error["message"]),
        Some(&json!("Job UID POR-0002 already exists in an earlier row"))
    );
    let temperature =
        refusal["headers"].as_array().into_iter().flatten().find(|header| header["header"] == "temperature");
    assert_eq!(temperature.map(|header| &header["valid"]), Some(&json!(false)));
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 0);
}

/// P-225 to P-230: rows name clients; missing ones are suggested, known ones fill what the row leaves out.
#[tokio::test]
async fn clients_fill_rows_and_missing_ones_are_suggested() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let row = json!({"uid": "A", "client.uid": "C-9", "customer_name": "Padaria", "comments": "Ring twice", "type": "ambient"});
    let upload = json!({"rows": [row], "scenario_id": scenario});
    let refusal = tenant.planner.post("/jobs/template_upload", upload.clone()).await.refused(400);
    let missing = &refusal["missing_clients"][0];
    assert_eq!((&missing["uid"], &missing["rows"]), (&json!("C-9"), &json!([1])));
    assert_eq!(missing["suggested"]["delivery_instructions"], "Ring twice");
    let mut client = missing["suggested"].clone();
    client["location"] = json!({"address": "Rua A, Porto", "lat": 41.15, "lon": -8.6});
    let _ = tenant.planner.post("/clients", client).await.ok();
    let answer = tenant.planner.post("/jobs/template_upload", upload).await.ok();
    let job = tenant.planner.get(&format!("/jobs/{}", answer["job_ids"][0])).await.ok();
    assert_eq!(job["location"]["address"], "Rua A, Porto");
}

/// P-224, P-362: rows that say upload false or 0 are skipped; units come with further rows of the same job.
#[tokio::test]
async fn rows_can_be_left_out_and_carry_units() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let row = |uid: &str, upload: &str, unit: &str| json!({"UID": uid, "Address": "Rua A", "lat": "41,15", "LON": -8.6, "upload": upload, "unit.uid": unit});
    let rows = [
        row("A", "", "U1"),
        row("A", "t", "U2"),
        row("B", "0", ""),
        row("C", "false", ""),
        row("D", "1", ""),
    ];
    let answer = tenant
        .planner
        .post("/jobs/template_upload", json!({"rows": rows, "scenario_id": scenario}))
        .await
        .ok();
    assert_eq!((&answer["created"], &answer["skipped"]), (&json!(2), &json!(2)));
    let jobs = tenant.planner.get("/jobs?uid_exact=A").await.ok();
    assert_eq!(jobs["data"][0]["units_count"], 2);
    let many: Vec<Value> = (0..10_001).map(|n| json!({"uid": format!("N{n}")})).collect();
    tenant.planner.post("/jobs/template_upload", json!({"rows": many})).await.refused(400);
}

/// A job with a unit, a return, links and a further field, as rows of a file.
fn linked_rows() -> Value {
    json!([
        {"uid": "A", "address": "Rua A", "lat": "41.15", "lon": "-8.6", "deliver_to": "B", "duration": "7",
            "unit.uid": "UU", "unit.name": "Box", "extra_field:Zone": "North"},
        {"uid": "A", "unit.uid": "UV"},
        {"uid": "A", "unit.uid": "UU"},
        {"uid": "B", "address": "Rua B", "lat": "41.16", "lon": "-8.61", "return.uid": "R1", "return.comments": "Empty"},
        {"uid": "C", "address": "Rua C", "lat": "41.17", "lon": "-8.62", "deliver_to": "B", "type": "cold, dry"},
        {"uid": "D", "upload": "0"},
    ])
}

/// How many rows an import accounts for.
fn accounted(answer: &Value) -> u64 {
    ["created", "updated", "unchanged", "joined", "skipped", "refused"]
        .into_iter()
        .map(|part| answer[part].as_u64().expect("a count"))
        .sum()
}

/// W-022: the same file twice changes nothing, the answer says so, and a unit that a file names twice is one unit.
#[tokio::test]
async fn the_same_file_twice_changes_nothing() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let upload = json!({"rows": linked_rows(), "scenario_id": scenario});
    let first = tenant.planner.post("/jobs/template_upload", upload.clone()).await.ok();
    assert_eq!((&first["created"], &first["joined"], &first["skipped"]), (&json!(3), &json!(2), &json!(1)));
    assert_eq!((accounted(&first), &first["rows"]), (6, &json!(6)));
    assert_eq!(first["skipped_rows"][0]["row"], 6);
    let state = async || {
        let mut state = String::new();
        for list in ["/jobs?sort_by=id", "/units?sort_by=id", "/returns?sort_by=id"] {
            state += &tenant.planner.get(list).await.ok().to_string();
        }
        state
    };
    let before = state().await;
    assert!(before.contains("\"units_count\":2") && before.contains("\"pickup_from\":\"A,C\""), "{before}");
    let second = tenant.planner.post("/jobs/template_upload", upload.clone()).await.ok();
    assert_eq!(
        (&second["created"], &second["updated"], &second["unchanged"]),
        (&json!(0), &json!(0), &json!(3)),
        "{second}"
    );
    assert_eq!((accounted(&second), &second["job_ids"]), (6, &first["job_ids"]));
    assert_eq!(state().await, before);
    // Another name of a unit and another service time are changes of their two jobs, and of nothing else.
    let mut other = upload;
    other["rows"][0]["unit.name"] = "Crate".into();
    other["rows"][4]["duration"] = "9".into();
    let third = tenant.planner.post("/jobs/template_upload", other).await.ok();
    assert_eq!((&third["updated"], &third["unchanged"]), (&json!(2), &json!(1)));
    assert_eq!(tenant.planner.get("/units").await.ok()["total_count"], 2);
    let job = tenant.planner.get("/jobs?uid_exact=A").await.ok()["data"][0].clone();
    assert_eq!((&job["extra_fields"]["Zone"], &job["duration"]), (&json!("North"), &json!(7.0)));
}

/// W-022: rows of one job or unit that contradict each other are told at both rows; nothing is chosen in silence.
#[tokio::test]
async fn rows_that_contradict_each_other_are_told() {
    let tenant = tenant().await;
    let place = |row: Value| {
        let mut row = row;
        (row["lat"], row["lon"], row["address"]) = ("41.1".into(), "-8.6".into(), "Rua A".into());
        row
    };
    let rows = [
        place(json!({"uid": "A", "unit.uid": "UU", "unit.name": "Box"})),
        place(json!({"uid": "A", "unit.uid": "UU", "unit.name": "Crate"})),
        place(json!({"uid": "B", "unit.uid": "UX", "comments": "Ring"})),
        place(json!({"uid": "B", "unit.uid": "UY", "comments": "Knock"})),
        place(json!({"uid": "C"})),
        place(json!({"uid": "C"})),
        place(json!({"uid": "D", "unit.uid": "x".repeat(101)})),
    ];
    let refusal = tenant.planner.post("/jobs/template_upload", json!({"rows": rows})).await.refused(400);
    let faults: Vec<(u64, &str)> = refusal["row_errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| (error["row"].as_u64().unwrap_or_default(), error["field"].as_str().unwrap_or_default()))
        .collect();
    let expected = [
        (1, "unit.name"),
        (2, "unit.name"),
        (3, "comments"),
        (4, "comments"),
        (5, "uid"),
        (6, "uid"),
        (7, "unit.uid"),
    ];
    // W-026: a duplicate uid marks all rows that share it.
    assert_eq!(faults, expected);
    assert_eq!(refusal["kept_rows"], json!([1, 2, 3, 4, 5, 6, 7]));
}

/// W-110: the faultless rows are imported and the others kept: also those that are linked to a kept one.
#[tokio::test]
async fn valid_rows_are_imported_and_the_rest_is_kept() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let row = |uid: &str| json!({"uid": uid, "address": format!("Rua {uid}"), "lat": "41.1", "lon": "-8.6"});
    let mut rows = ["A", "B", "C", "D", "E"].map(row);
    rows[1]["duration"] = "five".into();
    rows[2]["pickup_from"] = "B".into();
    rows[3]["pickup_from"] = "A".into();
    rows[4]["client.uid"] = "C-77".into();
    let mut upload = json!({"rows": rows, "scenario_id": scenario});
    let refusal = tenant.planner.post("/jobs/template_upload", upload.clone()).await.refused(400);
    assert_eq!(refusal["kept_rows"], json!([2, 3, 5]));
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 0);
    upload["partial"] = true.into();
    let answer = tenant.planner.post("/jobs/template_upload", upload.clone()).await.ok();
    assert_eq!((&answer["created"], &answer["refused"], accounted(&answer)), (&json!(2), &json!(3), 5));
    assert_eq!(
        (&answer["kept_rows"], &answer["missing_clients"][0]["uid"]),
        (&json!([2, 3, 5]), &json!("C-77"))
    );
    let found = tenant.planner.get("/jobs?uid_exact=A").await.ok();
    assert_eq!(found["data"][0]["deliver_to"], "D");
    // Repaired, they come in; what is there already is unchanged.
    upload["rows"][1]["duration"] = "5".into();
    let answer = tenant.planner.post("/jobs/template_upload", upload.clone()).await.ok();
    assert_eq!(
        (&answer["created"], &answer["unchanged"], &answer["refused"]),
        (&json!(2), &json!(2), &json!(1))
    );
    // Nothing to import is a refusal, not an empty success.
    upload["rows"] = json!([{"uid": "F", "duration": "x"}]);
    tenant.planner.post("/jobs/template_upload", upload).await.refused(400);
}

/// W-025, P-225, P-226, C-31: a missing client is suggested with its colour, infos and further fields; `customer_email` goes
/// before `email`; a known client's further fields reach the job, whose own go before them.
#[tokio::test]
async fn clients_come_with_everything_that_the_file_says() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let row = json!({"uid": "A", "client.uid": "C-9", "job.customer_name": "Padaria", "client.colour": "#112233",
        "client.consignee_info": "Senhora Silva", "client.external_comments": "Back door", "job.extra_field:Zone": "North",
        "job.email": "office@padaria.pt", "job.address": "Rua A", "lat": "41.15", "lon": "-8.6"});
    let upload = json!({"rows": [row.clone()], "scenario_id": scenario});
    let refusal = tenant.planner.post("/jobs/template_upload", upload.clone()).await.refused(400);
    assert_eq!(refusal["row_errors"], json!([]), "the missing client is all that is wrong");
    let suggested = refusal["missing_clients"][0]["suggested"].clone();
    for (field, value) in [
        ("name", json!("Padaria")),
        ("colour", json!("#112233")),
        ("consignee_info", json!("Senhora Silva")),
        ("external_comments", json!("Back door")),
        ("extra_fields", json!({"Zone": "North"})),
        ("customer_email", json!("office@padaria.pt")),
    ] {
        assert_eq!(suggested[field], value, "{field}");
    }
    let mut client = suggested;
    client["extra_fields"]["Gate"] = "2".into();
    let _ = tenant.planner.post("/clients", client).await.ok();
    let mut both = upload;
    both["rows"][0]["job.extra_field:Zone"] = "South".into();
    both["rows"][0]["job.customer_email"] = "boss@padaria.pt".into();
    let answer = tenant.planner.post("/jobs/template_upload", both).await.ok();
    let job = tenant.planner.get(&format!("/jobs/{}", answer["job_ids"][0])).await.ok();
    assert_eq!(job["extra_fields"], json!({"Zone": "South", "Gate": "2"}));
    assert_eq!((&job["customer_email"], &job["colour"]), (&json!("boss@padaria.pt"), &json!("#112233")));
}

/// W-023: what cannot be read is a fault of its cell, never stored.
#[tokio::test]
async fn unreadable_characters_are_faults() {
    let tenant = tenant().await;
    let rows = json!([
        {"uid": "A", "customer_name": "Caf\u{fffd} A\u{fffd}o", "address": "Rua A", "lat": "41,15", "lon": "-8,6"},
        {"uid": "1.23457E+16", "address": "Rua B", "lat": "41.15", "lon": "-8.6", "duration": "1,200"},
    ]);
    let refusal = tenant.planner.post("/jobs/template_upload", json!({"rows": rows})).await.refused(400);
    let faults: Vec<String> = refusal["row_errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| format!("{} {}", error["row"], error["field"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(faults, ["1 customer_name", "2 duration", "2 uid"]);
}

async fn opened(tenant: &Tenant, path: &str, bytes: Vec<u8>) -> Answer {
    let request = http::Request::post(path).header("content-type", "application/octet-stream");
    tenant.planner.send(request.body(Body::from(bytes)).expect("a request")).await
}

/// W-023: what Excel writes in Portugal is read as it was meant, the encoding is told and can be changed; broken places are
/// told by row and column, and such a file is not imported by its name either.
#[tokio::test]
async fn files_are_read_in_their_encoding() {
    let tenant = tenant().await;
    let bytes = b"uid;nome;upload\nA;Caf\xe9 A\xe7\xe3o;\n".to_vec();
    let file = opened(&tenant, "/jobs/read_file", bytes.clone()).await.ok();
    assert_eq!((&file["encoding"], &file["delimiter"]), (&json!("windows-1252"), &json!(";")));
    assert_eq!(file["rows"], json!([{"row": 2, "cells": ["A", "Caf\u{e9} A\u{e7}\u{e3}o", ""]}]));
    let targets: Vec<&Value> =
        file["columns"].as_array().into_iter().flatten().map(|column| &column["target"]).collect();
    assert_eq!(targets, [&json!("uid"), &Value::Null, &json!("upload")]);
    let file = opened(&tenant, "/jobs/read_file?encoding=utf-8&delimiter=%3B", bytes.clone()).await.ok();
    assert_eq!((&file["faults"][0]["row"], &file["faults"][0]["header"]), (&json!(2), &json!("nome")));
    opened(&tenant, "/jobs/read_file?encoding=klingon", bytes.clone()).await.refused(400);
    opened(&tenant, "/jobs/read_file?delimiter=ab", bytes.clone()).await.refused(400);
    let drivers = opened(&tenant, "/drivers/read_file", b"uid,name\nD1,Ana\n".to_vec()).await.ok();
    assert_eq!(drivers["rows"][0]["cells"], json!(["D1", "Ana"]));
    // W-110: limits are told at once.
    let long = format!("uid\n{}", "A\n".repeat(10_001)).into_bytes();
    let refusal = opened(&tenant, "/jobs/read_file", long).await.refused(400);
    assert_eq!(refusal["description"], "An import can have at most 10000 rows");
    opened(&tenant, "/jobs/read_file", b"uid,a\nA,\"1\n".to_vec()).await.refused(400);
}

/// W-110: what columns go to is kept for files with the same headers and shared with colleagues, not with other organisations.
#[tokio::test]
async fn mappings_are_remembered_by_headers() {
    let tenant = tenant().await;
    let other = crate::support::neighbour(&tenant, routewright_core::Clock::system()).await;
    let upload = json!({
        "rows": [{"Nr": "A", "Ort": "Rua A", "lat": "41.1", "lon": "-8.6"}],
        "mapping": {"Nr": "uid", "Ort": "address", "lat": "lat", "lon": "lon", "Farbe": "ignore"},
    });
    let _ = tenant.planner.post("/jobs/template_upload", upload).await.ok();
    let file = b"Farbe,Ort,Nr,lat,lon\nred,Rua B,B,41.1,-8.6\n".to_vec();
    let colleague = Tenant { planner: tenant.admin.clone(), ..tenant };
    let read = opened(&colleague, "/jobs/read_file", file.clone()).await.ok();
    assert_eq!(read["remembered"], true);
    let targets: Vec<&str> = read["columns"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|column| column["target"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(targets, ["ignore", "address", "uid", "lat", "lon"]);
    assert_eq!(opened(&other, "/jobs/read_file", file).await.ok()["remembered"], false);
}

/// W-110, W-109: the template names every column for people, also the organisation's own, and comes back through the import.
#[tokio::test]
async fn a_template_comes_back_filled_in() {
    let tenant = tenant().await;
    let job =
        json!({"uid": "A", "address": "Rua A", "lat": "41.1", "lon": "-8.6", "extra_field:Zone": "North"});
    let _ = tenant.planner.post("/jobs/template_upload", json!({"rows": [job]})).await.ok();
    let template = tenant.planner.get("/jobs/import_template?kind=csv").await;
    let headings = template.text();
    assert!(headings.contains("Arrive after (HH:mm)") && headings.contains("extra_field:Zone"), "{headings}");
    let width = headings.matches(',').count();
    let filled = format!("{}\r\nB{}\r\n", headings.trim_end(), ",".repeat(width));
    let read = opened(&tenant, "/jobs/read_file", filled.into_bytes()).await.ok();
    for column in read["columns"].as_array().into_iter().flatten() {
        assert!(column["known"] == true && column["target"].is_string(), "{column}");
    }
    let workbook = tenant.planner.get("/jobs/import_template").await;
    assert!(workbook.bytes.starts_with(b"PK"), "a workbook");
}
