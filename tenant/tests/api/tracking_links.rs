//! How links reach customers, how long they are good, and what is asked for behind them.

use chrono::Duration;
use serde_json::{Value, json};

use crate::execution::ready;
use crate::tracking::{page, set, token};

/// S-07: a link is good for some days after the planned one, and only while customers may follow their deliveries.
#[tokio::test]
async fn a_link_expires() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let path = format!("/jobs/tracking/{}", token(&ready, 0));
    // The last minute of the fourteenth day after, in Lisbon.
    ready.clock.advance(Duration::days(14) + Duration::hours(15) + Duration::minutes(59));
    let _ = nobody.get(&path).await.ok();
    ready.clock.advance(Duration::minutes(1));
    assert_eq!(nobody.get(&path).await.refused(401)["description"], "Job not found.");
    set(&ready, "delivery_tracking_settings", json!({"link_valid_days": 20})).await;
    let _ = nobody.get(&path).await.ok();
    set(&ready, "delivery_tracking_settings", json!({"link_valid_days": 20, "enabled": false})).await;
    for part in ["", "/all", "/units", "/returns", "/proofs", "/proof_of_delivery_pdf"] {
        nobody.get(&format!("{path}{part}")).await.refused(401);
    }
}

/// P-022, P-221, P-421, S-43: a mail per address with the link; each item has its own result; nothing is sent for a strange token.
#[tokio::test]
async fn links_are_sent_by_mail() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let item = |job: usize, token: &str, email: &str| json!({"email": email, "token": token, "job_id": ready.jobs[job]["id"], "dispatch_method": "email"});
    let items = json!([
        item(0, token(&ready, 0), "a@example.org, b@example.org"),
        item(1, token(&ready, 1), "nobody"),
        item(1, token(&ready, 2), "c@example.org"),
        {"email": "c@example.org", "token": token(&ready, 2), "job_id": ready.jobs[2]["id"], "dispatch_method": "sms"},
        {"email": "c@example.org", "token": token(&ready, 2), "job_id": 999_999},
    ]);
    let sent = planner.post("/jobs/send_tracking_urls", items).await.ok();
    let errors: Vec<&Value> = sent.as_array().unwrap().iter().map(|item| &item["error"]).collect();
    assert_eq!(
        json!(errors),
        json!([null, "Invalid email", "Job not found", "Links are only sent by email", "Job not found"])
    );
    assert_eq!((&sent[0]["success"], &sent[1]["success"]), (&json!(true), &json!(false)));
    for address in ["a@example.org", "b@example.org"] {
        let mails = ready.mails(address).await;
        assert_eq!(mails.len(), 1, "{address}");
        assert!(mails[0].0.ends_with("track your delivery J1"), "{}", mails[0].0);
        assert!(mails[0].1.contains(&format!("/tracking?tokens={}", token(&ready, 0))), "{}", mails[0].1);
        assert!(
            mails[0].1.contains("Date: 2026/11/23") && mails[0].1.contains("Expected: "),
            "{}",
            mails[0].1
        );
    }
    assert!(ready.mails("c@example.org").await.is_empty());
    let mut database = ready.tenant.organisation.database().await;
    let logged: Vec<(i64, String)> = sqlx::query_as("select job_id, email from tracking_sends order by id")
        .fetch_all(&mut database)
        .await
        .unwrap();
    let job = ready.jobs[0]["id"].as_i64().unwrap();
    assert_eq!(logged, [(job, "a@example.org".to_owned()), (job, "b@example.org".to_owned())]);

    set(&ready, "delivery_tracking_settings", json!({"enabled": false})).await;
    let sent = planner
        .post("/jobs/send_tracking_urls", json!([item(0, token(&ready, 0), "a@example.org")]))
        .await
        .ok();
    assert_eq!(sent[0]["error"], "Delivery tracking is disabled in Organisation Settings.");
    let many: Vec<Value> = (0..501).map(|_| item(0, token(&ready, 0), "a@example.org")).collect();
    planner.post("/jobs/send_tracking_urls", json!(many)).await.refused(400);
}

/// S-07, contract §5.5: a customer asks for another day within the terms; the job is tagged, the office told, the plan
/// untouched; the office deals with it.
#[tokio::test]
async fn a_customer_asks_for_another_day() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let planner = ready.planner();
    let path = format!("/jobs/tracking/{}/reschedule", token(&ready, 0));
    let wanted = json!({"date": "2026-11-25", "time_from": "09:00", "time_to": "12:00", "note": " Gate 2 "});
    // Neither the job nor the organisation lets customers ask so far.
    nobody.post(&path, wanted.clone()).await.refused(403);
    let terms = json!({"enabled": true, "min_notice_hours": 0});
    set(&ready, "reschedule_settings", terms).await;
    nobody.post(&path, wanted.clone()).await.refused(403);
    let job = format!("/jobs/{}", ready.jobs[0]["id"]);
    let _ = planner.patch(&job, json!({"idm": true})).await.ok();
    set(&ready, "notification_settings", json!({"eta_alert": {"recipients": ["office@example.org"]}})).await;
    // The planned day has begun; without notice it is too late.
    assert_eq!(
        nobody.post(&path, wanted.clone()).await.refused(409)["description"],
        "Another day can be asked for until 0 hours before the planned day"
    );
    let change = json!({"scheduled_date": "2026-11-24"});
    let _ = planner.patch(&format!("/scenarios/{}", ready.scenario["id"]), change).await.ok();

    for (field, value) in [
        ("date", json!("2026-11-23")),
        ("date", json!("2026-11-28")),
        ("date", json!("2027-01-04")),
        ("date", json!("soon")),
        ("time_from", json!("13:00")),
        ("time_to", json!("noon")),
        ("note", json!("x".repeat(5000))),
    ] {
        let mut wrong = wanted.clone();
        wrong[field] = value;
        let refusal = nobody.post(&path, wrong.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{wrong}: {refusal}");
    }
    assert_eq!(nobody.post(&path, wanted.clone()).await.ok(), json!({"success": true}));
    let seen = page(&ready, 0).await;
    assert_eq!(
        seen["reschedule"]["requested"],
        json!({"date": "2026-11-25", "time_from": "09:00", "time_to": "12:00", "note": "Gate 2"})
    );
    let after = planner.get(&job).await.ok();
    assert_eq!(after["tags"][0]["name"], "Reschedule requested");
    assert_eq!((&after["run_id"], &after["scenario_id"]), (&ready.run["id"], &ready.scenario["id"]));
    let mails = ready.mails("office@example.org").await;
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, "Reschedule requested: J1"));
    assert!(mails[0].1.contains("Day: 2026/11/25") && mails[0].1.contains("Gate 2"), "{}", mails[0].1);

    // A newer request takes the place of the older one; there is a limit to asking.
    let newer = json!({"date": "2026-11-26"});
    let _ = nobody.post(&path, newer.clone()).await.ok();
    let open = planner.get("/reschedule_requests?handled=false").await.ok();
    assert_eq!((&open["total_count"], &open["data"][0]["date"]), (&json!(1), &json!("2026-11-26")));
    assert_eq!(
        (&open["data"][0]["job_uid"], &open["data"][0]["scheduled_date"]),
        (&json!("J1"), &json!("2026-11-24"))
    );
    for _ in 0..3 {
        let _ = nobody.post(&path, newer.clone()).await.ok();
    }
    assert_eq!(nobody.post(&path, newer).await.refused(429)["description"], "Too many requests");

    let open = planner
        .get(&format!("/reschedule_requests?handled=false&job_ids={}", ready.jobs[0]["id"]))
        .await
        .ok();
    let request = format!("/reschedule_requests/{}", open["data"][0]["id"]);
    let handled = planner.patch(&request, json!({"handled": true})).await.ok();
    assert_eq!(handled["handled_by"], ready.tenant.organisation.planner.id);
    assert_eq!(planner.get(&job).await.ok()["tags"], json!([]));
    assert!(page(&ready, 0).await["reschedule"]["requested"].is_null());
    let _ = planner.patch(&request, json!({"handled": false})).await.ok();
    assert_eq!(planner.get(&job).await.ok()["tags"][0]["name"], "Reschedule requested");
    planner.patch("/reschedule_requests/999999", json!({"handled": true})).await.refused(404);
    nobody.get("/reschedule_requests").await.refused(401);

    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:00:00"})).await;
    nobody.post(&path, wanted).await.refused(409);
}
