//! Scenarios.

use serde_json::json;

use crate::jobs::{add, job, scenario};
use crate::support::tenant;

/// P-011, X-4xx: a scenario has a name and a day and begins in planning; deleting sends its jobs to the pool; the last
/// one stays.
#[tokio::test]
async fn a_scenario_is_made_and_deleted() {
    let tenant = tenant().await;
    let first = scenario(&tenant).await;
    tenant.planner.delete(&format!("/scenarios/{first}")).await.refused(400);
    let fault =
        tenant.planner.post("/scenarios", json!({"name": " ", "stage": "tracking"})).await.refused(400);
    assert!(fault["fields"]["name"].is_string() && fault["fields"]["scheduled_date"].is_string());
    tenant
        .planner
        .post("/scenarios", json!({"name": "Friday", "scheduled_date": "2026-02-30"}))
        .await
        .refused(400);
    let body = json!({"name": "Friday", "scheduled_date": "2026-11-27", "stage": "tracking"});
    let friday = tenant.planner.post("/scenarios", body).await.ok();
    assert_eq!((&friday["stage"], &friday["jobs_count"]), (&json!("planning"), &json!(0)));
    let _ = add(&tenant, &friday["id"], job("A")).await;
    let week = "/scenarios?scheduled_date_start=2026-11-24&scheduled_date_end=2026-11-30";
    assert_eq!(tenant.planner.get(week).await.ok()["total_count"], 1);
    let token = friday["ws_token"].as_str().unwrap_or_default();
    let header = tenant.planner.nobody().get(&format!("/scenarios/token/{token}")).await.ok();
    assert_eq!(
        (&header["name"], &header["organisation"]["timezone"]),
        (&json!("Friday"), &json!("Europe/Lisbon"))
    );
    tenant.planner.nobody().get(&format!("/scenarios/token/{}x", token)).await.refused(401);
    let _ = tenant.planner.delete(&format!("/scenarios/{}", friday["id"])).await.ok();
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 1);
}
