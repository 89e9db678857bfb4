//! Steps back and forth in a plan.

use serde_json::{Value, json};

use crate::jobs::{add, job};
use crate::moves::{put_on, two_runs, uids};
use crate::optimise::wait_for_end;
use crate::support::{Tenant, tenant};

async fn steps(tenant: &Tenant, scenario: &Value) -> Value {
    tenant.planner.get(&format!("/scenarios/{scenario}/steps")).await.ok()
}

/// Goes the way that is offered, and answers what came of it.
async fn go(tenant: &Tenant, scenario: &Value, way: &str) -> Value {
    let step = steps(tenant, scenario).await[way]["id"].clone();
    tenant.planner.put(&format!("/scenarios/{scenario}/{way}"), json!({"step_id": step})).await.ok()
}

/// Stops and times of a run.
async fn look(tenant: &Tenant, run: &Value) -> Value {
    let run = tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok();
    let stops: Vec<Value> = run["jobs"]
        .as_array()
        .expect("jobs")
        .iter()
        .map(|job| json!([job["uid"], job["seq"], job["eta"], job["etd"]]))
        .collect();
    json!([run["planned_start_time"], run["planned_end_time"], run["distance"], stops])
}

/// W-103: moves are taken back one by one, done again, and nothing is offered beyond the first.
#[tokio::test]
async fn moves_are_taken_back_and_done_again() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let none = json!({"undo": null, "redo": null});
    assert_eq!(steps(&tenant, &scenario).await, none);
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let first = [look(&tenant, &ana).await, look(&tenant, &rui).await];
    let _ = put_on(&tenant, &rui, &[&jobs[1]], json!({})).await;
    let second = [look(&tenant, &ana).await, look(&tenant, &rui).await];

    let offered = steps(&tenant, &scenario).await;
    assert_eq!((&offered["undo"]["kind"], &offered["redo"]), (&json!("move"), &Value::Null));
    let back = go(&tenant, &scenario, "undo").await;
    assert_eq!(back["updated_runs"].as_array().map(Vec::len), Some(2));
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], first);
    let back = go(&tenant, &scenario, "undo").await;
    assert_eq!(back["jobs_to_unserved"].as_array().map(Vec::len), Some(3));
    let offered = steps(&tenant, &scenario).await;
    assert_eq!((&offered["undo"], &offered["redo"]["kind"]), (&Value::Null, &json!("move")));
    let _ = go(&tenant, &scenario, "redo").await;
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], first);
    let _ = go(&tenant, &scenario, "redo").await;
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], second);
    // Who has taken back twice and does something else does not go forth any more.
    let _ = go(&tenant, &scenario, "undo").await;
    let _ = put_on(&tenant, &ana, &[&jobs[3]], json!({"seq": 1})).await;
    assert_eq!(steps(&tenant, &scenario).await["redo"], Value::Null);
    let _ = go(&tenant, &scenario, "undo").await;
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], first);
}

/// W-103: an order that was turned round, a delay and an optimisation are taken back, times and all.
#[tokio::test]
async fn other_changes_are_taken_back_too() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[2], &jobs[0], &jobs[1]], json!({})).await;
    let before = [look(&tenant, &ana).await, look(&tenant, &rui).await];
    let run = &ana["id"];
    let _ = tenant.planner.post(&format!("/runs/{run}/reverse_sequence"), json!({})).await.ok();
    let _ = go(&tenant, &scenario, "undo").await;
    let _ = tenant.planner.post(&format!("/runs/{run}/delay"), json!({"delay": 45})).await.ok();
    assert_eq!(steps(&tenant, &scenario).await["undo"]["kind"], "delay");
    let _ = go(&tenant, &scenario, "undo").await;
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], before);
    let body =
        json!({"driver_ids": [ana["driver"]["id"], rui["driver"]["id"]], "options": {"max_seconds": 1}});
    let _ = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(wait_for_end(&tenant, &scenario).await["status"], "done");
    assert_ne!(look(&tenant, &ana).await, before[0]);
    assert_eq!(steps(&tenant, &scenario).await["undo"]["kind"], "optimise");
    let _ = go(&tenant, &scenario, "undo").await;
    // Rui's empty run, which the optimisation removed, is there again.
    assert_eq!([look(&tenant, &ana).await, look(&tenant, &rui).await], before);
}

/// W-103: runs that an optimisation made go with it, and come again.
#[tokio::test]
async fn runs_that_an_optimisation_made_go_with_it() {
    let tenant = tenant().await;
    let scenario = crate::jobs::scenario(&tenant).await;
    let ana = crate::runs::driver(&tenant, "Ana", json!({})).await;
    for uid in ["A", "B"] {
        let _ = add(&tenant, &scenario, job(uid)).await;
    }
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    let _ = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(wait_for_end(&tenant, &scenario).await["status"], "done");
    let path = format!("/runs?scenario_id={scenario}");
    let runs = tenant.planner.get(&path).await.ok();
    assert_eq!(runs["total_count"], 1);
    let before = look(&tenant, &runs["data"][0]).await;
    let back = go(&tenant, &scenario, "undo").await;
    assert_eq!(back["jobs_to_unserved"].as_array().map(Vec::len), Some(2));
    assert_eq!(tenant.planner.get(&path).await.ok()["total_count"], 0);
    let _ = go(&tenant, &scenario, "redo").await;
    assert_eq!(look(&tenant, &runs["data"][0]).await, before);
}

/// W-103: what came from the pool goes back there, and comes again.
#[tokio::test]
async fn jobs_of_the_pool_go_back_to_it() {
    let tenant = tenant().await;
    let (scenario, [ana, _], _) = two_runs(&tenant).await;
    let pooled = tenant.planner.post("/jobs", job("Pooled")).await.ok();
    let id = &pooled["id"];
    let _ = put_on(&tenant, &ana, &[&pooled], json!({"pool": true})).await;
    let _ = go(&tenant, &scenario, "undo").await;
    let found = tenant.planner.get(&format!("/jobs/{id}")).await.ok();
    assert_eq!((&found["scenario_id"], &found["run_id"]), (&Value::Null, &Value::Null));
    let _ = go(&tenant, &scenario, "redo").await;
    let found = tenant.planner.get(&format!("/jobs/{id}")).await.ok();
    assert_eq!((&found["scenario_id"], &found["run_id"]), (&scenario, &ana["id"]));
}

/// W-103: nobody takes back what stands no more as he left it, nor what somebody else did.
#[tokio::test]
async fn only_what_stands_is_taken_back() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1]], json!({})).await;
    let offered = steps(&tenant, &scenario).await["undo"]["id"].clone();
    let path = format!("/scenarios/{scenario}/undo");
    let theirs = tenant.admin.get(&format!("/scenarios/{scenario}/steps")).await.ok();
    assert_eq!(theirs, json!({"undo": null, "redo": null}));
    let refusal = tenant.admin.put(&path, json!({"step_id": offered})).await.refused(409);
    assert!(refusal.to_string().contains("cannot be taken back"), "{refusal}");

    let onto = format!("/runs/move_job_to_new/{}", rui["id"]);
    let _ = tenant.admin.put(&onto, json!({"job_ids": [jobs[1]["id"]]})).await.ok();
    let _ = tenant.planner.put(&path, json!({"step_id": offered})).await.refused(409);
    let now = tenant.planner.get(&format!("/runs/{}", ana["id"])).await.ok();
    assert_eq!(uids(&now), ["A"], "nothing was changed");
    for (body, status) in [(json!({"step_id": 0}), 409), (json!({}), 400), (json!({"step_id": "x"}), 400)] {
        let _ = tenant.planner.put(&path, body).await.refused(status);
    }
    let _ = tenant.planner.put("/scenarios/0/undo", json!({"step_id": offered})).await.refused(404);
    let _ = tenant.planner.get("/scenarios/0/steps").await.refused(404);
    let _ = tenant
        .planner
        .put(&format!("/scenarios/{scenario}/redo"), json!({"step_id": offered}))
        .await
        .refused(409);

    // A job that is gone does not come back to its run.
    let _ = put_on(&tenant, &ana, &[&jobs[2]], json!({})).await;
    let _ = put_on(&tenant, &ana, &[&jobs[2]], json!({"seq": 1})).await;
    let gone = add(&tenant, &scenario, job("Gone")).await;
    let _ = put_on(&tenant, &rui, &[&gone], json!({})).await;
    let _ = tenant.planner.delete(&format!("/jobs/{}", gone["id"])).await.ok();
    let offered = steps(&tenant, &scenario).await["undo"]["id"].clone();
    let _ = tenant.planner.put(&path, json!({"step_id": offered})).await.refused(409);
}
