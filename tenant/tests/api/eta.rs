//! Telling that deliveries get late.

use chrono::Duration;
use serde_json::json;

use crate::execution::ready;

/// S-25, A-4xx: from the threshold on the office and the customer are told, once per job, and again only when it grew by a
/// quarter of an hour after the pause; actions hear of it too.
#[tokio::test]
async fn late_deliveries_are_told() {
    let ready = ready().await;
    let organisation = &ready.tenant.organisation;
    let path = format!("/organisations/{}/information/notification_settings", organisation.id);
    let alert = json!({"enabled": true, "threshold_minutes": 60, "recipients": ["office@example.org"],
        "notify_customer": true, "repeat_minutes": 30});
    let _ = ready.tenant.admin.put(&path, json!({"eta_alert": alert, "on_delivered": false})).await.ok();
    let action = json!({"name": "Late", "event": "eta_late", "action": "email",
        "conditions": [{"field": "minutes_late", "operator": ">", "value": 59}],
        "config": {"to": "boss@example.org", "subject": "Late", "text": "x"}});
    let _ = ready.tenant.admin.post("/udf/actions", action).await.ok();
    let driver = ready.driver().await;
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T08:00:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start).await.ok();
    let told = async |address: &str| ready.mails(address).await.len();
    assert_eq!(told("office@example.org").await, 0, "on time");

    // Two hours for the first stop: both that remain are late by more than an hour.
    ready.clock.advance(Duration::hours(2));
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 10:00:00"})).await;
    assert_eq!((told("office@example.org").await, told("boss@example.org").await), (2, 2));
    for customer in ["j2@example.org", "j3@example.org"] {
        let mails = ready.mails(customer).await;
        assert_eq!(mails.len(), 1, "{customer}");
        assert!(mails[0].0.ends_with("is late") && mails[0].1.contains("Expected: 10:"), "{mails:?}");
    }
    let office = ready.mails("office@example.org").await;
    assert!(
        office[0].1.contains("Job J2 is expected 1") && office[0].1.contains("Run: Ana"),
        "{}",
        office[0].1
    );

    // Ten minutes later it grew, but neither enough nor after the pause.
    let point = |time: &str| json!([{"lat": 41.16, "lon": -8.62, "recorded_at": time}]);
    ready.clock.advance(Duration::minutes(10));
    let _ = driver.post("/v2/runsheet/gps_points", point("2026-11-23T10:10:00Z")).await.ok();
    assert_eq!(told("office@example.org").await, 2);
    ready.clock.advance(Duration::minutes(30));
    let _ = driver.post("/v2/runsheet/gps_points", point("2026-11-23T10:40:00Z")).await.ok();
    assert_eq!((told("office@example.org").await, told("j2@example.org").await), (4, 2));

    // Switched off, nobody is told.
    let _ = ready
        .tenant
        .admin
        .with_token(organisation.token(organisation.admin))
        .put(&path, json!({}))
        .await
        .ok();
    ready.clock.advance(Duration::minutes(60));
    let driver = ready.driver().await;
    let _ = driver.post("/v2/runsheet/gps_points", point("2026-11-23T11:40:00Z")).await.ok();
    assert_eq!(told("office@example.org").await, 4);
}
