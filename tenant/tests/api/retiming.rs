//! What is changed of a job or a run changes when the vehicle is where: the plan tells the new times at once.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use crate::jobs::{add, scenario};
use crate::moves::{assert_timed, job_at, put_on, two_runs};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

fn eta(run: &Value, job: usize) -> DateTime<Utc> {
    run["jobs"][job]["eta"].as_str().and_then(|text| text.parse().ok()).expect("a time")
}

async fn three(tenant: &Tenant) -> (Value, Value, Vec<Value>) {
    let scenario = scenario(tenant).await;
    let ana = driver(tenant, "Ana", json!({})).await;
    let made = run(tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (n, uid) in (0_u8..).zip(["A", "B", "C"]) {
        let body = job_at(uid, 41.17 + 0.01 * f64::from(n), -8.63, json!({"duration": 10}));
        jobs.push(add(tenant, &scenario, body).await);
    }
    let moved = put_on(tenant, &made, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    (scenario, moved["updated_runs"][0].clone(), jobs)
}

async fn current(tenant: &Tenant, run: &Value) -> Value {
    tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok()
}

/// P-165, P-166, P-400: a served job that takes longer, moves or opens later shifts what comes after it; the answer has
/// the new times already; a run on the road keeps its plan.
#[tokio::test]
async fn a_changed_job_changes_the_times_of_its_run() {
    let tenant = tenant().await;
    let (scenario, before, jobs) = three(&tenant).await;
    let first = format!("/jobs/{}", jobs[0]["id"]);
    let _ = tenant.planner.patch(&first, json!({"duration": 40})).await.ok();
    let after = current(&tenant, &before).await;
    assert_timed(&after);
    assert_eq!(eta(&after, 0), eta(&before, 0));
    assert_eq!(eta(&after, 1), eta(&before, 1) + Duration::minutes(30));
    assert_eq!(after["total_job_duration"], 3600);

    let place = json!({"address": "Rua Longe, Porto", "lat": 41.3, "lon": -8.5});
    let changed =
        tenant.planner.patch(&format!("/jobs/{}", jobs[1]["id"]), json!({"location": place})).await.ok();
    let moved = current(&tenant, &before).await;
    assert_timed(&moved);
    assert!(eta(&moved, 1) > eta(&after, 1));
    assert_eq!(changed["eta"], moved["jobs"][1]["eta"], "the answer has the new times");

    let bulk = json!([{"id": jobs[0]["id"], "duration": 10}, {"id": jobs[2]["id"], "arrive_after": "16:00"}]);
    let changed = tenant.planner.patch("/jobs/bulk", bulk).await.ok();
    let waited = current(&tenant, &before).await;
    assert_timed(&waited);
    assert_eq!(waited["jobs"][2]["eta"].as_str().map(|text| &text[11..16]), Some("16:00"));
    assert_eq!(changed[1]["eta"], waited["jobs"][2]["eta"]);

    // A file that says the same of it.
    let rows = json!([{"uid": "B", "duration": 25}]);
    let upload = json!({"rows": rows, "scenario_id": scenario});
    assert_eq!(tenant.planner.post("/jobs/template_upload", upload).await.ok()["updated"], 1);
    let imported = current(&tenant, &before).await;
    assert_timed(&imported);
    assert_eq!(imported["jobs"][1]["duration"], 25.0);

    // What has nothing to do with time changes no times.
    let now = current(&tenant, &before).await;
    let _ = tenant.planner.patch(&first, json!({"comments": "Ring", "customer_name": "Flor"})).await.ok();
    let then = current(&tenant, &before).await;
    assert_eq!((&then["modified"], &then["route"]), (&now["modified"], &now["route"]));

    let started = json!({"actual_start_time": "2026-11-23T08:00:00Z", "start_odometer": 1, "force": true});
    let _ = tenant.planner.patch(&format!("/runs/{}", before["id"]), started).await.ok();
    let _ = tenant.planner.patch(&first, json!({"duration": 55})).await.ok();
    assert_eq!(
        eta(&current(&tenant, &before).await, 1),
        eta(&imported, 1),
        "a run on the road keeps its plan"
    );
}

/// X-171 ff., P-217: shift, depot, end, break, speed and departure of a run decide its times; a run without jobs has none.
#[tokio::test]
async fn a_changed_run_has_new_times() {
    let tenant = tenant().await;
    let (scenario, before, _) = three(&tenant).await;
    let path = format!("/runs/{}", before["id"]);
    let change = async |fields: Value| {
        let _ = tenant.planner.patch(&path, fields).await.ok();
        let run = current(&tenant, &before).await;
        assert!(run["jobs"].as_array().is_some_and(|jobs| jobs.len() == 3));
        run
    };
    let later = change(json!({"shift_start": "09:30"})).await;
    assert_timed(&later);
    assert_eq!(eta(&later, 0), eta(&before, 0) + Duration::minutes(90));
    let slow = change(json!({"speed_multiplier": 0.5})).await;
    assert_timed(&slow);
    assert!(slow["total_driving_time"].as_i64() > later["total_driving_time"].as_i64());
    let depot = json!({"address": "Braga", "lat": 41.55, "lon": -8.42});
    let far = change(json!({"start_location": depot, "speed_multiplier": 1})).await;
    assert_timed(&far);
    assert!(far["distance"].as_i64() > before["distance"].as_i64());
    let open = change(json!({"route_end": "anywhere"})).await;
    assert_eq!(open["route"]["legs"].as_array().map(Vec::len), Some(3), "nothing leads back");
    assert!(open["distance"].as_i64() < far["distance"].as_i64());
    let departs =
        change(json!({"planned_start_time": "2026-11-20T11:00:00Z", "planned_end_time": null})).await;
    assert_eq!(departs["jobs"][0]["eta"], open["jobs"][0]["eta"], "who gives the end means what he says");
    let vehicle = tenant.admin.post("/vehicles", json!({"uid": "V", "fuel_consumption": 10})).await.ok();
    let fuelled = change(json!({"vehicle_id": vehicle["id"]})).await;
    let litres = fuelled["distance"].as_f64().unwrap_or_default() / 10_000.0;
    assert!(
        fuelled["fuel_consumption"].as_f64().is_some_and(|burnt| (burnt - litres).abs() < 1e-9),
        "{litres}"
    );
    let rui = driver(&tenant, "Rui", json!({})).await;
    let empty = run(&tenant, &scenario, &rui, json!({})).await;
    let patched =
        tenant.planner.patch(&format!("/runs/{}", empty["id"]), json!({"shift_start": "10:00"})).await.ok();
    assert!(patched["planned_start_time"].is_null() && patched["route"].is_null());
}

/// P-297, P-441, S-06: a delay shifts the plan, waiting absorbs it, nobody is expected before the window opens; on the
/// road only what is expected moves.
#[tokio::test]
async fn a_delay_shifts_the_plan_and_waiting_absorbs_it() {
    let tenant = tenant().await;
    // Else it would leave so late that nothing is left to absorb (W-004).
    tenant.organisation.settings(&json!({"optimisation": {"depart": "shift_start"}})).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let (scenario, [ana, _], jobs) = two_runs(&tenant).await;
    let late = add(&tenant, &scenario, job_at("L", 41.2, -8.63, json!({"arrive_after": "11:00"}))).await;
    let before = put_on(&tenant, &ana, &[&jobs[0], &late], json!({})).await["updated_runs"][0].clone();
    let path = format!("/runs/{}", ana["id"]);
    for wrong in [json!(0), json!(1001), json!(i64::MIN), json!("soon")] {
        let wrong = json!({"delay": wrong});
        let _ = tenant.planner.post(&format!("{path}/delay"), wrong).await.refused(400);
    }
    let after = tenant.planner.post(&format!("{path}/delay"), json!({"delay": 30})).await.ok();
    assert_timed(&after);
    let clock = |run: &Value, n: usize| run["jobs"][n]["eta"].as_str().map(|text| text[11..16].to_owned());
    assert_eq!(after["planned_start_time"].as_str().map(|text| &text[11..16]), Some("08:30"));
    assert_ne!(clock(&before, 0), clock(&after, 0));
    assert_eq!((clock(&before, 1), clock(&after, 1)), (Some("11:00".into()), Some("11:00".into())));
    // A later move keeps the departure.
    let moved = put_on(&tenant, &ana, &[&jobs[1]], json!({})).await["updated_runs"][0].clone();
    assert_eq!(moved["planned_start_time"], after["planned_start_time"]);
    let advanced = tenant.planner.post(&format!("{path}/delay"), json!({"delay": -45})).await.ok();
    assert_eq!(advanced["planned_start_time"].as_str().map(|text| &text[11..16]), Some("07:45"));

    let _ = tenant
        .planner
        .patch(
            &path,
            json!({"actual_start_time": "2026-11-23T08:00:00Z", "start_odometer": 1, "force": true}),
        )
        .await
        .ok();
    let live = tenant.planner.post(&format!("{path}/delay"), json!({"delay": 20})).await.ok();
    assert_eq!(live["jobs"][0]["eta"], advanced["jobs"][0]["eta"], "the plan stays");
    let expected = |run: &Value, field: &str| -> chrono::DateTime<chrono::Utc> {
        run["jobs"][0][field].as_str().and_then(|text| text.parse().ok()).expect("a time")
    };
    assert_eq!(expected(&live, "updated_eta"), expected(&live, "eta") + chrono::Duration::minutes(20));
}
