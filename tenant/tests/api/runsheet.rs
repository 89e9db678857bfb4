//! The driver's run sheet.

use chrono::Duration;
use serde_json::{Value, json};

use crate::execution::ready;
use crate::files::PNG;

/// S-10: the run's token is traded for a sheet without what the office keeps to itself.
#[tokio::test]
async fn the_sheet_holds_what_a_driver_needs() {
    let ready = ready().await;
    let driver = ready.driver().await;
    for path in ["/v2/runsheet", "/v2/runsheet/"] {
        let sheet = driver.get(path).await.ok();
        assert_eq!(sheet["server_time"], "2026-11-23T08:00:00Z");
        assert_eq!(sheet["organisation"]["timezone"], "Europe/Lisbon");
        assert_eq!(sheet["settings"]["pod_settings"]["max_photos"], 5);
        assert_eq!(sheet["settings"]["app_settings"]["gps_interval_seconds"], 30);
        assert_eq!(sheet["scenario"]["name"], "Monday");
        assert_eq!((&sheet["run"]["uid"], &sheet["run"]["status"]), (&json!("Ana"), &json!("pending")));
        assert_eq!(sheet["run"]["route"]["legs"].as_array().map(Vec::len), Some(4));
        let jobs = sheet["jobs"].as_array().unwrap();
        assert_eq!(jobs.iter().map(|job| job["seq"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!((&jobs[0]["uid"], &jobs[0]["comments"]), (&json!("J1"), &json!("Ring twice")));
        assert!(jobs[0]["eta"].is_string() && jobs[0]["proofs"].as_array().is_some_and(Vec::is_empty));
        assert!(sheet["reasons"].as_array().unwrap().iter().any(|reason| reason["name"] == "Delivered - OK"));
        let text = format!("{}{}", sheet["run"], sheet["jobs"]);
        for hidden in ["customer_email", "consignor_info", "Supplier 7", "cost", "ws_token", "tracking_token"]
        {
            assert!(!text.contains(hidden), "{hidden}");
        }
        assert!(!sheet.to_string().contains(ready.run["token"].as_str().unwrap()));
    }
    let nobody = ready.tenant.planner.nobody();
    let wrong = ready.tenant.organisation.links.long(ready.tenant.organisation.id);
    nobody.post("/auth/runsheet_token", json!({"token_uid": wrong})).await.refused(401);
    nobody.post("/auth/runsheet_token", json!({"token_uid": "nonsense"})).await.refused(401);
    nobody.get("/v2/runsheet/").await.refused(401);
    ready.tenant.planner.get("/v2/runsheet/").await.refused(401);
    driver.get("/jobs").await.refused(401);
}

/// Contract §1.2: good until the end of the day after the scheduled one; the office may start an older route.
#[tokio::test]
async fn the_link_expires() {
    let ready = ready().await;
    let driver = ready.driver().await;
    ready.clock.advance(Duration::hours(39));
    let _ = driver.get("/v2/runsheet/").await.ok();
    ready.clock.advance(Duration::hours(2));
    driver.get("/v2/runsheet/").await.refused(401);
    let body = json!({"token_uid": ready.run["token"]});
    ready.tenant.planner.nobody().post("/auth/runsheet_token", body.clone()).await.refused(401);
    let proof = json!({"job_id": ready.jobs[0]["id"]});
    ready.tenant.planner.nobody().post(&ready.job_proofs(), proof).await.refused(401);
    let _ = ready.planner().post("/auth/runsheet_token", body).await.ok();
}

/// starting sets odometer, time and billing start, tracks the scenario, estimates arrivals, once.
#[tokio::test]
async fn a_route_is_started_and_ended_once() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let start = json!({"odometer": 1200.5, "actual_start_time": "2026-11-23T08:30:00Z"});
    driver.put("/v2/runsheet/end_route", json!({"odometer": 1})).await.refused(400);
    let refusal = driver.put("/v2/runsheet/start_route", json!({})).await.refused(400);
    assert_eq!(refusal["fields"]["odometer"], "This item is required");
    let started = driver.put("/v2/runsheet/start_route", start.clone()).await.ok();
    assert_eq!((&started["status"], &started["start_odometer"]), (&json!("driving"), &json!(1200.5)));
    let run = ready.reload().await;
    assert_eq!(run["billing_start_time"], "2026-11-23T08:30:00Z");
    assert_eq!(ready.stage().await, "tracking");
    // S-25: what remains is expected from the start on.
    for job in run["jobs"].as_array().unwrap() {
        assert!(job["updated_eta"].as_str().unwrap() > "2026-11-23T08:30:00Z", "{job}");
    }
    let events = ready.events("broadcast_run_update").await;
    assert!(events.iter().any(|event| event["run"]["actual_start_time"] == "2026-11-23T08:30:00Z"));
    assert!(events.iter().any(|event| event["jobs"][0]["updated_eta"].is_string()));

    let refusal = driver.put("/v2/runsheet/start_route", start).await.refused(400);
    assert_eq!(refusal["description"], "Run already started");
    let end = json!({"odometer": 1100, "actual_end_time": "2026-11-23T12:00:00Z"});
    let refusal = driver.put("/v2/runsheet/end_route", end).await.refused(400);
    assert_eq!(refusal["fields"]["end_odometer"], "End odometer should be greater start odometer");
    let end = json!({"odometer": 1260.25, "actual_end_time": "2026-11-23T12:00:00Z"});
    let ended = driver.put("/v2/runsheet/end_route", end.clone()).await.ok();
    assert_eq!((&ended["status"], &ended["end_odometer"]), (&json!("closed"), &json!(1260.25)));
    assert_eq!(
        driver.put("/v2/runsheet/end_route", end).await.refused(400)["description"],
        "Run already finished"
    );
}

/// S-10: a driver proves the jobs of the own run with the own files; the same proof twice is one.
#[tokio::test]
async fn proofs_from_the_road_are_stored_once() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let photo = driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok();
    let foreign = crate::files::picture(&ready.tenant).await;
    let fields = json!({
        "record_time": "2026-11-23 07:55:00", "photo_ids": [photo["id"]], "signature_id": photo["id"],
        "signature_name": "Maria", "lat": 41.15, "lon": -8.61, "comments": "Left at the door",
    });
    let proof = ready.prove(0, fields.clone()).await;
    assert_eq!((&proof["record_time"], &proof["mode"]), (&json!("2026-11-23 07:55:00"), &json!(null)));
    assert_eq!(proof["photos"][0]["link"], photo["link"]);
    assert_eq!(proof["signature"]["uid"], photo["uid"]);
    assert_eq!(proof["run_id"], ready.run["id"]);
    assert_eq!(ready.prove(0, fields).await["id"], proof["id"]);
    let told = ready.events("broadcast_proof").await;
    assert_eq!((told.len(), &told[0]["kind"]), (1, &json!("job")));
    assert_eq!(told[0]["proof"]["id"], proof["id"]);
    assert_eq!(ready.stage().await, "tracking");

    let nobody = ready.tenant.planner.nobody();
    let body = json!({"job_id": ready.jobs[1]["id"], "photo_ids": [foreign["id"]]});
    let refusal = nobody.post(&ready.job_proofs(), body).await.refused(400);
    assert_eq!(refusal["fields"]["photo_ids"], "File not found");
    let elsewhere = json!({"uid": "X", "scenario_id": ready.scenario["id"],
        "location": {"address": "Rua X", "lat": 41.1, "lon": -8.6}});
    let elsewhere = ready.tenant.planner.post("/jobs", elsewhere).await.ok();
    nobody.post(&ready.job_proofs(), json!({"job_id": elsewhere["id"]})).await.refused(404);
    for (field, value, reason) in [
        ("photo_ids", json!([1, 2, 3, 4, 5, 6]), "At most 5 photos"),
        ("record_time", json!("yesterday"), "Value is not a time (YYYY-MM-DD HH:mm:ss)"),
        ("record_time", json!("2027-01-01 00:00:00"), "Value lies in the future"),
        ("reason_id", json!(999), "Reason not found"),
        ("lat", json!(99), "Latitude must be between -90 and 90"),
    ] {
        let mut body = json!({"job_id": ready.jobs[1]["id"], "lon": -8.6, "lat": 41.1});
        body[field] = value;
        let refusal = nobody.post(&ready.job_proofs(), body).await.refused(400);
        assert_eq!(refusal["fields"][field], reason, "{refusal}");
    }
    // X-537, S-37: what belongs to a proof stays.
    let path = format!("/files/{}", photo["id"]);
    assert_eq!(
        ready.tenant.admin.delete(&path).await.refused(409)["description"],
        "A file that belongs to a proof cannot be deleted"
    );
}

/// A-265, S-25: every proof times the remaining stops anew, from where it was made.
#[tokio::test]
async fn a_proof_moves_what_is_expected() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T08:00:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start).await.ok();
    let expected = async || ready.reload().await["jobs"][1]["updated_eta"].as_str().unwrap().to_owned();
    let before = expected().await;
    ready.clock.advance(Duration::hours(2));
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 10:00:00"})).await;
    let after = expected().await;
    assert!(after > before && after.as_str() > "2026-11-23T10:00:00Z", "{before} {after}");

    // S-24: a point a minute later does so as well, bad ones are dropped, the same one again is the same one.
    ready.clock.advance(Duration::minutes(5));
    let point = json!({"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T10:05:00Z", "speed": 9.5});
    let bad = json!({"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T10:05:01Z", "accuracy": 500});
    let answer = driver.post("/v2/runsheet/gps_points", json!([point, bad, point])).await.ok();
    assert_eq!(answer["accepted"], 2);
    assert_ne!(expected().await, after);
    assert_eq!(ready.events("broadcast_gps_location").await.len(), 1);
    let path = format!("/scenario/{}/gps_points", ready.scenario["id"]);
    for query in ["?latest_only=true", "?latest_only=false", ""] {
        let points = ready.planner().get(&format!("{path}{query}")).await.ok();
        assert_eq!(points.as_array().map(Vec::len), Some(1), "{query}");
        assert_eq!((&points[0]["run_id"], &points[0]["speed"]), (&ready.run["id"], &json!(9.5)));
    }
    driver
        .post(
            "/v2/runsheet/gps_points",
            json!([{"lat": 91, "lon": 0, "recorded_at": "2026-11-23T10:05:00Z"}]),
        )
        .await
        .refused(400);
}

/// S-23: one checklist is active per type, required answers are asked for, a snapshot is kept.
#[tokio::test]
async fn checklists_are_answered_from_the_road() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let fields = json!([
        {"id": "tyres", "label": "Tyres checked", "type": "checkbox", "required": true, "order": 2},
        {"id": "note", "label": "Note", "type": "textarea", "required": false, "order": 1},
        {"id": "photo", "label": "Photo", "type": "images", "required": false, "order": 3},
    ]);
    let body = json!({"name": "Start", "type": "start_route", "fields": []});
    let old = admin.post("/checklist/definitions", body).await.ok();
    let body = json!({"name": "Start 2", "type": "start_route", "fields": fields});
    let definition = admin.post("/checklist/definitions", body).await.ok();
    assert_eq!(definition["fields"][0]["id"], "note", "in their order");
    let old = admin.get(&format!("/checklist/definitions/{}", old["id"])).await.ok();
    assert_eq!(old["active"], false);

    let driver = ready.driver().await;
    let sheet = driver.get("/v2/runsheet/").await.ok();
    assert_eq!(sheet["checklists"]["start_route"]["id"], definition["id"]);
    assert!(sheet["checklists"]["end_route"].is_null());
    let submit = async |values: Value| {
        let body = json!({"checklist_definition_id": definition["id"], "values": values});
        driver.post("/v2/runsheet/checklist_submissions", body).await
    };
    let refusal = submit(json!({"tyres": "false"})).await.refused(400);
    assert_eq!(refusal["description"], "Tyres checked is required");
    submit(json!({"tyres": "true", "other": "x"})).await.refused(400);
    submit(json!({"tyres": "true", "photo": "999"})).await.refused(400);
    let photo = driver.upload("/v2/runsheet/upload/file", "a.png", "image/png", PNG, &[]).await.ok();
    let values = json!({"tyres": "true", "photo": photo["id"].to_string()});
    let made = submit(values.clone()).await.ok();
    assert_eq!(submit(values).await.ok()["id"], made["id"], "sent twice, stored once");

    let change = json!({"fields": [{"id": "tyres", "label": "Tyres?", "type": "checkbox"}]});
    let path = format!("/checklist/definitions/{}", definition["id"]);
    assert_eq!(admin.patch(&path, change).await.ok()["version"], 2);
    let path = format!("/checklist/submissions?run_id={}", ready.run["id"]);
    let listed = ready.tenant.planner.get(&path).await.ok();
    assert_eq!(listed["total_count"], 1);
    assert_eq!(listed["data"][0]["checklist_definition"]["fields"][1]["label"], "Tyres checked");
    assert_eq!(listed["data"][0]["values"]["tyres"], "true");
    // A photo of a checklist is evidence too.
    ready.tenant.admin.delete(&format!("/files/{}", photo["id"])).await.refused(409);
}
