//! Events and actions.

use serde_json::{Value, json};

use crate::jobs::job;
use crate::support::{Tenant, tenant};

async fn action(tenant: &Tenant, event: &str, conditions: Value, action: &str, config: Value) -> Value {
    let body = json!({"name": format!("{event} {action}"), "event": event, "conditions": conditions, "action": action, "config": config});
    tenant.admin.post("/udf/actions", body).await.ok()
}

/// what can be built is told; actions are kept; faults name their field.
#[tokio::test]
async fn actions_are_built() {
    let tenant = tenant().await;
    let config = tenant.admin.get("/udf/config").await.ok();
    assert_eq!((&config["enabled"], &config["max_actions"]), (&json!(true), &json!(20)));
    assert_eq!(config["allowed_actions"].as_array().map(Vec::len), Some(5));
    let events = tenant.admin.get("/udf/events").await.ok();
    assert_eq!(events.as_array().map(Vec::len), Some(13));
    assert_eq!((&events[0]["key"], &events[0]["label"]), (&json!("job_created"), &json!("Job created")));
    let made = action(&tenant, "job_created", json!([]), "add_tag", json!({"tag": "New"})).await;
    assert_eq!(made["enabled"], true);
    let path = format!("/udf/actions/{}", made["id"]);
    assert_eq!(tenant.admin.patch(&path, json!({"enabled": false})).await.ok()["enabled"], false);
    let good = json!({"name": "X", "event": "job_created", "action": "add_tag", "config": {"tag": "T"}, "conditions": []});
    for (field, value, named) in [
        ("name", json!(" "), "name"),
        ("event", json!("job_lost"), "event"),
        ("action", json!("run_code"), "action"),
        ("event", json!("run_started"), "action"),
        ("config", json!({}), "config.tag"),
        ("conditions", json!([{"field": "colour_of_sky", "operator": "="}]), "conditions.0.field"),
        ("conditions", json!([{"field": "uid", "operator": "~"}]), "conditions.0.operator"),
    ] {
        let mut wrong = good.clone();
        wrong[field] = value;
        let refusal = tenant.admin.post("/udf/actions", wrong.clone()).await.refused(400);
        assert!(refusal["fields"][named].is_string(), "{wrong}: {refusal}");
    }
    for (kind, config, named) in [
        ("webhook", json!({"url": "http://example.com"}), "config.url"),
        ("webhook", json!({"url": "https://10.0.0.1/"}), "config.url"),
        ("email", json!({"to": "nobody", "subject": "x"}), "config.to"),
        ("sms", json!({"to": "12", "text": "x"}), "config.to"),
        ("set_extra_field", json!({"value": "x"}), "config.name"),
    ] {
        let body = json!({"name": "X", "event": "job_created", "action": kind, "config": config});
        let refusal = tenant.admin.post("/udf/actions", body).await.refused(400);
        assert!(refusal["fields"][named].is_string(), "{kind}: {refusal}");
    }
    let _ = tenant.admin.delete(&path).await.ok();
    assert_eq!(tenant.admin.get("/udf/actions").await.ok()["total_count"], 0);
    tenant.organisation.modules(&["units"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    tenant.admin.get("/udf/actions").await.refused(403);
}

/// S-16: actions are carried out when all conditions hold, and what was done is recorded.
#[tokio::test]
async fn actions_are_carried_out() {
    let tenant = tenant().await;
    let big = json!([{"field": "duration", "operator": ">", "value": 30}, {"field": "customer_name", "operator": "contains", "value": "flor"}]);
    let _ = action(&tenant, "job_created", big.clone(), "add_tag", json!({"tag": "Big"})).await;
    let _ = action(
        &tenant,
        "job_created",
        big.clone(),
        "set_extra_field",
        json!({"name": "size_class", "value": "XL"}),
    )
    .await;
    let email = json!({"to": "a@example.org, b@example.org", "subject": "A big one", "text": "Look"});
    let _ = action(&tenant, "job_created", big, "email", email).await;
    let _ = action(
        &tenant,
        "job_updated",
        json!([]),
        "set_extra_field",
        json!({"name": "touched", "value": "yes"}),
    )
    .await;
    let _ = tenant.planner.post("/jobs", job("small")).await.ok();
    let mut body = job("big");
    body["duration"] = 45.into();
    body["customer_name"] = "Padaria Flor".into();
    let made = tenant.planner.post("/jobs", body).await.ok();
    assert_eq!(
        (&made["tags"][0]["name"], &made["extra_fields"]),
        (&json!("Big"), &json!({"size_class": "XL"}))
    );
    let path = format!("/jobs/{}", made["id"]);
    let changed = tenant.planner.patch(&path, json!({"comments": "Ring"})).await.ok();
    assert_eq!(changed["extra_fields"], json!({"size_class": "XL", "touched": "yes"}));
    let runs = tenant.admin.get("/udf/runs").await.ok();
    assert_eq!((&runs["total_count"], &runs["data"][0]["event"]), (&json!(4), &json!("job_updated")));
    let mut database = tenant.organisation.database().await;
    let (recipients, subject): (Vec<String>, String) =
        sqlx::query_as("select recipients, subject from messages")
            .fetch_one(&mut database)
            .await
            .expect("a mail");
    assert_eq!((recipients.len(), subject.as_str()), (2, "A big one"));
    let put = json!({"enabled": false, "max_actions": 20, "webhook_timeout_seconds": 10, "retries": 3, "signing_secret_id": null});
    let path = format!("/organisations/{}/information/udf_config", tenant.organisation.id);
    let _ = tenant.admin.put(&path, put).await.ok();
    let mut body = job("big-2");
    body["duration"] = 45.into();
    body["customer_name"] = "Flor".into();
    assert_eq!(tenant.planner.post("/jobs", body).await.ok()["tags"], json!([]), "switched off");
}

/// S-16: a webhook is a signed POST; what is not accepted is tried again.
#[tokio::test]
async fn a_webhook_is_sent_signed_and_repeated() {
    use axum::Router;
    use axum::extract::State;
    use axum::http::{HeaderMap, StatusCode};
    use axum::routing::post;
    use tokio::sync::mpsc;

    let _turn = crate::worker::ONE_AT_A_TIME.lock().await;
    let (sender, mut received) = mpsc::unbounded_channel::<(HeaderMap, String)>();
    let first = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let receiver = Router::new()
        .route(
            "/hook",
            post(
                move |State(first): State<std::sync::Arc<std::sync::atomic::AtomicBool>>,
                      headers: HeaderMap,
                      body: String| async move {
                    sender.send((headers, body)).expect("the test listens");
                    if first.swap(false, std::sync::atomic::Ordering::SeqCst) {
                        StatusCode::SERVICE_UNAVAILABLE
                    } else {
                        StatusCode::OK
                    }
                },
            ),
        )
        .with_state(first);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, receiver).await });

    let tenant = tenant().await;
    let secret = json!({"name": "udf_signing_secret", "value": "signing-key"});
    let secret = tenant.admin.post("/secrets", secret).await.ok()["id"].clone();
    let put = json!({"enabled": true, "max_actions": 20, "webhook_timeout_seconds": 10, "retries": 3, "signing_secret_id": secret});
    let path = format!("/organisations/{}/information/udf_config", tenant.organisation.id);
    let _ = tenant.admin.put(&path, put).await.ok();
    let hook =
        action(&tenant, "job_created", json!([]), "webhook", json!({"url": "https://hooks.example.com/"}))
            .await;
    let mut database = tenant.organisation.database().await;
    // Users can only name public addresses; the receiver of this test is a local one.
    sqlx::query("update udf_actions set config = jsonb_build_object('url', $1::text)")
        .bind(format!("http://{address}/hook"))
        .execute(&mut database)
        .await
        .expect("an address");
    let replica = crate::realtime::replica(2).await;
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let wait = std::time::Duration::from_secs(60);
    for attempt in 1..=2 {
        let (headers, body) =
            tokio::time::timeout(wait, received.recv()).await.expect("a webhook in time").expect("a webhook");
        let sent: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!((&sent["event"], &sent["data"]["id"]), (&json!("job_created"), &made["id"]), "{attempt}");
        assert_eq!(sent["organisation_id"], json!(tenant.organisation.id.get()));
        let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, b"signing-key");
        let signature = headers["x-routewright-signature"].to_str().unwrap_or_default();
        let hex = signature.strip_prefix("sha256=").unwrap_or_default();
        let bytes: Vec<u8> =
            (0..hex.len() / 2).filter_map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).ok()).collect();
        assert!(aws_lc_rs::hmac::verify(&key, body.as_bytes(), &bytes).is_ok(), "{signature}");
        if attempt == 1 {
            // The pause before the next attempt is over.
            let deadline = std::time::Instant::now() + wait;
            while sqlx::query(
                "update background_jobs set run_at = now() where state = 'queued' and attempts = 1",
            )
            .execute(&mut database)
            .await
            .expect("the queue")
            .rows_affected()
                == 0
            {
                assert!(std::time::Instant::now() < deadline, "the attempt is recorded");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            sqlx::query("select pg_notify($1, json_build_object('job', $2::bigint)::text)")
                .bind("routewright")
                .bind(tenant.organisation.id.get())
                .execute(&mut database)
                .await
                .expect("a notice");
        }
    }
    let deadline = std::time::Instant::now() + wait;
    loop {
        let runs = tenant.admin.get(&format!("/udf/runs?action_id={}", hook["id"])).await.ok();
        let run = &runs["data"][0];
        if run["status"] == "done" {
            assert_eq!((&run["attempts"], &run["response_status"]), (&json!(2), &json!(200)));
            break;
        }
        assert!(std::time::Instant::now() < deadline, "{run}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    drop(replica);
}

/// Events that were recorded, the oldest first: key and uid or name.
async fn told(tenant: &Tenant) -> Vec<(String, String)> {
    let mut database = tenant.organisation.database().await;
    sqlx::query_as(
        "select event, coalesce(payload -> 'data' ->> 'uid', payload -> 'data' ->> 'name') from udf_runs order by id",
    )
    .fetch_all(&mut database)
    .await
    .expect("what was done")
}

/// S-16: jobs that come and go by the pool, by copying and by a file are told, each once, and so are copied scenarios.
#[tokio::test]
async fn jobs_are_told_wherever_they_come_from() {
    let tenant = tenant().await;
    let scenario = crate::jobs::scenario(&tenant).await;
    let first = crate::jobs::add(&tenant, &scenario, job("A")).await;
    let mail = json!({"to": "office@example.org", "subject": "Look", "text": "x"});
    for event in ["job_created", "job_moved", "job_updated", "scenario_created"] {
        let _ = action(&tenant, event, json!([]), "email", mail.clone()).await;
    }
    let _ = tenant.planner.put("/jobs/move_to_pool", json!({"job_ids": [first["id"]]})).await.ok();
    let back = json!([{"id": first["id"], "scenario_id": scenario}]);
    let _ = tenant.planner.put("/jobs/move_jobs_from_pool", back).await.ok();
    let _ = tenant.planner.post("/duplicate_job", json!({"job_id": first["id"]})).await.ok();
    let rows =
        json!([{"uid": "A", "comments": "Ring"}, {"uid": "B", "address": "Rua B", "lat": 41.1, "lon": -8.6}]);
    let _ = tenant
        .planner
        .post("/jobs/template_upload", json!({"rows": rows, "scenario_id": scenario}))
        .await
        .ok();
    let copy = json!({"copy_items": [], "scheduled_date": "2026-11-24", "scenario_name": "Copy"});
    let _ = tenant.planner.post(&format!("/scenarios/{scenario}/duplicate"), copy).await.ok();
    let told = told(&tenant).await;
    let told: Vec<(&str, &str)> = told.iter().map(|(event, name)| (event.as_str(), name.as_str())).collect();
    let expected = [
        ("job_moved", "A"),
        ("job_moved", "A"),
        ("job_created", "A-1"),
        ("job_created", "B"),
        ("job_updated", "A"),
        ("scenario_created", "Copy"),
    ];
    assert_eq!(told, expected);
}
