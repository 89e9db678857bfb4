//! Units, returns and containers.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::support::{Tenant, tenant};

async fn unit(tenant: &Tenant, job: &Value, uid: &str) -> Value {
    tenant.planner.post("/units", json!({"uid": uid, "job_id": job["id"], "name": "Crate"})).await.ok()
}

/// P-422, P-423, P-424, A-437: the six calls on units, filters, what a unit shows of its job.
#[tokio::test]
async fn units_hang_on_jobs() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let made = add(&tenant, &scenario, job("A")).await;
    let first = unit(&tenant, &made, "U1").await;
    assert_eq!((&first["is_in_pool"], &first["job"]["uid"]), (&json!(false), &json!("A")));
    assert_eq!(first["scenario"]["id"], scenario);
    assert_eq!((&first["extra_fields"], &first["unit_proofs"]), (&json!({}), &json!([])));
    let pooled = tenant.planner.post("/units", json!({"uid": "U2"})).await.ok();
    assert_eq!(pooled["is_in_pool"], true);
    let count = async |path: &str| tenant.planner.get(path).await.ok()["total_count"].clone();
    assert_eq!(count(&format!("/units?job_id={}", made["id"])).await, 1);
    assert_eq!(count(&format!("/units?scenario_ids={scenario}")).await, 1);
    assert_eq!(count("/units?is_in_pool=true").await, 1);
    assert_eq!(count("/units/pool?search=u2").await, 1);
    assert_eq!(count("/units?search=crate").await, 1);
    let bulk = json!([{"id": first["id"], "name": "Box"}, {"id": pooled["id"], "job_id": made["id"]}]);
    let changed = tenant.planner.patch("/units/bulk", bulk).await.ok();
    assert_eq!((&changed[0]["name"], &changed[1]["is_in_pool"]), (&json!("Box"), &json!(false)));
    let path = format!("/units/{}", first["id"]);
    let _ = tenant.planner.patch(&path, json!({"extra_fields": {"gate": "2"}})).await.ok();
    assert_eq!(tenant.planner.get(&path).await.ok()["extra_fields"]["gate"], "2");
    assert_eq!(
        tenant.planner.patch(&path, json!({"extra_fields": null})).await.ok()["extra_fields"],
        json!({})
    );
    assert_eq!(tenant.planner.delete(&path).await.ok()["id"], first["id"]);
    tenant.planner.get(&path).await.refused(404);
}

/// P-344, P-345, P-346, P-348: a uid is required, names of extra fields too; nothing is stored.
#[tokio::test]
async fn a_faulty_item_is_refused_with_its_field() {
    let tenant = tenant().await;
    for path in ["/units", "/returns", "/containers"] {
        for (body, field, reason) in [
            (json!({}), "uid", "UID is required"),
            (json!({"uid": null}), "uid", "UID is required"),
            (json!({"uid": "  "}), "uid", "UID is required"),
            (json!({"uid": "a<b>"}), "uid", "Value cannot contain special characters"),
            (json!({"uid": "x".repeat(101)}), "uid", "Value is too long"),
            (json!({"uid": "A", "extra_fields": {" ": "x"}}), "extra_fields", "Field name cannot be empty"),
        ] {
            let refusal = tenant.admin.post(path, body.clone()).await.refused(400);
            assert_eq!(refusal["fields"][field], reason, "{path} {body}: {refusal}");
        }
        assert_eq!(tenant.admin.get(path).await.ok()["total_count"], 0, "{path}");
        let made = tenant.admin.post(path, json!({"uid": "A"})).await.ok();
        let cleared = tenant.admin.patch(&format!("{path}/{}", made["id"]), json!({"uid": ""})).await;
        assert_eq!(cleared.refused(400)["fields"]["uid"], "UID is required");
    }
    let refusal = tenant.planner.post("/units", json!({"uid": "A", "job_id": 987_654})).await.refused(400);
    assert!(refusal["fields"]["job_id"].is_string(), "{refusal}");
    let refusal = tenant.planner.post("/units", json!({"uid": "A", "container_id": 987_654})).await;
    assert!(refusal.refused(400)["fields"]["container_id"].is_string());
}

/// P-247, P-248, P-431: units go to the pool or a copy does; a unit of another job is not taken.
#[tokio::test]
async fn units_go_to_the_pool() {
    let tenant = tenant().await;
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let other = tenant.planner.post("/jobs", job("B")).await.ok();
    let (first, second) = (unit(&tenant, &made, "U1").await, unit(&tenant, &made, "U2").await);
    let body = json!({"job_id": made["id"], "unit_ids": [first["id"]], "organisation_id": tenant.organisation.id.get()});
    let moved = tenant.planner.patch("/units/move_to_pool", body).await.ok();
    assert_eq!((&moved[0]["id"], &moved[0]["is_in_pool"]), (&first["id"], &json!(true)));
    let body = json!({"job_id": made["id"], "unit_ids": [second["id"]]});
    let copied = tenant.planner.post("/units/copy_to_pool", body).await;
    assert_eq!(copied.status, 201);
    let copied = copied.ok();
    assert_ne!(copied[0]["id"], second["id"]);
    assert_eq!((&copied[0]["uid"], &copied[0]["name"]), (&json!("U2"), &json!("Crate")));
    assert_eq!(tenant.planner.get("/units/pool").await.ok()["total_count"], 2);
    let units = tenant.planner.get(&format!("/units?job_id={}", made["id"])).await.ok();
    assert_eq!(units["data"][0]["id"], second["id"]);
    let body = json!({"job_id": other["id"], "unit_ids": [second["id"]]});
    assert_eq!(
        tenant.planner.patch("/units/move_to_pool", body).await.refused(404)["description"],
        "Unit not found"
    );
}

/// P-249, P-250, P-425 to P-430: returns, their pool, bulk changes and copies.
#[tokio::test]
async fn returns_are_pooled_and_copied() {
    let tenant = tenant().await;
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let client = tenant.planner.post("/clients", json!({"uid": "C", "name": "Flor"})).await.ok();
    let body = json!({"uid": "R", "comments": "Empty crates", "job_id": made["id"], "client_id": client["id"],
        "extra_fields": {"crates": "4"}, "organisation_id": tenant.organisation.id.get()});
    let returned = tenant.planner.post("/returns", body).await.ok();
    assert_eq!((&returned["return_proofs"], &returned["is_in_pool"]), (&json!([]), &json!(false)));
    let duplicate =
        async || tenant.planner.post("/returns/duplicate", json!({"return_id": returned["id"]})).await.ok();
    let (one, two) = (duplicate().await, duplicate().await);
    assert_eq!((&one["uid"], &two["uid"]), (&json!("R-1"), &json!("R-2")));
    assert_eq!((&one["job_id"], &one["extra_fields"]), (&made["id"], &returned["extra_fields"]));
    let bulk = json!([{"id": one["id"], "comments": "Pallets"}, {"id": two["id"], "comments": null}]);
    assert_eq!(tenant.planner.patch("/returns/bulk", bulk).await.ok()[0]["comments"], "Pallets");
    let bulk = json!([{"id": one["id"], "comments": "Lost"}, {"id": 987_654, "comments": "x"}]);
    tenant.planner.patch("/returns/bulk", bulk).await.refused(404);
    let path = format!("/returns/{}", one["id"]);
    assert_eq!(tenant.planner.get(&path).await.ok()["comments"], "Pallets", "all or nothing");
    let moved =
        tenant.planner.patch("/returns/move_to_pool", json!({"return_ids": [one["id"], two["id"]]})).await;
    assert_eq!(moved.ok().as_array().map(Vec::len), Some(2));
    let body = json!({"return_ids": [returned["id"]], "job_id": made["id"]});
    let copy = tenant.planner.post("/returns/copy_to_pool", body).await.ok();
    assert_eq!((&copy[0]["job_id"], &copy[0]["client_id"]), (&json!(null), &client["id"]));
    assert_eq!(tenant.planner.get("/returns/pool").await.ok()["total_count"], 3);
    assert_eq!(
        tenant.planner.get(&format!("/returns?client_id={}", client["id"])).await.ok()["total_count"],
        4
    );
    let detail = tenant.planner.get(&format!("/jobs/{}", made["id"])).await.ok();
    assert_eq!((&detail["returns_count"], &detail["returns"][0]["uid"]), (&json!(1), &json!("R")));
}

/// W-020, P-109, P-179, P-426: whatever is edited of a return from its job, it stays the client's whose it is.
#[tokio::test]
async fn an_edited_return_keeps_its_client() {
    let tenant = tenant().await;
    let own = tenant.organisation.id.get();
    let client =
        async |uid: &str| tenant.planner.post("/clients", json!({"uid": uid, "name": uid})).await.ok();
    let (flor, rosa) = (client("Flor").await, client("Rosa").await);
    let mut body = job("A");
    body["client_id"] = rosa["id"].clone();
    let made = tenant.planner.post("/jobs", body).await.ok();
    let body = json!({"uid": "R", "job_id": made["id"], "client_id": flor["id"]});
    let returned = tenant.planner.post("/returns", body).await.ok();
    let path = format!("/returns/{}", returned["id"]);
    for change in [
        json!({"comments": "Empty crates"}),
        json!({"uid": "R-1", "comments": null, "extra_fields": {"crates": "4"}, "job_id": made["id"],
            "organisation_id": own}),
        json!({"job_id": null}),
        json!({"job_id": made["id"]}),
    ] {
        let changed = tenant.planner.patch(&path, change.clone()).await.ok();
        assert_eq!(changed["client_id"], flor["id"], "{change}");
    }
    let bulk = json!([{"id": returned["id"], "comments": "Pallets"}]);
    assert_eq!(tenant.planner.patch("/returns/bulk", bulk).await.ok()[0]["client_id"], flor["id"]);
    let pooled = json!({"job_id": made["id"], "return_ids": [returned["id"]]});
    assert_eq!(tenant.planner.patch("/returns/move_to_pool", pooled).await.ok()[0]["client_id"], flor["id"]);
    // It is written when it is said.
    assert!(tenant.planner.patch(&path, json!({"client_id": null})).await.ok()["client_id"].is_null());
}

/// a container knows its units and their jobs; deleting it leaves the units.
#[tokio::test]
async fn containers_hold_units() {
    let tenant = tenant().await;
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let cage = tenant.admin.post("/containers", json!({"uid": "CAGE-1"})).await.ok();
    assert_eq!((&cage["units"], &cage["job_ids"]), (&json!([]), &json!([])));
    let held = unit(&tenant, &made, "U1").await;
    let path = format!("/units/{}", held["id"]);
    let _ = tenant.planner.patch(&path, json!({"container_id": cage["id"]})).await.ok();
    let listed = tenant.admin.get(&format!("/containers?job_id={}", made["id"])).await.ok();
    assert_eq!(listed["data"][0]["units"][0]["uid"], "U1");
    assert_eq!(listed["data"][0]["job_ids"], json!([made["id"]]));
    assert_eq!(tenant.admin.get("/containers?job_ids=987654").await.ok()["total_count"], 0);
    assert!(
        tenant.admin.get("/containers?job_id=x").await.refused(400)["description"]["filters"].is_string()
    );
    let _ = tenant.admin.delete(&format!("/containers/{}", cage["id"])).await.ok();
    assert!(tenant.planner.get(&path).await.ok()["container_id"].is_null());
}

/// P-018 to P-020: without its module a noun is closed, with its level missing too.
#[tokio::test]
async fn items_need_their_module_and_level() {
    let tenant = tenant().await;
    tenant.organisation.modules(&["returns"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    tenant.planner.get("/units").await.refused(403);
    tenant.planner.get("/units/pool").await.refused(403);
    tenant.admin.post("/containers", json!({"uid": "A"})).await.refused(403);
    let _ = tenant.planner.get("/returns").await.ok();
    let reader = tenant.organisation.person_with(&["returns_read"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let reader = tenant.planner.with_token(tenant.organisation.token(reader));
    let _ = reader.get("/returns/pool").await.ok();
    reader.post("/returns", json!({"uid": "A"})).await.refused(403);
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let detail = tenant.planner.get(&format!("/jobs/{}", made["id"])).await.ok();
    assert_eq!(detail["units"], json!([]));
}
