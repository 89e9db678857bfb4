//! Scenarios.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::moves::{assert_timed, put_on};
use crate::runs::{driver, run};
use crate::support::tenant;

/// P-011, R-27, X-031, X-037, X-436, X-437, X-442, X-509, X-511, X-512, X-514: a scenario has a name and a day and begins
/// in planning; deleting sends its jobs to the pool; the last
/// one stays.
#[tokio::test]
async fn a_scenario_is_made_and_deleted() {
    let tenant = tenant().await;
    let first = scenario(&tenant).await;
    tenant.planner.delete(&format!("/scenarios/{first}")).await.refused(400);
    let fault = tenant.planner.post("/scenarios", json!({"name": " "})).await.refused(400);
    assert!(fault["fields"]["name"].is_string() && fault["fields"]["scheduled_date"].is_string());
    tenant
        .planner
        .post("/scenarios", json!({"name": "Friday", "scheduled_date": "2026-02-30"}))
        .await
        .refused(400);
    let mut body = json!({"name": "Friday", "scheduled_date": "2026-10-23", "stage": "tracking"});
    let refused = tenant.planner.post("/scenarios", body.clone()).await.refused(400);
    assert!(refused["fields"]["stage"].is_string(), "it always begins in planning");
    body.as_object_mut().unwrap().remove("stage");
    let friday = tenant.planner.post("/scenarios", body).await.ok();
    assert_eq!((&friday["stage"], &friday["jobs_count"]), (&json!("planning"), &json!(0)));
    let _ = add(&tenant, &friday["id"], job("A")).await;
    let week = "/scenarios?scheduled_date_start=2026-10-19&scheduled_date_end=2026-10-25";
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

/// P-203, P-204, S-21: a scenario that moves to another day takes its plan along, over the change of clocks too; once a
/// run was started it stays on its day.
#[tokio::test]
async fn a_plan_moves_to_another_day() {
    let tenant = tenant().await;
    let body = json!({"name": "Friday", "scheduled_date": "2026-10-23"});
    let scenario = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let first = add(&tenant, &scenario, job("A")).await;
    let second = add(&tenant, &scenario, job("B")).await;
    let before = put_on(&tenant, &made, &[&first, &second], json!({})).await["updated_runs"][0].clone();
    assert_eq!(before["planned_start_time"], "2026-10-23T07:00:00Z", "eight o'clock in summer");
    let delayed =
        tenant.planner.post(&format!("/runs/{}/delay", made["id"]), json!({"delay": 30})).await.ok();
    assert_eq!(delayed["planned_start_time"], "2026-10-23T07:30:00Z");
    let path = format!("/scenarios/{scenario}");
    let _ = tenant.planner.patch(&path, json!({"scheduled_date": "2026-10-26"})).await.ok();
    let after = tenant.planner.get(&format!("/runs/{}", made["id"])).await.ok();
    assert_eq!(after["planned_start_time"], "2026-10-26T08:30:00Z", "half past eight in winter");
    assert_timed(&after);
    assert_eq!(after["scenario"]["scheduled_date"], "2026-10-26");
    let _ = tenant.planner.patch(&path, json!({"name": "Monday"})).await.ok();
    let start = json!({"actual_start_time": "2026-10-26T08:31:00Z", "start_odometer": 5, "force": true});
    let _ = tenant.planner.patch(&format!("/runs/{}", made["id"]), start).await.ok();
    let bulk = json!([{"id": scenario, "scheduled_date": "2026-10-27"}]);
    let refusal = tenant.planner.patch("/scenarios/bulk", bulk).await.refused(409);
    assert_eq!(refusal["description"], "Run Ana was started and cannot move to another day");
    assert_eq!(tenant.planner.get(&path).await.ok()["scheduled_date"], "2026-10-26");
}

/// S-22, S-45: who deletes a scenario may say why; it is on the record.
#[tokio::test]
async fn a_deleted_scenario_is_on_the_record() {
    let tenant = tenant().await;
    let sick = tenant.admin.post("/scenario_reasons", json!({"name": "Driver sick"})).await.ok();
    let body = json!({"name": "Friday", "scheduled_date": "2026-11-27"});
    let scenario = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let refusal = tenant.planner.delete(&format!("/scenarios/{scenario}?scenario_reason_id=987654")).await;
    assert_eq!(refusal.refused(400)["fields"]["scenario_reason_id"], "Value does not exist");
    let path = format!("/scenarios/{scenario}?scenario_reason_id={}", sick["id"]);
    let _ = tenant.planner.delete(&path).await.ok();
    let mut database = tenant.organisation.trail().await;
    let (user, old, reason): (i64, Value, String) = sqlx::query_as(
        "select actor_id, before, reason from audit_entries where kind = 'scenario' and object_id = $1 and change = 'deleted'",
    )
    .bind(scenario.as_i64())
    .fetch_one(&mut database)
    .await
    .expect("a record");
    assert_eq!((user, reason.as_str()), (tenant.organisation.planner.id, "Driver sick"));
    assert_eq!((&old["name"], &old["scheduled_date"]), (&json!("Friday"), &json!("2026-11-27")));
}
