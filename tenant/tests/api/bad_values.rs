//! Values that no field can have: overlong names, NUL bytes, impossible dates, what does not exist.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::moves::put_on;
use crate::runs::{driver, run};
use crate::support::tenant;

/// Every noun that is made by a form, with a form that is fine.
fn forms() -> Vec<(&'static str, Value)> {
    let place = json!({"address": "Rua 1, Porto", "lat": 41.15, "lon": -8.61});
    let ring = json!([[-8.7, 41.1], [-8.6, 41.1], [-8.6, 41.2], [-8.7, 41.1]]);
    vec![
        (
            "/jobs",
            json!({"uid": "J", "location": place, "customer_name": "Flor", "customer_email": "a@example.org",
            "phone_number": "+351220000001", "arrive_after": "09:00", "leave_by": "10:00", "size": "2", "spec_type": "cold",
            "colour": "#112233", "comments": "Ring", "consignee_info": "x", "consignor_info": "x", "external_comments": "x",
            "dock_location": "A", "invoice": "I", "reference": "R", "extra_fields": {"gate": "2"}}),
        ),
        (
            "/clients",
            json!({"uid": "C", "name": "Flor", "location": place, "arrive_after": "09:00", "leave_by": "10:00",
            "spec_type": "cold", "delivery_instructions": "Ring", "customer_email": "a@example.org",
            "phone_number": "+351220000001", "dock_location": "A", "external_comments": "x", "consignee_info": "x",
            "colour": "#112233", "extra_fields": {"gate": "2"}}),
        ),
        (
            "/locations",
            json!({"uid": "L", "name": "Depot", "address": "Rua 1", "lat": 41.1, "lon": -8.6, "kind": "depot"}),
        ),
        (
            "/units",
            json!({"uid": "U", "name": "Crate", "invoice": "I", "reference": "R", "extra_fields": {"a": "b"}}),
        ),
        ("/returns", json!({"uid": "R", "comments": "Empty", "extra_fields": {"a": "b"}})),
        ("/containers", json!({"uid": "K", "extra_fields": {"a": "b"}})),
        ("/tags", json!({"name": "Cold", "color": "#112233"})),
        ("/reasons", json!({"name": "Closed", "ok": false})),
        ("/scenario_reasons", json!({"name": "Driver sick"})),
        ("/scenarios", json!({"name": "Friday", "scheduled_date": "2026-11-20"})),
        (
            "/scenarios/templates",
            json!({"name": "Weekday", "name_pattern": "{date} {template}", "days": ["monday"],
            "copy_items": ["jobs"]}),
        ),
        (
            "/drivers",
            json!({"uid": "D", "email": "a@example.org", "phone_number": "+351220000001", "preferred_method": "email",
            "shift_start": "09:00", "shift_end": "17:00", "lunch_time": "12:00", "lunch_latest_start": "13:00",
            "location": place, "end_location": place, "route_end": "start", "route_colour": "#112233", "capacity": "5",
            "spec_type": "cold", "alternatives_group": "van", "device_id": "gps-1"}),
        ),
        (
            "/vehicles",
            json!({"uid": "V", "name": "Van", "registration": "AA-00-AA", "vehicle_type": "van", "capacity": "5",
            "spec_type": "cold", "device_id": "gps-1"}),
        ),
        (
            "/territories",
            json!({"uid": "T", "name": "North", "colour": "#112233",
            "geometry": {"type": "Polygon", "coordinates": [ring]}}),
        ),
        ("/territory_groups", json!({"name": "All", "colour": "#112233"})),
        ("/config_values", json!({"group": "vehicle_definition", "key": "van", "value": {"name": "Van"}})),
        (
            "/filename_regex",
            json!({"name": "Days", "pattern": "(?P<date>.*)", "target": "job_import",
            "date_format": "%Y-%m-%d"}),
        ),
        ("/secrets", json!({"name": "partner", "value": "s3cret"})),
        (
            "/udf/actions",
            json!({"name": "Tell", "event": "job_created", "action": "add_tag", "config": {"tag": "New"},
            "conditions": [{"field": "uid", "operator": "contains", "value": "J"}]}),
        ),
        ("/gefco/run_code_maps", json!({"run_code": "PT-1", "depot_code": "OPO", "description": "North"})),
        ("/billing_rates", json!({"name": "Day", "currency": "EUR"})),
        (
            "/checklist/definitions",
            json!({"name": "Start", "type": "start_route",
            "fields": [{"id": "a", "label": "Tyres", "type": "checkbox", "required": true, "order": 1}]}),
        ),
    ]
}

/// Replaces every text of a form by another one, one at a time: the path of the text, and the form.
fn with_text(form: &Value, text: &str) -> Vec<(String, Value)> {
    fn walk(value: &Value, pointer: &str, found: &mut Vec<String>) {
        match value {
            Value::String(_) => found.push(pointer.to_owned()),
            Value::Object(map) => {
                map.iter().for_each(|(key, inner)| walk(inner, &format!("{pointer}/{key}"), found))
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(n, inner)| walk(inner, &format!("{pointer}/{n}"), found));
            }
            _ => {}
        }
    }
    let mut pointers = Vec::new();
    walk(form, "", &mut pointers);
    pointers
        .into_iter()
        .map(|pointer| {
            let mut form = form.clone();
            *form.pointer_mut(&pointer).expect("the text is there") = text.into();
            (pointer, form)
        })
        .collect()
}

/// Every text field of every form with 5,000 characters, and with a NUL byte: 400 that names the field, and nothing made.
#[tokio::test]
async fn overlong_texts_and_nul_bytes_are_refused_with_their_field() {
    let tenant = tenant().await;
    let long = "x".repeat(5000);
    for (path, form) in forms() {
        let before = tenant.admin.get(path).await.ok()["total_count"].clone();
        for text in [long.as_str(), "a\u{0}b"] {
            for (pointer, form) in with_text(&form, text) {
                // A value of settings may be long, and so may a secret: a private key is.
                let free = ["/value/name", "/value", "/conditions/0/value"].contains(&pointer.as_str());
                if free && text.len() > 10 {
                    continue;
                }
                let refusal = tenant.admin.post(path, form).await.refused(400);
                let field = pointer.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
                let named = refusal["fields"].as_object().is_some_and(|fields| {
                    fields.keys().any(|name| name.split(['.', '[']).next() == Some(field.as_str()))
                });
                assert!(named, "{path} {pointer} with {} characters: {refusal}", text.len());
                if text.len() > 10 && ["/uid", "/name"].contains(&pointer.as_str()) {
                    assert_eq!(refusal["fields"][&field], "Value is too long", "{path}");
                }
            }
        }
        assert_eq!(tenant.admin.get(path).await.ok()["total_count"], before, "{path}: something was made");
        let made = tenant.admin.post(path, form).await;
        assert_eq!(made.status.as_u16(), 201, "{path}: the form itself is fine: {}", made.text());
        let id = made.ok()["id"].clone();
        // The same of a change.
        for name in ["uid", "name", "run_code"] {
            let changed = tenant.admin.patch(&format!("{path}/{id}"), json!({name: long})).await;
            let known = changed.json["fields"][name].is_string();
            let absent = changed.status.is_success() && changed.json[name] != json!(long);
            assert!(known || absent, "{path} {name}: {}", changed.text());
        }
    }
}

/// Days that no calendar has, and days that no plan can have, wherever a date is given.
#[tokio::test]
async fn impossible_dates_are_refused() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let template = tenant.admin.post("/scenarios/templates", json!({"name": "T"})).await.ok();
    let before = tenant.planner.get("/scenarios").await.ok()["total_count"].clone();
    let duplicate = format!("/scenarios/{scenario}/duplicate");
    let fixed = format!("/scenarios/{scenario}/create_fixed_runs");
    for day in [
        "2026-02-30",
        "2026-13-01",
        "2025-02-29",
        "0000-00-00",
        "20/11/2026",
        "tomorrow",
        "",
        "+12026-01-01",
        "-0001-01-01",
        "9999-12-31",
        "1066-10-14",
        "2026-11-20T00:00:00Z\u{0}",
    ] {
        let refused = async |path: &str, body: Value, field: &str| {
            let refusal = tenant.planner.post(path, body).await.refused(400);
            assert!(refusal["fields"][field].is_string(), "{path} {day}: {refusal}");
        };
        refused("/scenarios", json!({"name": "X", "scheduled_date": day}), "scheduled_date").await;
        let body = json!({"template_id": template["id"], "scheduled_date": day});
        refused("/scenarios/advanced", body, "scheduled_date").await;
        let body =
            json!({"copy_items": [], "scheduled_date": day, "number_of_copies": 1, "scenario_name": "X"});
        refused(&duplicate, body, "scheduled_date").await;
        let body = json!({"copy_items": [], "from_date": day, "to_date": day, "days": ["monday"], "number_of_copies": 1});
        refused(&fixed, body, "from_date").await;
        let path = format!("/scenarios/{scenario}");
        let refusal = tenant.planner.patch(&path, json!({"scheduled_date": day})).await.refused(400);
        assert!(refusal["fields"]["scheduled_date"].is_string(), "{day}: {refusal}");
    }
    assert_eq!(tenant.planner.get("/scenarios").await.ok()["total_count"], before);
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    for field in ["planned_start_time", "actual_start_time", "actual_end_time", "billing_start_time"] {
        for moment in [
            "2026-02-30T08:00:00Z",
            "2026-11-20T25:00:00Z",
            "2026-11-20",
            "+262142-01-01T00:00:00Z",
            "9999-12-31T00:00:00Z",
            "0001-01-01T00:00:00Z",
        ] {
            let refusal = tenant.planner.patch(&path, json!({field: moment})).await.refused(400);
            assert!(refusal["fields"][field].is_string(), "{field} {moment}: {refusal}");
        }
    }
    let vehicle = tenant.admin.post("/vehicles", json!({"uid": "V"})).await.ok();
    let cost = format!("/vehicles/{}/cost?start_date=2026-02-30&end_date=2026-03-01", vehicle["id"]);
    let _ = tenant.admin.get(&cost).await.refused(400);
}

/// Ids of rows that this organisation does not have, in bodies: 404 or the field is named, and nothing changes.
#[tokio::test]
async fn ids_of_others_are_refused_wherever_they_are_named() {
    let (tenant, other) = (tenant().await, tenant().await);
    let scenario = scenario(&tenant).await;
    let own = add(&tenant, &scenario, job("A")).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let route = run(&tenant, &scenario, &ana, json!({})).await;
    let _ = put_on(&tenant, &route, &[&own], json!({})).await;
    // No row of this organisation has this id.
    let foreign = 500_000;
    let job_path = format!("/jobs/{}", own["id"]);
    let run_path = format!("/runs/{}", route["id"]);
    let calls: Vec<(&str, String, Value)> = vec![
        ("POST", "/jobs".into(), json!({"uid": "B", "location": own["location"], "scenario_id": foreign})),
        ("POST", "/jobs".into(), json!({"uid": "B", "location": own["location"], "client_id": foreign})),
        ("PATCH", job_path.clone(), json!({"client_id": foreign})),
        ("PATCH", job_path.clone(), json!({"scenario_id": foreign})),
        (
            "PATCH",
            "/jobs/bulk".into(),
            json!([{"id": own["id"], "invoice": "I"}, {"id": foreign, "invoice": "I"}]),
        ),
        (
            "PATCH",
            "/jobs/bulk_update".into(),
            json!({"job_ids": [own["id"], foreign], "values": {"invoice": "I"}}),
        ),
        ("POST", format!("{job_path}/assign_tags"), json!({"tag_ids": [foreign]})),
        ("PUT", "/jobs/assign_tags_bulk".into(), json!({"job_ids": [own["id"], foreign], "tag_ids": []})),
        ("PUT", "/jobs/move_to_pool".into(), json!({"job_ids": [own["id"], foreign]})),
        ("PUT", "/jobs/move_jobs_from_pool".into(), json!([{"id": foreign, "scenario_id": scenario}])),
        ("PUT", "/jobs/merge".into(), json!({"destination_id": own["id"], "source_ids": [foreign]})),
        ("POST", "/duplicate_job".into(), json!({"job_id": own["id"], "unit_ids": [foreign]})),
        ("POST", "/units".into(), json!({"uid": "U", "job_id": foreign})),
        ("POST", "/returns".into(), json!({"uid": "R", "client_id": foreign})),
        ("PUT", format!("/runs/move_job_to_new/{}", route["id"]), json!({"job_ids": [foreign]})),
        ("PUT", format!("/runs/move_job_to_new/{foreign}"), json!({"job_ids": [own["id"]]})),
        (
            "PUT",
            "/runs/bulk_move_jobs".into(),
            json!({"moves": [{"run_id": null, "job_ids": [own["id"]]},
            {"run_id": foreign, "job_ids": [own["id"]]}]}),
        ),
        ("POST", "/runs".into(), json!({"scenario_id": scenario, "driver_id": foreign})),
        ("POST", "/runs".into(), json!({"scenario_id": foreign, "driver_id": ana["id"]})),
        ("PATCH", run_path.clone(), json!({"vehicle_id": foreign})),
        ("PATCH", run_path.clone(), json!({"driver_user_id": other.organisation.planner.id})),
        ("PUT", format!("{run_path}/territories"), json!({"territory_ids": [foreign]})),
        ("PATCH", format!("/drivers/{}", ana["id"]), json!({"vehicle_id": foreign})),
        ("PUT", format!("/drivers/{}/territories", ana["id"]), json!({"territory_ids": [foreign]})),
        ("POST", "/drivers/configs".into(), json!({"driver_id": foreign, "name": "X"})),
        ("POST", format!("/optimise/scenarios/{scenario}"), json!({"driver_ids": [foreign]})),
        (
            "POST",
            format!("/optimise/scenarios/{scenario}"),
            json!({"driver_ids": [ana["id"]], "options": {"job_ids": [foreign]}}),
        ),
        ("POST", format!("/optimise/background/scenarios/{foreign}"), json!({"driver_ids": [ana["id"]]})),
        ("PATCH", format!("/scenarios/{scenario}"), json!({"default_active_driver_ids": [foreign]})),
        ("PUT", format!("/scenarios/{scenario}/territory_groups"), json!({"territory_group_ids": [foreign]})),
        ("POST", "/scenarios/templates".into(), json!({"name": "T", "job_ids": [foreign]})),
        (
            "POST",
            "/scenarios/advanced".into(),
            json!({"name": "S", "scheduled_date": "2026-11-20", "job_ids": [foreign]}),
        ),
        (
            "POST",
            "/scenarios/advanced".into(),
            json!({"name": "S", "scheduled_date": "2026-11-20", "copy_from_scenario_id": foreign}),
        ),
        ("POST", "/jobs/template_upload".into(), json!({"rows": [{"uid": "B"}], "scenario_id": foreign})),
        ("POST", "/tutorial/create_jobs".into(), json!({"lat": 41.1, "lon": -8.6, "scenario_id": foreign})),
    ];
    let state = async || {
        let jobs = tenant.admin.get("/jobs").await.ok();
        let runs = tenant.admin.get("/runs").await.ok();
        let scenarios = tenant.admin.get("/scenarios").await.ok()["total_count"].clone();
        json!([jobs, runs, scenarios, tenant.admin.get("/drivers").await.ok()])
    };
    let before = state().await;
    for (method, path, body) in calls {
        let method = method.parse().expect("a method");
        let answer = tenant.admin.call(method, &path, Some(body.clone())).await;
        let told = answer.status == 404 || answer.status == 400 && answer.json["fields"].is_object();
        assert!(told, "{path} {body}: {} {}", answer.status, answer.text());
    }
    assert_eq!(state().await, before);
}

/// P-134, P-182, P-200, P-206, A-226: rows tell their organisation, and there are none of any other.
#[tokio::test]
async fn rows_tell_their_organisation() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let own = tenant.organisation.id.get();
    let made = add(&tenant, &scenario, job("A")).await;
    assert_eq!(made["organisation_id"], own);
    for path in
        ["/jobs", "/scenarios", "/clients", "/returns", "/units", "/drivers", "/vehicles", "/locations"]
    {
        let body = match path {
            "/jobs" | "/scenarios" => None,
            "/clients" => Some(json!({"uid": "C", "name": "Flor", "organisation_id": own})),
            "/locations" => Some(json!({"address": "Rua 1", "lat": 41.0, "lon": -8.0})),
            _ => Some(json!({"uid": "U", "organisation_id": own})),
        };
        if let Some(body) = body {
            let _ = tenant.admin.post(path, body).await.ok();
        }
        assert_eq!(tenant.admin.get(path).await.ok()["data"][0]["organisation_id"], own, "{path}");
        assert_ne!(
            tenant.admin.get(&format!("{path}?organisation_id={own}")).await.ok()["total_count"],
            0,
            "{path}"
        );
        let others = tenant.admin.get(&format!("{path}?organisation_id={}", own + 1)).await.ok();
        assert_eq!(others["total_count"], 0, "{path}");
    }
}
