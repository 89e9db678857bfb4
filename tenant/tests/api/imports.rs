//! Import of files of deliveries: 320 real addresses of Porto, and 20 rows with one fault each.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::jobs::scenario;
use crate::support::tenant;

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
    assert_eq!((&answer["created"], &answer["updated"]), (&json!(0), &json!(320)));
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
