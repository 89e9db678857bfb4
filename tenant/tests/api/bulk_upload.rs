//! Uploads that answer while they work.

use axum::body::{Body, Bytes};
use chrono::Duration;
use http::header::CONTENT_TYPE;
use routewright_core::Clock;
use routewright_testing::Answer;
use serde_json::{Value, json};

use crate::jobs::{job, scenario};
use crate::support::{Tenant, tenant, tenant_at};

fn lines(answer: &Answer) -> Vec<Value> {
    answer.text().lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

async fn upload(tenant: &Tenant, query: &str, body: Body) -> Answer {
    let request = http::Request::post(format!("/jobs/bulk_upload{query}"))
        .header(CONTENT_TYPE, "application/x-ndjson")
        .body(body);
    tenant.admin.send(request.expect("a request")).await
}

/// P-420, P-501, A-071: good lines are kept, faulty ones are told by their number, the last line sums up.
#[tokio::test]
async fn jobs_are_uploaded_line_by_line() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut faulty = job("B");
    faulty["duration"] = 0.into();
    let mut linked = job("C");
    linked["pickup_from"] = "A".into();
    let text = format!("{}\n\n{faulty}\r\n{{\"uid\": \"x\n{linked}\n[1]\n{}", job("A"), "x".repeat(70_000));
    let answer = upload(&tenant, &format!("?scenario_id={scenario}"), Body::from(text)).await;
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    let lines = lines(&answer);
    assert_eq!((&lines[0]["n"], &lines[0]["uid"]), (&json!(1), &json!("A")));
    assert_eq!(lines[1]["title"], "400 Bad Request");
    assert_eq!(lines[1]["description"], "Line 3: Value must be above 0");
    assert_eq!((&lines[1]["n"], &lines[1]["uid"]), (&json!(3), &json!("B")));
    assert!(lines[2]["description"].as_str().is_some_and(|text| text.starts_with("Line 4: Malformed JSON")));
    assert_eq!((&lines[3]["n"], &lines[3]["uid"]), (&json!(5), &json!("C")));
    assert_eq!(lines[4]["description"], "Line 6: The body must be a JSON object");
    assert_eq!(lines[5]["description"], "Line 7: The line is longer than 64 KiB");
    assert_eq!(lines[6], json!({"done": true, "uploaded": 2, "failed": 4}));
    let stored = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&sort_by=id")).await.ok();
    assert_eq!((&stored["total_count"], &stored["data"][0]["deliver_to"]), (&json!(2), &json!("C")));
    assert_eq!(stored["data"][0]["id"], lines[0]["id"]);
}

/// P-420: without a scenario jobs go to the pool; wrong media type, scenario or level are refused before anything runs.
#[tokio::test]
async fn an_upload_needs_a_scenario_that_exists() {
    let tenant = tenant().await;
    let many: String = (0..250).map(|n| format!("{}\n", job(&format!("J{n}")))).collect();
    let answer = upload(&tenant, "", Body::from(many)).await;
    assert_eq!(lines(&answer).last(), Some(&json!({"done": true, "uploaded": 250, "failed": 0})));
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 250);
    upload(&tenant, "?scenario_id=987654", Body::from("{}")).await.refused(404);
    upload(&tenant, "?colour=red", Body::from("{}")).await.refused(400);
    tenant.admin.post("/jobs/bulk_upload", json!({})).await.refused(415);
    let writer = tenant.organisation.person_with(&["jobs_write"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let writer = tenant.planner.with_token(tenant.organisation.token(writer));
    writer.post("/jobs/bulk_upload", json!({})).await.refused(403);
}

async fn stored(database: &mut sqlx::PgConnection) -> i64 {
    sqlx::query_scalar("select count(*) from jobs").fetch_one(database).await.expect("a number")
}

/// P-502: a token that expires on the way ends the upload; what was taken before stays.
#[tokio::test]
async fn an_expired_token_ends_the_upload() {
    let clock = Clock::fixed("2026-11-20T08:00:00Z".parse().expect("a time"));
    let tenant = tenant_at(clock.clone()).await;
    let database = tenant.organisation.database().await;
    let parts = futures_util::stream::unfold((0, database), move |(n, mut database)| {
        let clock = clock.clone();
        async move {
            if n == 1 {
                while stored(&mut database).await == 0 {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                }
                clock.advance(Duration::hours(2));
            }
            let line = format!("{}\n", job(&format!("J{n}")));
            (n < 3).then(|| (Ok::<_, std::io::Error>(Bytes::from(line)), (n + 1, database)))
        }
    });
    let answer = upload(&tenant, "", Body::from_stream(parts)).await;
    let lines = lines(&answer);
    assert_eq!(lines[0]["uid"], "J0");
    assert_eq!(lines[1]["title"], "401 Unauthorized");
    assert_eq!(lines[1]["description"], "Incorrect or expired token");
    assert_eq!(lines.len(), 2);
    let mut database = tenant.organisation.database().await;
    assert_eq!(stored(&mut database).await, 1);
}

/// P-437: clients are made one by one with progress; faulty ones are named at the end.
#[tokio::test]
async fn clients_are_created_with_progress() {
    let tenant = tenant().await;
    let list = json!([{"uid": "C1", "name": "Flor"}, {"uid": "C2"}, {"uid": "C1", "name": "Twice"},
        {"uid": "C3", "name": "Mar", "customer_email": "not-an-address"}, {"uid": "C4", "name": "Sol"}]);
    let answer = tenant.planner.post("/clients/bulk_create", list).await;
    let lines = lines(&answer);
    assert_eq!((&lines[0]["n"], &lines[0]["total"], &lines[0]["uid"]), (&json!(1), &json!(5), &json!("C1")));
    assert!(lines[0]["id"].is_number());
    assert_eq!((&lines[1]["uid"], &lines[1]["title"]), (&json!("C2"), &json!("400 Bad Request")));
    assert_eq!(lines[5], json!({"done": true, "created": 2, "failed": ["C2", "C1", "C3"]}), "{lines:?}");
    assert_eq!(tenant.planner.get("/clients").await.ok()["total_count"], 2);
    tenant.planner.post("/clients/bulk_create", json!([])).await.refused(400);
    tenant.planner.post("/clients/bulk_create", json!([7])).await.refused(400);
    tenant.planner.post("/clients/bulk_create", json!({"uid": "C"})).await.refused(400);
}
