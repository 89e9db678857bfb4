//! What was deleted lies in the bin and comes back whole.

use http::Method;
use serde_json::{Value, json};

use crate::jobs::{add, job, scenario as first_scenario};
use crate::moves::put_on;
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

/// The entry of the bin about a thing.
async fn binned(tenant: &Tenant, kind: &str, id: &Value) -> Value {
    let page = tenant.admin.get(&format!("/bin?kind={kind}&object_id={id}")).await.ok();
    assert_eq!(page["total_count"], 1, "{page}");
    page["data"][0].clone()
}

async fn restore(tenant: &Tenant, kind: &str, id: &Value) -> Value {
    let entry = binned(tenant, kind, id).await;
    tenant.admin.post(&format!("/bin/{}/restore", entry["id"]), json!({})).await.ok()
}

/// What a job is, without what tells when it was written.
async fn whole(tenant: &Tenant, job: &Value) -> Value {
    let mut found = tenant.admin.get(&format!("/jobs/{}/all", job["id"])).await.ok();
    forget_times(&mut found);
    found
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "modified");
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// A second scenario with a pickup and its delivery on a run; the delivery has a unit and a tag.
async fn planned(tenant: &Tenant) -> (Value, Value, [Value; 2]) {
    let day = json!({"name": "Tuesday", "scheduled_date": "2026-11-24"});
    let scenario = tenant.admin.post("/scenarios", day).await.ok()["id"].clone();
    let pickup = add(tenant, &scenario, job("P")).await;
    let mut body = job("D");
    body["pickup_from"] = "P".into();
    let delivery = add(tenant, &scenario, body).await;
    let _ = tenant.admin.post("/units", json!({"uid": "U1", "job_id": delivery["id"]})).await.ok();
    let tag = tenant.admin.post("/tags", json!({"name": "fragile"})).await.ok();
    let tagged = json!({"tag_ids": [tag["id"]]});
    let _ = tenant.admin.post(&format!("/jobs/{}/assign_tags", delivery["id"]), tagged).await.ok();
    let driver = driver(tenant, "Ana", json!({})).await;
    let run = run(tenant, &scenario, &driver, json!({})).await;
    let _ = put_on(tenant, &run, &[&pickup, &delivery], json!({})).await;
    (scenario, run, [pickup, delivery])
}

/// W-084: a scenario comes back with its runs, and its jobs find their places again, whether they had gone to the pool or
/// were deleted with it; a job that was planned elsewhere meanwhile stays there.
#[tokio::test]
async fn a_scenario_comes_back_with_its_runs_and_jobs() {
    let tenant = tenant().await;
    let (scenario, run, jobs) = planned(&tenant).await;
    let path = format!("/scenarios/{scenario}");
    let all = async || [whole(&tenant, &jobs[0]).await, whole(&tenant, &jobs[1]).await];
    let before = all().await;
    let timed = tenant.admin.get(&format!("/runs/{}", run["id"])).await.ok();
    for delete_jobs in [false, true] {
        let _ = tenant.admin.delete(&format!("{path}?delete_jobs={delete_jobs}")).await.ok();
        tenant.admin.get(&format!("/runs/{}", run["id"])).await.refused(404);
        let entry = binned(&tenant, "scenarios", &scenario).await;
        assert_eq!((&entry["name"], &entry["deleted_by_id"].is_i64()), (&json!("Tuesday"), &true));
        let back = restore(&tenant, "scenarios", &scenario).await;
        assert_eq!(back, json!({"kind": "scenarios", "id": scenario, "name": "Tuesday"}));
        assert_eq!(all().await, before, "delete_jobs={delete_jobs}");
        let again = tenant.admin.get(&format!("/runs/{}", run["id"])).await.ok();
        for field in ["uid", "planned_start_time", "planned_end_time", "distance", "driver_id"] {
            assert_eq!(again[field], timed[field], "{field}");
        }
        assert_eq!(tenant.admin.get("/bin").await.ok()["total_count"], 0);
    }

    let _ = tenant.admin.delete(&path).await.ok();
    let other = first_scenario(&tenant).await;
    let elsewhere = json!({"job_id": jobs[0]["id"], "scenario_id": other, "linked": "unlink"});
    let _ = tenant.admin.put("/jobs/pool/to_scenario", elsewhere).await.ok();
    let _ = restore(&tenant, "scenarios", &scenario).await;
    let read = async |job: &Value| tenant.admin.get(&format!("/jobs/{}", job["id"])).await.ok();
    assert_eq!(read(&jobs[0]).await["scenario_id"], other);
    let second = read(&jobs[1]).await;
    assert_eq!((&second["scenario_id"], &second["run_id"]), (&scenario, &run["id"]));
    let timed = tenant.admin.get(&format!("/runs/{}", run["id"])).await.ok();
    assert_eq!(timed["jobs"].as_array().map(Vec::len), Some(1), "{timed}");
}

/// W-084: a job comes back unplanned with its units, tags, links and tracking link; to the pool when its scenario is gone.
#[tokio::test]
async fn a_job_comes_back_whole() {
    let tenant = tenant().await;
    let (scenario, _, [pickup, delivery]) = planned(&tenant).await;
    let before = whole(&tenant, &delivery).await;
    let path = format!("/jobs/{}", delivery["id"]);
    let _ = tenant.admin.delete(&path).await.ok();
    let partner =
        async || tenant.admin.get(&format!("/jobs/{}", pickup["id"])).await.ok()["deliver_to"].clone();
    assert_eq!(partner().await, Value::Null);
    let changes = async |since: &Value| {
        tenant.admin.get(&format!("/scenarios/{scenario}/changes?since={since}")).await.ok()
    };
    let version = changes(&json!(0)).await["version"].clone();
    let _ = restore(&tenant, "jobs", &delivery["id"]).await;
    let told = changes(&version).await;
    assert!(told["jobs"].as_array().unwrap().iter().any(|job| job["id"] == delivery["id"]), "{told}");
    let after = whole(&tenant, &delivery).await;
    for field in ["uid", "tracking_token", "pickup_from", "tags", "scenario_id", "created"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["units"][0]["id"], before["units"][0]["id"]);
    assert_eq!((&after["run_id"], partner().await), (&Value::Null, json!("D")));
    tenant.admin.post("/bin/1/restore", json!({})).await.refused(404);

    let _ = tenant.admin.delete(&path).await.ok();
    let _ = tenant.admin.delete(&format!("/scenarios/{scenario}?delete_jobs=true")).await.ok();
    let _ = restore(&tenant, "jobs", &delivery["id"]).await;
    let after = tenant.admin.get(&path).await.ok();
    assert_eq!((&after["scenario_id"], &after["pickup_from"]), (&Value::Null, &Value::Null));
}

/// W-084: a client gets its jobs back; where its uid was given away, nothing changes and the reason is told.
#[tokio::test]
async fn a_client_comes_back_unless_its_place_is_taken() {
    let tenant = tenant().await;
    let made = json!({"uid": "C1", "name": "Shop"});
    let client = tenant.admin.post("/clients", made.clone()).await.ok()["id"].clone();
    let mut body = job("A");
    body["client_id"] = client.clone();
    let job = add(&tenant, &first_scenario(&tenant).await, body).await;
    let of_job = async || tenant.admin.get(&format!("/jobs/{}", job["id"])).await.ok()["client_id"].clone();
    let many = Some(json!({"ids": [client]}));
    let _ = tenant.admin.call(Method::DELETE, "/clients/bulk", many).await.ok();
    assert_eq!(of_job().await, Value::Null);
    let successor = tenant.admin.post("/clients", made).await.ok()["id"].clone();
    let entry = binned(&tenant, "clients", &client).await;
    let path = format!("/bin/{}/restore", entry["id"]);
    let refusal = tenant.admin.post(&path, json!({})).await.refused(409);
    assert!(refusal["description"].as_str().unwrap().contains("another one"), "{refusal}");
    let _ = tenant.admin.delete(&format!("/clients/{successor}")).await.ok();
    let _ = tenant.admin.post(&path, json!({})).await.ok();
    assert_eq!(of_job().await, client);
    tenant.admin.post(&path, json!({})).await.refused(404);
}

/// W-084: whoever may not delete a kind of thing neither sees nor restores it.
#[tokio::test]
async fn the_bin_is_for_those_who_may_delete() {
    let tenant = tenant().await;
    let rate = json!({"uid": "VAN-1"});
    let vehicle = tenant.admin.post("/vehicles", rate).await.ok()["id"].clone();
    let _ = tenant.admin.delete(&format!("/vehicles/{vehicle}")).await.ok();
    let entry = binned(&tenant, "vehicles", &vehicle).await;
    assert_eq!(tenant.planner.get("/bin").await.ok()["total_count"], 0);
    tenant.planner.post(&format!("/bin/{}/restore", entry["id"]), json!({})).await.refused(404);
    tenant.admin.get(&format!("/vehicles/{vehicle}")).await.refused(404);
    let _ = restore(&tenant, "vehicles", &vehicle).await;
    let _ = tenant.admin.get(&format!("/vehicles/{vehicle}")).await.ok();
}
