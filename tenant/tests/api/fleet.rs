//! Drivers, vehicles, billing rates, clients, locations.

use serde_json::json;

use crate::support::tenant;

/// soft delete and restore; defaults; break within the shift.
#[tokio::test]
async fn a_driver_is_deleted_softly_and_restored() {
    let tenant = tenant().await;
    let depot = json!({"address": "Depot, Porto", "lat": 41.129, "lon": -8.613});
    let driver = tenant
        .planner
        .post("/drivers", json!({"uid": "Driver 1", "location": depot, "shift_start": "06:30:00", "shift_end": "2:30 pm", "capacity": ""}))
        .await
        .ok();
    assert_eq!((&driver["shift_start"], &driver["shift_end"]), (&json!("06:30"), &json!("14:30")));
    assert_eq!((&driver["capacity"], &driver["route_end"]), (&json!("0"), &json!("start")));
    assert_eq!(driver["location"]["address"], "Depot, Porto");
    let path = format!("/drivers/{}", driver["id"]);
    let fault = tenant.planner.patch(&path, json!({"lunch_time": "05:00"})).await.refused(400);
    assert_eq!(
        fault["fields"]["lunch_time"],
        "Break earliest start time must be between shift start and shift end"
    );
    let _ = tenant.planner.delete(&path).await.ok();
    assert_eq!(tenant.planner.get("/drivers").await.ok()["total_count"], 0);
    assert_eq!(tenant.planner.get("/drivers?include_deleted=true").await.ok()["total_count"], 1);
    assert!(tenant.planner.patch(&format!("{path}/restore"), json!({})).await.ok()["deleted_at"].is_null());
    assert_eq!(tenant.planner.get("/drivers").await.ok()["total_count"], 1);
}

/// adding a rate makes it the vehicle's, removing sets the first remaining one.
#[tokio::test]
async fn a_vehicle_uses_the_last_added_rate_and_falls_back_to_the_first() {
    let tenant = tenant().await;
    let rate = async |name: &str| {
        let body = json!({"name": name, "cost_per_run": 10, "cost_per_km": 0.5});
        tenant.admin.post("/billing_rates", body).await.ok()["id"].clone()
    };
    let (day, night) = (rate("Day").await, rate("Night").await);
    let van = tenant.admin.post("/vehicles", json!({"uid": "VAN-1"})).await.ok()["id"].clone();
    let _ = tenant.admin.post(&format!("/vehicles/{van}/billing_rates/{day}"), json!({})).await.ok();
    let vehicle = tenant.admin.post(&format!("/vehicles/{van}/billing_rates/{night}"), json!({})).await.ok();
    assert_eq!(vehicle["billing_rate"]["name"], "Night");
    assert_eq!(vehicle["billing_rates"].as_array().map(Vec::len), Some(2));
    let vehicle = tenant.admin.delete(&format!("/vehicles/{van}/billing_rates/{night}")).await.ok();
    assert_eq!(vehicle["billing_rate"]["name"], "Day");
    let cost = tenant
        .admin
        .get(&format!("/vehicles/{van}/cost?start_date=2026-01-01&end_date=2026-12-31"))
        .await
        .ok();
    assert_eq!((&cost["runs_count"], &cost["total_cost"]), (&json!(0), &json!(0.0)));
    tenant.admin.delete(&format!("/billing_rates/{day}")).await.refused(409);
    tenant.planner.get("/billing_rates").await.refused(403);
}

/// W-093: a vehicle's uid is its own, whatever the case and however many add it at once.
#[tokio::test]
async fn no_two_vehicles_have_the_same_uid() {
    let tenant = tenant().await;
    let van = tenant.admin.post("/vehicles", json!({"uid": "VAN-1"})).await.ok();
    let other = tenant.admin.post("/vehicles", json!({"uid": "VAN-2"})).await.ok();
    let refusal = tenant.admin.post("/vehicles", json!({"uid": "van-1"})).await.refused(400);
    assert!(refusal.to_string().contains("This value is already in use"), "{refusal}");
    let path = format!("/vehicles/{}", other["id"]);
    tenant.admin.patch(&path, json!({"uid": "VAN-1"})).await.refused(400);
    let _ = tenant
        .admin
        .patch(&format!("/vehicles/{}", van["id"]), json!({"uid": "Van-1", "name": "x"}))
        .await
        .ok();
    let (one, two) = tokio::join!(
        tenant.admin.post("/vehicles", json!({"uid": "VAN-3"})),
        tenant.admin.post("/vehicles", json!({"uid": "VAN-3"})),
    );
    let mut answers = [one.status.as_u16(), two.status.as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [201, 400]);
}

/// P-392, P-393, P-394: client search-as-you-type with LOOKUP-FIELDS.
#[tokio::test]
async fn clients_are_looked_up_with_few_fields() {
    let tenant = tenant().await;
    let body = json!({"uid": "C-1", "name": "Padaria Flor", "arrive_after": "", "leave_by": "10am",
        "location": {"address": "Rua do Bonjardim, Porto", "lat": 41.155405, "lon": -8.607705}, "extra_fields": {"gate": "2"}});
    let client = tenant.planner.post("/clients", body).await.ok();
    assert_eq!((&client["arrive_after"], &client["leave_by"]), (&json!(null), &json!("10:00")));
    let request = http::Request::get("/clients?uid=c-&per_page=20")
        .header("LOOKUP-FIELDS", "id;uid")
        .body(axum::body::Body::empty());
    let found = tenant.planner.send(request.expect("a request")).await.ok();
    assert_eq!(found["data"], json!([{"id": client["id"], "uid": "C-1"}]));
    let fault = tenant
        .planner
        .patch(&format!("/clients/{}", client["id"]), json!({"arrive_after": "11:00"}))
        .await
        .refused(400);
    assert_eq!(fault["fields"]["arrive_after"], "Time should be before leave by (10:00)");
    let cleared = tenant
        .planner
        .patch(&format!("/clients/{}", client["id"]), json!({"leave_by": null, "location": null}))
        .await
        .ok();
    assert!(cleared["leave_by"].is_null() && cleared["location"].is_null());
}
