//! What is typed into the forms of the planning nouns is kept and read again as it was given.

use serde_json::{Value, json};

use crate::execution::ready;
use crate::jobs::scenario;
use crate::support::{Tenant, tenant};

/// Makes a record by the path, and holds what was sent against what is read.
async fn kept(tenant: &Tenant, path: &str, body: &Value) -> Value {
    let made = tenant.admin.post(path, body.clone()).await.ok();
    let read = tenant.admin.get(&format!("{path}/{}", made["id"])).await.ok();
    for (field, value) in body.as_object().expect("fields") {
        match (value, &read[field]) {
            (Value::Object(parts), Value::Object(_)) => {
                for (part, value) in parts {
                    assert_eq!(&read[field][part], value, "{path} {field}.{part}");
                }
            }
            (value, stored) => assert_eq!(stored, value, "{path} {field}"),
        }
    }
    read
}

fn place() -> Value {
    json!({"address": "Rua de Camões 1, Porto", "lat": 41.15, "lon": -8.61})
}

/// P-131 to P-142, P-145 to P-167: a job keeps every field; what is planned is empty until it is planned.
#[tokio::test]
async fn a_job_keeps_its_fields() {
    let tenant = tenant().await;
    let tag = tenant.admin.post("/tags", json!({"name": "Fragile", "color": "#aa0000"})).await.ok();
    let body = json!({
        "uid": "J-1", "scenario_id": scenario(&tenant).await, "location": place(), "customer_name": "Ana",
        "customer_email": "a@example.org,b@example.org", "phone_number": "+351220000001", "duration": 7.0,
        "arrive_after": "08:00", "leave_by": "12:30", "size": "boxes:2&weight:350", "spec_type": "ambient,frozen",
        "priority": true, "colour": "#123456", "comments": "Ring twice", "consignee_info": "C", "consignor_info": "D",
        "external_comments": "E", "dock_location": "Dock 4", "invoice": "F-1", "reference": "R-1", "idm": true,
        "extra_fields": {"real_weight": "12.5", "parcel_volume": "0.2"},
    });
    let job = kept(&tenant, "/jobs", &body).await;
    assert_eq!(job["organisation_id"], tenant.organisation.id.get());
    assert_eq!(job["timezone"], "Europe/Lisbon");
    for field in ["run_id", "seq", "eta", "etd", "updated_eta", "pickup_from", "deliver_to"] {
        assert!(
            job.as_object().is_some_and(|job| job.contains_key(field)) && job[field].is_null(),
            "{field}"
        );
    }
    let path = format!("/jobs/{}/assign_tags", job["id"]);
    let tagged = tenant.admin.post(&path, json!({"tag_ids": [tag["id"]]})).await.ok();
    let first = &tagged["tags"][0];
    assert_eq!(
        (&first["id"], &first["name"], &first["color"]),
        (&tag["id"], &json!("Fragile"), &json!("#aa0000"))
    );
    let unit = json!({"uid": "U-1", "job_id": job["id"]});
    let _ = kept(&tenant, "/units", &unit).await;
    let whole = tenant.admin.get(&format!("/jobs/{}/all", job["id"])).await.ok();
    assert_eq!(whole["units"][0]["uid"], "U-1");
}

/// P-168 to P-183, P-185 to P-200: units, returns, containers and clients keep every field.
#[tokio::test]
async fn attachments_and_clients_keep_their_fields() {
    let tenant = tenant().await;
    let job = json!({"uid": "J-1", "scenario_id": scenario(&tenant).await, "location": place()});
    let job = tenant.admin.post("/jobs", job).await.ok()["id"].clone();
    let client = json!({
        "uid": "C-1", "name": "Ana", "location": place(), "arrive_after": "08:00", "leave_by": "12:30",
        "spec_type": "ambient", "delivery_instructions": "Ring twice", "customer_email": "a@example.org",
        "phone_number": "+351220000001", "dock_location": "Dock 4", "external_comments": "E", "consignee_info": "C",
        "colour": "#123456", "extra_fields": {"gate": "7"},
    });
    let client = kept(&tenant, "/clients", &client).await;
    assert_eq!(client["organisation_id"], tenant.organisation.id.get());
    let container = kept(&tenant, "/containers", &json!({"uid": "K-1", "extra_fields": {"seal": "9"}})).await;
    let unit = json!({
        "uid": "U-1", "name": "Box", "invoice": "F-1", "reference": "R-1", "extra_fields": {"lot": "5"},
        "job_id": job, "container_id": container["id"],
    });
    let _ = kept(&tenant, "/units", &unit).await;
    let back = json!({
        "uid": "Z-1", "comments": "Wrong colour", "client_id": client["id"], "job_id": job,
        "extra_fields": {"lot": "6"},
    });
    let back = kept(&tenant, "/returns", &back).await;
    assert_eq!(back["organisation_id"], tenant.organisation.id.get());
}

/// P-201 to P-209: drivers with their variants, vehicles and scenarios keep every field.
#[tokio::test]
async fn drivers_vehicles_and_scenarios_keep_their_fields() {
    let tenant = tenant().await;
    let vehicle = json!({
        "uid": "V-1", "name": "Van", "registration": "AA-01-BB", "capacity": "boxes:20", "spec_type": "ambient",
        "speed_multiplier": 1.1, "fuel_consumption": 9.5, "co2_per_litre": 2.6,
    });
    let vehicle = kept(&tenant, "/vehicles", &vehicle).await;
    let driver = json!({
        "uid": "D-1", "email": "d@example.org", "phone_number": "+351220000002", "preferred_method": "sms",
        "shift_start": "07:00", "shift_end": "16:00", "lunch_duration": 30.0, "location": place(),
        "route_colour": "#00aa00", "capacity": "boxes:10", "spec_type": "ambient", "vehicle_id": vehicle["id"],
    });
    let driver = kept(&tenant, "/drivers", &driver).await;
    assert!(
        driver["deleted_at"].is_null()
            && driver["configs"] == json!([])
            && driver["territories"] == json!([])
    );
    let config =
        json!({"driver_id": driver["id"], "name": "Fridays", "shift_start": "10:00", "shift_end": "15:00"});
    let _ = kept(&tenant, "/drivers/configs", &config).await;
    let scenario = json!({
        "name": "Friday", "scheduled_date": "2026-12-04", "default_active_driver_ids": [driver["id"]],
    });
    let scenario = kept(&tenant, "/scenarios", &scenario).await;
    assert_eq!((&scenario["stage"], &scenario["jobs_count"]), (&json!("planning"), &json!(0)));
    assert_eq!((&scenario["starred"], &scenario["territory_group_ids"]), (&json!(false), &json!([])));
    assert_eq!(scenario["organisation_id"], tenant.organisation.id.get());
    assert!(scenario["ws_token"].as_str().is_some_and(|token| token.len() > 20));
}

/// The fields of a record that are missing or not of the kind expected: `number`, `text`, `flag`, `list`, `object`, `time`
/// (a text or null), `any` (also null).
fn wrong(record: &Value, fields: &[(&str, &str)]) -> Vec<String> {
    let fits = |value: &Value, kind: &str| match kind {
        "number" => value.is_number(),
        "text" => value.is_string(),
        "flag" => value.is_boolean(),
        "list" => value.is_array(),
        "object" => value.is_object(),
        "time" => value.is_string() || value.is_null(),
        _ => true,
    };
    let known = record.as_object().expect("a record");
    fields
        .iter()
        .filter(|(field, kind)| known.get(*field).is_none_or(|value| !fits(value, kind)))
        .map(|(field, kind)| format!("{field} is no {kind}"))
        .collect()
}

/// X-172 X-174 X-175 X-176 X-177 X-178 X-179 X-181 X-182 X-186 X-188 X-189 X-193 X-195 X-196 X-197 X-203 X-204 X-205 X-206
/// X-207 X-208 X-210 X-212 X-213 X-238 X-296 X-297 X-298 X-299 P-219 P-220: a run that was planned and driven by a vehicle shows every field.
#[tokio::test]
async fn a_run_shows_its_fields() {
    let ready = ready().await;
    let rate =
        json!({"name": "Van", "cost_per_run": 10, "cost_per_km": 1, "cost_per_hour": 20, "cost_per_drop": 2});
    let rate = ready.tenant.admin.post("/billing_rates", rate).await.ok();
    let of_rate =
        ["cost_per_run", "cost_per_km", "cost_per_hour", "cost_per_drop"].map(|field| (field, "number"));
    assert_eq!(wrong(&rate, &of_rate), Vec::<String>::new());
    let vehicle = ready
        .tenant
        .admin
        .post("/vehicles", json!({"uid": "VAN", "fuel_consumption": 9.5, "co2_per_litre": 2640}))
        .await
        .ok();
    let path = format!("/vehicles/{}/billing_rates/{}", vehicle["id"], rate["id"]);
    let _ = ready.tenant.admin.post(&path, json!({})).await;
    let typed = json!({
        "vehicle_id": vehicle["id"], "billing_rate_id": rate["id"], "end_location": place(), "route_end": "end_location",
        "alternatives_group": "vans", "phone_number": "+351220000001", "spec_type": "ambient", "lunch_latest_start": "13:00",
        "speed_multiplier": 1.2, "device_id": "gps-1", "additional_billing_kms": 3.5, "min_billing_hours": 2.0,
    });
    let path = format!("/runs/{}", ready.run["id"]);
    let _ = ready.tenant.admin.patch(&path, typed.clone()).await.ok();
    let run = ready.tenant.admin.get(&path).await.ok();
    for (field, value) in typed.as_object().expect("fields") {
        match value.as_object() {
            Some(place) => assert_eq!(run[field]["address"], place["address"]),
            None => assert_eq!(&run[field], value, "{field}"),
        }
    }
    let computed = [
        ("scenario", "object"),
        ("driver_user_id", "any"),
        ("vehicle", "object"),
        ("validated_by_id", "any"),
        ("validated_at", "time"),
        ("territory_ids", "list"),
        ("distance", "number"),
        ("total_driving_time", "number"),
        ("total_job_duration", "number"),
        ("fuel_consumption", "number"),
        ("co2_emissions", "number"),
        ("dispatched", "flag"),
        ("created", "text"),
        ("jobs", "list"),
    ];
    assert_eq!(wrong(&run, &computed), Vec::<String>::new());
    assert_eq!(wrong(&run["driver"], &[("id", "number"), ("uid", "text")]), Vec::<String>::new());
    assert_eq!(wrong(&run["vehicle"], &[("billing_rate", "any")]), Vec::<String>::new());
    let legs = run["route"]["legs"].as_array().expect("legs");
    let sum = |field: &str| legs.iter().filter_map(|leg| leg[field].as_i64()).sum::<i64>();
    assert_eq!(
        (run["distance"].as_i64(), run["total_driving_time"].as_i64()),
        (Some(sum("distance")), Some(sum("duration")))
    );
}

/// X-269 X-271 X-272 X-273 X-274 X-275 X-291 X-292 X-293 X-294 X-295 X-301 X-302 X-303: what the
/// followers of a run see of scenarios, jobs and what they carry.
#[tokio::test]
async fn followers_see_the_fields_of_what_is_carried() {
    let ready = ready().await;
    let planner = ready.planner();
    let job = &ready.jobs[0]["id"];
    let unit = planner.post("/units", json!({"uid": "U", "job_id": job})).await.ok();
    let returned = planner.post("/returns", json!({"uid": "R", "job_id": job})).await.ok();
    let scenario = planner.get(&format!("/scenarios/{}", ready.scenario["id"])).await.ok();
    let of_scenario = [
        ("created", "text"),
        ("modified", "text"),
        ("units_count", "number"),
        ("default_active_driver_ids", "list"),
    ];
    assert_eq!(wrong(&scenario, &of_scenario), Vec::<String>::new());
    assert_eq!(scenario["scheduled_date"], "2026-11-23");
    assert_eq!(scenario["units_count"], 1);
    let whole = planner.get(&format!("/jobs/{job}/all")).await.ok();
    assert_eq!(
        wrong(&whole, &[("units_count", "number"), ("returns", "list"), ("created", "text")]),
        Vec::<String>::new()
    );
    let unit = planner.get(&format!("/units/{}", unit["id"])).await.ok();
    assert_eq!(
        wrong(&unit, &[("is_in_pool", "flag"), ("created", "text"), ("unit_proofs", "list")]),
        Vec::<String>::new()
    );
    let returned = planner.get(&format!("/returns/{}", returned["id"])).await.ok();
    assert_eq!(wrong(&returned, &[("created", "text"), ("return_proofs", "list")]), Vec::<String>::new());
    let reasons = planner.get("/reasons").await.ok();
    let of_reason = [("id", "number"), ("name", "text"), ("ok", "flag")];
    assert_eq!(wrong(&reasons["data"][0], &of_reason), Vec::<String>::new());
}
