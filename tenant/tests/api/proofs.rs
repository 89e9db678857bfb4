//! Proofs as the office sees, records and corrects them.

use serde_json::{Value, json};

use crate::execution::ready;
use crate::files::picture;

/// proofs of a job and what hangs on it, by any of them.
#[tokio::test]
async fn proofs_are_found_by_what_they_are_about() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let database = &mut ready.tenant.organisation.database().await;
    let job = ready.jobs[0]["id"].as_i64().unwrap();
    let container: i64 = sqlx::query_scalar("insert into containers (uid) values ('C1') returning id")
        .fetch_one(&mut *database)
        .await
        .unwrap();
    let unit: i64 = sqlx::query_scalar(
        "insert into units (uid, job_id, container_id) values ('U1', $1, $2) returning id",
    )
    .bind(job)
    .bind(container)
    .fetch_one(&mut *database)
    .await
    .unwrap();
    let item: i64 = sqlx::query_scalar("insert into returns (uid, job_id) values ('R1', $1) returning id")
        .bind(job)
        .fetch_one(&mut *database)
        .await
        .unwrap();
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 07:00:00"})).await;
    let body = json!({"unit_id": unit, "mode": "unloaded", "record_time": "2026-11-23 07:01:00"});
    let proof = driver.post("/v2/runsheet/unit_proofs", body.clone()).await.ok();
    assert_eq!(
        (&proof["mode"], &proof["job_id"], &proof["container_id"]),
        (&json!("deliver"), &json!(job), &json!(container))
    );
    assert_eq!(driver.post("/v2/runsheet/unit_proofs", body).await.ok()["id"], proof["id"]);
    let body = json!({"unit_id": unit, "record_time": "2026-11-23 07:01:00"});
    assert_eq!(
        driver.post("/v2/runsheet/unit_proofs", body).await.refused(400)["fields"]["mode"],
        "This item is required"
    );
    let body = json!({"return_id": item, "mode": "pickup", "success": false});
    let _ = driver.post("/v2/runsheet/return_proofs", body).await.ok();
    let body = json!({"container_id": container, "mode": "load"});
    let _ = driver.post("/v2/runsheet/container_proofs", body).await.ok();

    let planner = &ready.tenant.planner;
    for kind in ["job", "unit", "return", "container"] {
        for filter in [
            format!("job_ids={job}"),
            format!("unit_ids={unit}&unit_ids=999"),
            format!("return_ids={item}"),
            format!("container_ids={container}"),
            format!("run_ids={}", ready.run["id"]),
            format!("scenario_id={}", ready.scenario["id"]),
        ] {
            // A container is on a job only through its units.
            if kind == "container" && (filter.starts_with("return") || filter.starts_with("scenario")) {
                continue;
            }
            let listed = planner.get(&format!("/{kind}_proofs?{filter}")).await.ok();
            assert_eq!(listed["total_count"], 1, "/{kind}_proofs?{filter}");
        }
        let none = planner.get(&format!("/{kind}_proofs?job_ids=999999")).await.ok();
        assert_eq!(none["total_count"], 0);
    }
    planner.get("/job_proofs?colour=red").await.refused(400);
    let all = planner.get(&format!("/jobs/{job}/proofs")).await.ok();
    for kind in ["job_proofs", "unit_proofs", "return_proofs", "container_proofs"] {
        assert_eq!(all[kind].as_array().map(Vec::len), Some(1), "{kind}");
    }
    assert_eq!(all["run_proofs"], json!([]));
    let sheet = driver.get("/v2/runsheet/").await.ok();
    let shown = &sheet["jobs"][0];
    assert_eq!(shown["proofs"].as_array().map(Vec::len), Some(4));
    assert_eq!(shown["units"][0]["unit_proofs"][0]["mode"], "deliver");
    assert_eq!(shown["returns"][0]["return_proofs"][0]["success"], false);
    assert_eq!(shown["containers"][0]["container_proofs"][0]["mode"], "load");

    // without the module there are no such proofs.
    ready.tenant.organisation.modules(&["returns"]).await;
    ready.tenant.app.gate.policies.forget_all();
    planner.get("/unit_proofs").await.refused(403);
    assert_eq!(planner.get(&format!("/jobs/{job}/proofs")).await.ok()["unit_proofs"], json!([]));
}

/// the office records and corrects; what changed is told, kept in the audit log, and the subject stays.
#[tokio::test]
async fn the_office_corrects_proofs() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let photo = picture(&ready.tenant).await;
    let body = json!({"job_id": ready.jobs[0]["id"], "success": false, "photo_ids": [photo["id"]]});
    let made = planner.post("/job_proofs", body).await.ok();
    assert_eq!((&made["success"], &made["record_time"]), (&json!(false), &json!("2026-11-23 08:00:00")));
    assert_eq!(made["run_id"], ready.run["id"]);
    let path = format!("/job_proofs/{}", made["id"]);
    let change = json!({"success": true, "comments": "Called", "job_id": ready.jobs[1]["id"]});
    let after = planner.patch(&path, change).await.ok();
    assert_eq!((&after["success"], &after["comments"]), (&json!(true), &json!("Called")));
    assert_eq!(after["job_id"], ready.jobs[0]["id"]);
    let told = ready.events("broadcast_proof_update").await;
    assert_eq!(told[0]["changed"], json!(["comments", "success"]));
    let database = &mut ready.tenant.organisation.trail().await;
    let logged: Vec<(Value, Value, Option<i64>)> = sqlx::query_as(
        "select before, after, actor_id from audit_entries where kind = 'job_proof' and change = 'changed'",
    )
    .fetch_all(&mut *database)
    .await
    .unwrap();
    let (before, after) =
        (json!({"comments": null, "success": false}), json!({"comments": "Called", "success": true}));
    assert_eq!(logged, [(before, after, Some(ready.tenant.organisation.planner.id))]);
    planner.patch(&path, json!({"reason_id": 999})).await.refused(400);
    planner.patch(&path, json!({"photo_ids": [999]})).await.refused(400);
    planner.patch("/job_proofs/999", json!({})).await.refused(404);
    let other = ready.tenant.organisation.person_with(&["proofs_read"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let reader = planner.with_token(ready.tenant.organisation.token(other));
    let _ = reader.get(&path).await.ok();
    reader.patch(&path, json!({"success": false})).await.refused(403);
}

/// start and end of a run, at most five photos, once.
#[tokio::test]
async fn start_and_end_of_a_run_are_proven() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let photo = picture(&ready.tenant).await;
    let body = json!({
        "run_id": ready.run["id"], "record_time": "2026-11-23 07:50:00", "odometer": 1200.25,
        "photo_ids": [photo["id"]], "signature_id": photo["id"],
    });
    let start = planner.post("/run_proofs", body.clone()).await.ok();
    assert_eq!((&start["mode"], &start["odometer"]), (&json!("start"), &json!(1200.25)));
    assert_eq!(start["photo_ids"], json!([photo["id"]]));
    assert_eq!(start["signature"]["link"], photo["link"]);
    assert_eq!(planner.post("/run_proofs", body).await.ok()["id"], start["id"]);
    let body = json!({"run_id": ready.run["id"], "record_time": "2026-11-23 07:59:00", "odometer": 1300});
    let driver = ready.driver().await;
    assert_eq!(driver.post("/v2/runsheet/run_proofs", body).await.ok()["mode"], "end");
    let many = json!({"run_id": ready.run["id"], "photo_ids": [1, 2, 3, 4, 5, 6]});
    assert_eq!(
        planner.post("/run_proofs", many).await.refused(400)["fields"]["photo_ids"],
        "At most 5 photos"
    );
    let wrong = json!({"run_id": ready.run["id"], "mode": "middle"});
    planner.post("/run_proofs", wrong).await.refused(400);
    planner.post("/run_proofs", json!({"run_id": 999})).await.refused(404);
    let listed = planner.get(&format!("/run_proofs?run_ids={}", ready.run["id"])).await.ok();
    assert_eq!(listed["total_count"], 2);
    let kinds: Vec<_> =
        ready.events("broadcast_proof").await.iter().map(|event| event["kind"].clone()).collect();
    assert_eq!(kinds, [json!("run"), json!("run")]);
}

/// W-052: a start that the run refuses afterwards leaves no proof.
#[tokio::test]
async fn a_start_that_is_refused_leaves_no_proof() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let body = json!({"run_id": ready.run["id"], "mode": "start", "record_time": "2016-11-23 07:50:00", "odometer": 12});
    let refusal = planner.post("/run_proofs", body).await.refused(400);
    assert!(refusal["fields"]["actual_start_time"].is_string(), "{refusal}");
    let path = format!("/run_proofs?run_ids={}", ready.run["id"]);
    assert_eq!(planner.get(&path).await.ok()["total_count"], 0);
    assert!(ready.events("broadcast_proof").await.is_empty());
    let body = json!({"run_id": ready.run["id"], "mode": "start", "record_time": "2026-11-23 07:50:00", "odometer": 12});
    let _ = planner.post("/run_proofs", body).await.ok();
    let run = planner.get(&format!("/runs/{}", ready.run["id"])).await.ok();
    assert_eq!((&run["actual_start_time"], &run["start_odometer"]), (&json!(null), &json!(null)));
}

/// §7.2: customers are told what became of their delivery and that the driver is coming, once, if wanted.
#[tokio::test]
async fn customers_are_told() {
    let ready = ready().await;
    let path = format!("/organisations/{}/information/notification_settings", ready.tenant.organisation.id);
    let _ = ready.tenant.admin.put(&path, json!({"on_next_stop": true})).await.ok();
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 07:00:00"})).await;
    let _ = ready.prove(1, json!({"record_time": "2026-11-23 07:10:00", "success": false})).await;
    let subjects = async |address: &str| {
        ready.mails(address).await.into_iter().map(|mail| mail.0).collect::<Vec<_>>().join("|")
    };
    assert!(subjects("j1@example.org").await.ends_with("your delivery J1 has arrived"));
    let second = subjects("j2@example.org").await;
    assert!(second.contains("J2 is next") && second.ends_with("J2 could not be made"), "{second}");
    assert_eq!(ready.mails("j3@example.org").await.len(), 1);
}

/// Issue 13.4: who is told how is the organisation's to say. The driver has set out: each customer of the run is told once, by
/// mail, text message or both, with the PIN where one is asked for.
#[tokio::test]
async fn customers_are_told_by_mail_and_text_message() {
    let ready = ready().await;
    let organisation = ready.tenant.organisation.id;
    let set = async |group: &str, value: serde_json::Value| {
        let path = format!("/organisations/{organisation}/information/{group}");
        let _ = ready.tenant.admin.put(&path, value).await.ok();
    };
    let sms = json!({"provider": "outbox", "sender": "Depot", "enabled": true});
    let _ = ready.tenant.admin.post("/secrets/sms_configuration", sms).await.ok();
    set("notification_settings", json!({"on_start": true, "by_sms": true, "on_delivered": true})).await;
    set("pod_settings", json!({"demands": {"pin": "required"}})).await;
    let path = format!("/jobs/{}", ready.jobs[0]["id"]);
    let numbers = json!({"phone_number": "+351220000007"});
    let _ = ready.planner().patch(&path, numbers).await.ok();

    let driver = ready.driver().await;
    let start = json!({"odometer": 100, "actual_start_time": "2026-11-23T07:50:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start.clone()).await.ok();
    driver.put("/v2/runsheet/start_route", start).await.refused(400);
    let mails = ready.mails("j1@example.org").await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].0.ends_with("your delivery J1 is on its way"), "{}", mails[0].0);
    let texts = ready.mails("+351220000007").await;
    assert_eq!(texts.len(), 1);
    let lines: Vec<&str> = texts[0].1.lines().collect();
    assert!(lines[0].ends_with("your delivery J1 is on its way"), "{lines:?}");
    assert!(lines[1].starts_with("Expected ") && lines[2].starts_with("PIN for the driver: "), "{lines:?}");
    assert!(lines[3].contains("/tracking?tokens="), "{lines:?}");
    let pin = lines[2].trim_start_matches("PIN for the driver: ");
    assert!(mails[0].1.contains(&format!("PIN to tell the driver: {pin}")), "{}", mails[0].1);

    set("notification_settings", json!({"by_email": false, "by_sms": true, "on_delivered": true})).await;
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:00:00"})).await;
    let texts = ready.mails("+351220000007").await;
    assert!(texts[1].1.contains("J1 has arrived") && !texts[1].1.contains("PIN"), "{}", texts[1].1);
    assert_eq!(ready.mails("j1@example.org").await.len(), 1);
}
