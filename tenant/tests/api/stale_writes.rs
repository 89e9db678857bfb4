//! Writes that name an older version of the plan than the one in which somebody else has changed the same thing.

use serde_json::{Value, json};
use sqlx::Connection;

use crate::execution::ready;
use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

async fn version(tenant: &Tenant, scenario: &Value) -> i64 {
    tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok()["version"].as_i64().expect("a version")
}

fn sentence(refused: &Value) -> &str {
    assert_eq!(refused["error"], "PLAN_CHANGED", "{refused}");
    assert!(refused["version"].is_i64(), "{refused}");
    refused["description"].as_str().expect("a text")
}

/// W-001: of two who change a scenario's fields, the one who has not seen the other's change is told of it.
#[tokio::test]
async fn a_scenario_is_not_changed_over_another() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let path = format!("/scenarios/{scenario}");
    let before = version(&tenant, &scenario).await;
    let _ = tenant.planner.patch(&path, json!({"name": "Monday, rain"})).await.ok();
    let stale = tenant.admin.on_plan(before);
    let refused = stale.patch(&path, json!({"name": "Monday"})).await.refused(409);
    assert!(sentence(&refused).contains(" changed the scenario at "), "{refused}");
    let bulk = json!([{"id": scenario, "starred": true}]);
    sentence(&stale.patch("/scenarios/bulk", bulk).await.refused(409));
    assert_eq!(tenant.planner.get(&path).await.ok()["name"], "Monday, rain");

    // Who made the change goes on, as does who has seen it or names no version; what the plan holds is another thing.
    let _ = tenant.planner.on_plan(before).patch(&path, json!({"starred": true})).await.ok();
    let now = version(&tenant, &scenario).await;
    let _ = add(&tenant, &scenario, job_at("A", 41.17, -8.62, json!({}))).await;
    let _ = tenant.admin.on_plan(now).patch(&path, json!({"name": "Monday"})).await.ok();
    let _ = tenant.planner.patch(&path, json!({"name": "Tuesday"})).await.ok();

    let groups = format!("{path}/territory_groups");
    let _ = tenant.planner.put(&groups, json!({"territory_group_ids": []})).await.ok();
    let group = tenant.admin.post("/territory_groups", json!({"name": "North"})).await.ok()["id"].clone();
    let before = version(&tenant, &scenario).await;
    let _ = tenant.planner.put(&groups, json!({"territory_group_ids": [group]})).await.ok();
    let stale = tenant.admin.on_plan(before);
    sentence(&stale.put(&groups, json!({"territory_group_ids": []})).await.refused(409));
}

/// W-001, S-01: nobody validates what somebody else has written meanwhile.
#[tokio::test]
async fn a_run_is_not_validated_over_another() {
    let ready = ready().await;
    let (tenant, scenario) = (&ready.tenant, &ready.scenario["id"]);
    let path = format!("/runs/{}", ready.run["id"]);
    let actuals = json!({"actual_start_time": "2026-11-23T08:00:00Z", "actual_end_time": "2026-11-23T09:00:00Z",
        "billing_start_time": "2026-11-23T08:00:00Z", "start_odometer": 100.0, "end_odometer": 140.0, "force": true});
    let admin = || ready.planner().with_token(tenant.organisation.token(tenant.organisation.admin));
    let _ = admin().patch(&path, actuals).await.ok();
    let before = version(tenant, scenario).await;
    let _ = ready.planner().patch(&path, json!({"end_odometer": 180.0})).await.ok();
    for route in ["/runs/validate", "/run_cost_calculator/validate"] {
        let refused = admin().on_plan(before).patch(route, json!([ready.run["id"]])).await.refused(409);
        assert!(sentence(&refused).contains(" changed Ana at "), "{refused}");
    }
    assert_eq!(ready.planner().get(&path).await.ok()["validated_at"], Value::Null);
    // A colour is not billed.
    let before = version(tenant, scenario).await;
    let _ = ready.planner().patch(&path, json!({"route_colour": "#112233"})).await.ok();
    let done = admin().on_plan(before).patch("/runs/validate", json!([ready.run["id"]])).await.ok();
    assert_eq!(done["validated"][0]["id"], ready.run["id"]);
}

/// W-001, S-04, S-05: no search begins on a plan whose runs in play somebody else has just changed by hand, be it waited for,
/// in the background, or of one run.
#[tokio::test]
async fn nothing_is_optimised_over_another() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let run = run(&tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (uid, lat) in [("A", 41.17), ("B", 41.18), ("C", 41.19)] {
        jobs.push(add(&tenant, &scenario, job_at(uid, lat, -8.62, json!({}))).await);
    }
    let _ = put_on(&tenant, &run, &[&jobs[0], &jobs[1]], json!({})).await;
    let before = version(&tenant, &scenario).await;
    let _ = put_on(&tenant, &run, &[&jobs[2]], json!({"seq": 1})).await;
    let moved = version(&tenant, &scenario).await;
    let stale = tenant.admin.on_plan(before);
    let wanted = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    for path in
        [format!("/optimise/scenarios/{scenario}"), format!("/optimise/background/scenarios/{scenario}")]
    {
        let refused = stale.post(&path, wanted.clone()).await.refused(409);
        assert!(sentence(&refused).contains(" changed Ana at "), "{path} {refused}");
    }
    let one = format!("/optimise/runs/{}", run["id"]);
    sentence(&stale.post(&one, json!({})).await.refused(409));
    assert_eq!(version(&tenant, &scenario).await, moved, "nothing was begun");

    // Who moved the job, and who has seen it, may.
    let _ = tenant.planner.on_plan(before).post(&one, json!({})).await.ok();
    let now = version(&tenant, &scenario).await;
    let path = format!("/optimise/scenarios/{scenario}");
    assert_eq!(tenant.admin.on_plan(now).post(&path, wanted).await.ok()["success"], true);
}

/// Issue 13.4: whoever has just written something that refers to a job, such as a customer who asks for another day, does not hold
/// up the plan in which the job gets another place: the two waited for each other.
#[tokio::test]
async fn a_row_that_refers_to_a_job_leaves_its_place_free() {
    let ready = ready().await;
    let (mut asks, mut plans) =
        (ready.tenant.organisation.database().await, ready.tenant.organisation.database().await);
    let job = ready.jobs[0]["id"].as_i64().unwrap();
    let mut asks = asks.begin().await.unwrap();
    sqlx::query("insert into tracking_asks (job_id, minute, asks) values ($1, now(), 1)")
        .bind(job)
        .execute(&mut *asks)
        .await
        .unwrap();
    sqlx::query("set lock_timeout = '1s'").execute(&mut plans).await.unwrap();
    let moved = sqlx::query("update jobs set seq = seq + 100 where id = $1 and run_id is not null")
        .bind(job)
        .execute(&mut plans)
        .await;
    assert_eq!(moved.unwrap().rows_affected(), 1);
    let doubled = sqlx::query("update jobs set seq = (select max(seq) from jobs) where run_id is not null")
        .execute(&mut plans)
        .await;
    let doubled = doubled.unwrap_err();
    assert_eq!(doubled.as_database_error().unwrap().constraint(), Some("jobs_seq_key"));
}
