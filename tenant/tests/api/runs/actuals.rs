//! What a run was in truth: status, validation, cost and fuel.

use serde_json::{Value, json};

use super::{driver, run};
use crate::jobs::scenario;
use crate::support::tenant;

/// S-01, S-02, S-45: actuals make the status, a later change voids the validation, everything is kept in
/// the log; rates are shown to those who may see them.
#[tokio::test]
async fn actuals_validation_and_cost() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18});
    let rate = tenant.admin.post("/billing_rates", rate).await.ok();
    let van = json!({"uid": "Van 1", "fuel_consumption": 8, "billing_rate_id": rate["id"]});
    let van = tenant.admin.post("/vehicles", van).await.ok();
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": van["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    assert_eq!(made["vehicle"]["uid"], "Van 1");
    assert!(
        made["vehicle"]["billing_rate"].is_null() && made["estimated_cost"].is_null(),
        "the planner sees no rates"
    );
    let path = format!("/runs/{}", made["id"]);
    let _ = tenant.planner.patch(&path, json!({"billing_rate_id": rate["id"]})).await.refused(403);
    let start = json!({"actual_start_time": "2026-11-23T08:00:00Z", "billing_start_time": "2026-11-23T08:00:00Z",
        "start_odometer": 1000.5});
    assert_eq!(tenant.planner.patch(&path, start).await.ok()["status"], "driving");
    let early = tenant
        .admin
        .patch(&path, json!({"validated_by_id": tenant.organisation.admin.id}))
        .await
        .refused(400);
    assert_eq!(early["fields"]["actual_end_time"], "A validated run needs this value");
    let ended = json!({"actual_end_time": "2026-11-23T12:00:00Z", "end_odometer": 1050.5});
    let closed = tenant.planner.post(&format!("{path}/finish"), ended.clone()).await.ok();
    assert_eq!(
        (&closed["status"], &closed["billing_km"], &closed["billing_time"]),
        (&json!("closed"), &json!(50.0), &json!(4.0))
    );
    assert_eq!(
        (&closed["actual_fuel_consumption"], &closed["actual_co2_emissions"]),
        (&json!(4.0), &json!(10560.0))
    );
    assert_eq!(
        tenant.planner.post(&format!("{path}/finish"), ended).await.refused(400)["description"],
        "Run already finished"
    );
    let validated =
        tenant.admin.patch(&path, json!({"validated_by_id": tenant.organisation.admin.id})).await.ok();
    assert!(validated["validated_at"].is_string());
    assert_eq!(
        (&validated["estimated_cost"], &validated["vehicle_billing_rate"]),
        (&json!(117.0), &json!("Van"))
    );
    // A rate that changes later does not change what was validated.
    let _ =
        tenant.admin.patch(&format!("/billing_rates/{}", rate["id"]), json!({"cost_per_run": 99})).await.ok();
    assert_eq!(tenant.admin.get(&path).await.ok()["estimated_cost"], 117.0);
    let voided = tenant.planner.patch(&path, json!({"end_odometer": 1060})).await.ok();
    assert!(voided["validated_at"].is_null() && voided["validated_by_id"].is_null());
    let mut database = tenant.organisation.database().await;
    let kept: Vec<(String, Value, Value)> = sqlx::query_as(
        "select field, old, new from audit_log where subject = 'run' and field = 'end_odometer' order by id",
    )
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert_eq!(
        kept,
        [
            ("end_odometer".into(), Value::Null, json!(1050.5)),
            ("end_odometer".into(), json!(1050.5), json!(1060.0))
        ]
    );
}

/// what a run burnt is unknown without both odometers, or without its vehicle.
#[tokio::test]
async fn fuel_needs_both_odometers() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let van = json!({"uid": "Van 1", "fuel_consumption": 8, "co2_per_litre": 2500});
    let van = tenant.admin.post("/vehicles", van).await.ok();
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": van["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    let burnt = |run: &Value| (run["actual_fuel_consumption"].clone(), run["actual_co2_emissions"].clone());
    let nothing = (Value::Null, Value::Null);
    assert_eq!(burnt(&made), nothing);
    let half = tenant.planner.patch(&path, json!({"start_odometer": 100})).await.ok();
    assert_eq!(burnt(&half), nothing);
    let both = tenant.planner.patch(&path, json!({"end_odometer": 150})).await.ok();
    assert_eq!(burnt(&both), (json!(4.0), json!(10_000.0)));
    let again = tenant.planner.patch(&path, json!({"start_odometer": null})).await.ok();
    assert_eq!(burnt(&again), nothing);
    let walked = json!({"start_odometer": 100, "vehicle_id": null});
    assert_eq!(burnt(&tenant.planner.patch(&path, walked).await.ok()), nothing);
    assert_eq!(burnt(&tenant.planner.get(&path).await.ok()), nothing);
}
