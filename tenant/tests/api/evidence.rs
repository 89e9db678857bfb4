//! What phones report arrives once and always, whatever the office did meanwhile.

use chrono::Duration;
use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::files::PNG;
use crate::support::neighbour;

const RECORDS: &str = "/v2/runsheet/records";

/// An id as a phone makes it.
fn uid(n: usize) -> String {
    format!("6f1c1c5e-54a9-4f3e-9d0e-{n:012}")
}

fn stop(ready: &Ready, n: usize, job: usize, proof: Value) -> Value {
    json!({
        "id": uid(n), "kind": "stop", "job_id": ready.jobs[job]["id"], "job_uid": ready.jobs[job]["uid"],
        "captured_at": "2026-11-23T07:50:00.250Z", "sent_at": "2026-11-23T08:00:00Z", "job_proof": proof,
    })
}

async fn count(ready: &Ready, path: &str) -> Value {
    ready.planner().get(path).await.ok()["total_count"].clone()
}

/// W-042, W-044: a stop with photo, signature, units and job proof is one unit. Sent again, or twice at once, because an
/// answer was lost, it is stored once; so are start and end.
#[tokio::test]
async fn a_record_is_stored_once_however_often_it_is_sent() {
    let ready = ready().await;
    ready.tenant.organisation.modules(&["units"]).await;
    let driver = ready.driver().await;
    let unit = json!({"uid": "U-1", "job_id": ready.jobs[0]["id"]});
    let unit = ready.planner().post("/units", unit).await.ok();
    let photo = driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok();
    let start = json!({"id": uid(1), "kind": "start", "captured_at": "2026-11-23T07:45:00Z",
        "route": {"odometer": 1200.5, "lat": 41.1, "lon": -8.6}});
    for _ in 0..2 {
        assert_eq!(driver.post(RECORDS, start.clone()).await.ok()["state"], "filed");
    }
    let proof = json!({"success": true, "photo_ids": [photo["id"]], "signature_id": photo["id"], "signature_name": "Ana"});
    let mut record = stop(&ready, 2, 0, proof);
    record["unit_proofs"] =
        json!([{"unit_id": unit["id"], "job_id": ready.jobs[0]["id"], "mode": "deliver"}]);
    let (one, two) = tokio::join!(driver.post(RECORDS, record.clone()), driver.post(RECORDS, record.clone()));
    let (one, two) = (one.ok(), two.ok());
    assert_eq!((&one, &one["state"]), (&two, &json!("filed")), "{one}");
    let end = json!({"id": uid(3), "kind": "end", "captured_at": "2026-11-23T07:58:00Z", "route": {"odometer": 1210}});
    for _ in 0..2 {
        assert_eq!(driver.post(RECORDS, end.clone()).await.ok()["state"], "filed");
    }
    let proofs = ready.planner().get(&format!("/job_proofs?run_id={}", ready.run["id"])).await.ok();
    assert_eq!(proofs["total_count"], 1);
    let proof = &proofs["data"][0];
    assert_eq!(
        (&proof["record_time"], &proof["photos"][0]["id"]),
        (&json!("2026-11-23 07:50:00"), &photo["id"])
    );
    assert_eq!(proof["signature"]["id"], photo["id"]);
    for (path, n) in [("/unit_proofs", 1), ("/run_proofs", 2), ("/evidence", 3)] {
        assert_eq!(count(&ready, path).await, n, "{path}");
    }
    let run = ready.reload().await;
    assert_eq!(
        (&run["status"], &run["start_odometer"], &run["end_odometer"]),
        (&json!("closed"), &json!(1200.5), &json!(1210.0))
    );
    assert_eq!(
        (&run["actual_start_time"], &run["actual_end_time"]),
        (&json!("2026-11-23T07:45:00Z"), &json!("2026-11-23T07:58:00Z"))
    );
    // A correction is a record of its own; the older proof stays.
    let corrected = driver
        .post(
            RECORDS,
            json!({"id": uid(4), "kind": "stop", "job_id": ready.jobs[0]["id"],
        "captured_at": "2026-11-23T07:59:00Z", "job_proof": {"success": false}}),
        )
        .await
        .ok();
    assert_eq!(corrected["state"], "filed");
    assert_eq!(count(&ready, "/job_proofs").await, 2);
}

/// W-041: a job that moved to another run, a deleted one, a start after a validation, a reason that is gone: nothing is
/// refused. What fits is with its job, the rest waits for the planner with all that the phone sent.
#[tokio::test]
async fn evidence_reaches_the_office_whatever_it_did_meanwhile() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet/").await.ok();
    let planner = ready.planner();
    // J1 goes to another run.
    let bea = json!({"uid": "Bea", "location": {"address": "Rua Bea", "lat": 41.16, "lon": -8.63},
        "shift_start": "08:00", "shift_end": "17:00"});
    let bea = planner.post("/drivers", bea).await.ok();
    let other = planner
        .post("/runs", json!({"scenario_id": ready.scenario["id"], "driver_id": bea["id"]}))
        .await
        .ok();
    let moving = json!({"job_ids": [ready.jobs[0]["id"]], "seq": null, "pool": false});
    let _ = planner.put(&format!("/runs/move_job_to_new/{}", other["id"]), moving).await.ok();
    // J2 is deleted.
    let _ = planner.delete(&format!("/jobs/{}", ready.jobs[1]["id"])).await.ok();

    let moved = driver.post(RECORDS, stop(&ready, 1, 0, json!({"comments": "Moved"}))).await.ok();
    assert_eq!(moved["state"], "moved", "{moved}");
    let deleted = driver.post(RECORDS, stop(&ready, 2, 1, json!({"comments": "Deleted"}))).await.ok();
    assert_eq!(
        (&deleted["state"], &deleted["problem"]),
        (&json!("open"), &json!("Job proof: Job not found"))
    );
    let reason =
        driver.post(RECORDS, stop(&ready, 3, 2, json!({"reason_id": 999, "comments": "Kept"}))).await.ok();
    assert_eq!(reason["state"], "open", "{reason}");
    // The contract's own path takes it as well.
    let body = json!({"job_id": ready.jobs[0]["id"], "record_time": "2026-11-23 07:40:00"});
    let _ = planner.nobody().post(&ready.job_proofs(), body).await.ok();

    let proofs = planner.get(&format!("/job_proofs?job_id={}", ready.jobs[0]["id"])).await.ok();
    assert_eq!((&proofs["total_count"], &proofs["data"][0]["comments"]), (&json!(2), &json!("Moved")));
    assert_eq!(proofs["data"][0]["run_id"], ready.run["id"], "who recorded it stays");
    let told = planner.get("/evidence?state=moved").await.ok();
    assert_eq!((&told["data"][0]["job_run"], &told["data"][0]["run_uid"]), (&json!("Bea"), &json!("Ana")));

    let open = planner.get("/evidence?state=open").await.ok();
    assert_eq!(open["total_count"], 2);
    let [kept, gone] = [&open["data"][0], &open["data"][1]];
    assert_eq!(
        (&gone["job_uid"], &gone["content"]["job_proof"]["comments"]),
        (&json!("J2"), &json!("Deleted"))
    );
    let assign = format!("/evidence/{}/assign", gone["id"]);
    planner.post(&assign, json!({"job_id": 999_999})).await.refused(404);
    let assigned = planner.post(&assign, json!({"job_id": ready.jobs[2]["id"]})).await.ok();
    assert_eq!((&assigned["state"], &assigned["job_id"]), (&json!("assigned"), &ready.jobs[2]["id"]));
    planner.post(&assign, json!({"job_id": ready.jobs[2]["id"]})).await.refused(409);
    let proofs = planner.get(&format!("/job_proofs?job_id={}", ready.jobs[2]["id"])).await.ok();
    assert_eq!(
        (&proofs["total_count"], &proofs["data"][0]["record_time"]),
        (&json!(1), &json!("2026-11-23 07:50:00"))
    );
    let dismiss = format!("/evidence/{}/dismiss", kept["id"]);
    let refusal = planner.post(&dismiss, json!({"reason": " "})).await.refused(400);
    assert_eq!(refusal["fields"]["reason"], "This item is required");
    let dismissed = planner.post(&dismiss, json!({"reason": "Recorded twice"})).await.ok();
    assert_eq!(
        (&dismissed["state"], &dismissed["decision"]),
        (&json!("dismissed"), &json!("Recorded twice"))
    );
    assert_eq!(dismissed["content"]["job_proof"]["comments"], "Kept");
}

/// W-041: what the office validated stands; a driver whose run was deleted still hands in what he recorded.
#[tokio::test]
async fn evidence_outlives_its_run() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet/").await.ok();
    let planner = ready.planner();
    let ids: Vec<&Value> = ready.jobs.iter().map(|job| &job["id"]).collect();
    let off = json!({"job_ids": ids, "seq": null, "pool": false});
    let _ = planner.put("/runs/move_job_to_new/unserved", off).await.ok();
    let _ = planner.delete(&format!("/runs/{}", ready.run["id"])).await.ok();
    let again = json!({"token_uid": ready.run["token"]});
    let token = planner.nobody().post("/auth/runsheet_token", again.clone()).await.ok();
    let driver = driver.with_token(token["runsheet_token"].as_str().unwrap());
    driver.get("/v2/runsheet/").await.refused(401);
    let photo = driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok();
    let kept = driver.post(RECORDS, stop(&ready, 1, 0, json!({"photo_ids": [photo["id"]]}))).await.ok();
    assert_eq!((&kept["state"], &kept["problem"]), (&json!("open"), &json!("The run was deleted meanwhile")));
    let open = planner.get("/evidence?state=open").await.ok();
    assert_eq!(
        (&open["data"][0]["run_uid"], &open["data"][0]["photos"][0]["id"]),
        (&json!("Ana"), &photo["id"])
    );
    let assign = format!("/evidence/{}/assign", kept["evidence_id"]);
    let _ = planner.post(&assign, json!({"job_id": ready.jobs[0]["id"]})).await.ok();
    let proofs = planner.get(&format!("/job_proofs?job_id={}", ready.jobs[0]["id"])).await.ok();
    assert_eq!(proofs["data"][0]["photos"][0]["id"], photo["id"]);
    // The run was deleted by the database's clock, which goes on.
    let ahead = chrono::Utc::now() - ready.clock.now();
    ready.clock.advance(ahead + Duration::days(8));
    planner.nobody().post("/auth/runsheet_token", again).await.refused(401);
}

/// Capture time, receive time and skew of the clocks are kept apart; a phone whose clock is wrong by hours proves at the
/// right time.
#[tokio::test]
async fn the_phones_clock_may_be_wrong() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let mut record = stop(&ready, 1, 0, json!({}));
    record["captured_at"] = json!("2027-01-01T10:50:00Z");
    record["sent_at"] = json!("2027-01-01T11:00:00Z");
    assert_eq!(driver.post(RECORDS, record).await.ok()["state"], "filed");
    let proofs = ready.planner().get(&format!("/job_proofs?job_id={}", ready.jobs[0]["id"])).await.ok();
    assert_eq!(proofs["data"][0]["record_time"], "2026-11-23 07:50:00");
    let kept = ready.planner().get("/evidence").await.ok();
    let kept = &kept["data"][0];
    assert_eq!(
        (&kept["captured_at"], &kept["received_at"]),
        (&json!("2027-01-01T10:50:00Z"), &json!("2026-11-23T08:00:00Z"))
    );
    assert_eq!(kept["clock_skew"], -3_380_400.0);
}

/// A record names another organisation's job and photo, or what no phone of ours sends: nothing of the other is shown or
/// changed, and what is malformed is refused with its field.
#[tokio::test]
async fn a_record_reaches_nothing_of_others() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let theirs = neighbour(&ready.tenant, ready.clock.clone()).await;
    let scenario = crate::jobs::scenario(&theirs).await;
    let job = json!({"uid": "Quokka", "scenario_id": scenario, "location": {"address": "Rua X", "lat": 41.1, "lon": -8.6}});
    let mut foreign = theirs.planner.post("/jobs", job.clone()).await.ok()["id"].as_i64().unwrap();
    while foreign <= ready.jobs[2]["id"].as_i64().unwrap() {
        foreign = theirs
            .planner
            .post(
                "/jobs",
                json!({"uid": format!("Quokka-{foreign}"), "scenario_id": scenario,
            "location": job["location"]}),
            )
            .await
            .ok()["id"]
            .as_i64()
            .unwrap();
    }
    let office = crate::files::picture(&ready.tenant).await;
    let mut record = stop(&ready, 1, 0, json!({"photo_ids": [office["id"]]}));
    record["job_id"] = json!(foreign);
    let kept = driver.post(RECORDS, record).await.ok();
    assert_eq!(kept["state"], "open");
    let kept = ready.planner().get(&format!("/evidence/{}", kept["evidence_id"])).await.ok();
    assert_eq!(
        (&kept["job_id"], &kept["photos"]),
        (&json!(null), &json!([])),
        "neither the job nor the office's file"
    );
    theirs.planner.get(&format!("/evidence/{}", kept["id"])).await.refused(404);
    assert_eq!(theirs.planner.get("/job_proofs").await.ok()["total_count"], 0);

    for (field, value) in [
        ("id", json!("x")),
        ("kind", json!("lunch")),
        ("captured_at", json!("now")),
        ("job_id", json!(null)),
        ("other", json!(1)),
    ] {
        let mut wrong = stop(&ready, 9, 0, json!({}));
        wrong[field] = value;
        let refusal = driver.post(RECORDS, wrong).await.refused(400);
        assert!(refusal["fields"].as_object().is_some_and(|fields| !fields.is_empty()), "{field}: {refusal}");
    }
    ready.planner().post(RECORDS, stop(&ready, 9, 0, json!({}))).await.refused(401);
}
