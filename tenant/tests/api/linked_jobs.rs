//! Linked jobs that go to the pool or come from it: nobody leaves half of a link behind unasked.

use routewright_testing::Answer;
use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::moves::put_on;
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

async fn read(tenant: &Tenant, job: &Value) -> Value {
    tenant.planner.get(&format!("/jobs/{}", job["id"])).await.ok()
}

/// A pickup and its delivery on one run, and a job that is linked to nothing.
async fn linked(tenant: &Tenant) -> (Value, [Value; 3]) {
    let scenario = scenario(tenant).await;
    let pickup = add(tenant, &scenario, job("P")).await;
    let mut body = job("D");
    body["pickup_from"] = "P".into();
    let delivery = add(tenant, &scenario, body).await;
    let alone = add(tenant, &scenario, job("X")).await;
    let driver = driver(tenant, "Ana", json!({})).await;
    let run = run(tenant, &scenario, &driver, json!({})).await;
    let _ = put_on(tenant, &run, &[&pickup, &delivery, &alone], json!({})).await;
    (scenario, [pickup, delivery, alone])
}

fn names_them(answer: Answer, jobs: &[&Value]) {
    let refused = answer.refused(409);
    assert_eq!(refused["error"], "LINKED_JOBS");
    let named: Vec<Value> = jobs.iter().map(|job| json!({"id": job["id"], "uid": job["uid"]})).collect();
    assert_eq!(refused["linked_jobs"], json!(named));
    assert!(refused["description"].as_str().unwrap().contains(jobs[0]["uid"].as_str().unwrap()));
}

/// W-012: half of a pair does not go to the pool unasked. Taken along, the pair stays linked there.
#[tokio::test]
async fn half_of_a_link_goes_to_the_pool_only_when_asked() {
    let tenant = tenant().await;
    let (scenario, [pickup, delivery, alone]) = linked(&tenant).await;
    let move_it = async |ids: Value, linked: Value| {
        let body = json!({"job_ids": ids, "linked": linked});
        tenant.planner.put("/jobs/move_to_pool", body).await
    };
    names_them(move_it(json!([pickup["id"], alone["id"]]), Value::Null).await, &[&delivery]);
    assert_eq!(read(&tenant, &alone).await["scenario_id"], scenario);
    let wrong = move_it(json!([pickup["id"]]), json!("drop")).await.refused(400);
    assert!(wrong["fields"]["linked"].is_string(), "{wrong}");

    // What is linked to nothing, or goes as a whole, asks nothing.
    let _ = move_it(json!([alone["id"]]), Value::Null).await.ok();
    let taken = move_it(json!([pickup["id"]]), json!("take")).await.ok();
    assert_eq!(taken["job_ids"], json!([pickup["id"], delivery["id"]]));
    assert_eq!(taken["updated_runs"][0]["jobs"], json!([]));
    let (from, to) = (read(&tenant, &pickup).await, read(&tenant, &delivery).await);
    assert_eq!((&from["scenario_id"], &to["scenario_id"]), (&Value::Null, &Value::Null));
    assert_eq!((&from["deliver_to"], &to["pickup_from"]), (&json!("D"), &json!("P")));
}

/// W-012: unlinked, the other half stays served and is linked to nothing.
#[tokio::test]
async fn half_of_a_link_is_cut_off_when_asked() {
    let tenant = tenant().await;
    let (_, [pickup, delivery, _]) = linked(&tenant).await;
    let body = json!({"job_ids": [pickup["id"]], "linked": "unlink"});
    let moved = tenant.planner.put("/jobs/move_to_pool", body).await.ok();
    assert_eq!(moved["job_ids"], json!([pickup["id"]]));
    let (from, to) = (read(&tenant, &pickup).await, read(&tenant, &delivery).await);
    assert_eq!((&from["scenario_id"], &from["deliver_to"]), (&Value::Null, &Value::Null));
    assert!(to["run_id"].is_i64() && to["pickup_from"].is_null(), "{to}");
}

/// W-012: the same on the way back.
#[tokio::test]
async fn half_of_a_link_leaves_the_pool_only_when_asked() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let pickup = tenant.planner.post("/jobs", job("P")).await.ok();
    let mut body = job("D");
    body["pickup_from"] = "P".into();
    let delivery = tenant.planner.post("/jobs", body).await.ok();
    let body = json!({"job_id": delivery["id"], "scenario_id": scenario});
    names_them(tenant.planner.put("/jobs/pool/to_scenario", body).await, &[&pickup]);
    let one = json!([{"id": delivery["id"], "scenario_id": scenario}]);
    names_them(tenant.planner.put("/jobs/move_jobs_from_pool", one).await, &[&pickup]);
    let differing = json!([{"id": delivery["id"], "scenario_id": scenario, "linked": "take"},
        {"id": pickup["id"], "scenario_id": scenario, "linked": "unlink"}]);
    let refused = tenant.planner.put("/jobs/move_jobs_from_pool", differing).await.refused(400);
    assert!(refused["fields"]["linked"].is_string());

    let one = json!([{"id": delivery["id"], "scenario_id": scenario, "linked": "take"}]);
    let taken = tenant.planner.put("/jobs/move_jobs_from_pool", one).await.ok();
    assert_eq!((&taken[0]["uid"], &taken[1]["uid"]), (&json!("D"), &json!("P")));
    let both = json!({"job_ids": [pickup["id"], delivery["id"]]});
    let _ = tenant.planner.put("/jobs/move_to_pool", both).await.ok();
    let body = json!({"job_id": delivery["id"], "scenario_id": scenario, "linked": "unlink"});
    let taken = tenant.planner.put("/jobs/pool/to_scenario", body).await.ok();
    assert_eq!((&taken["scenario_id"], &taken["pickup_from"]), (&scenario, &Value::Null));
    let left = read(&tenant, &pickup).await;
    assert_eq!((&left["scenario_id"], &left["deliver_to"]), (&Value::Null, &Value::Null));
}
