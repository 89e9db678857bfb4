//! Runs: defaults of driver and variant, changes with their checks, deleting.

mod actuals;
mod reasons;

use serde_json::{Value, json};

use crate::execution::ready;
use crate::jobs::{add, job, scenario};
use crate::support::{Tenant, tenant};

/// A driver with a depot in Porto.
pub(crate) async fn driver(tenant: &Tenant, uid: &str, fields: Value) -> Value {
    let mut body = json!({
        "uid": uid, "location": {"address": "Avenida da Boavista 1, Porto", "lat": 41.158, "lon": -8.63},
        "shift_start": "08:00", "shift_end": "17:00",
    });
    merge(&mut body, fields);
    tenant.planner.post("/drivers", body).await.ok()
}

/// A run of a driver.
pub(crate) async fn run(tenant: &Tenant, scenario: &Value, driver: &Value, fields: Value) -> Value {
    let mut body = json!({"scenario_id": scenario, "driver_id": driver["id"]});
    merge(&mut body, fields);
    tenant.planner.post("/runs", body).await.ok()
}

/// Adds or replaces fields of an object.
pub(crate) fn merge(body: &mut Value, fields: Value) {
    for (name, value) in fields.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
}

/// P-210 to P-218, X-018, X-171, X-173, X-180, X-183, X-184, X-185, X-187, X-190 to X-192, X-194, X-333, X-489: a run takes its driver over, whatever is given wins, capacity defaults to '0'.
#[tokio::test]
async fn a_run_takes_its_driver_over() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(
        &tenant,
        "Ana",
        json!({"spec_type": "ambient,frozen", "lunch_time": "12:00", "lunch_latest_start": "13:00", "lunch_duration": 30,
            "email": "ana@example.org", "route_colour": "#112233"}),
    )
    .await;
    let made = run(&tenant, &scenario, &ana, json!({"shift_end": "16:30"})).await;
    assert_eq!(
        (&made["uid"], &made["driver"]["uid"], &made["status"]),
        (&json!("Ana"), &json!("Ana"), &json!("pending"))
    );
    assert_eq!((&made["shift_start"], &made["shift_end"]), (&json!("08:00"), &json!("16:30")));
    assert_eq!((&made["capacity"], &made["preferred_method"]), (&json!("0"), &json!("email")));
    assert_eq!((&made["route_colour"], &made["email"]), (&json!("#112233"), &json!("ana@example.org")));
    assert_eq!(made["start_location"]["lat"], 41.158);
    assert_eq!((&made["lunch_time"], &made["lunch_duration"]), (&json!("12:00"), &json!(30.0)));
    assert!(made["token"].as_str().is_some_and(|token| token.len() >= 32));
    assert_eq!((&made["jobs"], &made["stats"]["planned_distance"]), (&json!([]), &json!(0)));
    // Without a colour of his own a driver's run gets the next of the palette.
    let rui = driver(&tenant, "Rui", json!({})).await;
    assert_eq!(run(&tenant, &scenario, &rui, json!({})).await["route_colour"], "#3cb44b");

    let listed = tenant.planner.get(&format!("/runs?scenario_id={scenario}&route=true")).await.ok();
    assert_eq!(listed["total_count"], 2);
    assert_eq!(listed["data"][0]["jobs"], json!([]));
    let _ = tenant.planner.post("/runs", json!({"scenario_id": scenario})).await.refused(400);
    let fault =
        tenant.planner.post("/runs", json!({"scenario_id": 0, "driver_id": ana["id"]})).await.refused(400);
    assert_eq!(fault["fields"]["scenario_id"], "Value does not exist");
}

/// S-04, A-4xx: the variant of the weekday overlays the driver; one named for the day wins over one for every day.
#[tokio::test]
async fn the_variant_of_the_day_overlays_the_driver() {
    let tenant = tenant().await;
    let body = json!({"name": "Monday", "scheduled_date": "2026-11-23"});
    let monday = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let body = json!({"name": "Tuesday", "scheduled_date": "2026-11-24"});
    let tuesday = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let ana = driver(&tenant, "Ana", json!({"capacity": "boxes:10"})).await;
    for (days, start) in [(json!([]), "07:00"), (json!(["monday"]), "06:00")] {
        let body =
            json!({"driver_id": ana["id"], "days": days, "shift_start": start, "capacity": "boxes:70"});
        let _ = tenant.planner.post("/drivers/configs", body).await.ok();
    }
    let run_monday = run(&tenant, &monday, &ana, json!({})).await;
    assert_eq!((&run_monday["shift_start"], &run_monday["capacity"]), (&json!("06:00"), &json!("boxes:70")));
    assert_eq!(run(&tenant, &tuesday, &ana, json!({})).await["shift_start"], "07:00");
}

/// X-412 to X-420, X-414, X-415, X-416: every rule of the forms with its text.
#[tokio::test]
async fn faulty_changes_are_refused_with_the_documented_texts() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    let early = "2026-11-23T08:00:00Z";
    let late = "2026-11-23T10:00:00Z";
    for (change, field, text) in [
        (
            json!({"actual_start_time": late, "actual_end_time": early}),
            "actual_start_time",
            "Actual start time should be before actual end time",
        ),
        (
            json!({"actual_start_time": late, "actual_end_time": early}),
            "actual_end_time",
            "Actual end time should be after actual start time",
        ),
        (
            json!({"planned_start_time": late, "planned_end_time": early}),
            "planned_start_time",
            "Planned start time should be before planned end time",
        ),
        (
            json!({"planned_start_time": late, "planned_end_time": early}),
            "planned_end_time",
            "Planned end time should be after planned start time",
        ),
        (
            json!({"start_odometer": 11, "end_odometer": 10}),
            "start_odometer",
            "End odometer should be greater start odometer",
        ),
        (
            json!({"start_odometer": 11, "end_odometer": 10}),
            "end_odometer",
            "End odometer should be greater start odometer",
        ),
        (json!({"additional_billing_kms": "a lot"}), "additional_billing_kms", "Enter a numeric value"),
        (
            json!({"lunch_time": "07:00"}),
            "lunch_time",
            "Break earliest start time must be between shift start and shift end",
        ),
        (
            json!({"lunch_latest_start": "17:30"}),
            "lunch_latest_start",
            "Break latest start must be between shift start and shift end",
        ),
        (json!({"capacity": "big|&"}), "capacity", "Value is not a valid size"),
        (json!({"email": "nobody"}), "email", "Invalid email address"),
        (
            json!({"phone_number": "12"}),
            "phone_number",
            "Invalid phone number, must be international format (e.g +61412345678)",
        ),
        (json!({"route_end": "end_location"}), "end_location", "This item is required"),
        (json!({"speed_multiplier": 9}), "speed_multiplier", "Value must be between 0.1 and 3"),
        (
            json!({"preferred_method": "sms"}),
            "preferred_method",
            "SMS configuration is disabled in Organisation Settings.",
        ),
        (json!({"vehicle_id": 0}), "vehicle_id", "Value does not exist"),
        (json!({"territory_ids": [7]}), "territory_ids", "Territory not found"),
        (json!({"driver_user_id": 1}), "driver_user_id", "Value does not exist"),
    ] {
        let refusal = tenant.admin.patch(&path, change.clone()).await.refused(400);
        assert_eq!(refusal["fields"][field], text, "{change}: {refusal}");
    }
    let refusal = tenant.admin.patch(&path, json!({"min_billing_hours": "x"})).await.refused(400);
    assert_eq!(refusal["fields"]["min_billing_hours"], "Enter a numeric value");
    // X-332: another route end clears the end; X-333: a blank capacity is '0'; R-01: both spellings of qr_code.
    let end = json!({"address": "Rua do Fim, Porto", "lat": 41.1, "lon": -8.6});
    let changed = tenant
        .planner
        .patch(&path, json!({"route_end": "end_location", "end_location": end, "capacity": " ", "preferred_method": "qrcode"}))
        .await
        .ok();
    assert_eq!((&changed["end_location"]["lat"], &changed["capacity"]), (&json!(41.1), &json!("0")));
    assert_eq!(changed["preferred_method"], "qr_code");
    let changed = tenant.planner.patch(&path, json!({"route_end": "anywhere"})).await.ok();
    assert!(changed["end_location"].is_null());
}

/// P-214, X-485, contract §4.9: the runs of a scenario with their ways and their jobs in order; the jobs only on request
/// and for those who may read jobs.
#[tokio::test]
async fn listed_runs_have_their_jobs() {
    let ready = ready().await;
    let list = format!("/runs?scenario_id={}", ready.scenario["id"]);
    let uids = |run: &Value| {
        run["jobs"].as_array().map(|jobs| jobs.iter().map(|job| job["uid"].clone()).collect::<Vec<_>>())
    };
    let whole = ready.planner().get(&format!("{list}&route=true")).await.ok();
    assert_eq!(uids(&whole["data"][0]), Some(vec![json!("J1"), json!("J2"), json!("J3")]));
    let legs = whole["data"][0]["route"]["legs"].as_array().expect("a way");
    assert!(legs[0]["distance"].is_number() && legs[0]["duration"].is_number());
    for query in ["", "&route=true&jobs=false"] {
        let plain = ready.planner().get(&format!("{list}{query}")).await.ok();
        assert!(plain["data"][0].get("jobs").is_none(), "{query}");
    }
    let jobs = ready.planner().get(&format!("{list}&jobs=true")).await.ok();
    assert_eq!(uids(&jobs["data"][0]).map(|jobs| jobs.len()), Some(3));
    let reader = ready.tenant.organisation.person_with(&["runs_read"]).await;
    let reader = ready.tenant.planner.with_token(ready.tenant.organisation.token(reader));
    ready.tenant.app.gate.policies.poll().await.expect("policies are read");
    assert!(reader.get(&format!("{list}&jobs=true")).await.ok()["data"][0].get("jobs").is_none());
}

/// A-420, A-433, X-486, X-488, X-492: territories are replaced; a run with jobs cannot be deleted; bulk is all or nothing.
#[tokio::test]
async fn territories_bulk_and_delete() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let other = run(&tenant, &scenario, &ana, json!({"uid": "Ana 2", "force": true})).await;
    let mut database = tenant.organisation.database().await;
    let territory: i64 = sqlx::query_scalar(
        r#"insert into territories (name, geometry) values ('North', '{"type": "Polygon", "coordinates": []}') returning id"#,
    )
    .fetch_one(&mut database)
    .await
    .expect("a territory");
    let path = format!("/runs/{}", made["id"]);
    let changed =
        tenant.planner.put(&format!("{path}/territories"), json!({"territory_ids": [territory]})).await.ok();
    assert_eq!(changed["territory_ids"], json!([territory]));
    let items = json!([{"id": made["id"], "uid": "First"}, {"id": other["id"], "uid": " "}]);
    let _ = tenant.planner.patch("/runs/bulk", items).await.refused(400);
    assert_eq!(tenant.planner.get(&path).await.ok()["uid"], "Ana", "nothing of a refused bulk is stored");
    let delivery = add(&tenant, &scenario, job("A")).await;
    let _ = tenant
        .planner
        .put(&format!("/runs/move_job_to_new/{}", made["id"]), json!({"job_ids": [delivery["id"]]}))
        .await
        .ok();
    assert_eq!(tenant.planner.delete(&path).await.refused(400)["description"], "Cannot delete run with jobs");
    let _ = tenant.planner.delete(&format!("/runs/{}", other["id"])).await.ok();
    let _ = tenant.planner.get(&format!("/runs/{}", other["id"])).await.refused(404);
}

/// X-454: a run's details need run_detail_read, changing it runs_write.
#[tokio::test]
async fn levels_guard_runs() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let reader = tenant.organisation.person_with(&["runs_read"]).await;
    let reader = tenant.planner.with_token(tenant.organisation.token(reader));
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let _ = reader.get("/runs").await.ok();
    let _ = reader.get(&format!("/runs/{}", made["id"])).await.refused(403);
    let _ = reader.patch(&format!("/runs/{}", made["id"]), json!({"uid": "x"})).await.refused(403);
    let _ = reader.put("/runs/move_job_to_new/unserved", json!({"job_ids": [1]})).await.refused(403);
    let _ = reader
        .post(&format!("/optimise/scenarios/{scenario}"), json!({"driver_ids": [ana["id"]]}))
        .await
        .refused(403);
}

/// S-40: choosing a vehicle fills what is still the default; what somebody entered stays; clearing it leaves the rest.
#[tokio::test]
async fn a_vehicle_fills_what_is_not_entered() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    let mut vans = Vec::new();
    for (uid, capacity) in [("Van 1", "boxes:70"), ("Van 2", "boxes:90")] {
        let body = json!({"uid": uid, "capacity": capacity, "spec_type": "ambient", "speed_multiplier": 0.9});
        vans.push(tenant.admin.post("/vehicles", body).await.ok()["id"].clone());
    }
    let filled = tenant.planner.patch(&path, json!({"vehicle_id": vans[0]})).await.ok();
    assert_eq!((&filled["capacity"], &filled["spec_type"]), (&json!("boxes:70"), &json!("ambient")));
    assert_eq!(filled["speed_multiplier"], 0.9);
    assert_eq!(
        tenant.planner.patch(&path, json!({"vehicle_id": vans[1]})).await.ok()["capacity"],
        "boxes:90"
    );
    let _ = tenant.planner.patch(&path, json!({"capacity": "boxes:40"})).await.ok();
    assert_eq!(
        tenant.planner.patch(&path, json!({"vehicle_id": vans[0]})).await.ok()["capacity"],
        "boxes:40"
    );
    let cleared = tenant.planner.patch(&path, json!({"vehicle_id": null})).await.ok();
    assert!(cleared["vehicle"].is_null() && cleared["capacity"] == "boxes:40");
}

/// W-007: a second run of a driver over the same hours is refused, naming the first, unless it is meant; so is a shift that is
/// made to overlap.
#[tokio::test]
async fn a_driver_has_one_run_at_a_time() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let first = run(&tenant, &scenario, &ana, json!({"shift_start": "08:00", "shift_end": "12:00"})).await;
    let body = json!({"scenario_id": scenario, "driver_id": ana["id"], "shift_start": "11:00", "shift_end": "15:00"});
    let refusal = tenant.planner.post("/runs", body.clone()).await.refused(409);
    assert_eq!(refusal["description"], "The driver has run Ana from 08:00 to 12:00 in this scenario already");
    assert_eq!((&refusal["error"], &refusal["run_id"]), (&json!("DRIVER_BUSY"), &first["id"]));
    let count = async || {
        tenant.planner.get(&format!("/runs?scenario_id={scenario}")).await.ok()["total_count"].clone()
    };
    assert_eq!(count().await, 1, "nothing is left of it");
    let second = run(&tenant, &scenario, &ana, json!({"shift_start": "12:00", "shift_end": "20:00"})).await;
    let path = format!("/runs/{}", second["id"]);
    let _ = tenant.planner.patch(&path, json!({"shift_start": "11:59"})).await.refused(409);
    let moved = tenant.planner.patch(&path, json!({"shift_start": "11:59", "force": true})).await.ok();
    assert_eq!(moved["shift_start"], "11:59");
    let mut forced = body;
    merge(&mut forced, json!({"force": true}));
    let _ = tenant.planner.post("/runs", forced).await.ok();
}
