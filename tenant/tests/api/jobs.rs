//! Jobs, the pool, links and tags.

use serde_json::{Value, json};

use crate::support::{Tenant, tenant};

/// A job body with everything that the API requires.
pub(crate) fn job(uid: &str) -> Value {
    json!({"uid": uid, "location": {"address": format!("Rua {uid}, Porto"), "lat": 41.15, "lon": -8.61}})
}

/// Makes a job in a scenario.
pub(crate) async fn add(tenant: &Tenant, scenario: &Value, body: Value) -> Value {
    let mut body = body;
    body["scenario_id"] = scenario.clone();
    tenant.planner.post("/jobs", body).await.ok()
}

/// The first scenario of a fresh organisation.
pub(crate) async fn scenario(tenant: &Tenant) -> Value {
    tenant.planner.get("/scenarios").await.ok()["data"][0]["id"].clone()
}

/// P-131, P-132, P-135 to P-138, P-143, P-145, P-148 to P-150, P-252, P-330, P-341, P-399: defaults of a new job, the
/// tracking token, blank windows.
#[tokio::test]
async fn a_new_job_has_the_documented_defaults() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut body = job("A-1");
    body["arrive_after"] = "".into();
    body["leave_by"] = "4:30 pm".into();
    body["spec_type"] = "ambient, frozen".into();
    let made = add(&tenant, &scenario, body).await;
    assert_eq!(
        (&made["duration"], &made["colour"], &made["priority"]),
        (&json!(5.0), &json!("#34495e"), &json!(false))
    );
    assert_eq!((&made["arrive_after"], &made["leave_by"]), (&json!(null), &json!("16:30")));
    assert_eq!((&made["spec_type"], &made["timezone"]), (&json!("ambient,frozen"), &json!("Europe/Lisbon")));
    assert_eq!(made["tracking_token"].as_str().map(str::len), Some(12));
    assert!(made["run_id"].is_null() && made["seq"].is_null());
    let listed =
        tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=A-1&served=false")).await.ok();
    assert_eq!(listed["data"][0]["id"], made["id"]);
}

/// P-323, P-324, P-328, P-329, P-334, P-335, P-338, P-340: every faulty field is named, nothing is stored.
#[tokio::test]
async fn a_faulty_job_is_refused_with_its_field() {
    let tenant = tenant().await;
    for (field, value, reason) in [
        ("duration", json!(0), "Value must be above 0"),
        ("size", json!("big|&"), "Value is not a valid size"),
        ("customer_email", json!("not-an-address"), "Invalid email address"),
        (
            "phone_number",
            json!("12"),
            "Invalid phone number, must be international format (e.g +61412345678)",
        ),
        ("customer_name", json!("   "), "Value cannot be blank"),
        ("uid", json!("a<b>"), "Value cannot contain special characters"),
        ("arrive_after", json!("25:61"), "Value is not a time of day (HH:mm)"),
        ("location.lat", json!(null), "Latitude must be between -90 and 90"),
        ("colour", json!("red"), "Value is not a colour (e.g #34495e)"),
        ("customer_name", json!("x".repeat(5000)), "Value is too long"),
    ] {
        let mut body = job("B-1");
        match field {
            "location.lat" => body["location"]["lat"] = json!(123.4),
            _ => body[field] = value,
        }
        let refusal = tenant.planner.post("/jobs", body).await.refused(400);
        assert_eq!(refusal["fields"][field], reason, "{refusal}");
    }
    let mut window = job("B-2");
    window["arrive_after"] = "15:00".into();
    window["leave_by"] = "09:00".into();
    let refusal = tenant.planner.post("/jobs", window).await.refused(400);
    assert_eq!(refusal["fields"]["arrive_after"], "Time should be before leave by (09:00)");
    assert_eq!(refusal["fields"]["leave_by"], "Time should be after arrive after (15:00)");
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 0);
}

/// P-158, P-159, P-277, P-278: links are kept on both sides, a cycle is refused and changes nothing.
#[tokio::test]
async fn links_are_kept_in_step_and_never_form_a_cycle() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let pickup = add(&tenant, &scenario, job("P")).await;
    let mut body = job("D");
    body["pickup_from"] = "P".into();
    let delivery = add(&tenant, &scenario, body).await;
    let read = async |job: &Value| tenant.planner.get(&format!("/jobs/{}", job["id"])).await.ok();
    assert_eq!(read(&pickup).await["deliver_to"], "D");
    let refusal = tenant
        .planner
        .patch(&format!("/jobs/{}", pickup["id"]), json!({"pickup_from": "D"}))
        .await
        .refused(400);
    assert!(refusal["description"].as_str().is_some_and(|text| {
        text.starts_with("Job.pickup_from and Job.deliver_to relationships must not form a cycle: ")
    }));
    let refusal = tenant
        .planner
        .patch(&format!("/jobs/{}", delivery["id"]), json!({"pickup_from": "X"}))
        .await
        .refused(400);
    assert_eq!(refusal["fields"]["pickup_from"], "Job X not found");
    let _ = tenant.planner.patch(&format!("/jobs/{}", pickup["id"]), json!({"uid": "P2"})).await.ok();
    assert_eq!(read(&delivery).await["pickup_from"], "P2");
    let _ = tenant.planner.delete(&format!("/jobs/{}", pickup["id"])).await.ok();
    assert!(read(&delivery).await["pickup_from"].is_null());
}

/// P-251, P-410, P-411, P-416: a job moves between scenario and pool; of two planners one wins.
#[tokio::test]
async fn a_job_goes_to_the_pool_and_back_once() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let made = add(&tenant, &scenario, job("A")).await;
    let _ = tenant.planner.put("/jobs/move_to_pool", json!({"job_ids": [made["id"]]})).await.ok();
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 1);
    let moves = json!([{"id": made["id"], "scenario_id": scenario}]);
    let (one, two) = tokio::join!(
        tenant.planner.put("/jobs/move_jobs_from_pool", moves.clone()),
        tenant.admin.put("/jobs/move_jobs_from_pool", moves.clone())
    );
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    tenant.planner.put("/jobs/move_to_pool", json!({"job_ids": [made["id"], 999_999]})).await.refused(404);
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 0);
}

/// P-403, P-404, P-405: PUT replaces, POST adds, DELETE removes tags.
#[tokio::test]
async fn tags_are_assigned_to_jobs() {
    let tenant = tenant().await;
    let made = tenant.planner.post("/jobs", job("A")).await.ok()["id"].clone();
    let tag = async |name: &str| tenant.admin.post("/tags", json!({"name": name})).await.ok()["id"].clone();
    let (cold, fragile) = (tag("Cold").await, tag("Fragile").await);
    let path = format!("/jobs/{made}/assign_tags");
    let names = |answer: Value| -> Vec<String> {
        answer["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tag| tag["name"].as_str().map(str::to_owned))
            .collect()
    };
    assert_eq!(names(tenant.planner.post(&path, json!({"tag_ids": [cold]})).await.ok()), ["Cold"]);
    assert_eq!(
        names(tenant.planner.post(&path, json!({"tag_ids": [cold, fragile]})).await.ok()),
        ["Cold", "Fragile"]
    );
    assert_eq!(names(tenant.planner.put(&path, json!({"tag_ids": [fragile]})).await.ok()), ["Fragile"]);
    let removal = tenant.planner.call(http::Method::DELETE, &path, Some(json!({"tag_ids": [fragile]}))).await;
    assert!(names(removal.ok()).is_empty());
    tenant.planner.post(&path, json!({"tag_ids": [987_654]})).await.refused(400);
}

/// P-314, P-395 to P-398, P-406 to P-408, P-412: jobs of one uid beside each other, found by page and id, tagged together;
/// one job of the pool taken into a scenario.
#[tokio::test]
async fn jobs_are_found_and_tagged_together() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let first = add(&tenant, &scenario, job("A")).await["id"].clone();
    let second = add(&tenant, &scenario, job("A")).await["id"].clone();
    let _ = add(&tenant, &scenario, job("AB")).await;
    let path = format!("/jobs?scenario_ids={scenario}&uid_exact=A&per_page=1&page=2");
    let page = tenant.planner.get(&path).await.ok();
    let numbers = ["total_count", "total_pages", "per_page", "page"].map(|name| page[name].clone());
    assert_eq!((numbers, &page["data"][0]["id"]), ([json!(2), json!(2), json!(1), json!(2)], &first));
    let both = tenant.planner.get(&format!("/jobs?job_ids={first},{second}")).await.ok();
    assert_eq!(both["total_count"], 2);

    let tag = async |name: &str| tenant.admin.post("/tags", json!({"name": name})).await.ok()["id"].clone();
    let (cold, fragile) = (tag("Cold").await, tag("Fragile").await);
    let assign = async |method: http::Method, tags: Value| -> Vec<(usize, Value)> {
        let body = json!({"job_ids": [first, second], "tag_ids": tags});
        let answer = tenant.planner.call(method, "/jobs/assign_tags_bulk", Some(body)).await.ok();
        let jobs = answer.as_array().expect("a list");
        jobs.iter()
            .map(|job| (job["tags"].as_array().map_or(0, Vec::len), job["tags"][0]["name"].clone()))
            .collect()
    };
    assert_eq!(
        assign(http::Method::PUT, json!([cold, fragile])).await,
        [(2, json!("Cold")), (2, json!("Cold"))]
    );
    let left = assign(http::Method::DELETE, json!([cold])).await;
    assert_eq!(left, [(1, json!("Fragile")), (1, json!("Fragile"))]);
    assert_eq!(assign(http::Method::POST, json!([cold])).await[0].0, 2);

    let pooled = tenant.planner.post("/jobs", job("P")).await.ok();
    let body = json!({"job_id": pooled["id"], "scenario_id": scenario});
    let taken = tenant.planner.put("/jobs/pool/to_scenario", body).await.ok();
    assert_eq!((&taken["id"], &taken["scenario_id"]), (&pooled["id"], &scenario));
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 0);
}
