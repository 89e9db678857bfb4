//! Jobs with everything that hangs on them: detail, copies, merging, numbers.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::support::{Tenant, tenant};

async fn unit(tenant: &Tenant, job: &Value, uid: &str) -> Value {
    tenant.planner.post("/units", json!({"uid": uid, "job_id": job["id"]})).await.ok()["id"].clone()
}

/// Records a proof of a job at the database, as a driver's device does through the run sheet.
async fn prove(tenant: &Tenant, job: &Value, success: bool) {
    let mut database = tenant.organisation.database().await;
    sqlx::query(
        "insert into job_proofs (job_id, success, record_time) values ($1, $2, '2026-11-20 10:30:00Z')",
    )
    .bind(job["id"].as_i64())
    .bind(success)
    .execute(&mut database)
    .await
    .expect("a proof");
}

/// P-402: the whole job in one answer.
#[tokio::test]
async fn the_detail_shows_everything() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let made = add(&tenant, &scenario, job("A")).await;
    let ring = json!([[-8.7, 41.1], [-8.61, 41.1], [-8.61, 41.2], [-8.7, 41.2], [-8.7, 41.1]]);
    let area = json!({"name": "West", "geometry": {"type": "Polygon", "coordinates": [ring]}});
    let west = tenant.admin.post("/territories", area).await.ok();
    let cage = tenant.admin.post("/containers", json!({"uid": "CAGE"})).await.ok();
    let held = unit(&tenant, &made, "U1").await;
    let _ = tenant.planner.patch(&format!("/units/{held}"), json!({"container_id": cage["id"]})).await.ok();
    prove(&tenant, &made, false).await;
    let all = tenant.planner.get(&format!("/jobs/{}/all", made["id"])).await.ok();
    assert_eq!((&all["uid"], &all["run"], &all["scenario"]["id"]), (&json!("A"), &json!(null), &scenario));
    assert_eq!((&all["units"][0]["uid"], &all["containers"][0]["uid"]), (&json!("U1"), &json!("CAGE")));
    assert_eq!((&all["returns"], &all["tags"]), (&json!([]), &json!([])));
    assert_eq!(all["territory_ids"], json!([west["id"]]), "the border belongs to the territory");
    assert_eq!((&all["proofs"]["job_proofs"], &all["proofs"]["unit_proofs"]), (&json!(1), &json!(0)));
    assert_eq!(all["proofs"]["latest"]["record_time"], "2026-11-20 10:30:00");
    assert_eq!(all["proofs"]["latest"]["success"], false);
    let pooled = tenant.planner.post("/jobs", job("B")).await.ok();
    assert!(tenant.planner.get(&format!("/jobs/{}/all", pooled["id"])).await.ok()["scenario"].is_null());
    tenant.planner.get("/jobs/987654/all").await.refused(404);
}

/// P-409, W-012: a copy with the chosen units, the next free suffix, a token of its own, and without links.
#[tokio::test]
async fn a_job_is_duplicated_with_chosen_units() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let _ = add(&tenant, &scenario, job("P")).await;
    let mut body = job("A");
    body["pickup_from"] = "P".into();
    body["extra_fields"] = json!({"gate": "2"});
    let original = add(&tenant, &scenario, body).await;
    let (first, second) = (unit(&tenant, &original, "U1").await, unit(&tenant, &original, "U2").await);
    prove(&tenant, &original, true).await;
    let tag = tenant.admin.post("/tags", json!({"name": "Cold"})).await.ok()["id"].clone();
    let path = format!("/jobs/{}/assign_tags", original["id"]);
    let _ = tenant.planner.post(&path, json!({"tag_ids": [tag]})).await.ok();
    let body = json!({"job_id": original["id"], "unit_ids": [second]});
    let copy = tenant.planner.post("/duplicate_job", body.clone()).await;
    assert_eq!(copy.status, 201);
    let copy = copy.ok();
    assert_eq!(
        (&copy["uid"], &copy["scenario_id"], &copy["units_count"]),
        (&json!("A-1"), &scenario, &json!(1))
    );
    assert_eq!((&copy["visited"], &copy["run_id"]), (&json!(false), &json!(null)));
    assert_eq!((&copy["tags"][0]["name"], &copy["extra_fields"]["gate"]), (&json!("Cold"), &json!("2")));
    assert_ne!(copy["tracking_token"], original["tracking_token"]);
    let pickup = tenant.planner.get("/jobs?uid_exact=P").await.ok();
    assert_eq!((&pickup["data"][0]["deliver_to"], &copy["pickup_from"]), (&json!("A"), &json!(null)));
    assert_eq!(tenant.planner.post("/duplicate_job", body).await.ok()["uid"], "A-2");
    let wrong = json!({"job_id": copy["id"], "unit_ids": [first]});
    assert!(
        tenant.planner.post("/duplicate_job", wrong).await.refused(400)["fields"]["unit_ids"].is_string()
    );
    tenant.planner.post("/duplicate_job", json!({"job_id": 987_654})).await.refused(404);
}

/// P-265, P-413: sizes add, windows meet, texts join, what hangs on the sources moves, links are re-pointed.
#[tokio::test]
async fn jobs_at_one_stop_are_merged() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let body = |uid: &str, more: Value| {
        let mut body = job(uid);
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        body
    };
    let into = add(
        &tenant,
        &scenario,
        body("A", json!({"size": "pallets:1&weight:100", "duration": 10, "arrive_after": "08:00", "leave_by": "12:00", "comments": "Ring", "extra_fields": {"gate": "1"}})),
    )
    .await;
    let source = add(
        &tenant,
        &scenario,
        body("B", json!({"size": "weight:50.5", "duration": 7.5, "arrive_after": "09:00", "leave_by": "15:00", "comments": "Ring; Dog", "invoice": "I-2", "priority": true, "extra_fields": {"gate": "9", "floor": "3"}})),
    )
    .await;
    let _ = add(&tenant, &scenario, body("D", json!({"pickup_from": "B"}))).await;
    let _ = unit(&tenant, &source, "U1").await;
    let _ = tenant.planner.post("/returns", json!({"uid": "R1", "job_id": source["id"]})).await.ok();
    let tag = tenant.admin.post("/tags", json!({"name": "Cold"})).await.ok()["id"].clone();
    let path = format!("/jobs/{}/assign_tags", source["id"]);
    let _ = tenant.planner.post(&path, json!({"tag_ids": [tag]})).await.ok();
    let merge = json!({"destination_id": into["id"], "source_ids": [source["id"]], "is_pool": false});
    let merged = tenant.planner.put("/jobs/merge", merge).await.ok();
    assert_eq!((&merged["id"], &merged["size"]), (&into["id"], &json!("pallets:1&weight:150.5")));
    assert_eq!(
        (&merged["duration"], &merged["arrive_after"], &merged["leave_by"]),
        (&json!(17.5), &json!("09:00"), &json!("12:00"))
    );
    assert_eq!((&merged["comments"], &merged["invoice"]), (&json!("Ring; Dog"), &json!("I-2")));
    assert_eq!((&merged["units_count"], &merged["returns_count"]), (&json!(1), &json!(1)));
    assert_eq!((&merged["tags"][0]["name"], &merged["priority"]), (&json!("Cold"), &json!(true)));
    assert_eq!(merged["extra_fields"], json!({"gate": "1", "floor": "3"}));
    assert_eq!(merged["deliver_to"], "D");
    tenant.planner.get(&format!("/jobs/{}", source["id"])).await.refused(404);
    assert_eq!(tenant.planner.get("/jobs?uid_exact=D").await.ok()["data"][0]["pickup_from"], "A");
}

/// P-413, P-414: what cannot be one stop is refused and nothing changes; groups are all or nothing.
#[tokio::test]
async fn a_merge_that_makes_no_sense_is_refused() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let place =
        |uid: &str, lat: f64| json!({"uid": uid, "location": {"address": "Rua", "lat": lat, "lon": -8.61}});
    let near = add(&tenant, &scenario, place("A", 41.15)).await;
    let edge = add(&tenant, &scenario, place("B", 41.1517)).await;
    let far = add(&tenant, &scenario, place("C", 41.1519)).await;
    let mut late = place("L", 41.15);
    late["arrive_after"] = "15:00".into();
    let late = add(&tenant, &scenario, late).await;
    let mut early = place("E", 41.15);
    early["leave_by"] = "14:59".into();
    let early = add(&tenant, &scenario, early).await;
    let pooled = tenant.planner.post("/jobs", place("P", 41.15)).await.ok();
    let proven = add(&tenant, &scenario, place("X", 41.15)).await;
    prove(&tenant, &proven, true).await;
    let merge = async |into: &Value, source: &Value, pool: bool| {
        let body = json!({"destination_id": into["id"], "source_ids": [source["id"]], "is_pool": pool});
        tenant.planner.put("/jobs/merge", body).await.refused(400)["description"].clone()
    };
    assert_eq!(merge(&near, &far, false).await, "Job C is more than 200 m away from job A");
    assert_eq!(merge(&late, &early, false).await, "The time windows of job L and job E do not overlap");
    assert_eq!(merge(&near, &pooled, false).await, "Job P is not in the scenario of job A");
    assert_eq!(merge(&near, &edge, true).await, "Job A is not in the pool");
    assert_eq!(merge(&near, &proven, false).await, "Job X has proofs and cannot be merged");
    assert_eq!(merge(&near, &near, false).await, "A job cannot be merged with itself");
    let groups = json!([{"destination_id": near["id"], "source_ids": [edge["id"]]},
        {"destination_id": late["id"], "source_ids": [early["id"]]}]);
    tenant.planner.put("/jobs/bulk_merge", json!({"groups": groups})).await.refused(400);
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 7);
    let groups = json!([{"destination_id": near["id"], "source_ids": [edge["id"]]}]);
    let merged = tenant.planner.put("/jobs/bulk_merge", json!({"groups": groups})).await.ok();
    assert_eq!((&merged[0]["id"], &merged[0]["duration"]), (&near["id"], &json!(10.0)));
    let writer = tenant.organisation.person_with(&["jobs_read", "jobs_write"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let writer = tenant.planner.with_token(tenant.organisation.token(writer));
    let body = json!({"destination_id": near["id"], "source_ids": [late["id"]]});
    writer.put("/jobs/merge", body).await.refused(403);
}

/// P-417: numbers over a scenario and over the pool.
#[tokio::test]
async fn jobs_are_counted() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut body = job("A");
    body["size"] = "pallets:2&weight:1.5|9".into();
    body["extra_fields"] = json!({"real_weight": "1200", "parcel_volume": "x"});
    let first = add(&tenant, &scenario, body).await;
    let mut body = job("B");
    body["size"] = "pallets:0.5".into();
    body["priority"] = true.into();
    let second = add(&tenant, &scenario, body).await;
    let _ = tenant.planner.post("/jobs", job("C")).await.ok();
    let _ = unit(&tenant, &first, "U1").await;
    prove(&tenant, &first, true).await;
    prove(&tenant, &second, false).await;
    let stats = tenant.planner.get(&format!("/jobs/stats?scenario_ids={scenario}")).await.ok();
    assert_eq!(
        stats,
        json!({"total": 2, "served": 0, "unserved": 2, "visited": 2, "successful": 1, "unsuccessful": 1, "priority": 1,
            "units_count": 1, "returns_count": 0, "total_size": {"pallets": 2.5, "weight": 1.5}, "total_weight": 1200.0,
            "total_volume": 0.0})
    );
    assert_eq!(tenant.planner.get("/jobs/stats?pool=true").await.ok()["total"], 1);
    assert_eq!(tenant.planner.get("/jobs/stats").await.ok()["total"], 3);
    tenant.planner.get("/jobs/stats?scenario_ids=x").await.refused(400);
    tenant.planner.get("/jobs/stats?colour=red").await.refused(400);
}

/// P-265: merging served jobs closes the gaps in their runs and times the destination's run anew.
#[tokio::test]
async fn a_merge_changes_the_plan() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let driver = crate::runs::driver(&tenant, "Ana", json!({})).await;
    let run = crate::runs::run(&tenant, &scenario, &driver, json!({})).await;
    let mut jobs = Vec::new();
    for uid in ["A", "B", "C"] {
        jobs.push(add(&tenant, &scenario, job(uid)).await["id"].clone());
    }
    let body = json!({"job_ids": jobs, "seq": 1, "pool": false});
    let _ = tenant.planner.put(&format!("/runs/move_job_to_new/{}", run["id"]), body).await.ok();
    let body = json!({"destination_id": jobs[0], "source_ids": [jobs[1]]});
    let merged = tenant.planner.put("/jobs/merge", body).await.ok();
    assert_eq!((&merged["seq"], &merged["duration"]), (&json!(1), &json!(10.0)));
    let left = tenant.planner.get(&format!("/jobs/{}", jobs[2])).await.ok();
    assert_eq!((&left["seq"], &left["run_id"]), (&json!(2), &run["id"]));
    let run = tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok();
    assert_eq!((&run["jobs_count"], &run["total_job_duration"]), (&json!(2), &json!(900)), "10 + 5 minutes");
    assert_eq!(run["jobs"][1]["eta"], left["eta"]);
    let eta =
        |job: &Value| job["eta"].as_str().and_then(|at| at.parse::<chrono::DateTime<chrono::Utc>>().ok());
    assert!(eta(&run["jobs"][1]) >= eta(&run["jobs"][0]).map(|at| at + chrono::Duration::minutes(10)));
}
