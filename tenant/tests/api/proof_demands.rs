//! What proofs have to have: told to the run sheet, and what arrives without it is kept and shown as incomplete.

use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::files::PNG;

const RECORDS: &str = "/v2/runsheet/records";

async fn set(ready: &Ready, demands: Value, by_job_type: Value) {
    let id = ready.tenant.organisation.id;
    let path = format!("/organisations/{id}/information/pod_settings");
    let body = json!({"demands": demands, "by_job_type": by_job_type});
    let _ = ready.tenant.admin.put(&path, body).await.ok();
}

fn stop(ready: &Ready, n: usize, job: usize, proof: Value) -> Value {
    json!({
        "id": format!("6f1c1c5e-54a9-4f3e-9d0e-{n:012}"), "kind": "stop", "job_id": ready.jobs[job]["id"],
        "job_uid": ready.jobs[job]["uid"], "captured_at": format!("2026-11-23T07:50:{n:02}Z"), "job_proof": proof,
    })
}

/// The PIN that the customer of a job was sent.
async fn pin(ready: &Ready, job: usize) -> String {
    let address = format!("customer-{job}@example.org");
    let item = json!([{"email": address, "job_id": ready.jobs[job]["id"],
        "token": ready.planner().get(&format!("/jobs/{}", ready.jobs[job]["id"])).await.ok()["tracking_token"]}]);
    assert_eq!(ready.planner().post("/jobs/send_tracking_urls", item).await.ok()[0]["success"], true);
    let mails = ready.mails(&address).await;
    let text = &mails.last().unwrap().1;
    let told = text.lines().find_map(|line| line.strip_prefix("PIN to tell the driver: "));
    told.unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// Without any setting everything is as before. What is set comes with the run sheet, job by job; a type's line counts first.
#[tokio::test]
async fn demands_come_with_the_run_sheet() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let demands = async |job: usize| driver.get("/v2/runsheet").await.ok()["jobs"][job]["demands"].clone();
    let unset =
        json!({"photo": null, "signature": null, "scan": null, "pin": null, "note": null, "age_check": null});
    assert_eq!(demands(0).await, unset);
    let filed = driver.post(RECORDS, stop(&ready, 1, 0, json!({"success": true}))).await.ok();
    assert_eq!((&filed["state"], &filed["problem"]), (&json!("filed"), &json!(null)));

    let wine = json!([{"job_type": "wine", "demands": {"age_check": "required", "photo": "optional"}}]);
    set(&ready, json!({"photo": "warn", "note": "required"}), wine).await;
    let path = format!("/jobs/{}", ready.jobs[1]["id"]);
    let _ = ready.planner().patch(&path, json!({"spec_type": "van,wine"})).await.ok();
    let mut expected = unset.clone();
    expected["photo"] = "warn".into();
    expected["note"] = "required".into();
    assert_eq!(demands(0).await, expected);
    expected["photo"] = "optional".into();
    expected["age_check"] = "required".into();
    assert_eq!(demands(1).await, expected);

    let id = ready.tenant.organisation.id;
    let path = format!("/organisations/{id}/information/pod_settings");
    for (wrong, field) in [
        (json!({"demands": {"photo": "always"}}), "demands"),
        (json!({"demands": {"film": "required"}}), "demands.film"),
        (json!({"by_job_type": [{"job_type": " ", "demands": {}}]}), "by_job_type"),
        (json!({"by_job_type": [{"job_type": "a"}, {"job_type": "a"}]}), "by_job_type"),
    ] {
        let refusal = ready.tenant.admin.put(&path, wrong).await.refused(400);
        assert!(refusal["fields"].as_object().unwrap().keys().any(|key| key.starts_with(field)), "{refusal}");
    }
}

/// Evidence is never refused: a record without what is required is stored, says what it lacks, and waits for the office.
#[tokio::test]
async fn what_lacks_something_is_kept_and_told() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet").await.ok();
    let required =
        json!({"photo": "required", "signature": "required", "note": "required", "age_check": "required"});
    set(&ready, required, json!([])).await;
    let bare = driver.post(RECORDS, stop(&ready, 1, 0, json!({"success": true, "comments": " "}))).await.ok();
    let problem = "Stored without what is required: photo, signature, note, age check";
    assert_eq!((&bare["state"], &bare["problem"]), (&json!("open"), &json!(problem)));
    let failed =
        driver.post(RECORDS, stop(&ready, 2, 1, json!({"success": false, "comments": "Closed"}))).await.ok();
    assert_eq!(failed["problem"], "Stored without what is required: photo");
    let photo =
        driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok()["id"].clone();
    let whole = json!({"success": true, "comments": "Fine", "photo_ids": [photo], "signature_id": photo, "age_check": true,
        "lat": 41.1503, "lon": -8.61, "device": "Chrome 142, Android"});
    let record = stop(&ready, 3, 0, whole);
    let kept = driver.post(RECORDS, record.clone()).await.ok();
    assert_eq!((&kept["state"], &kept["problem"]), (&json!("filed"), &json!(null)));
    assert_eq!(driver.post(RECORDS, record).await.ok(), kept);
    let proofs = ready.planner().get(&format!("/job_proofs?job_id={}", ready.jobs[0]["id"])).await.ok();
    let [last, first] = [&proofs["data"][0], &proofs["data"][1]];
    assert_eq!(first["missing"], json!(["photo", "signature", "note", "age_check"]));
    assert_eq!((&last["missing"], &last["age_check"]), (&json!(null), &json!(true)));
    // 0.0003 degrees of latitude.
    assert_eq!((&last["distance"], &last["device"]), (&json!(33), &json!("Chrome 142, Android")));
    // The office knows what it does.
    let by_office = json!({"job_id": ready.jobs[2]["id"], "success": true});
    assert_eq!(ready.planner().post("/job_proofs", by_office).await.ok()["missing"], json!(null));
}

/// A PIN is sent to the customer, compared with what the driver was told, and stands nowhere else. After five wrong ones none
/// counts.
#[tokio::test]
async fn a_pin_is_compared_and_kept_nowhere() {
    let ready = ready().await;
    let driver = ready.driver().await;
    set(&ready, json!({"pin": "required"}), json!([])).await;
    let (first, second) = (pin(&ready, 0).await, pin(&ready, 1).await);
    assert!(first.len() == 6 && first.chars().all(|digit| digit.is_ascii_digit()), "{first}");
    assert_ne!(first, second);
    assert_eq!(pin(&ready, 0).await, first, "sent again it is the same");
    let sheet = driver.get("/v2/runsheet").await;
    assert!(!sheet.text().contains(&first), "the run sheet does not tell it");
    let ask = async |job: usize, pin: &str| {
        driver.post("/v2/runsheet/pin", json!({"job_id": ready.jobs[job]["id"], "pin": pin})).await.ok()
    };
    let wrong = if second == "000000" { "000001" } else { "000000" };
    assert_eq!(ask(0, &first).await, json!({"ok": true, "tries_left": 5}));
    assert_eq!(ask(0, &second).await, json!({"ok": false, "tries_left": 4}));
    let filed = driver.post(RECORDS, stop(&ready, 1, 0, json!({"success": true, "pin": first}))).await.ok();
    assert_eq!(filed["state"], "filed", "{filed}");
    for left in [4, 3, 2, 1] {
        assert_eq!(ask(1, wrong).await, json!({"ok": false, "tries_left": left}));
    }
    let open = driver.post(RECORDS, stop(&ready, 2, 1, json!({"success": true, "pin": wrong}))).await.ok();
    assert_eq!(open["problem"], "Stored without what is required: pin");
    assert_eq!(ask(1, &second).await, json!({"ok": false, "tries_left": 0}));
    driver.post("/v2/runsheet/pin", json!({"job_id": 999_999, "pin": first})).await.refused(404);
    let of = async |job: usize| {
        let path = format!("/job_proofs?job_id={}", ready.jobs[job]["id"]);
        ready.planner().get(&path).await.ok()["data"][0]["pin_ok"].clone()
    };
    assert_eq!((of(0).await, of(1).await), (json!(true), json!(false)));
    let kept: String = sqlx::query_scalar("select string_agg(content::text, '') from evidence")
        .fetch_one(&mut ready.tenant.organisation.database().await)
        .await
        .unwrap();
    assert!(!kept.contains(&first) && !kept.contains("\"pin\""), "{kept}");
    // What is corrected later needs no second PIN.
    let again =
        driver.post(RECORDS, stop(&ready, 3, 0, json!({"success": true, "comments": "x"}))).await.ok();
    assert_eq!(again["state"], "filed", "{again}");
}

/// Units that nobody has recorded are missing where every one has to be.
#[tokio::test]
async fn every_unit_has_to_be_recorded() {
    let ready = ready().await;
    ready.tenant.organisation.modules(&["units"]).await;
    let driver = ready.driver().await;
    let units = [("U-1", 0), ("U-2", 0)];
    let mut ids = Vec::new();
    for (uid, job) in units {
        let unit = json!({"uid": uid, "job_id": ready.jobs[job]["id"]});
        ids.push(ready.planner().post("/units", unit).await.ok()["id"].clone());
    }
    let _ = driver.get("/v2/runsheet").await.ok();
    set(&ready, json!({"scan": "required"}), json!([])).await;
    let mut record = stop(&ready, 1, 0, json!({"success": true}));
    record["unit_proofs"] = json!([{"unit_id": ids[0], "mode": "deliver"}]);
    assert_eq!(driver.post(RECORDS, record).await.ok()["problem"], "Stored without what is required: scan");
    let mut record = stop(&ready, 2, 0, json!({"success": true}));
    record["unit_proofs"] = json!([{"unit_id": ids[1], "mode": "deliver"}]);
    assert_eq!(driver.post(RECORDS, record).await.ok()["state"], "filed");
}

/// W-109: a delivery that was not whole says of what there was less, in the proof, in its seal and on paper; a failed or a whole
/// one says nothing. What is no size is refused by its field.
#[tokio::test]
async fn what_was_not_delivered_whole_says_how_much() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet").await.ok();
    let less = json!({"success": true, "delivered_size": " boxes:4&weight:12.5 "});
    assert_eq!(driver.post(RECORDS, stop(&ready, 1, 0, less)).await.ok()["state"], "filed");
    assert_eq!(
        driver.post(RECORDS, stop(&ready, 2, 1, json!({"success": true}))).await.ok()["state"],
        "filed"
    );
    let of = async |job: usize| {
        let path = format!("/job_proofs?job_id={}", ready.jobs[job]["id"]);
        ready.planner().get(&path).await.ok()["data"][0].clone()
    };
    assert_eq!(of(0).await["delivered_size"], "boxes:4&weight:12.5");
    assert_eq!(of(1).await["delivered_size"], json!(null));

    let unit = json!({"job_id": ready.jobs[2]["id"], "success": true});
    let proof = ready.planner().post("/job_proofs", unit).await.ok();
    let path = format!("/job_proofs/{}", proof["id"]);
    for wrong in ["many", "boxes:4|pallets:1", "boxes:-1", "boxes"] {
        let refusal = ready.planner().patch(&path, json!({"delivered_size": wrong})).await.refused(400);
        assert!(refusal["fields"]["delivered_size"].is_string(), "{wrong}: {refusal}");
    }
    let mended = ready.planner().patch(&path, json!({"delivered_size": "boxes:0"})).await.ok();
    assert_eq!(mended["delivered_size"], "boxes:0");
}
