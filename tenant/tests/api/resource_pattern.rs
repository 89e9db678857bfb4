//! The calls that every plain resource answers in the same way.

use http::Method;
use serde_json::{Value, json};

use crate::support::{Tenant, tenant};

/// No row has it.
const NOBODY: i64 = 999_999_999;

/// A resource: its path, a new one, a changed field and what it is changed to, first alone and then in bulk.
struct Noun {
    path: &'static str,
    new: Value,
    field: &'static str,
    values: [Value; 2],
}

fn noun(path: &'static str, new: Value, field: &'static str, values: [&str; 2]) -> Noun {
    Noun { path, new, field, values: values.map(Value::from) }
}

/// What nothing else has to be there for.
fn plain() -> Vec<Noun> {
    let ring = json!([[-8.7, 41.1], [-8.61, 41.1], [-8.61, 41.2], [-8.7, 41.2], [-8.7, 41.1]]);
    let area = json!({"name": "West", "geometry": {"type": "Polygon", "coordinates": [ring]}});
    let place = json!({"uid": "L1", "name": "Depot", "address": "Rua 1", "lat": 41.1, "lon": -8.6});
    let stop = json!({"address": "Rua 1", "lat": 41.1, "lon": -8.6});
    let rate = json!({"name": "Day", "cost_per_run": 1, "cost_per_km": 1});
    let names = ["Second", "Third"];
    vec![
        noun("/scenario_reasons", json!({"name": "Strike"}), "name", names),
        noun("/scenarios", json!({"name": "Monday", "scheduled_date": "2026-11-23"}), "name", names),
        noun("/tags", json!({"name": "fragile"}), "name", names),
        noun("/vehicles", json!({"uid": "VAN-1"}), "uid", names),
        noun("/tracking_devices", json!({"uid": "Tracker 1"}), "uid", names),
        noun("/billing_rates", rate, "name", names),
        noun("/clients", json!({"uid": "C1", "name": "Shop"}), "name", names),
        noun("/drivers", json!({"uid": "Driver 1"}), "uid", names),
        noun("/jobs", json!({"uid": "J1", "location": stop}), "uid", names),
        noun("/returns", json!({"uid": "R1"}), "uid", names),
        noun("/territories", area, "name", names),
        noun("/territory_groups", json!({"name": "All"}), "name", names),
        noun("/units", json!({"uid": "U1"}), "uid", names),
        noun("/secrets", json!({"name": "sftp", "value": "correct horse"}), "name", names),
        noun("/config_values", json!({"group": "x", "key": "k", "value": 1}), "key", names),
        noun("/containers", json!({"uid": "CAGE-1"}), "uid", names),
        noun("/locations", place, "name", names),
        noun("/reasons", json!({"name": "Nobody in", "ok": false}), "name", names),
        noun("/filename_regex", json!({"name": "p", "pattern": "x", "target": "job_import"}), "name", names),
        noun("/scenarios/templates", json!({"name": "Week"}), "name", names),
    ]
}

/// What belongs to a driver, a scenario or a container.
async fn dependent(tenant: &Tenant) -> Vec<Noun> {
    let made =
        async |path: &str, body: Value| tenant.admin.post(path, body).await.ok()["id"].as_i64().unwrap();
    let driver = made("/drivers", json!({"uid": "Driver 2"})).await;
    let scenario = made("/scenarios", json!({"name": "Tuesday", "scheduled_date": "2026-11-24"})).await;
    let container = made("/containers", json!({"uid": "CAGE-2"})).await;
    vec![
        noun(
            "/gefco/run_code_maps",
            json!({"run_code": "17", "driver_id": driver}),
            "run_code",
            ["18", "19"],
        ),
        noun(
            "/drivers/configs",
            json!({"driver_id": driver, "name": "Early", "days": ["monday"]}),
            "name",
            ["Late", "Night"],
        ),
        noun(
            "/runs",
            json!({"scenario_id": scenario, "driver_id": driver}),
            "alternatives_group",
            ["North", "South"],
        ),
        noun(
            "/container_proofs",
            json!({"container_id": container, "mode": "load"}),
            "comments",
            ["Dented", "As new"],
        ),
    ]
}

/// A-416..A-425, A-427..A-433, A-435..A-438, A-440..A-445: a list with pages and filters, one, a new one, a change, changes of
/// many of which all are made or none, and removal.
#[tokio::test]
async fn every_resource_answers_the_six_calls() {
    let tenant = tenant().await;
    let mut nouns = plain();
    nouns.extend(dependent(&tenant).await);
    for noun in nouns {
        let before = tenant.admin.get(noun.path).await.ok()["total_count"].as_i64().unwrap();
        let made = tenant.admin.post(noun.path, noun.new.clone()).await;
        assert_eq!(made.status, 201, "{}: {}", noun.path, made.text());
        let id = made.ok()["id"].as_i64().unwrap();
        one_is_changed(&tenant, &noun, id).await;
        many_are_changed_or_none(&tenant, &noun, id).await;
        it_is_listed(&tenant, &noun, before + 1).await;
        let path = format!("{}/{id}", noun.path);
        assert_eq!(tenant.admin.delete(&path).await.ok(), json!({"id": id}), "{path}");
        assert_eq!(tenant.admin.get(noun.path).await.ok()["total_count"], before, "{path}");
        // A deleted driver can be restored.
        if noun.path != "/drivers" {
            tenant.admin.delete(&path).await.refused(404);
        }
        many_are_deleted_or_none(&tenant, &noun, before).await;
    }
}

/// W-084.
async fn many_are_deleted_or_none(tenant: &Tenant, noun: &Noun, before: i64) {
    let made = tenant.admin.post(noun.path, noun.new.clone()).await;
    assert_eq!(made.status, 201, "{}: {}", noun.path, made.text());
    let id = made.ok()["id"].as_i64().unwrap();
    let bulk = format!("{}/bulk", noun.path);
    let delete = async |ids: Value| tenant.admin.call(Method::DELETE, &bulk, Some(json!({"ids": ids}))).await;
    let refusal = delete(json!([id, NOBODY])).await.refused(409);
    assert_eq!(refusal["error"], "BULK_DELETE_REFUSED", "{bulk}");
    assert_eq!(refusal["refused"][0]["id"], NOBODY, "{bulk}: {refusal}");
    assert!(refusal["refused"][0]["reason"].as_str().unwrap().ends_with("not found"), "{bulk}: {refusal}");
    assert_eq!(tenant.admin.get(noun.path).await.ok()["total_count"], before + 1, "{bulk}: all or none");
    for wrong in [json!([]), json!(null), json!("all"), (0..1001).collect()] {
        delete(wrong).await.refused(400);
    }
    assert_eq!(delete(json!([id, id])).await.ok(), json!({"ids": [id]}), "{bulk}");
    assert_eq!(tenant.admin.get(noun.path).await.ok()["total_count"], before, "{bulk}");
}

/// W-084: what stands in the way of a bulk delete is named for each thing, and nothing is gone.
#[tokio::test]
async fn a_bulk_delete_names_everything_that_stands_in_the_way() {
    let tenant = tenant().await;
    let made =
        async |path: &str, body: Value| tenant.admin.post(path, body).await.ok()["id"].as_i64().unwrap();
    let scenario = made("/scenarios", json!({"name": "Tuesday", "scheduled_date": "2026-11-24"})).await;
    let mut runs = Vec::new();
    for number in 1..=3 {
        let driver = made("/drivers", json!({"uid": format!("Driver {number}")})).await;
        runs.push(made("/runs", json!({"scenario_id": scenario, "driver_id": driver})).await);
    }
    for (number, run) in runs.iter().take(2).enumerate() {
        let job = json!({"uid": format!("J{number}"), "scenario_id": scenario,
            "location": {"address": "Rua 1", "lat": 41.1, "lon": -8.6}});
        let job = made("/jobs", job).await;
        let moved = json!({"job_ids": [job]});
        let _ = tenant.admin.put(&format!("/runs/move_job_to_new/{run}"), moved).await.ok();
    }
    let delete =
        async |ids: &[i64]| tenant.admin.call(Method::DELETE, "/runs/bulk", Some(json!({"ids": ids}))).await;
    let refusal = delete(&runs).await.refused(409);
    assert_eq!(refusal["description"], "2 of 3 cannot be deleted, so nothing was");
    let reason = "Cannot delete run with jobs";
    let expected = json!([{"id": runs[0], "reason": reason}, {"id": runs[1], "reason": reason}]);
    assert_eq!(refusal["refused"], expected);
    let count =
        async || tenant.admin.get(&format!("/runs?scenario_id={scenario}")).await.ok()["total_count"].clone();
    assert_eq!(count().await, 3);
    let _ = delete(&runs[2..]).await.ok();
    assert_eq!(count().await, 2);
}

async fn one_is_changed(tenant: &Tenant, Noun { path, field, values, .. }: &Noun, id: i64) {
    let one = format!("{path}/{id}");
    assert_eq!(tenant.admin.get(&one).await.ok()["id"], id);
    let changed = tenant.admin.patch(&one, json!({*field: values[0]})).await.ok();
    assert_eq!((&changed["id"], &changed[field]), (&json!(id), &values[0]), "{one}");
    let nobody = format!("{path}/{NOBODY}");
    tenant.admin.get(&nobody).await.refused(404);
    tenant.admin.patch(&nobody, json!({*field: values[1]})).await.refused(404);
    tenant.admin.delete(&nobody).await.refused(404);
}

async fn many_are_changed_or_none(tenant: &Tenant, Noun { path, field, values, .. }: &Noun, id: i64) {
    let bulk = format!("{path}/bulk");
    let with_nobody = json!([{"id": id, *field: values[1]}, {"id": NOBODY, *field: values[1]}]);
    tenant.admin.patch(&bulk, with_nobody).await.refused(404);
    assert_eq!(tenant.admin.get(&format!("{path}/{id}")).await.ok()[field], values[0], "{bulk}: all or none");
    let changed = tenant.admin.patch(&bulk, json!([{"id": id, *field: values[1]}])).await.ok();
    assert_eq!(changed.as_array().map(Vec::len), Some(1), "{bulk}");
    assert_eq!(changed[0][field], values[1], "{bulk}");
}

async fn it_is_listed(tenant: &Tenant, Noun { path, .. }: &Noun, count: i64) {
    let page = tenant.admin.get(path).await.ok();
    assert_eq!(
        (&page["page"], &page["per_page"], &page["total_count"]),
        (&json!(1), &json!(25), &json!(count))
    );
    let last = tenant.admin.get(&format!("{path}?page={count}&per_page=1")).await.ok();
    assert_eq!(
        (last["data"].as_array().map(Vec::len), &last["total_pages"]),
        (Some(1), &json!(count)),
        "{path}"
    );
    for wrong in ["page=0", "per_page=301", "per_page=x", "no_such_filter=1"] {
        let fault = tenant.admin.get(&format!("{path}?{wrong}")).await.refused(400);
        assert!(fault["description"]["filters"].is_string(), "{path}?{wrong}: {fault}");
    }
}
